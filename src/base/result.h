#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace xtrace {

/// How a run ended; the numbers are part of the command line's contract.
enum class Exit : int {
  answered = 0,
  no = 1,      ///< the answer is no: nothing here has that name
  usage = 2,   ///< the command was not understood
  input = 3,   ///< the input cannot be read or holds nothing usable
  output = 4,  ///< the answer cannot be written
  bug = 70,    ///< our fault (EX_SOFTWARE of sysexits.h)
  interrupted = 130,
};

/// Why something could not be done, in words a user can act on.
struct Error {
  Exit exit;
  std::string what;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(Exit exit, std::string what) {
  return tl::unexpected(Error{exit, std::move(what)});
}

}  // namespace xtrace
