#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "base/result.h"

namespace xtrace {

/// Who may read a file that the program writes.
enum class Readers : uint8_t {
  umask,  ///< whom the user's mask lets; who could read the file that is replaced
  owner,  ///< the user only, from the first byte on and whatever is replaced
};

/// Writes an answer to standard output, or to a file that appears whole or not at all: it is
/// written beside its place and renamed. `path` empty: standard output.
Status write_answer(const std::string& path, Readers readers,
                    const std::function<void(std::ostream&)>& write);
Status print_answer(const std::function<void(std::ostream&)>& write);

/// Writes `name` in an open folder (kCurrentFolder: from where we are), whole or not at all; a link
/// there is replaced, never followed. Returns errno, 0 if all was written. Not for two threads at
/// once.
int write_whole(int folder, const std::string& name, Readers readers,
                const std::function<void(std::ostream&)>& write);
/// The same, where nothing has the name yet; EEXIST: something has.
int write_new(int folder, const std::string& name, Readers readers,
              const std::function<void(std::ostream&)>& write);

/// Lets only the user read a file that exists. Returns errno, 0 if nobody else can read it.
int make_private(const std::string& path);

/// Is `path` one of the inputs, under whatever name? An answer must not overwrite them.
bool is_same_file(const std::string& path, const std::string& other);

/// From now on an interrupt removes what is half-written and ends with 130, and an input that is
/// cut short while it is read ends with 3.
void clean_up_on_signals();

}  // namespace xtrace
