#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

// Everything that the program asks of the operating system, beyond the standard library:
// base/system* alone include the system's headers, so that a port replaces these sources
// (`scripts/check`). A function that fails leaves the reason in `errno`. No descriptor is inherited
// by another program.

inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

/// A file descriptor that closes itself, unless it is a standard stream.
class File {
 public:
  explicit File(int fd = -1) : fd_(fd) {}
  File(File&& other) noexcept : fd_(other.release()) {}
  File& operator=(File&& other) noexcept;
  ~File();
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Passes the descriptor on; its new owner closes it.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Identifies a file, whatever its name is.
struct FileId {
  uint64_t device = 0, number = 0;
  auto operator<=>(const FileId&) const = default;
};

/// Since 1970, UTC.
struct FileTime {
  int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileTime&) const = default;
};

struct FileStatus {
  enum class Kind { regular, folder, link, other } kind = Kind::other;
  FileId id;
  uint64_t bytes = 0;
  FileTime changed;
  unsigned permissions = 0;  ///< as in `chmod 0644`

  bool is_regular() const { return kind == Kind::regular; }
  bool is_folder() const { return kind == Kind::folder; }
  bool is_link() const { return kind == Kind::link; }
};

/// Returns the status of what a path leads to, through links; nothing if it cannot be accessed.
std::optional<FileStatus> file_status(const std::string& path);
std::optional<FileStatus> file_status(int fd);
/// Returns the status of a name in an open folder, where a link is a link.
std::optional<FileStatus> entry_status(int folder, const std::string& name);

/// In place of an open folder: the current one.
extern const int kCurrentFolder;

enum class Access {
  read,      ///< waits for the writer of a pipe
  read_now,  ///< waits for nothing
  write,     ///< what exists, such as a device
  append,    ///< made if it does not exist
  list,      ///< a folder
};
/// Returns a File that is not open on failure.
File open_file(const std::string& path, Access access);
/// Opens a folder within another; a link is an error.
File open_folder(int folder, const std::string& name);
/// Makes a folder within another, if there is none of this name.
bool make_folder(int folder, const std::string& name);
/// Returns the names of the entries, as the system orders them.
std::optional<std::vector<std::string>> list_folder(int folder);
/// Makes a file without a name, for this user only, which is gone when the process ends.
File make_nameless_file(const std::string& folder);
/// Returns the paths that a shell pattern (`*`, `?`, `[…]`, `{…,…}`, `~`) matches, in no order.
std::vector<std::string> expand_pattern(const std::string& pattern);

/// Reads up to `most` bytes from `at` on; fewer are returned only at the end of the file.
std::optional<size_t> read_at(int fd, char* to, size_t most, uint64_t at);
/// Reads once from a stream; waits if it has nothing. 0: its end.
std::optional<size_t> read_from(int fd, char* to, size_t most);
/// Writes all bytes, if need be in several steps.
bool write_all(int fd, std::string_view bytes);
/// Writes as many bytes as fit into a pipe that can_write(), without waiting.
std::optional<size_t> write_now(int fd, std::string_view bytes);
bool write_at(int fd, std::string_view bytes, uint64_t at);
/// Cuts a file, or fills it up with zeros.
bool resize_file(int fd, uint64_t bytes);
bool set_permissions(int fd, unsigned permissions);
/// The same of a path, without opening it: closing it again would end the locks of this process.
bool set_permissions(const std::string& path, unsigned permissions);
std::optional<uint64_t> position_of(int fd);
void move_to(int fd, uint64_t at);

/// How many files this process may have open; 0: unknown.
uint64_t open_file_limit();
/// Raises open_file_limit() as far as the user may.
void raise_open_file_limit();

/// Can a stream be read without waiting? At its end it can.
bool can_read(int fd);
inline constexpr std::chrono::milliseconds kForever{-1};
/// Waits until some bytes can be written, at most for so long. An interrupt ends it with EINTR.
bool can_write(int fd, std::chrono::milliseconds most = std::chrono::milliseconds(0));
/// Did the reader of a pipe or socket go away?
bool has_lost_reader(int fd);
/// Waits until one of the `inputs` can be read, or `output` can be written to (if `writes`) or lost
/// its reader, at most for so long. An interrupt ends it.
void wait_for_any(const std::vector<int>& inputs, int output, bool writes,
                  std::chrono::milliseconds most);

