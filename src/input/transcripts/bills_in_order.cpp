#include "input/transcripts/bills_in_order.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

bool is_told_in_order(const Utterance& said) {
  return said.kind == Kind::billed && said.is_whole;
}

struct BilledAnswer {
  StringId name, model;
  int64_t output = kNoCount;
  bool asks_for_tools = false;
};

/// What is on record of a session.
struct SessionAnswers {
  std::map<StringId, std::vector<BilledAnswer>> by_agent;
  std::map<StringId, std::pair<StringId, size_t>> places;  ///< by name: whose, and which one
  bool has_totals = false;

  void add(const Utterance& said, bool asks_for_tools) {
    std::vector<BilledAnswer>& all = by_agent[said.agent];
    BilledAnswer* answer = nullptr;
    if (const auto known = places.find(said.answer); said.answer && known != places.end())
      answer = &by_agent[known->second.first][known->second.second];
    if (answer == nullptr) {
      if (said.answer) places.emplace(said.answer, std::pair(said.agent, all.size()));
      answer = &all.emplace_back();
      answer->name = said.answer;
    }
    if (said.model) answer->model = said.model;
    answer->output = std::max(answer->output, said.tokens.output);
    answer->asks_for_tools |= asks_for_tools;
  }
};

using BillsByAgent = std::map<StringId, std::vector<Utterance*>>;  // by agent

class BillsInOrder {
 public:
  explicit BillsInOrder(RawTrace& trace) : trace_(trace) {}

  void name() {
    for (Utterance& said : trace_.utterances)
      if (is_told_in_order(said)) {
        bills_[{said.source.file, said.session}][said.agent].push_back(&said);
        sessions_.try_emplace(said.session);
      }
    if (bills_.empty()) return;
    for (const Utterance& said : trace_.utterances) note(said);
    for (auto& [place, bills] : bills_) settle(bills, sessions_.at(place.second));
  }

 private:
  void note(const Utterance& said) {
    if (said.kind != Kind::answered && said.kind != Kind::total) return;
    const auto found = sessions_.find(said.session);
    if (found == sessions_.end()) return;
    if (said.kind == Kind::total)
      found->second.has_totals = true;
    else if (!said.sums_up)
      found->second.add(said, said.message && !rows_of(trace_.tool_uses, said.message).empty());
  }

  bool may_be_of(const Utterance& bill, const BilledAnswer& answer) const {
    const std::string_view reason = trace_[bill.stop_reason];
    const bool is_other_end = answer.asks_for_tools ? reason == "stop" : reason == "tool_calls";
    const bool is_other_count = answer.output != kNoCount && bill.tokens.output != kNoCount &&
                                answer.output != bill.tokens.output;
    return answer.name && !is_other_end && !is_other_count &&
           (!answer.model || !bill.model || answer.model == bill.model);
  }

  bool are_of(const BillsByAgent& bills, const SessionAnswers& answers) const {
    const auto has_same = [&](const auto& of_agent) {
      const auto found = answers.by_agent.find(of_agent.first);
      return found != answers.by_agent.end() &&
             std::ranges::equal(of_agent.second, found->second,
                                [&](const Utterance* bill, const BilledAnswer& answer) {
                                  return may_be_of(*bill, answer);
                                });
    };
    return bills.size() == answers.by_agent.size() && std::ranges::all_of(bills, has_same);
  }

  void settle(BillsByAgent& bills, const SessionAnswers& answers) const {
    if (answers.by_agent.empty()) return;
    const bool are_named = are_of(bills, answers);
    for (auto& [agent, of_agent] : bills)
      for (size_t i = 0; i < of_agent.size(); ++i) {
        Utterance& bill = *of_agent[i];
        bill.is_whole = false;
        if (are_named) {
          bill.answer = answers.by_agent.at(agent)[i].name;
        } else {
          bill.kind = answers.has_totals ? Kind::silent : Kind::total;
          bill.calls = 1;
        }
      }
  }

  RawTrace& trace_;
  std::map<std::pair<uint32_t, StringId>, BillsByAgent> bills_;  ///< by file and session
  std::map<StringId, SessionAnswers> sessions_;
};

}  // namespace

void name_bills_in_order(RawTrace& trace) {
  BillsInOrder(trace).name();
}

}  // namespace xtrace
