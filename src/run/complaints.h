#pragma once

namespace xtrace {

struct Trace;

/// Says on standard error what was wrong with the input: the first few places as `file:line: what`,
/// then how many there are. `all`: every place that was kept.
void print_complaints(const Trace& trace, bool all);

}  // namespace xtrace
