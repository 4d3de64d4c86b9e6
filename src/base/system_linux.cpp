#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/build.h"
#include "base/system_internal.h"

namespace xtrace {

namespace {

constexpr uint32_t kComings = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | kComings;

constexpr std::string_view kGnu{"GNU\0", 4};  // whose notes have the build id

sigset_t before_interrupts;  // the signals that were blocked before Interrupts were

/// The descriptor of the build id among notes of the linker; empty: it is not among them.
std::string_view build_id_in(std::string_view notes, size_t alignment) {
  const auto aligned = [&](size_t size) { return (size + alignment - 1) / alignment * alignment; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const size_t name = sizeof note, bytes = aligned(name + note.n_namesz);
    const size_t end = bytes + note.n_descsz;
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == kGnu)
      return notes.substr(bytes, note.n_descsz);
    notes.remove_prefix(std::min(aligned(end), notes.size()));
  }
  return {};
}

int find_build_id(dl_phdr_info* loaded, size_t, void* to) {
  for (int i = 0; i < loaded->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = loaded->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const std::string_view notes(
        reinterpret_cast<const char*>(loaded->dlpi_addr + part.p_vaddr),  // NOLINT
        part.p_filesz);
    const size_t alignment = part.p_align == 8 ? 8 : 4;
    if (const std::string_view id = build_id_in(notes, alignment); !id.empty())
      *static_cast<std::string*>(to) = id;
  }
  return 1;  // the program comes first, and its libraries do not count
}

}  // namespace

File make_nameless_file(const std::string& folder) {
  File file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  const bool is_unsupported =
      !file.is_open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  return is_unsupported ? make_and_unlink(folder) : std::move(file);
}

std::string build_id() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  return id;
}

FolderWatch::FolderWatch() : notices_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

bool FolderWatch::add(const std::string& folder) {
  return inotify_add_watch(fd(), folder.c_str(), kChanges) >= 0;
}

bool FolderWatch::read_notices() {
  bool came = false;
  alignas(inotify_event) std::array<char, 16 << 10> notices;
  for (ssize_t count; (count = read(fd(), notices.data(), notices.size())) > 0;)
    for (ssize_t at = 0; at < count;) {
      const inotify_event* notice = reinterpret_cast<const inotify_event*>(notices.data() + at);
      came |= (notice->mask & (kComings | IN_Q_OVERFLOW)) != 0;
      at += static_cast<ssize_t>(sizeof(inotify_event) + notice->len);
    }
  return came;
}

Interrupts::Interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, &before_interrupts);
  file_ = File(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

bool Interrupts::came() {
  signalfd_siginfo notice;
  return read(file_.fd(), &notice, sizeof notice) == static_cast<ssize_t>(sizeof notice);
}

void Interrupts::let_through() {
  pthread_sigmask(SIG_SETMASK, &before_interrupts, nullptr);
}

#ifdef __GLIBC__
void give_back_large_tables() {
  constexpr int kLarge = 128 << 10;  // bytes; what glibc starts with
  mallopt(M_MMAP_THRESHOLD, kLarge);
}

void keep_large_tables() {
  constexpr int kLargest = 32 << 20;  // bytes; the most that glibc takes
  constexpr int kKept = 256 << 20;    // at the end of the heap
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kKept);
}
#else
void give_back_large_tables() {}
void keep_large_tables() {}
#endif

}  // namespace xtrace
