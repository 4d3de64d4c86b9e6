#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/why/provenance.h"

namespace xtrace {

// Why a target was accessed in a run, as an answer. `asked`: the name by which it was asked for.

void add_provenance_tables(const Provenance& why, std::string_view asked, Document& document);
Outline provenance_outline(const Provenance& why, std::string_view asked, bool unfold);

/// Returns what the answers of similar runs have in common: everything but ids and times. Empty if
/// something failed or is uncertain, as such an answer is always shown.
std::string likeness_of(const Provenance& why);

/// For the schema.
std::vector<Section> shape_of_provenance();

}  // namespace xtrace
