#include "input/transcripts/running_totals.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/common/token_sums.h"

namespace xtrace {

namespace {

/// What a file has told of the answers of a session up to a line.
struct Answered {
  int64_t answers = 0, output = 0;
  int64_t tokens = 0;  ///< of those that are no run's end
};

/// The totals that one record tells, each of another model.
struct Totals {
  std::vector<Utterance*> all;
  std::unordered_map<uint32_t, Utterance*> by_model;
  Answered before{};

  void add(Utterance& total) {
    all.push_back(&total);
    by_model.try_emplace(total.model.index, &total);
  }
  Utterance* of_model(StringId model) const {
    const auto found = by_model.find(model.index);
    return found == by_model.end() ? nullptr : found->second;
  }
};

bool may_have(const Totals& later, const Utterance& earlier) {
  const Utterance* total = later.of_model(earlier.model);
  return total != nullptr && is_at_least(total->tokens, earlier.tokens) &&
         total->cost >= earlier.cost;
}

/// Are the calls and their output enough for those of the earlier total and every answer since? A
/// program that began anew would have to have made all of that again.
bool has_answers_since(const Totals& later, const Totals& earlier) {
  int64_t calls = 0, output = 0;
  for (const Utterance* total : later.all) {
    calls += std::max<int64_t>(total->calls, 0);
    output += std::max<int64_t>(total->tokens.output, 0);
  }
  for (const Utterance* total : earlier.all) {
    if (total->calls < 0) return false;
    calls -= total->calls;
    output -= std::max<int64_t>(total->tokens.output, 0);
  }
  return calls >= later.before.answers - earlier.before.answers &&
         output >= later.before.output - earlier.before.output;
}

int64_t sum_of(const Totals& totals) {
  int64_t sum = kNoCount;
  for (const Utterance* total : totals.all) sum = sum_of_known({sum, total_of(total->tokens)});
  return sum;
}

/// A run that was started anew counts from nothing, and may all the same come to more than the one
/// before it did: what has that in it is no less than both.
bool may_have_turn_too(const Totals& later, const Totals& earlier) {
  const int64_t sum = sum_of(later), last_turn = later.all.front()->context_limit;
  const int64_t since = last_turn < 0 ? later.before.tokens - earlier.before.tokens : last_turn;
  return sum < 0 || sum >= sum_of_known({sum_of(earlier), since});
}

/// Did the program go on counting, and has not begun anew?
bool goes_on(const Totals& later, const Totals& earlier) {
  const bool may_have_all = std::ranges::all_of(
      earlier.all, [&](const Utterance* total) { return may_have(later, *total); });
  return may_have_all && (later.all.front()->is_whole ? has_answers_since(later, earlier)
                                                      : may_have_turn_too(later, earlier));
}

void silence(const Totals& totals) {
  for (Utterance* total : totals.all) total->kind = Utterance::Kind::silent;
}

void take_in(Totals& later, const Totals& earlier) {
  for (const Utterance* total : earlier.all) {
    Utterance* sum = later.of_model(total->model);
    if (!sum->is_whole) sum->calls = sum_of_known({sum->calls, total->calls});
  }
  silence(earlier);
}

/// Counts answers in those files that tell totals.
class Answers {
 public:
  explicit Answers(const RawTrace& trace) : tells_totals_(trace.sources.size()) {
    for (const Utterance& said : trace.utterances)
      if (said.kind == Utterance::Kind::total && said.sums_up)
        tells_totals_[said.source.file] = true;
  }

  void note(const Utterance& said) {
    if (said.kind != Utterance::Kind::answered || !tells_totals_[said.source.file]) return;
    Answered& answered = by_session_[{said.source.file, said.session}];
    const int64_t tokens = std::max<int64_t>(total_of(said.tokens), 0);
    bool is_piece = false;
    int64_t* known = nullptr;
    if (said.answer) {
      const auto [entry, is_new] = known_.try_emplace({said.source.file, said.answer});
      is_piece = !is_new;
      known = &entry->second;
    }
    if (!said.is_whole) {  // each piece tells what the answer used up by then
      answered.tokens += std::max<int64_t>(tokens - (known == nullptr ? 0 : *known), 0);
      if (known != nullptr) *known = std::max(*known, tokens);
    }
    // Whether a total has what the client asks for is not known.
    if (is_piece || said.sums_up) return;
    ++answered.answers;
    answered.output += std::max<int64_t>(said.tokens.output, 0);
  }
  Answered of(const Utterance& said) const {
    const auto found = by_session_.find({said.source.file, said.session});
    return found == by_session_.end() ? Answered{} : found->second;
  }

 private:
  std::vector<bool> tells_totals_;                            ///< by file
  std::map<std::pair<uint32_t, StringId>, int64_t> known_{};  ///< tokens, by file and answer
  std::map<std::pair<uint32_t, StringId>, Answered> by_session_{};
};

}  // namespace

void join_running_totals(RawTrace& trace) {
  std::vector<Totals> records;
  Answers answers(trace);
  for (Utterance& said : trace.utterances) {
    answers.note(said);
    if (said.kind != Utterance::Kind::total || !said.sums_up) continue;
    const Extent* last = records.empty() ? nullptr : &records.back().all.front()->source;
    if (last == nullptr || last->file != said.source.file || last->offset != said.source.offset)
      records.emplace_back().before = answers.of(said);
    records.back().add(said);
  }
  std::map<std::pair<uint32_t, StringId>, Totals*> known;  // by file and session
  std::map<std::pair<StringId, StringId>, Totals*> told;   // by session and what tells it
  for (Totals& totals : records) {
    const Utterance& first = *totals.all.front();
    Totals*& before = known[{first.source.file, first.session}];
    // The same record may stand in copies of its file.
    if (const auto [same, is_new] = told.try_emplace({first.session, first.answer}, &totals);
        !is_new && first.answer) {
      before = same->second;
      silence(totals);
      continue;
    }
    if (before != nullptr && first.item && first.item == before->all.front()->item)
      silence(*before);
    else if (before != nullptr && goes_on(totals, *before))
      take_in(totals, *before);
    before = &totals;
  }
}

}  // namespace xtrace
