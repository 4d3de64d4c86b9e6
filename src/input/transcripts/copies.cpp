#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "facts/rows.h"
#include "input/transcripts/repeats.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Drops files of a thread that say what another one begins with, at the same times, or with the
/// same running totals, which are as good as times. Longer ones first: what is copied is found
/// among their beginnings.
void drop_copied_files(RawTrace& trace) {
  constexpr uint16_t kDated =
      kStatedTime | kStatedMessage | kStatedAnswer | kStatedTokens | kStatedError;
  using Items = std::vector<uint32_t>;
  const std::vector<Utterance>& all = trace.utterances;
  std::map<std::pair<StringId, StringId>, std::vector<Items>> threads;  // of each, its files
  for (uint32_t i = 0; i < all.size(); ++i) {
    const Utterance& said = all[i];
    if (said.id || !is_item(said) || !said.session) continue;
    std::vector<Items>& files = threads[{said.session, said.agent}];
    // The utterances of a file follow one another.
    if (files.empty() || all[files.back().front()].source.file != said.source.file)
      files.emplace_back();
    files.back().push_back(i);
  }
  const auto is_dated = [&](uint32_t i) {
    return all[i].time != kNoTime || all[i].usage.form == UsageTerms::Form::running;
  };
  CopyDropper dropper(trace);
  for (auto& [thread, files] : threads) {
    if (files.size() < 2) continue;
    std::erase_if(files, [&](const Items& items) { return std::ranges::none_of(items, is_dated); });
    std::ranges::stable_sort(files, std::greater(), &Items::size);
    std::unordered_set<uint64_t> beginnings;
    for (const Items& items : files) {
      std::vector<uint64_t> hashes{0};
      for (uint32_t i : items) hashes.push_back(chain(hashes.back(), hash_of(all[i], kDated)));
      if (beginnings.contains(hashes.back()))
        for (uint32_t i : items) dropper.drop(trace.utterances[i]);
      else
        beginnings.insert(hashes.begin(), hashes.end());
    }
  }
}

bool begins_unnamed_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.way == Utterance::Way::copied && !said.forked_from &&
         said.time != kNoTime && said.session;
}

bool is_dated_item(const Utterance& said) {
  return (said.kind == Kind::asked || said.kind == Kind::answered || said.kind == Kind::failed) &&
         said.time != kNoTime && !said.agent && said.session;
}

/// Copies in forks that name no parent: what some session had said by then, at the same times. Ids
/// are new in a fork, and so is what tells its messages from those of other sessions. A later fork
/// may be one of an earlier one.
void drop_unnamed_forks(RawTrace& trace, ForkedFrom& forked_from) {
  struct Fork {
    Time made = kNoTime;
    uint32_t own = kNoUtterance, last = kNoUtterance;  ///< its first words; the last answer before
  };
  const std::vector<Utterance>& all = trace.utterances;
  std::map<StringId, Fork> forks;  // by session
  for (const Utterance& said : all)
    if (begins_unnamed_fork(said)) forks.try_emplace(said.session, Fork{said.time});
  if (forks.empty()) return;
  const auto fork_of = [&](uint32_t i) {
    const auto found = forks.find(all[i].session);
    return found == forks.end() ? nullptr : &found->second;
  };
  const auto may_repeat = [&](uint32_t i) {
    const Fork* fork = is_dated_item(all[i]) ? fork_of(i) : nullptr;
    return fork != nullptr && all[i].time < fork->made;
  };
  const auto place_of = [&](uint32_t i) {
    const Fork* fork = fork_of(i);
    return fork == nullptr ? std::tuple(kNoTime, StringId(), i)
                           : std::tuple(fork->made, all[i].session, i);
  };
  std::unordered_map<uint32_t, uint32_t> original_of;
  find_repeated(
      all,
      kStatedTime | kStatedLength | kStatedModel | kStatedTokens | kStatedCost | kStatedEnd |
          kStatedError,
      may_repeat, [&](uint32_t i) { return is_dated_item(all[i]); },
      [&](uint32_t a, uint32_t b) { return place_of(a) < place_of(b); },
      [&](uint32_t copy, uint32_t original) {
        if (all[copy].session != all[original].session) original_of.emplace(copy, original);
      });
  // Records on subagents and summaries follow what was said, and are copies if that is.
  std::vector<bool> is_copy(trace.sources.size());
  CopyDropper dropper(trace);
  for (uint32_t i = 0; i < all.size(); ++i) {
    Utterance& said = trace.utterances[i];
    const bool is_item = is_dated_item(said);
    Fork* fork = is_item || said.kind == Kind::compacted ? fork_of(i) : nullptr;
    if (fork == nullptr) continue;
    const auto original = original_of.find(i);
    if (is_item) is_copy[said.source.file] = original != original_of.end();
    if (!is_copy[said.source.file]) {
      const bool is_first = fork->own == kNoUtterance || said.time < all[fork->own].time;
      if (is_item && is_first) fork->own = i;
      continue;
    }
    if (is_item && all[original->second].kind == Kind::answered &&
        (fork->last == kNoUtterance || all[original->second].time >= all[fork->last].time))
      fork->last = original->second;
    dropper.drop(said);
    said.answer = {};
  }
  for (const auto& [session, fork] : forks)
    if (fork.own != kNoUtterance && fork.last != kNoUtterance)
      forked_from.emplace(fork.own, fork.last);
  dropper.drop_relations();
}

