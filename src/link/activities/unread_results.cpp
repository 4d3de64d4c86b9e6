#include "link/activities/unread_results.h"

#include "facts/rows.h"

namespace xtrace {

namespace {

constexpr size_t kFew = 16;  // results of a message

}  // namespace

UnreadResults::UnreadResults(const Trace& trace) : trace_(trace), behind_(trace.messages.size()) {
  for (const ToolResult& result : trace.tool_results)
    if (const MessageId before = trace[result.message].before; before && !behind_[before.index])
      behind_[before.index] = result.message;
  const std::vector<ToolResult>& all = trace.tool_results;  // in the order of their messages
  for (size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].message == all[i].message) ++end;
    for (size_t at = i; end - i > kFew && at < end; ++at)
      among_many_.try_emplace({all[at].message, all[at].tool_use}, &all[at]);
  }
}

const ToolResult* UnreadResults::of(const Call& call, const ToolUse& use) const {
  if (!call.answer || !use.id) return nullptr;
  // Of a tool that the vendor ran by itself.
  if (const ToolResult* inside = find(call.answer, use.id)) return inside;
  if (!(call.in_transcript || call.is_converted)) return nullptr;
  const MessageId behind = behind_[call.answer.index];
  return behind ? find(behind, use.id) : nullptr;
}

const ToolResult* UnreadResults::find(MessageId message, StringId tool_use) const {
  const std::span<const ToolResult> rows = rows_of(trace_.tool_results, message);
  if (rows.size() > kFew) {
    const auto found = among_many_.find({message, tool_use});
    return found == among_many_.end() ? nullptr : found->second;
  }
  for (const ToolResult& result : rows)
    if (result.tool_use == tool_use) return &result;
  return nullptr;
}

}  // namespace xtrace
