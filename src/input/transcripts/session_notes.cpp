#include "input/transcripts/session_notes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "input/common/raw_trace.h"
#include "input/common/shard.h"

namespace xtrace {

namespace {

/// Summaries are at the head of files that go on with what they sum up elsewhere.
void find_ends(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> wanted;  // sessions by the id of an utterance
  for (const SessionNote& note : trace.session_notes)
    if (note.ends_with) wanted.emplace(note.ends_with.index, StringId{});
  if (wanted.empty()) return;
  for (const Utterance& said : trace.utterances) {
    if (!said.id || said.way >= Utterance::Way::printed) continue;
    if (auto found = wanted.find(said.id.index); found != wanted.end() && !found->second)
      found->second = said.session;
  }
  // One that reaches to what is nowhere on record says nothing of the file it is in.
  std::erase_if(trace.session_notes, [&](SessionNote& note) {
    if (!note.ends_with) return false;
    note.session = wanted[note.ends_with.index];
    return !note.session;
  });
}

}  // namespace

void note_session(Shard& shard, SessionNote::Kind kind, const Extent& at, StringId session,
                  std::string_view text, StringId ends_with) {
  constexpr size_t kLongest = 1000;  // bytes; of more nobody would read the end
  if (text.empty()) return;
  SessionNote note;
  note.kind = kind;
  note.source = at;
  note.session = session;
  note.ends_with = ends_with;
  note.text = shard.intern(head(text, kLongest));  // always: strings are in the order of the log
  if (kind == SessionNote::Kind::project && !shard.places(session)) return;
  shard.add(note);
}

void settle_session_notes(RawTrace& trace) {
  find_ends(trace);
  using Key = std::tuple<uint32_t, uint32_t, SessionNote::Kind>;
  std::map<Key, size_t> kept;
  std::vector<SessionNote> notes;
  for (const SessionNote& note : trace.session_notes) {
    const uint32_t file = note.session ? StringId{}.index : note.source.file;
    auto [known, is_new] = kept.emplace(Key(note.session.index, file, note.kind), notes.size());
    if (is_new)
      notes.push_back(note);
    else if (note.kind != SessionNote::Kind::project)
      notes[known->second] = note;
  }
  trace.session_notes = std::move(notes);
}

}  // namespace xtrace