/// A watch of folders. Its descriptor can be read when files came or went, and on some systems when
/// one of them grew; not open where the system has no watches.
class FolderWatch {
 public:
  FolderWatch();
  bool is_open() const { return notices_.is_open(); }
  int fd() const { return notices_.fd(); }
  bool add(const std::string& folder);
  /// Reads all notices. Did files come or go?
  bool read_notices();

 private:
  File notices_;
  std::vector<File> folders_;  ///< where the system watches open folders
};

bool is_terminal(int fd);

/// What standard input offers a command that names no input.
enum class StandardInput : uint8_t {
  terminal,
  none,    ///< closed, or a device such as /dev/null
  empty,   ///< a file or pipe that ended without a byte
  bytes,   ///< a file or pipe with something to read
  silent,  ///< a pipe that is open and has nothing yet
};
/// Waits for the first byte, or the end, of a pipe or socket at most for so long.
StandardInput probe_standard_input(std::chrono::milliseconds most);
/// Opens /dev/null in place of a closed standard input, so that no other file takes its number.
void open_standard_input();

/// Is a terminal in control of the process, whose keys a program can read?
bool has_keyboard();
struct TerminalSize {
  size_t rows = 0, columns = 0;
};
/// Returns nothing if it is no terminal, or one that does not report its size.
std::optional<TerminalSize> terminal_size(int fd = kStandardOutput);
/// Returns the columns for a text: `COLUMNS`, else those of the terminal, at least 40; `otherwise`
/// if neither is known.
size_t terminal_columns(size_t otherwise, int fd = kStandardOutput);

/// Reads the local zone: `TZ`, else that of the machine.
void load_local_zone();
struct LocalZone {
  std::chrono::seconds ahead;  ///< of UTC
  std::string name;            ///< `CEST`, `+03`
};
/// Requires: load_local_zone() was called.
LocalZone local_zone_at(std::chrono::seconds since_1970);

/// Is there such a program, by a path or in one of the folders of `$PATH`?
bool has_program(const std::string& name);
int64_t process_id();
/// Starts a program that outlives this process and has none of its streams.
void start_detached(const std::string& program, const std::string& argument);

/// While it lives, a command of the shell reads what is written to standard output. Not for two at
/// once.
class PipedCommand {
 public:
  struct Variable {
    const char *name, *value;
  };
  /// `defaults` are set for the command unless they are set already.
  PipedCommand(const std::string& command, const std::vector<Variable>& defaults);
  ~PipedCommand();  ///< waits until the command ends
  PipedCommand(const PipedCommand&) = delete;
  PipedCommand& operator=(const PipedCommand&) = delete;

 private:
  int64_t process_ = -1;
  int output_ = -1;  ///< what standard output was
};

/// While it lives, interrupts can be read from fd() instead of ending the program. One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts() { let_through(); }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  int fd() const { return file_.fd(); }
  bool came();
  /// The next one ends the program.
  void let_through();

 private:
  File file_;
};

/// A new file next to `name` that takes that name, or is removed: also by end_on_signals(). One at
/// a time.
class TemporaryFile {
 public:
  /// Hidden, so that nobody mistakes it for a result. Nobody may ever do more with it than
  /// `permissions` allow, and the user's mask takes from them.
  TemporaryFile(int folder, const std::string& name, unsigned permissions);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// -1: it could not be made.
  int fd() const { return fd_; }
  /// Closes it, and replaces `name` by it at once.
  bool become(const std::string& name);
  /// The same, but replaces nothing: EEXIST if there is something of that name.
  bool become_new(const std::string& name);

 private:
  int fd_ = -1;
};

/// From now on an interrupt removes the TemporaryFile and ends the process with `interrupted`; any
/// other signal that would end it removes that file first.
/// Reading pages that a file lost, except in a Mapping, prints `why`, a constant, and ends it with
/// `shrank`. Writing to a closed pipe or beyond a quota fails and does not end the process.
void end_on_signals(int interrupted, int shrank, std::string_view why);

/// From now on tables of megabytes are given back to the system when they are freed. By itself
/// glibc would soon keep their room, with holes, which costs more than a quarter of the memory at
/// the peak.
void give_back_large_tables();
/// From now on they are kept: for a program that makes the same tables many times a second, for
/// which new pages cost a quarter of its time.
void keep_large_tables();

}  // namespace xtrace
