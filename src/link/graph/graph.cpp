#include "link/graph/graph.h"

#include <algorithm>
#include <tuple>

#include "base/one_of.h"
#include "link/calls/linkers.h"
#include "link/calls/merge_records.h"
#include "link/calls/session_names.h"

namespace xtrace {

Graph::Graph(std::unique_ptr<const Trace> trace, Timeline timeline, Findings findings,
             Sessions sessions, Agents agents, Hops hops, Partners partners,
             const LinkOptions& linking)
    : trace_(std::move(trace)),
      timeline_(std::move(timeline)),
      findings_(std::move(findings)),
      sessions_(std::move(sessions)),
      agents_(std::move(agents)),
      hops_(std::move(hops)),
      partners_(std::move(partners)),
      prices_(linking.prices),
      elsewhere_(linking.elsewhere) {
  std::stable_sort(findings_.links.begin(), findings_.links.end(),
                   [&](const Link& a, const Link& b) {
                     return std::tuple(timeline_.rank(a.to), timeline_.rank(a.from), a.kind) <
                            std::tuple(timeline_.rank(b.to), timeline_.rank(b.from), b.kind);
                   });
  for (Link& link : findings_.links) link.starts_early = starts_before_cause(link);
  // Who fits as well is no likelier than who was taken.
  for (const Link& link : findings_.links)
    for (Alternative& other :
         std::span(findings_.alternatives).subspan(link.first_alternative, link.alternatives))
      other.confidence = std::min(other.confidence, confidence(link));
  const auto index_by = [&](CallId Link::*end) {
    return EdgeIndex<>(trace_->calls.size(), links().size(),
                       [&](uint32_t i) { return (links()[i].*end).index; });
  };
  effects_ = index_by(&Link::from);
  causes_ = index_by(&Link::to);
}

const Hops& Graph::call_hops() const {
  return call_hops_.get([&] { return hops_of_calls(*this); });
}

const Hops& Graph::joined_hops() const {
  // A join with nothing is the other side. The runs of calls are the sessions.
  if (sessions().empty()) return hops();
  if (partners_.cover_all_runs()) return call_hops();
  return joined_hops_.get([&] { return join_hops(*this); });
}

const Activities& Graph::activities() const {
  return activities_.get([&] { return find_activities(*this); });
}

const std::vector<CallTurn>& Graph::call_turns() const {
  return call_turns_.get([&] { return turns_of_calls(*this); });
}

const std::vector<CallId>& Graph::contexts_before() const {
  return contexts_before_.get([&] {
    std::vector<CallId> before(trace_->calls.size());
    for (CallId id : timeline_.in_order())
      if (const CallId from = previous_of(id))
        before[id.index] =
            tokens_sent(activities().of(from).tokens) > 0 ? from : before[from.index];
    return before;
  });
}

std::shared_ptr<const Story> Graph::story() const {
  return {std::shared_ptr<void>(), &story_.get([&] { return tell_story(*this); })};
}

std::span<const Alternative> Graph::alternatives(const Link& link) const {
  return std::span(findings_.alternatives).subspan(link.first_alternative, link.alternatives);
}

std::vector<const ToolUse*> Graph::tool_uses_of(CallId call) const {
  std::vector<const ToolUse*> uses;
  MessageId answer = timeline_[call].answer;
  if (timeline_[call].answer_is_lossy || !answer)
    for (uint32_t i : effects_of(call))
      if (links()[i].rule == Rule::echoed_history)
        uses.push_back(&trace_->tool_uses[links()[i].tool_use.index]);
  if (uses.empty() && answer)
    for (const ToolUse& use : timeline_.uses_in(answer)) uses.push_back(&use);
  return uses;
}

std::vector<uint32_t> Graph::results_read_by(CallId call) const {
  std::vector<uint32_t> results;
  CallId before;
  constexpr int kAttempts = 1000;  // links against the clock may form a circle
  for (int i = 0; i < kAttempts && call && results.empty(); ++i, call = before) {
    before = {};
    for (uint32_t at : causes_of(call)) {
      if (links()[at].kind == LinkKind::tool_result) results.push_back(at);
      if (links()[at].kind == LinkKind::retry) before = links()[at].from;
    }
  }
  return results;
}

CallId Graph::previous_of(CallId call) const {
  CallId from;
  for (uint32_t i : causes_of(call)) {
    const Link& link = links()[i];
    if (against_the_clock(link)) continue;
    if (link.kind == LinkKind::continuation) from = link.from;
    if (link.kind == LinkKind::retry && !from) from = link.from;
  }
  return from;
}

bool Graph::against_the_clock(const Link& link) const {
  return !timeline_.before(link.from, link.to);
}

bool Graph::starts_before_cause(const Link& link) const {
  const Time cause = timeline_[link.from].start, effect = timeline_[link.to].start;
  const bool are_known = cause != kNoTime && effect != kNoTime;
  return against_the_clock(link) || (are_known && effect < cause);
}

Graph link(Trace trace, const LinkOptions& linking) {
  std::unique_ptr<Trace> facts = std::make_unique<Trace>(std::move(trace));
  Timeline timeline(*facts);
  Findings findings;
  for (const Linker& linker : exact_linkers()) linker.find(timeline, linking, findings);
  // What several logs record about one call is known to be one only with the links of each log.
  if (merge_records(*facts, timeline, findings)) timeline = Timeline(*facts);
  // Proven links show which calls form a session; guesses stay within one.
  Sessions sessions = find_sessions(timeline, findings);
  for (const Guesser& guesser : guessers()) guesser.find(timeline, linking, sessions.of, findings);
  if (std::any_of(findings.links.begin(), findings.links.end(),
                  [](const Link& link) { return link.joins_sessions; }))
    sessions = find_sessions(timeline, findings);
  find_session_uses(timeline, sessions);
  name_sessions(*facts, sessions);
  Agents agents = find_agents(timeline, findings, sessions);
  for (const OptIn& linker : opt_in_linkers())
    if (is_one_of(linker.name, linking.with)) linker.find(timeline, sessions, agents, findings);
  Hops hops = find_hops(*facts, linking);
  Partners partners = find_partners(timeline, hops);
  return Graph(std::move(facts), std::move(timeline), std::move(findings), std::move(sessions),
               std::move(agents), std::move(hops), std::move(partners), linking);
}

}  // namespace xtrace
