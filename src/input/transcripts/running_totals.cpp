#include "input/transcripts/running_totals.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/common/token_sums.h"

namespace xtrace {

namespace {

/// The totals that one record tells, each of another model.
struct Totals {
  std::vector<Utterance*> all;
  std::unordered_map<uint32_t, Utterance*> by_model;

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

void silence(const Totals& totals) {
  for (Utterance* total : totals.all) total->kind = Utterance::Kind::silent;
}

void take_in(Totals& later, const Totals& earlier) {
  for (const Utterance* total : earlier.all) {
    Utterance* sum = later.of_model(total->model);
    sum->calls = sum_of_known({sum->calls, total->calls});
  }
  silence(earlier);
}

}  // namespace

void join_running_totals(RawTrace& trace) {
  std::vector<Totals> records;
  for (Utterance& said : trace.utterances) {
    if (said.kind != Utterance::Kind::total || !said.sums_up) continue;
    const Extent* last = records.empty() ? nullptr : &records.back().all.front()->source;
    if (last == nullptr || last->file != said.source.file || last->offset != said.source.offset)
      records.emplace_back();
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
        before != nullptr && std::ranges::all_of(before->all, [&](const Utterance* total) {
          return may_have(totals, *total);
        });
    if (has_those_before) take_in(totals, *before);
    before = &totals;
  }
}

}  // namespace xtrace
