#include "input/transcripts/settle_usage.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "facts/rows.h"
#include "facts/token_sums.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
using Scope = UsageTerms::Scope;
using Place = UsageTerms::Place;

/// A statement of a call ends the part of the log that it counts, and has nothing else to add.
void end_statement(Utterance& said) {
  said.kind = Kind::used;
  said.tokens = {};
  said.cost = said.context_limit = kNoCount;
  said.usage = {};
}

/// Finds the answer of each statement of a call or a turn.
class Placing {
 public:
  Placing(RawTrace& trace, const std::vector<bool>& copies, std::unordered_set<uint32_t> no_base)
      : trace_(trace),
        copies_(copies),
        has_no_base_(std::move(no_base)),
        is_counted_(trace.utterances.size()) {}

  std::vector<OpenStatement> place() {
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      if (is_answer(i) && said(i).answer)
        by_name_[pair_of(said(i).session.index, said(i).answer.index)] = i;
      if (is_used(said(i)) && !copies_[i] && said(i).usage.place == Place::order)
        in_order_[{said(i).source.file, said(i).session}][said(i).agent].push_back(i);
      if (is_used(said(i)) && !copies_[i] && said(i).usage.place == Place::time)
        by_time_[{said(i).session, said(i).agent}].push_back(i);
    }
    if (!in_order_.empty()) place_in_order();
    if (!by_time_.empty()) place_by_time();
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i)
      if (!copies_[i]) follow(i);
    return std::move(open_);
  }

 private:
  /// Two sorts of records may state one call: those with the name of its answer, and others.
  enum Sort : uint8_t { unnamed, named };

  struct Placed {
    uint32_t statement, to;
  };
  /// What one agent did in one file so far.
  struct Conversation {
    uint32_t answer[2] = {kNoUtterance,
                          kNoUtterance};  ///< by sort: the last one since the last statement
    std::vector<Placed> placed[2];        ///< by sort: those that the other sort did not repeat yet
    uint32_t last = kNoUtterance;         ///< statement
    uint32_t last_unnamed = kNoUtterance;  ///< since the last answer
    uint32_t own_call = kNoUtterance;      ///< likewise
    StringId opened;
    bool is_asked = false;
  };

  /// An answer of an agent, as far as statements in order can be held against it.
  struct Answered {
    StringId name, model;
    int64_t output = kNoCount;
    uint32_t last = kNoUtterance;
    bool asks_for_tools = false;
  };

  Utterance& said(uint32_t i) { return trace_.utterances[i]; }
  bool is_answer(uint32_t i) { return !copies_[i] && said(i).kind == Kind::answered; }

  void follow(uint32_t i) {
    const Utterance& at = said(i);
    if (at.kind == Kind::silent) return;
    const Talk talk{at.source.file, at.session, at.agent, at.tool_use};
    if (here_ == nullptr || talk != talk_) here_ = &conversations_[talk_ = talk];
    Conversation& here = *here_;
    if (at.kind == Kind::answered) {
      here.answer[unnamed] = here.answer[named] = i;
      here.own_call = here.last_unnamed = kNoUtterance;
      here.is_asked = false;
    } else if (at.kind == Kind::asked) {
      here.is_asked |= is_prompt(at);
    } else if (at.kind == Kind::compacted && here.own_call != kNoUtterance) {
      Utterance& summary = said(here.own_call);
      summary.form = Utterance::Form::aside_summary;
      summary.outcome = Outcome::ok;
    } else if (is_used(at) && is_about_answer(at) && at.usage.place < Place::order) {
      place(i, here);
    }
  }

  bool is_prompt(const Utterance& at) const {
    return at.message && trace_[at.message].role == Message::Role::user &&
           rows_of(trace_.tool_results, at.message).empty();
  }

  void place(uint32_t i, Conversation& here) {
    const Place place = said(i).usage.place;
    if (place == Place::opens) here.opened = said(i).answer;
    const bool is_of_opened = place == Place::before && !said(i).answer && here.opened;
    if (is_of_opened) said(i).answer = here.opened;
    uint32_t to = answer_named(said(i));
    if (place == Place::before && !is_of_opened) return place_before(i, to, here);
    if (to == kNoUtterance && !said(i).answer) to = answer_counting(said(i));
    const bool is_stated = said(i).tokens != Tokens{} || said(i).cost >= 0;
    if (to == kNoUtterance && is_stated) return make_call(i, false);
    to != kNoUtterance ? give(i, to) : silence(said(i));
  }

  /// An answer that counts itself as this does, and that no other statement is about.
  uint32_t answer_counting(const Utterance& at) {
    if (by_count_.empty())
      for (uint32_t i = 0; i < trace_.utterances.size(); ++i)
        if (is_answer(i) && !is_counted_[i] && total_of(said(i).tokens) >= 0)
          by_count_[count_of(said(i))].push_back(i);
    const auto found = by_count_.find(count_of(at));
    if (found == by_count_.end() || found->second.empty()) return kNoUtterance;
    const uint32_t to = found->second.back();
    found->second.pop_back();
    return to;
  }

  using Count = std::tuple<uint32_t, StringId, StringId, int64_t, int64_t>;
  static Count count_of(const Utterance& at) {
    return {at.source.file, at.session, at.agent, tokens_sent(at.tokens), at.tokens.output};
  }

  uint32_t answer_named(const Utterance& at) {
    if (!at.answer) return kNoUtterance;
    const auto found = by_name_.find(pair_of(at.session.index, at.answer.index));
    return found == by_name_.end() ? kNoUtterance : found->second;
  }

  void place_before(uint32_t i, uint32_t to, Conversation& here) {
    const Sort sort = said(i).answer ? named : unnamed, other = sort == named ? unnamed : named;
    const bool is_repeated =
        sort == named &&
        !stated_.insert(pair_of(said(i).session.index, said(i).answer.index)).second;
    if (is_repeated) return silence(said(i));
    const uint32_t since = std::exchange(here.last, i);
    counts_of_[i] = said(i).tokens;
    if (to != kNoUtterance) {
      here.placed[sort].push_back({i, to});
      return give(i, to);
    }
    const uint32_t before = std::exchange(here.answer[sort], kNoUtterance);
    const uint32_t last = sort == named ? kNoUtterance : std::exchange(here.last_unnamed, i);
    to = find_repeated(i, here.placed[other]);
    const bool is_stated = before != kNoUtterance && is_counted_[before];
    if (to == kNoUtterance &&
        is_stated) {  // a record with a name is of one call, whatever others count
      to = before;
      (sort == named ? said(to) : said(i)).tokens = {};
    }
    if (to != kNoUtterance) return give(i, to);
    if (before != kNoUtterance) {
      is_counted_[before] = true;
      here.placed[sort].push_back({i, before});
      give(i, before);
      return end_statement(said(i));
    }
    if (said(i).usage.scope == Scope::turn) return open_.push_back({i, since});
    const bool is_again = last != kNoUtterance && counts_of_[last] == said(i).tokens;
    if (has_no_base_.contains(i) || (is_again && sort == unnamed)) return silence(said(i));
    here.placed[sort].push_back({i, i});
    here.own_call = i;
    make_call(i, here.is_asked);
  }

  /// The call that a statement of the other sort counts alike; those before it stay without one.
  uint32_t find_repeated(uint32_t i, std::vector<Placed>& others) {
    constexpr size_t kLooked = 64;
    const size_t from = others.size() - std::min(others.size(), kLooked);
    for (size_t k = from; k < others.size(); ++k) {
      if (!are_equal_counts(counts_of_[others[k].statement], said(i).tokens)) continue;
      const uint32_t to = others[k].to;
      others.erase(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      return to;
    }
    return kNoUtterance;
  }

  /// Adds to an answer what a statement counts of it. An answer that counts itself needs no count
  /// that only its place names, and knows its model better than a client does.
  void give(uint32_t i, uint32_t to) {
    Utterance& count = said(i);
    Utterance& answer = said(to);
    const bool is_whole = tokens_sent(answer.tokens) >= 0 && answer.tokens.output >= 0;
    if (is_whole && !answer.output_is_low && !count.answer) count.tokens = {}, count.model = {};
    if (count.tokens.output >= 0 && count.tokens.output >= answer.tokens.output)
      answer.output_is_low = count.output_is_low;
    answer.tokens = best_count(answer.tokens, count.tokens);
    if (count.cost != kNoCount) answer.cost = count.cost;
    if (count.context_limit != kNoCount) answer.context_limit = count.context_limit;
    if (count.model && !(is_whole && answer.model)) answer.model = count.model;
    if (!answer.stop_reason) answer.stop_reason = count.stop_reason;
    silence(count);
  }

  /// A call without words on record. It is an answer only if the user waits for one.
  void make_call(uint32_t i, bool is_answer) {
    Utterance& call = said(i);
    call.usage = {};
    call.kind = Kind::answered;
    const bool is_summary = sums_up(call);
    call.form = is_answer    ? Utterance::Form::whole
                : is_summary ? Utterance::Form::aside_summary
                             : Utterance::Form::aside;
    if (call.agent && !call.in_subagent) call.in_subagent = true, call.agent_type = call.agent;
    if (call.answer) by_name_[pair_of(call.session.index, call.answer.index)] = i;
  }

  void place_in_order() {
    std::map<StringId, std::map<StringId, std::vector<Answered>>> sessions;
    for (const auto& [place, agents] : in_order_) sessions[place.second];
    std::map<std::pair<StringId, StringId>, std::pair<StringId, size_t>> known;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      if (!is_answer(i) || sums_up(said(i))) continue;
      const auto session = sessions.find(said(i).session);
      if (session == sessions.end()) continue;
      std::vector<Answered>& all = session->second[said(i).agent];
      const auto [place, is_new] =
          known.try_emplace({said(i).session, said(i).answer}, said(i).agent, all.size());
      const bool is_piece = said(i).answer && !is_new;
      if (!is_piece) all.emplace_back().name = said(i).answer;
      add_piece(i,
                is_piece ? session->second[place->second.first][place->second.second] : all.back());
    }
    for (auto& [place, agents] : in_order_) place_in_order(agents, sessions.at(place.second));
  }

  void add_piece(uint32_t i, Answered& answer) {
    const Utterance& piece = said(i);
    answer.last = i;
    if (piece.model) answer.model = piece.model;
    answer.output = std::max(answer.output, piece.tokens.output);
    answer.asks_for_tools |= piece.message && !rows_of(trace_.tool_uses, piece.message).empty();
  }

  /// All of a session's statements have to fit its answers one by one.
  void place_in_order(std::map<StringId, std::vector<uint32_t>>& statements,
                      const std::map<StringId, std::vector<Answered>>& answers) {
    const auto fit = [&](const auto& of_agent) {
      const auto found = answers.find(of_agent.first);
      return found != answers.end() && std::ranges::equal(of_agent.second, found->second,
                                                          [&](uint32_t i, const Answered& answer) {
                                                            return may_be_of(said(i), answer);
                                                          });
    };
    const bool all_fit =
        statements.size() == answers.size() && std::ranges::all_of(statements, fit);
    for (auto& [agent, of_agent] : statements)
      for (size_t k = 0; k < of_agent.size(); ++k) {
        const uint32_t i = of_agent[k];
        if (answers.empty()) {
          make_call(i, false);
        } else if (all_fit) {
          give(i, answers.at(agent)[k].last);
        } else {
          open_.push_back({i});
        }
      }
  }

  bool may_be_of(const Utterance& count, const Answered& answer) const {
    const std::string_view reason = trace_[count.stop_reason];
    const bool is_other_end = answer.asks_for_tools ? reason == "stop" : reason == "tool_calls";
    const bool is_other_count = answer.output != kNoCount && count.tokens.output != kNoCount &&
                                answer.output != count.tokens.output;
    return answer.name && !is_other_end && !is_other_count &&
           (!answer.model || !count.model || answer.model == count.model);
  }

  void place_by_time() {
    std::map<std::pair<StringId, StringId>, std::vector<std::pair<Time, uint32_t>>> answers;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i)
      if (is_answer(i) && said(i).time != kNoTime && !sums_up(said(i)))
        if (by_time_.contains({said(i).session, said(i).agent}))
          answers[{said(i).session, said(i).agent}].emplace_back(said(i).time, i);
    for (const auto& [agent, statements] : by_time_) {
      std::vector<std::pair<Time, uint32_t>>& said_when = answers[agent];
      std::ranges::sort(said_when);
      std::map<uint32_t, std::vector<uint32_t>> near;  // statements, by answer
      for (uint32_t i : statements) {
        const auto next =
            std::ranges::upper_bound(said_when, std::pair(said(i).time, kNoUtterance));
        const bool is_after_one = said(i).time != kNoTime && next != said_when.begin();
        near[is_after_one ? (next - 1)->second : kNoUtterance].push_back(i);
      }
      for (const auto& [to, of_answer] : near)
        for (uint32_t i : of_answer) {
          if (to == kNoUtterance || of_answer.size() > 1)
            open_.push_back({i});
          else
            give(i, to);
        }
    }
  }

  RawTrace& trace_;
  const std::vector<bool>& copies_;
  std::unordered_set<uint32_t> has_no_base_;
  std::vector<bool> is_counted_;  ///< by answer: a statement that its place names states it
  std::unordered_map<uint64_t, uint32_t> by_name_;  ///< the last piece, by session and answer
  std::unordered_set<uint64_t>
      stated_;  ///< answers of which a statement with their name was placed
  using Talk = std::tuple<uint32_t, StringId, StringId, StringId>;
  std::map<Talk, Conversation> conversations_;  ///< by file, session, agent and what started it
  Talk talk_;
  Conversation* here_ = nullptr;  ///< the last one, which most utterances go on with
  std::unordered_map<uint32_t, Tokens> counts_of_;   ///< of statements, as they were read
  std::map<Count, std::vector<uint32_t>> by_count_;  ///< answers that no statement is about
  std::map<std::pair<uint32_t, StringId>, std::map<StringId, std::vector<uint32_t>>> in_order_;
  std::map<std::pair<StringId, StringId>, std::vector<uint32_t>> by_time_;
  std::vector<OpenStatement> open_;
};

/// Is every statement of a call or a turn settled?
[[maybe_unused]] bool are_settled(const RawTrace& trace, const std::vector<bool>& copies) {
  for (size_t i = 0; i < trace.utterances.size(); ++i) {
    const Utterance& said = trace.utterances[i];
    if (!copies[i] && is_used(said) && !is_statement(said) && said.tokens != Tokens{}) return false;
    if (!copies[i] && is_used(said) && is_statement(said) && is_about_answer(said)) return false;
  }
  return true;
}

}  // namespace

void settle_usage(RawTrace& trace, const std::vector<bool>& copies) {
  assert(copies.size() == trace.utterances.size());
  if (std::ranges::none_of(trace.utterances, is_statement)) return;
  std::unordered_set<uint32_t> no_base = take_apart_running_counts(trace);
  const std::vector<OpenStatement> open = Placing(trace, copies, std::move(no_base)).place();
  sum_up_usage(trace, copies, open);
  for (Utterance& said : trace.utterances)
    if (is_used(said) && is_statement(said)) silence(said);
  assert(are_settled(trace, copies));
}

}  // namespace xtrace
