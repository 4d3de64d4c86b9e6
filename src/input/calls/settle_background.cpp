#include "input/calls/settle_background.h"

#include <list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace xtrace {

namespace {

class BackgroundSettler {
 public:
  explicit BackgroundSettler(RawTrace& trace) : trace_(trace) {}

  void settle() {
    for (const BackgroundEnd& end : trace_.background_ends) note(end);
    // What a subagent in the background reports, it says at its end.
    for (const ToolResult& report : trace_.tool_results)
      if (!report.tool_use && report.agent)
        note({report.message, {}, report.agent, report.is_error, report.error});
    if (!by_task_.empty()) find_sessions();
    for (ToolResult& result : trace_.tool_results)
      if (result.goes_on)
        if (const BackgroundEnd* end = end_of(result)) take(*end, result);
  }

 private:
  /// Whose calls a message is told to: a session, or a file where none is named.
  using Whose = std::pair<StringId, uint32_t>;

  static void keep(const BackgroundEnd& end, const BackgroundEnd*& known) {
    if (known == nullptr || (end.is_error && !known->is_error)) known = &end;
  }

  void note(const BackgroundEnd& end) {
    const BackgroundEnd& kept = kept_.emplace_back(end);
    if (end.tool_use) keep(kept, by_use_[end.tool_use]);
    if (end.task) by_task_[end.task].push_back(&kept);
  }

  /// A message belongs to the first call that is told it; behind the last call, to that one.
  void find_sessions() {
    whose_.resize(trace_.messages.size());
    std::vector<bool> is_known(whose_.size());
    for (const Call& call : trace_.calls) {
      const Whose of{call.session, call.session ? 0 : call.source.file};
      for (MessageId last : {call.answer, call.request})
        for (MessageId at = last; at && !is_known[at.index]; at = trace_[at].before) {
          whose_[at.index] = of;
          is_known[at.index] = true;
        }
    }
    for (size_t i = 0; i < whose_.size(); ++i)
      if (const MessageId before = trace_.messages[i].before; before && !is_known[i])
        whose_[i] = whose_[before.index], is_known[i] = is_known[before.index];
    for (const ToolResult& result : trace_.tool_results)
      if (result.goes_on) uses_of_task_[result.task].insert(result.tool_use);
  }

  const BackgroundEnd* end_of(const ToolResult& result) {
    if (const auto named = by_use_.find(result.tool_use); result.tool_use && named != by_use_.end())
      return named->second;
    const auto of_task = by_task_.find(result.task);
    if (of_task == by_task_.end()) return nullptr;
    // Some clients count from 1 in each session.
    const bool is_only = uses_of_task_[result.task].size() == 1;
    const BackgroundEnd* found = nullptr;
    for (const BackgroundEnd* end : of_task->second)
      if (is_only || whose_[end->message.index] == whose_[result.message.index]) keep(*end, found);
    return found;
  }

  static void take(const BackgroundEnd& end, ToolResult& result) {
    result.has_ended = true;
    result.is_error = end.is_error;
    result.error = end.error;
  }

  RawTrace& trace_;
  std::list<BackgroundEnd> kept_;
  std::map<StringId, const BackgroundEnd*> by_use_;
  std::map<StringId, std::vector<const BackgroundEnd*>> by_task_;
  std::map<StringId, std::set<StringId>> uses_of_task_;
  std::vector<Whose> whose_;  ///< by message
};

}  // namespace

void settle_background(RawTrace& trace) {
  for (const ToolResult& result : trace.tool_results)
    if (result.goes_on) return BackgroundSettler(trace).settle();
}

}  // namespace xtrace
