#pragma once

namespace xtrace {

class Payloads;
struct Trace;

/// Says on standard error what was wrong with the input: the first few places as `file:line: what`,
/// then how many there are. `all`: every place that was kept.
void print_complaints(const Trace& trace, bool all);

/// Says on standard error which inputs changed after they were read, so that texts of theirs are
/// left out of the answer.
void print_changed(const Payloads* payloads);

}  // namespace xtrace
