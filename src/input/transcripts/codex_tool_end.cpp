#include "input/transcripts/codex_tool_end.h"

#include "base/one_of.h"
#include "facts/tool_error.h"
#include "input/common/json_path.h"

namespace xtrace {

// Events, each with the call_id of the use:
//
//   exec_command_end   {"duration": {"secs", "nanos"}}
//   mcp_tool_call_end  {"duration", "result": {"Ok": {"isError"}} or {"Err"}}
//   patch_apply_end    {"success", "stderr"}
//
// Rollouts with "history_mode": "paginated" tell in place of them what the user was shown:
//
//   item_completed     {"item": {"type", "id", "status": "completed"|"failed"|"declined",
//   "exit_code",
//                      "success", "duration", "error": {"message"}, "stderr"}}
//
// What a script of the model ran by itself has an id there that no answer asked for.

namespace {

class ToolEnd {
 public:
  ToolEnd(json::element told, std::string_view id, const Extent& at, Shard& shard)
      : told_(told), shard_(shard) {
    run_.source = at;
    run_.tool_use = shard_.intern(json::text_at(told, id));
  }

  void add() { shard_.add(run_); }

  void read_length() {
    constexpr int64_t kCentury = 100LL * 366 * 86400, kSecond = 1'000'000'000;
    const int64_t seconds = json::count_on(told_, "duration/secs", kNoCount),
                  rest = json::count_on(told_, "duration/nanos", 0);
    if (seconds >= 0 && seconds <= kCentury && rest < kSecond)
      run_.took = std::chrono::seconds(seconds) + Duration(rest);
  }

  void fail(ToolError error) { run_.error = shard_.intern(word(error)); }

  /// What the tool gave says only in words that it failed.
  void read_server_call() {
    json::element told;
    if (json::follow(told_, "result/Err", told))
      fail(tool_error_in(json::is_string(told) ? json::text(told) : std::string_view()));
    else if (json::follow(told_, "result/Ok/isError|result/Ok/is_error", told) &&
             json::is_true(told))
      fail(tool_error_in({}));
  }

  void read_patch() {
    if (is_false("success")) fail(tool_error_in(json::text_at(told_, "stderr")));
  }

  void read_item() {
    const std::string_view type = json::text_at(told_, "type");
    const std::string_view status = json::text_at(told_, "status");
    if (status == "declined") return fail(ToolError::denied);
    const bool failed =
        status == "failed" || is_false("success") || json::count_on(told_, "exit_code", 0) != 0;
    if (!failed) return;
    // A command that is left to run on has its output told before, and fails in another tool's.
    run_.ends_before_output = type == "CommandExecution";
    if (run_.ends_before_output) return fail(ToolError::execution);
    fail(tool_error_in(json::text_on(told_, type == "FileChange" ? "stderr" : "error/message")));
  }

 private:
  bool is_false(std::string_view key) const {
    json::element value;
    return json::find(told_, key, value) && value.is_bool() && !json::is_true(value);
  }

  json::element told_;
  Shard& shard_;
  ToolRun run_;
};

}  // namespace

void read_tool_end(json::element event, const Extent& at, Shard& shard) {
  const std::string_view type = json::text_at(event, "type");
  if (json::element item; type == "item_completed" && json::find(event, "item", item)) {
    constexpr std::string_view kTools[] = {"CommandExecution", "FileChange", "McpToolCall",
                                           "DynamicToolCall"};
    if (!is_one_of(json::text_at(item, "type"), kTools)) return;
    ToolEnd end(item, "id", at, shard);
    end.read_length();
    end.read_item();
    return end.add();
  }
  if (!is_one_of(type, {"exec_command_end", "mcp_tool_call_end", "patch_apply_end"})) return;
  ToolEnd end(event, "call_id", at, shard);
  if (type == "patch_apply_end") end.read_patch();
  if (type != "patch_apply_end") end.read_length();
  if (type == "mcp_tool_call_end") end.read_server_call();
  end.add();
}

}  // namespace xtrace
