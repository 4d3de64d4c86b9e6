#include "input/transcripts/printed.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "facts/rows.h"
#include "input/transcripts/repeats.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// What is kept of a session that has answers.
struct Kept {
  Time end = kNoTime;                           ///< when the last was said
  std::vector<std::pair<Time, int64_t>> words;  ///< when it answered, and how many texts and tools
                                                ///< it said by then; the undated ones come first
  int64_t answers = 0;   ///< texts and tools that no undated run was found to have printed yet
  int64_t failures = 0;  ///< likewise
  StringId model{};      ///< of the printed ones that are copies, if it is the same
  bool are_several = false;
  Time since = kNoTime, until = kNoTime;  ///< while they were printed; since nowhere: undated
};

/// What was printed of a session into one file.
struct Run {
  Time begin = kNoTime, at = kNoTime;
  int64_t answers = 0;        ///< of the kept ones since it began, those that were not printed yet
  bool is_dropped = true;     ///< as the answer before
  StringId answer;            ///< before, if it had a text
  std::vector<size_t> asked;  ///< since then
};

class Printed {
 public:
  explicit Printed(RawTrace& trace) : trace_(trace), dropper_(trace) {}

  void drop() {
    note_kept();
    note_runs();
    for (size_t i = 0; i < trace_.utterances.size(); ++i) {
      const Utterance& said = trace_.utterances[i];
      const bool is_sum = said.kind == Kind::used && said.usage.place == UsageTerms::Place::none;
      if (!is_printed(said) || said.kind == Kind::heading || is_sum) continue;
      if (const auto kept = kept_.find(said.session.index); kept != kept_.end())
        judge(i, kept->second, runs_[{said.source.file, said.session}]);
    }
    for (auto& [key, run] : runs_)
      for (const size_t i : run.asked)
        if (!is_behind(trace_.utterances[i].time, kept_[key.second.index])) drop(i);
    name_models();
    dropper_.drop_relations();
  }

 private:
  /// Fills in models that only the printed copies state.
  void name_models() {
    for (Utterance& said : trace_.utterances) {
      if (said.kind != Kind::answered || said.model || is_printed(said) || said.in_subagent)
        continue;
      const auto kept = kept_.find(said.session.index);
      if (kept == kept_.end() || kept->second.are_several) continue;
      const Kept& copied = kept->second;
      const bool is_copied =
          copied.since == kNoTime || (said.time >= copied.since && said.time <= copied.until);
      if (is_copied) said.model = copied.model;
    }
  }

  static void note_model(const Utterance& copy, const Run& run, Kept& kept) {
    if (copy.kind != Kind::answered || !copy.model) return;
    kept.are_several |= kept.model && kept.model != copy.model;
    kept.since = kept.model ? std::min(kept.since, run.begin) : run.begin;
    kept.until = std::max(kept.until, run.at);
    kept.model = copy.model;
  }

  /// How many texts it says and tools it asks for.
  int64_t words_of(const Utterance& said) const {
    if (!said.message) return 0;
    const auto uses = static_cast<int64_t>(rows_of(trace_.tool_uses, said.message).size());
    return uses + (says_text(said) ? 1 : 0);
  }

  bool says_text(const Utterance& said) const {
    return said.message && trace_.messages[said.message.index].said != 0;
  }

  void note_kept() {
    for (const Utterance& said : trace_.utterances) {
      if (is_echo(said) || !said.session || said.in_subagent) continue;
      Kept& kept = kept_[said.session.index];
      kept.end = std::max(kept.end, said.time);
      if (said.kind == Kind::failed || said.outcome == Outcome::error) ++kept.failures;
      if (said.kind != Kind::answered) continue;
      kept.words.emplace_back(said.time, words_of(said));
      kept.answers += kept.words.back().second;
    }
    std::erase_if(kept_, [](const auto& kept) { return kept.second.words.empty(); });
  }

  static void add_up(std::vector<std::pair<Time, int64_t>>& words) {
    std::ranges::sort(words);
    int64_t sum = 0;
    for (auto& [time, count] : words) count = sum += count;
  }

  /// Of the undated ones and of those that it said since then.
  static int64_t words_since(Time begin, const std::vector<std::pair<Time, int64_t>>& words) {
    const auto sum_before = [&](auto at) { return at == words.begin() ? 0 : (at - 1)->second; };
    const auto time_of = [](const auto& word) { return word.first; };
    const int64_t undated = sum_before(std::ranges::upper_bound(words, kNoTime, {}, time_of));
    const int64_t before = sum_before(std::ranges::lower_bound(words, begin, {}, time_of));
    return undated + sum_before(words.end()) - before;
  }

  void note_runs() {
    for (auto& [session, kept] : kept_) add_up(kept.words);
    for (const Utterance& said : trace_.utterances) {
      const auto kept = kept_.find(said.session.index);
      if (!is_printed(said) || said.time == kNoTime || kept == kept_.end()) continue;
      const auto [found, is_new] = runs_.try_emplace({said.source.file, said.session});
      if (!is_new) continue;
      Run& run = found->second;
      run.begin = run.at = said.time;
      run.answers = words_since(run.begin, kept->second.words);
    }
  }

  static bool is_behind(Time time, const Kept& kept) {
    return time != kNoTime && kept.end != kNoTime && time > kept.end;
  }

  void judge(size_t i, Kept& kept, Run& run) {
    const Utterance& said = trace_.utterances[i];
    if (said.time != kNoTime) run.at = said.time;
    if (is_behind(run.begin, kept)) return;
    if (said.kind == Kind::failed) {
      const bool is_told = kept.failures > 0 && !is_behind(run.at, kept);
      if (is_told) --kept.failures;
      settle_asked(run, is_told);
      if (is_told) drop(i);
      return;
    }
    if (said.kind == Kind::asked && (said.time == kNoTime || is_behind(said.time, kept))) {
      run.asked.push_back(i);
      return;
    }
    if (said.kind == Kind::answered && !said.in_subagent) judge_answer(said, kept, run);
    if (!run.is_dropped && said.kind != Kind::asked) return;
    note_model(said, run, kept);
    drop(i);
  }

  /// Printed a moment after it was kept, the last answer may seem to be behind all that was: so
  /// long as others were kept than those before, it is one of them.
  void judge_answer(const Utterance& said, Kept& kept, Run& run) {
    const bool goes_on = said.answer && said.answer == run.answer && says_text(said);
    const bool is_dated = run.begin != kNoTime && kept.end != kNoTime;
    int64_t& left = is_dated ? run.answers : kept.answers;
    if (!goes_on) run.is_dropped = left > 0 || (is_dated && !is_behind(run.at, kept));
    left -= std::min(left, run.is_dropped ? words_of(said) - (goes_on ? 1 : 0) : 0);
    if (says_text(said)) run.answer = said.answer;
    settle_asked(run, run.is_dropped);
  }

  void settle_asked(Run& run, bool is_dropped) {
    for (const size_t i : run.asked)
      if (is_dropped) drop(i);
    run.asked.clear();
  }

  void drop(size_t i) { dropper_.drop(trace_.utterances[i]); }

  RawTrace& trace_;
  CopyDropper dropper_;
  std::unordered_map<uint32_t, Kept> kept_;            ///< by session
  std::map<std::pair<uint32_t, StringId>, Run> runs_;  ///< by file and session
};

}  // namespace

void drop_printed(RawTrace& trace) {
  if (std::any_of(trace.utterances.begin(), trace.utterances.end(), is_printed))
    Printed(trace).drop();
}

}  // namespace xtrace
