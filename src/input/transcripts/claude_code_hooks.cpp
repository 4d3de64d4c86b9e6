#include "input/transcripts/claude_code_hooks.h"

#include "base/one_of.h"
#include "facts/hook_runs.h"
#include "input/calls/message_draft.h"
#include "input/common/json_path.h"
#include "input/common/shard.h"

namespace xtrace {

namespace {

/// Of one run there may be several attachments; these state how it ended.
constexpr std::string_view kEnds[] = {
    "hook_blocking_error",     "hook_cancelled", "hook_error_during_execution",
    "hook_non_blocking_error", "hook_progress",  "hook_success"};
constexpr std::string_view kStop = "Stop";
constexpr std::string_view kFeedback = " hook feedback:";

void note(std::string_view key, std::string_view event, int64_t times, const Utterance& said,
          Shard& shard) {
  Measurement told{said.source, said.time, shard.intern(event), said.session, key};
  told.number = static_cast<double>(times);
  shard.add(told);
}

}  // namespace

void note_hook(json::element told, const Utterance& said, Shard& shard) {
  const std::string_view type = json::text_at(told, "type");
  const std::string_view event = json::text_at(told, "hookEvent");
  if (!is_one_of(type, kEnds) || event.empty()) return;
  if (event == kStop && type == "hook_progress") return;  // a summary follows
  const std::string_view name = json::text_at(told, "hookName");
  note(kHookRuns, name.empty() ? event : name, 1, said, shard);
  if (type == "hook_blocking_error" && event.ends_with(kStop))
    note(kHookBlocks, event, 1, said, shard);
}

void note_stop_hooks(json::element line, const Utterance& said, Shard& shard) {
  const int64_t count = json::count_on(line, "hookCount", 1);
  if (count > 0) note(kHookRuns, kStop, count, said, shard);
}

void note_hook_feedback(const Draft& draft, const Utterance& said, Shard& shard) {
  if (draft.blocks.empty() || draft.blocks.front().kind != Block::Kind::text) return;
  const std::string_view text = draft.blocks.front().text;
  const size_t end = text.substr(0, text.find('\n')).find(kFeedback);
  if (end == std::string_view::npos || !text.substr(0, end).ends_with(kStop)) return;
  note(kHookBlocks, text.substr(0, end), 1, said, shard);
}

}  // namespace xtrace
