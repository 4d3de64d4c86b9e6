#pragma once

#include <cstdint>

#include "base/id.h"

namespace xtrace {

/// The length of the text of one block of a record, so that the record need not be read again for
/// it. The blocks of a record are adjacent.
struct BlockSize {
  enum class Kind : uint8_t {
    answer,   ///< by the model: a text, or a tool with its arguments
    thought,  ///< by the model, before its answer
    input,    ///< to the model
    result,   ///< to the model, by a tool
    image,    ///< to the model, as long as a text of as many tokens; of a tool, if it names one
  };
  Kind kind = Kind::input;
  bool is_last = true;  ///< of its record
  uint32_t bytes = 0;
  StringId tool_use;  ///< that the result is of
};

}  // namespace xtrace
