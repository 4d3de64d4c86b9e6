#pragma once

#include <cstdint>

#include "base/id.h"
#include "facts/record.h"

namespace xtrace {

/// What a log says of a session as a whole: where it was held, what it is called.
struct SessionNote {
  /// Of those that name it a later one wins over an earlier one.
  enum class Kind : uint8_t {
    project,   ///< the folder that was worked in
    summary,   ///< words that the program found for it
    ai_title,  ///< likewise, meant as its name
    title,     ///< its user gave it
  };
  Kind kind = Kind::project;
  Extent source;
  StringId session;    ///< nowhere: those in the same file
  StringId ends_with;  ///< of a summary: the utterance that it reaches to, in whichever file
  StringId text;
};

}  // namespace xtrace
