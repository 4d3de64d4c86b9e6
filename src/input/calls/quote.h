#pragma once

#include <string>
#include <vector>

#include "facts/block_size.h"
#include "facts/payloads.h"
#include "input/calls/message_draft.h"

namespace xtrace {

/// What the block says, of a tool use its arguments as JSON.
std::string text_of(const Block& block);

/// Adds what the blocks of a message say.
void quote(const Draft& message, std::vector<Quote>& quotes);

/// Keeps how long the quotes of the message are; returns where. `is_answer`: the model said it.
BlockSizeId note_sizes(const Draft& message, bool is_answer, Shard& shard);

}  // namespace xtrace
