#pragma once

#include <string_view>

#include "facts/session_note.h"
#include "input/common/json.h"

namespace xtrace {

class Shard;
struct RawTrace;

/// Notes what the record at `at` says of a session; nothing where `text` is empty, or says of where
/// it was held what was said before.
void note_session(Shard& shard, SessionNote::Kind kind, const Extent& at, StringId session,
                  std::string_view text, StringId ends_with = {});

/// Finds the sessions whose end the summaries name, and keeps of each session, or file, one note of
/// a kind: of projects the first, as a shell may go elsewhere, of names the last. Before calls are
/// made of utterances.
void settle_session_notes(RawTrace& trace);

}  // namespace xtrace
