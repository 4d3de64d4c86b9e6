#pragma once

namespace xtrace {

struct RawTrace;

/// What several records tell of one span becomes one span, in whatever order they stand: where it
/// was begun, with what was known of it later. Of what no record begins, a record that tells when
/// it began stands for all of it; else nothing tells what it was, which is said. States of a
/// running span that were written one by one are one span too.
void join_span_parts(RawTrace& trace);

}  // namespace xtrace
