#pragma once

#include <cstdint>

namespace xtrace {

/// Is it, by the name that for_each_word() gives, a word that stands in any English text or in any
/// program? That it comes up again says little.
bool is_common(uint64_t word);

}  // namespace xtrace
