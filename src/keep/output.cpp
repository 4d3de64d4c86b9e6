#include "keep/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <streambuf>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// A stream buffer over a file descriptor that remembers why writing failed.
class Descriptor final : public std::streambuf {
 public:
  explicit Descriptor(int fd) : fd_(fd), buffer_(64 << 10) { reset(); }
  int failed() const { return failed_; }
  bool finish() { return flush() && failed_ == 0; }

 protected:
  int_type overflow(int_type next) override {
    if (!flush()) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }
  int sync() override { return flush() ? 0 : -1; }

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  bool flush() {
    const std::string_view bytes(pbase(), static_cast<size_t>(pptr() - pbase()));
    if (failed_ == 0 && !write_all(fd_, bytes)) failed_ = errno;
    reset();
    return failed_ == 0;
  }

  int fd_;
  int failed_ = 0;
  std::vector<char> buffer_;
};

/// Returns errno, 0 if all was written.
int write_to(int fd, const std::function<void(std::ostream&)>& write) {
  Descriptor descriptor(fd);
  std::ostream stream(&descriptor);
  write(stream);
  descriptor.finish();
  if (descriptor.failed() != 0) return descriptor.failed();
  return stream.bad() ? ENOMEM : 0;  // what was to be written could not be made
}

constexpr unsigned kOwnerOnly = 0600, kOthers = 077;
constexpr unsigned kAnybody = 0666;  // of whom the user's mask leaves some

/// The permissions of a file that `old`, if there is one, is replaced by.
unsigned permissions_for(Readers readers, const std::optional<FileStatus>& old) {
  constexpr unsigned kRights = 0777;  // whoever the old file ran as, the new one has our text in it
  if (readers == Readers::owner) return kOwnerOnly;
  return old && old->is_regular() ? old->permissions & kRights : kAnybody;
}

int write_temporary(int folder, const std::string& name, Readers readers,
                    const std::optional<FileStatus>& old,
                    const std::function<void(std::ostream&)>& write,
                    bool (TemporaryFile::*become)(const std::string&)) {
  const unsigned permissions = permissions_for(readers, old);
  TemporaryFile file(folder, name, permissions);
  if (file.fd() < 0) return errno;
  // Some systems make every file with other permissions than asked for, and the mask takes more.
  if (permissions != kAnybody || (old && old->is_regular()))
    set_permissions(file.fd(), permissions);
  if (const int error = write_to(file.fd(), write); error != 0) return error;
  return (file.*become)(name) ? 0 : errno;
}

Status replace_file(const std::string& path, Readers readers,
                    const std::function<void(std::ostream&)>& write) {
  const std::optional<FileStatus> status = file_status(path);
  if (status && status->is_folder()) return cannot_write(path, EISDIR);
  // A device or pipe has no old content to protect and must not be replaced by a file.
  if (status && !status->is_regular()) {
    const File device = open_file(path, Access::write);
    if (!device.is_open()) return cannot_write(path, errno);
    const int error = write_to(device.fd(), write);
    return error == 0 ? Status() : cannot_write(path, error);
  }
  // What a link leads to is replaced, never the link: /dev/stdout is one.
  std::error_code unknown;
  const std::string place =
      status ? std::filesystem::canonical(path, unknown).string() : std::string();
  const int error = write_whole(kCurrentFolder, place.empty() ? path : place, readers, write);
  return error == 0 ? Status() : cannot_write(path, error);
}

}  // namespace

int write_whole(int folder, const std::string& name, Readers readers,
                const std::function<void(std::ostream&)>& write) {
  return write_temporary(folder, name, readers, entry_status(folder, name), write,
                         &TemporaryFile::become);
}

int write_new(int folder, const std::string& name, Readers readers,
              const std::function<void(std::ostream&)>& write) {
  return write_temporary(folder, name, readers, {}, write, &TemporaryFile::become_new);
}

int make_private(const std::string& path) {
  const std::optional<FileStatus> status = file_status(path);
  if (!status) return errno;
  if ((status->permissions & kOthers) == 0) return 0;
  return set_permissions(path, kOwnerOnly) ? 0 : errno;
}

Status write_answer(const std::string& path, Readers readers,
                    const std::function<void(std::ostream&)>& write) {
  return path.empty() ? print_answer(write) : replace_file(path, readers, write);
}

Status print_answer(const std::function<void(std::ostream&)>& write) {
  int error = write_to(kStandardOutput, write);
  // Whoever read the other end has seen enough: `| head` is no failure.
  if (error == 0 || error == EPIPE) return {};
  return fail(Exit::output,
              fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

bool is_same_file(const std::string& path, const std::string& other) {
  const std::optional<FileStatus> a = file_status(path), b = file_status(other);
  return a && b && a->id == b->id;
}

void clean_up_on_signals() {
  end_on_signals(static_cast<int>(Exit::interrupted), static_cast<int>(Exit::input),
                 "xtrace: an input was truncated, or its disk failed, while it was read\n");
}

}  // namespace xtrace
