#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/hex.h"
#include "base/system_internal.h"
#include "base/system_mapping.h"
#include "base/system_random.h"

// Files of WASI preview 1, as far as system_files.cpp does not do for it. What WASI leaves out the
// host offers as the module `xtrace`: scripts/dist/wasm.d/wasi.mjs.

extern "C" {
/// Returns an errno of WASI, which are those of wasi-libc.
__attribute__((import_module("xtrace"), import_name("set_permissions"))) int32_t
xtrace_set_permissions(int32_t fd, int32_t mode);
/// Returns the mode, or -1 where the host knows none.
__attribute__((import_module("xtrace"), import_name("permissions"))) int32_t xtrace_permissions(
    int32_t fd);
}

namespace xtrace {

namespace {

/// The current folder of the host, by which the program was started; wasi-libc begins at the root.
__attribute__((constructor)) void enter_folder() {
  if (const char* folder = getenv("PWD")) static_cast<void>(chdir(folder));
}

}  // namespace

unsigned permissions_of(int fd) {
  constexpr unsigned kPrivate = 0600;  // where there are none, nobody else gets at the file
  const int32_t mode = xtrace_permissions(fd);
  return mode < 0 ? kPrivate : static_cast<unsigned>(mode) & 07777;
}

bool set_permissions(int fd, unsigned permissions) {
  errno = xtrace_set_permissions(fd, static_cast<int32_t>(permissions));
  return errno == 0;
}

bool set_permissions(const std::string& path, unsigned permissions) {
  const File file(open(path.c_str(), O_RDONLY));
  return file.is_open() && set_permissions(file.fd(), permissions);
}

File make_nameless_file(const std::string& folder) {
  const std::optional<std::string> random = random_bytes(8);
  if (!random) return File();
  uint64_t number = 0;
  std::memcpy(&number, random->data(), sizeof number);
  const std::string name = folder + "/xtrace-" + hex(number);
  File file(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600));
  if (file.is_open()) unlink(name.c_str());
  return file;
}

std::optional<size_t> write_now(int fd, std::string_view bytes) {
  const ssize_t count = write(fd, bytes.data(), bytes.size());
  return count < 0 ? std::nullopt : std::optional(static_cast<size_t>(count));
}

uint64_t open_file_limit() {
  return 1024;  // what the host may have open is not known; Linux begins with as many
}

void raise_open_file_limit() {}

bool has_bytes_waiting(int /*fd*/, short events) {
  return (events & POLLHUP) == 0;
}

/// The host gives one in any case.
void open_standard_input() {}

bool can_write(int, std::chrono::milliseconds) {
  return true;  // the host waits
}

bool has_lost_reader(int) {
  return false;  // the next write fails with EPIPE
}

/// Nothing is followed here (base/native_only.h).
void wait_for_any(const std::vector<int>&, int, bool, std::chrono::milliseconds) {}

FolderWatch::FolderWatch() = default;

bool FolderWatch::add(const std::string&) {
  return false;
}

bool FolderWatch::read_notices() {
  return false;
}

const bool kMapsFiles = false;

/// A copy in memory, which nobody else writes to: WASI maps nothing.
Mapping::Mapping(int fd, uint64_t size) {
  constexpr uint64_t kMost = uint64_t{2} << 30;  // of the 4 GB that there can be
  if (size > kMost) {
    errno = EFBIG;
    return;
  }
  const size_t bytes = static_cast<size_t>(size);
  start_ = static_cast<char*>(calloc(1, bytes + kPageBytes));
  if (start_ == nullptr) return;
  if (read_at(fd, start_, bytes, 0) == bytes) {
    size_ = bytes;
    return;
  }
  free(std::exchange(start_, nullptr));
  errno = EIO;
}

Mapping::Mapping(Mapping&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(size_, other.size_);
  return *this;
}

Mapping::~Mapping() {
  free(start_);
}

bool Mapping::became_shorter() const {
  return false;
}

void Mapping::release(size_t, size_t) {}

}  // namespace xtrace
