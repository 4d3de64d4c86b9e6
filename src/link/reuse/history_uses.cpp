#include "link/reuse/history_uses.h"

#include <span>

#include "base/hash.h"

namespace xtrace {

HistoryUses::HistoryUses(const Graph& graph) : graph_(graph) {
  const Trace& trace = graph.trace();
  std::vector<CallId> first;  // calls with a history
  for (const Conversation& conversation : graph.conversations()) {
    const Call& call = trace[conversation.calls.front()];
    const bool is_repeated = !call.in_transcript && !call.is_thought && !call.is_converted;
    if (is_repeated && call.request && trace[call.request].before)
      first.push_back(conversation.calls.front());
  }
  if (first.empty()) return;
  std::vector<bool> is_asked(trace.tool_uses.size());
  std::unordered_map<uint64_t, ToolUseId> asked;  // by session and id
  const auto key = [&](CallId call, StringId id) {
    return pair_of(static_cast<uint32_t>(&graph.session_of(call) - graph.sessions().data()),
                   id.index);
  };
  for (const CallId call : graph.timeline().in_order())
    for (const ToolUse* const use : graph.tool_uses_of(call)) {
      const ToolUseId id = graph.timeline().id_of(*use);
      is_asked[id.index] = true;
      if (use->id) asked.try_emplace(key(call, use->id), id);
    }
  for (const CallId call : first) {
    std::vector<ToolUseId> uses;  // the last one first
    for (MessageId at = trace[call].request; at; at = trace[at].before) {
      const std::span<const ToolUse> of = graph.timeline().uses_in(at);
      for (size_t i = of.size(); i-- > 0;) uses.push_back(graph.timeline().id_of(of[i]));
    }
    for (size_t i = uses.size(); i-- > 0;) {
      const StringId name = trace.tool_uses[uses[i].index].id;
      if (!name) continue;
      const auto elsewhere = asked.find(key(call, name));
      const bool is_unknown = !is_asked[uses[i].index] && elsewhere == asked.end();
      const ToolUseId use = is_unknown || is_asked[uses[i].index] ? uses[i] : elsewhere->second;
      by_id_.insert_or_assign(pair_of(call.index, name.index), use);
      if (!is_unknown) continue;
      unasked_.push_back({call, use});
      is_asked[use.index] = true;
    }
  }
}

bool HistoryUses::begins(CallId call) const {
  return graph_.conversation_of(call).calls.front() == call;
}

ToolUseId HistoryUses::find(CallId call, std::string_view id) const {
  const StringId known = graph_.trace().strings.find(id);
  const auto found = known ? by_id_.find(pair_of(call.index, known.index)) : by_id_.end();
  return found == by_id_.end() ? ToolUseId{} : found->second;
}

}  // namespace xtrace
