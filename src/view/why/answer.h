#pragma once

#include <string>

#include "view/why/provenance.h"

namespace xtrace {

/// In words why the target was accessed: who ran at the same time, the chains by who accessed it,
/// and which of them started first. Several lines.
std::string answer_in_words(const Provenance& why);

}  // namespace xtrace