using Holds = bool (*)(const RawTrace& trace, const Utterance& said);

template <Kind kKind>
bool is_of_kind(const RawTrace&, const Utterance& said) {
  return said.kind == kKind;
}

/// What an echo repeats of its file or, in whichever file, of its session, if that has it.
struct EchoedKind {
  Holds is_echo, is_original;
  bool in_session = false;
};
/// The first row of the kind of an echo decides.
constexpr EchoedKind kEchoedKinds[] = {
    {is_of_kind<Kind::failed>, is_of_kind<Kind::failed>, true},
    {[](const RawTrace&, const Utterance& said) { return is_whole(said); },
     is_of_kind<Kind::answered>, true},
    {is_of_kind<Kind::asked>,
     [](const RawTrace& trace, const Utterance& said) {
       return said.kind == Kind::asked && said.message &&
              !rows_of(trace.prompts, said.message).empty();
     }},
    {[](const RawTrace&, const Utterance& said) { return bool{said.message}; },
     [](const RawTrace& trace, const Utterance& said) {
       return said.kind == Kind::answered && said.message &&
              rows_of(trace.tool_uses, said.message).empty();
     }},
    {[](const RawTrace&, const Utterance&) { return true; }, is_of_kind<Kind::answered>},
};

}  // namespace

void drop_echoes(RawTrace& trace) {
  const auto is_echoed = [](const Utterance& said) { return said.way == Utterance::Way::echoed; };
  if (std::ranges::none_of(trace.utterances, is_echoed)) return;
  std::unordered_set<uint64_t> known;  // by row, and file or session
  const auto key_of = [](const EchoedKind& row, const Utterance& said) {
    return pair_of(static_cast<uint32_t>(&row - kEchoedKinds),
                   row.in_session ? said.session.index : said.source.file);
  };
  for (const Utterance& said : trace.utterances)
    for (const EchoedKind& row : kEchoedKinds)
      if (!is_echoed(said) && row.is_original(trace, said)) known.insert(key_of(row, said));
  for (Utterance& said : trace.utterances) {
    const auto* row = std::ranges::find_if(
        kEchoedKinds, [&](const EchoedKind& of) { return of.is_echo(trace, said); });
    if (is_echoed(said) && known.contains(key_of(*row, said))) said.kind = Kind::silent;
  }
}

ForkedFrom drop_copies(RawTrace& trace) {
  ForkedFrom forked_from;
  drop_copied_files(trace);
  drop_named_forks(trace, forked_from);
  drop_unnamed_forks(trace, forked_from);
  return forked_from;
}

}  // namespace xtrace
