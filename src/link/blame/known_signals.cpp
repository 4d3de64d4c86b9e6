#include <algorithm>

#include "base/hash.h"
#include "link/blame/search.h"
#include "link/waste/tool_words.h"

namespace xtrace {

namespace {

/// What runs did, to compare another run with.
struct KnownActions {
  std::unordered_set<uint64_t> tools;           ///< by name
  std::unordered_set<uint64_t> uses;            ///< of a tool by a type of agent
  std::unordered_map<uint64_t, bool> outcomes;  ///< by tool and arguments: did it ever succeed?
  std::unordered_set<uint64_t> reported;        ///< numbers in the replies of subagents
};

/// Tool uses that a call asked for, or that spans record.
struct ToolAction {
  std::string_view tool;
  std::string_view agent;
  uint64_t arguments = 0;
  bool failed = false;
};

uint64_t use_of(const ToolAction& action) {
  return chain(hash_of(action.agent), hash_of(action.tool));
}
uint64_t key_of(const ToolAction& action) {
  return chain(hash_of(action.tool), action.arguments);
}

ToolAction action_of(const Graph& graph, const Activity& done) {
  ToolAction action{done.tool, done.agent.name, 0, done.outcome == Outcome::error};
  if (done.call && done.use != nullptr) {
    action.agent = graph.agent_of(done.call).type;
    action.arguments = done.use->arguments;
  }
  return action;
}

bool is_report(const Graph& graph, CallId call) {
  const Agent& agent = graph.agent_of(call);
  return agent.spawned && !agent.calls.empty() && agent.calls.back() == call;
}

/// The numbers in the reply of a subagent.
std::vector<uint64_t> reported_by(const Graph& graph, const Payloads* payloads, CallId call) {
  std::vector<uint64_t> numbers;
  if (payloads == nullptr || !is_report(graph, call)) return numbers;
  for (const TextToken& token : tokens_in(payloads->read(graph.trace()[call]).answer))
    if (token.kind == TokenKind::number) numbers.push_back(token.hash);
  return numbers;
}

KnownActions actions_in(const KnownRuns& known) {
  KnownActions all;
  for (const Activity& done : known.graph.activities().all) {
    if (done.kind != Activity::Kind::tool_run) continue;
    const ToolAction action = action_of(known.graph, done);
    all.tools.insert(hash_of(action.tool));
    all.uses.insert(use_of(action));
    all.outcomes[key_of(action)] |= !action.failed;
  }
  if (!known.is_same_task) return all;
  for (CallId call : known.graph.timeline().in_order())
    for (uint64_t number : reported_by(known.graph, known.payloads, call))
      all.reported.insert(number);
  return all;
}

const Activity* done_at(const BlameSearch& search, uint32_t at) {
  const GraphStep& step = search.step(at);
  if (step.tool != nullptr) return step.tool;
  if (step.kind != GraphStep::Kind::hop) return nullptr;
  const SpanId span = search.graph.joined_hops()[step.hop].span;
  if (!span) return nullptr;
  const Activity& done = search.graph.activities().of(span);
  return done.kind == Activity::Kind::tool_run ? &done : nullptr;
}

/// Tools, and tools of an agent, that no known run used; each once.
void find_novel(const KnownActions& known, BlameSearch& search) {
  std::unordered_set<uint64_t> reported;
  for (uint32_t at = 0; at < search.size(); ++at) {
    const Activity* done = done_at(search, at);
    if (done == nullptr) continue;
    const ToolAction action = action_of(search.graph, *done);
    if (known.uses.contains(use_of(action)) || !reported.insert(use_of(action)).second) continue;
    search.add({BlameSignal::novel, at});
  }
}

/// The first step that the baseline does not have: a tool with other arguments or another outcome,
/// or a report with another number. What only looks may be added or left out without harm, and so
/// only its outcome counts, unless a later success mended it; a tool that the baseline never used
/// may be a harmless addition too.
void find_divergence(const KnownActions& known, BlameSearch& search) {
  std::unordered_set<uint32_t> unmended;
  for (const FoundSignal& signal : search.found)
    if (signal.signal == BlameSignal::error_unmended) unmended.insert(signal.step);
  for (uint32_t at = 0; at < search.size(); ++at) {
    const GraphStep& step = search.step(at);
    bool differs = false;
    if (const Activity* done = done_at(search, at)) {
      const ToolAction action = action_of(search.graph, *done);
      const auto before = known.outcomes.find(key_of(action));
      if (before != known.outcomes.end())
        differs = unmended.contains(at) && before->second;
      else
        differs = known.tools.contains(hash_of(action.tool)) && done->subagent == StringId{} &&
                  !done->has_spawned && classify_tool_name(action.tool).changes;
    } else if (step.kind == GraphStep::Kind::call) {
      differs =
          std::ranges::any_of(reported_by(search.graph, search.from.payloads, step.call),
                              [&](uint64_t number) { return !known.reported.contains(number); });
    }
    if (!differs) continue;
    search.add({BlameSignal::diverged, at});
    return;
  }
}

}  // namespace

void find_known_signals(BlameSearch& search) {
  const KnownActions known = actions_in(*search.from.known);
  if (search.from.known->is_same_task)
    find_divergence(known, search);
  else
    find_novel(known, search);
}

}  // namespace xtrace
