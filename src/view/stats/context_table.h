#pragma once

#include "view/stats/stats.h"

namespace xtrace {

/// The call whose context is shown: the one that is named, else the fullest of those shown.
/// Nowhere: no call has a count. Exit::no: there is no such call.
Result<CallId> choose_context(const Question& question, const Selection& shown,
                              const std::string& named);

/// What fills the context of Stats::context_call.
void add_context_table(const Stats& stats, Document& document);
void add_context_outline(const Stats& stats, Document& document);
std::vector<Section> context_sections();

}  // namespace xtrace
