#pragma once

#include <cstdint>

#include "base/id.h"

namespace xtrace {

/// How many bytes one block of a record says, kept so that nobody has to read it again for that.
/// Those of one record stand one behind another.
struct SaidSize {
  enum class Kind : uint8_t {
    answer,   ///< by the model: a text, or a tool with its arguments
    thought,  ///< by the model, before its answer
    told,     ///< to the model
    result,   ///< to the model, by a tool
  };
  Kind kind = Kind::told;
  bool is_last = true;  ///< of its record
  uint32_t bytes = 0;
  StringId tool_use;  ///< that the result is of
};

template <class Each>
void for_each_reference(SaidSize& size, Each each) {
  each(size.tool_use);
}

}  // namespace xtrace
