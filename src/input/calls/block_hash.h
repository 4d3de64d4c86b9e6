#pragma once

#include <cstdint>

#include "input/calls/message_draft.h"

namespace xtrace {

/// What two blocks have to have in common to be the same one. `ids_of`: as Draft::ids_of.
uint64_t hash_block(const Block& block, uint64_t ids_of, Parsers& parsers);

/// Equal for equal values: of objects the order of keys does not count.
uint64_t digest_of(json::element value);

}  // namespace xtrace
