#pragma once

namespace xtrace {

struct Trace;

/// Makes the ids of the calls unique and keeps one of each record that is in the log several times,
/// byte for byte. A name depends on the record and on those of the same name only, so it stays when
/// the log grows, is shuffled or merged: of different records with one id the earliest keeps it,
/// the next ones are called `id~2`, `id~3`.
void merge_copies(Trace& trace);

}  // namespace xtrace
