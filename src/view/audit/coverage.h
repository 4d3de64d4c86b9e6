#pragma once

#include <span>

#include "facts/hash_chain.h"
#include "view/common/view.h"

namespace xtrace {

/// What is on record in an input, kind by kind, and what is not; where its times leave gaps; what
/// came in damaged; and the chains of digests that its records form.
Document coverage_of(const Question& question, std::span<const HashChain> chains);
/// The same for people, without the chains.
Outline coverage_outline(const Question& question);

}  // namespace xtrace
