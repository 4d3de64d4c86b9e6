#include "input/transcripts/printed.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// When the last was said that is kept of a session, by session; only of those with answers.
std::unordered_map<uint32_t, Time> ends_of_kept(const RawTrace& trace) {
  std::unordered_map<uint32_t, Time> ends;
  const auto is_kept = [](const Utterance& said) {
    return !said.is_echo && said.session && !said.in_subagent && !tells_of_agent(said);
  };
  for (const Utterance& said : trace.utterances)
    if (is_kept(said) && said.kind == Kind::answered) ends.try_emplace(said.session.index, kNoTime);
  for (const Utterance& said : trace.utterances)
    if (const auto found = ends.find(said.session.index); found != ends.end() && is_kept(said))
      found->second = std::max(found->second, said.time);
  return ends;
}

}  // namespace

void drop_printed(RawTrace& trace) {
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(), is_printed)) return;
  const std::unordered_map<uint32_t, Time> ends = ends_of_kept(trace);
  std::map<std::pair<uint32_t, StringId>, Time> begins;  // of what was printed, by file and session
  for (const Utterance& said : trace.utterances)
    if (is_printed(said) && said.time != kNoTime)
      begins.try_emplace({said.source.file, said.session}, said.time);
  for (Utterance& said : trace.utterances) {
    if (!is_printed(said) || said.kind == Kind::heading || said.kind == Kind::total) continue;
    const auto kept = ends.find(said.session.index);
    const auto begin = begins.find({said.source.file, said.session});
    if (kept == ends.end()) continue;
    const bool is_dated = begin != begins.end() && kept->second != kNoTime;
    if (is_dated && begin->second > kept->second) continue;
    if (said.kind == Kind::answered || said.kind == Kind::asked)
      ++trace.sources[said.source.file].copies;
    said.kind = Kind::silent;
    said.id = said.after = {};
  }
}

}  // namespace xtrace
