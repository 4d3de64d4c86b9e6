#include "input/transcripts/running_totals.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "input/common/token_sums.h"

namespace xtrace {

namespace {

/// The totals that one record tells, each of another model.
using Totals = std::vector<Utterance*>;

Utterance* same_model(const Totals& totals, const Utterance& as) {
  const auto found = std::find_if(totals.begin(), totals.end(),
                                  [&](Utterance* total) { return total->model == as.model; });
  return found == totals.end() ? nullptr : *found;
}

bool may_have(const Totals& later, const Utterance& earlier) {
  const Utterance* total = same_model(later, earlier);
  return total != nullptr && is_at_least(total->tokens, earlier.tokens) &&
         total->cost >= earlier.cost;
}

void silence(const Totals& totals) {
  for (Utterance* total : totals) total->kind = Utterance::Kind::silent;
}

void take_in(Totals& later, const Totals& earlier) {
  for (const Utterance* total : earlier) {
    Utterance* sum = same_model(later, *total);
    sum->calls = sum_of_known({sum->calls, total->calls});
  }
  silence(earlier);
}

}  // namespace

void join_running_totals(RawTrace& trace) {
  std::vector<Totals> records;
  for (Utterance& said : trace.utterances) {
    if (said.kind != Utterance::Kind::total || !said.sums_up) continue;
    const Extent* last = records.empty() ? nullptr : &records.back().front()->source;
    if (last == nullptr || last->file != said.source.file || last->offset != said.source.offset)
      records.emplace_back();
    records.back().push_back(&said);
  }
  std::map<std::pair<uint32_t, StringId>, Totals*> known;  // by file and session
  std::map<std::pair<StringId, StringId>, Totals*> told;   // by session and what tells it
  for (Totals& totals : records) {
    const Utterance& first = *totals.front();
    Totals*& before = known[{first.source.file, first.session}];
    // The same record may stand in copies of its file.
    if (const auto [same, is_new] = told.try_emplace({first.session, first.answer}, &totals);
        !is_new && first.answer) {
      before = same->second;
      silence(totals);
      continue;
    }
    const bool has_those_before =
        before != nullptr && std::all_of(before->begin(), before->end(), [&](Utterance* total) {
          return may_have(totals, *total);
        });
    if (has_those_before) take_in(totals, *before);
    before = &totals;
  }
}

}  // namespace xtrace
