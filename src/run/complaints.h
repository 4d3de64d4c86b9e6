#pragma once

#include <string>

namespace xtrace {

class Payloads;
struct Trace;

/// What was wrong with the input: the first few places as `file:line: what`, then how many there
/// are. `all`: every place that was kept.
std::string words_of_complaints(const Trace& trace, bool all);
/// Writes that to standard error.
void print_complaints(const Trace& trace, bool all);

/// Says on standard error which inputs changed after they were read, so that texts of theirs are
/// left out of the answer.
void print_changed(const Payloads* payloads);

}  // namespace xtrace
