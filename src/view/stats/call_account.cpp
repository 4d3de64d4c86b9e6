#include "view/stats/call_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "link/activities/call_sizes.h"
#include "link/activities/paid_again.h"
#include "view/calls/groups.h"
#include "view/calls/unplaced.h"

namespace xtrace {

namespace {

constexpr size_t kNamed = 10;  // expensive calls, and long waits

}  // namespace

void BroughtSum::Of::add(const CarriedResult& one) {
  tokens = sum_of_known({tokens, one.tokens});
  int64_t times = 0;
  if (__builtin_mul_overflow(one.tokens, one.again, &times)) times = INT64_MAX;
  again = sum_of_known({again, times});
  if (one.first_cost < 0 || one.again_cost < 0) {
    ++unpriced;
    return;
  }
  cost = sum_of_known({cost, one.first_cost});
  again_cost = sum_of_known({again_cost, one.again_cost});
}

CallAccount::CallAccount(const CallScene& scene)
    : turn_of(scene.graph.call_turns()),
      scene_(scene),
      bill_(scene.graph),
      users_(scene.graph.sessions().size()) {
  const Graph& graph = scene.graph;
  for (const Conversation& conversation : graph.conversations())
    if (!graph.agents()[conversation.agent].spawned)
      ++users_[graph.session_of(conversation.calls.front()).number - 1];
  const ShownCalls shown = scene.shown_calls();
  time = account_for_time(graph, shown);
  CallSizeMeter said(graph.trace(), scene.question.payloads);
  estimate(said);
  add_up();
  PaidAgain again = find_paid_again(graph, scene.question.payloads, said, shown);
  rebuilds = std::move(again.rebuilds);
  carried = std::move(again.carried);
  add_up_brought();
  find_expensive();
  find_waits();
}

CallSum CallAccount::of(CallId id) const {
  const Activity& done = scene_.graph.activities().of(id);
  CallSum sum = CallSum::of(done.outcome);
  sum.usage = scene_.spending.own(id);
  sum.paid = bill_.of(done);
  auto estimate = estimates_.find(id.index);
  if (estimate == estimates_.end()) return sum;
  sum.missing_output = estimate->second.more;
  sum.missing_cost = std::max<int64_t>(estimate->second.cost, 0);
  return sum;
}

void CallAccount::estimate(CallSizeMeter& said) {
  if (!said.is_known()) return;
  for (CallId id : scene_.timeline().in_order())
    if (scene_.selection.shows(id) && scene_.timeline()[id].output_is_low)
      estimates_.emplace(id.index, estimate_output(scene_.graph, said, id));
}

void CallAccount::add_up() {
  const Graph& graph = scene_.graph;
  std::map<CallTurn, size_t> turn_at;
  std::map<uint32_t, size_t> subagent_at;
  std::vector<Sum> times;  // by turn
  for (CallId id : graph.timeline().in_order()) {
    if (!scene_.selection.shows(id)) continue;
    const CallSum one = of(id);
    const CallTurn turn = turn_of[id.index];
    auto [at, is_new] = turn_at.try_emplace(turn, turns.size());
    if (is_new) {
      turns.push_back({turn, id, {}, kNoDuration, {}, {}});
      times.emplace_back();
    }
    turns[at->second].sum.add(one);
    times[at->second].add(graph.trace()[id], {});
    const uint32_t agent = graph.agent_index_of(id);
    if (!graph.agents()[agent].spawned) continue;
    auto [place, is_first] = subagent_at.try_emplace(agent, subagents.size());
    if (is_first) subagents.push_back({agent, id, turn, {}});
    subagents[place->second].sum.add(one);
  }
  for (size_t i = 0; i < turns.size(); ++i) turns[i].took = times[i].took();
  for (CallId id : graph.timeline().in_order()) {  // known only from the report of an agent
    const Usage& lacking = scene_.spending.own(id);
    if (scene_.selection.shows(id) || lacking.unpriced == 0) continue;
    if (const auto at = turn_at.find(turn_of[id.index]); at != turn_at.end())
      turns[at->second].sum.usage.add(lacking);
  }
  for (const TimeAccount::Stretch& stretch : time.stretches) {
    TurnSum& turn = turns[turn_at.at(stretch.turn)];
    Duration& part = turn.parts[static_cast<size_t>(stretch.part)];
    part = plus(part, stretch.took());
    turn.total = plus(turn.total, stretch.took());
  }
}

void CallAccount::add_up_brought() {
  const Trace& trace = scene_.graph.trace();
  std::map<std::string_view, BroughtSum> by_tool;
  std::set<ToolUseId> counted;
  for (const CarriedResult& one : carried) {
    const std::string_view tool = trace[trace.tool_uses[one.use.index].name];
    BroughtSum& sum = by_tool[tool];
    sum.tool = tool;
    ++sum.results;
    sum.estimated += one.is_estimated;
    (one.is_estimated ? sum.about : sum.exact).add(one);
    counted.insert(one.use);
  }
  const Activities& activities = scene_.graph.activities();
  for (CallId id : scene_.timeline().in_order()) {
    if (!scene_.selection.shows(id)) continue;
    for (const Activity& tool : activities.tools_of(id)) {
      const bool has_result = tool.outcome == Outcome::ok || tool.outcome == Outcome::error;
      const bool is_shown = !tool.reader || scene_.selection.shows(tool.reader);
      if (!has_result || !is_shown || counted.contains(scene_.timeline().id_of(*tool.use)))
        continue;
      BroughtSum& sum = by_tool[tool.tool];
      sum.tool = tool.tool;
      ++sum.left_out;
    }
  }
  for (const auto& [tool, sum] : by_tool) brought.push_back(sum);
  std::stable_sort(brought.begin(), brought.end(), [](const auto& a, const auto& b) {
    return a.exact.tokens + a.about.tokens > b.exact.tokens + b.about.tokens;
  });
}

void CallAccount::find_expensive() {
  std::vector<std::pair<int64_t, CallId>> calls;  // the most expensive first, as less sorts them
  for (CallId id : scene_.timeline().in_order())
    if (const int64_t cost = scene_.spending.own(id).cost; scene_.selection.shows(id) && cost > 0)
      calls.emplace_back(-cost, id);
  const size_t count = std::min(kNamed, calls.size());
  std::partial_sort(calls.begin(), calls.begin() + static_cast<ptrdiff_t>(count), calls.end());
  for (size_t i = 0; i < count; ++i)
    expensive.push_back({calls[i].second, reason_of(calls[i].second)});
}

CostReason CallAccount::reason_of(CallId id) const {
  const Paid paid = of(id).paid;
  if (paid.unsplit > 0) return CostReason::unknown;
  const int64_t fresh = paid[PaidKind::input] + paid[PaidKind::cache_write];
  const int64_t read = paid[PaidKind::cache_read], output = paid[PaidKind::output];
  if (output >= std::max(fresh, read)) return CostReason::long_output;
  if (read >= fresh) return CostReason::long_context;
  auto rebuild = std::find_if(rebuilds.begin(), rebuilds.end(),
                              [&](const CacheRebuild& one) { return one.call == id; });
  const bool is_anew = rebuild != rebuilds.end() && rebuild->paid >= fresh / 2;
  return is_anew ? CostReason::cache_rebuilt : CostReason::new_context;
}

void CallAccount::find_waits() {
  for (const TimeAccount::Stretch& stretch : time.stretches)
    if (stretch.part != PathPart::model) waits.push_back(&stretch);
  std::stable_sort(waits.begin(), waits.end(),
                   [](const auto* a, const auto* b) { return a->took() > b->took(); });
  if (waits.size() > kNamed) waits.resize(kNamed);
}

std::string CallAccount::name(const CallTurn& turn) const {
  const Graph& graph = scene_.graph;
  const Conversation& conversation = graph.conversations()[turn.conversation];
  const Session& session = graph.session_of(conversation.calls.front());
  std::string name = fmt::format("turn {}", turn.number);
  if (users_[session.number - 1] > 1)
    name =
        fmt::format("{} {}", scene_.names.agent(graph.agents()[conversation.agent]).view(), name);
  if (users_.size() > 1) name = fmt::format("{}/{}", scene_.names.session(session).view(), name);
  return name;
}

}  // namespace xtrace
