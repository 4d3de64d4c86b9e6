#include "input/transcripts/running_totals.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/common/token_sums.h"

namespace xtrace {

namespace {

/// What a file has told of the answers of a session up to a line.
struct Answered {
  int64_t answers = 0, output = 0;
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

/// Counts answers in those files whose totals count calls since the start.
class Answers {
 public:
  explicit Answers(const RawTrace& trace) {
    for (const Utterance& said : trace.utterances)
      if (said.kind == Utterance::Kind::total && said.sums_up && said.is_whole)
        files_.insert(said.source.file);
  }

  void note(const Utterance& said) {
    if (said.kind != Utterance::Kind::answered || !files_.contains(said.source.file)) return;
    if (said.sums_up) return;  // whether a total has what the client asks for is not known
    // A piece of an answer is not one more.
    if (said.answer && !known_.insert({said.source.file, said.answer}).second) return;
    Answered& answered = by_session_[{said.source.file, said.session}];
    ++answered.answers;
    answered.output += std::max<int64_t>(said.tokens.output, 0);
  }
  Answered of(const Utterance& said) const {
    const auto found = by_session_.find({said.source.file, said.session});
    return found == by_session_.end() ? Answered{} : found->second;
  }

 private:
  std::set<uint32_t> files_;
  std::set<std::pair<uint32_t, StringId>> known_;
  std::map<std::pair<uint32_t, StringId>, Answered> by_session_;
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
    const bool has_those_before =
        before != nullptr &&
        std::ranges::all_of(before->all,
                            [&](const Utterance* total) { return may_have(totals, *total); }) &&
        (!first.is_whole || has_answers_since(totals, *before));
    if (has_those_before) take_in(totals, *before);
    before = &totals;
  }
}

}  // namespace xtrace
