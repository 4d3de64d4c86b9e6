#pragma once

#include <string>

#include "base/system.h"

namespace xtrace {

// What the sources of the seam share, and no other file includes. They are chosen by system in
// src/CMakeLists.txt:
//   system_files, system_patterns, system_random,
//   system_temporary                                POSIX as far as WASI has it: for all systems
//   system_posix*                                   the rest of POSIX: for Linux and macOS
//   system_linux, system_macos, system_wasi*        one system each

/// Removes the file of the TemporaryFile, if there is one. Signal handlers may call it.
void remove_temporary();

/// Makes a file whose name is removed at once: for systems and file systems that make none without
/// a name.
File make_and_unlink(const std::string& folder);

/// Makes both ends of a pipe, for reading and for writing; neither is open on failure.
struct PipeEnds {
  File from, to;
};
PipeEnds make_pipe();

/// Has a stream with these events of poll() a byte? The end of a stream can be read as well.
bool has_bytes_waiting(int fd, short events);

/// WASI: the permissions of an open file, which its `stat` leaves out.
unsigned permissions_of(int fd);

}  // namespace xtrace
