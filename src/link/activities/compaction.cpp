#include "link/activities/compaction.h"

#include <algorithm>
#include <set>
#include <string>

#include "facts/agents.h"
#include "facts/payloads.h"
#include "link/graph/graph.h"

namespace xtrace {

Compactions::Compactions(const Graph& graph, const Payloads* payloads)
    : graph_(graph), payloads_(payloads) {}

bool Compactions::goes_on_with_summary(CallId call) const {
  if (graph_.trace()[call].is_compacted) return true;
  for (uint32_t i : graph_.causes_of(call))
    if (const Link& link = graph_.links()[i]; link.kind == LinkKind::continuation)
      return link.rule == Rule::summary;
  return false;
}

bool Compactions::asks_for_summary(CallId before, CallId call) const {
  if (graph_.trace()[call].sums_up) return true;
  const StringId was = graph_.trace()[before].system_prompt;
  const StringId now = graph_.trace()[call].system_prompt;
  return was && now && was != now && sums_up(graph_.trace()[call]);
}

/// A prompt is read once, however many calls it instructs.
bool Compactions::sums_up(const Call& call) const {
  if (payloads_ == nullptr) return false;
  const auto [known, is_new] = summing_up_.try_emplace(call.system_prompt);
  if (is_new) {
    const std::string prompt = payloads_->instructions(call).system_prompt;
    known->second = has_any_word(prompt, &AgentFacts::summing_up);
  }
  return known->second;
}

std::vector<bool> Compactions::of_calls() const {
  const std::vector<CallId>& contexts_before = graph_.contexts_before();
  std::vector<bool> found(contexts_before.size());
  std::set<CallId> cut;  // what a call goes on from otherwise than with all of it
  for (CallId id : graph_.timeline().in_order()) {
    if (!is_cut(id)) continue;
    if (!repeats_cut(id)) found[last_attempt(id).index] = true;  // which is sent what that was
    cut.insert(contexts_before[id.index]);
  }
  for (CallId id : graph_.timeline().in_order()) {
    const CallId before = contexts_before[id.index];
    if (!before || found[id.index] || cut.contains(id) || cut.contains(before)) continue;
    if (graph_.trace()[id].outcome == Outcome::ok) found[id.index] = asks_for_summary(before, id);
  }
  return found;
}

bool Compactions::is_cut(CallId call) const {
  return goes_on_with_summary(call) || graph_.trace()[call].is_pruned;
}

bool Compactions::repeats_cut(CallId call) const {
  const std::span<const uint32_t> causes = graph_.causes_of(call);
  return std::any_of(causes.begin(), causes.end(), [&](uint32_t i) {
    const Link& link = graph_.links()[i];
    return link.kind == LinkKind::retry && graph_.timeline().before(link.from, call) &&
           is_cut(link.from);
  });
}

CallId Compactions::last_attempt(CallId call) const {
  for (CallId at = call;;) {
    CallId next;
    for (uint32_t i : graph_.effects_of(at))
      if (const Link& link = graph_.links()[i];
          link.kind == LinkKind::retry && graph_.timeline().before(at, link.to))
        next = link.to;
    if (!next) return at;
    at = next;
  }
}

}  // namespace xtrace
