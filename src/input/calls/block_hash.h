#pragma once

#include <cstdint>
#include <string_view>

#include "input/calls/message_draft.h"

namespace xtrace {

/// What Message::own is made of: it begins with the role, and each block is chained to it.
inline uint64_t begin_own(Message::Role role) {
  return static_cast<uint64_t>(role) + 1;
}
/// Of a tool use or a result with an id that is one of its kind (facts/made_id.h), as a block.
uint64_t hash_tool_block(Block::Kind kind, std::string_view id);

/// What two blocks have to have in common to be the same one. `ids_of`: as Draft::ids_of.
uint64_t hash_block(const Block& block, uint64_t ids_of, Parsers& parsers);

/// Equal for equal values with keys in the same order; a prompt-cache mark is no part of one.
uint64_t hash_value(json::element value);
/// Equal for equal values: of objects the order of keys does not count.
uint64_t digest_of(json::element value);
/// The same of what a tool is given, without what the model says of why: that is worded anew each
/// time, and changes nothing of what is done.
uint64_t digest_of_given(json::element arguments, bool is_command);

}  // namespace xtrace
