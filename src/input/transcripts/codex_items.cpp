#include "input/transcripts/codex_items.h"

#include "base/digits.h"
#include "base/hash.h"
#include "base/one_of.h"
#include "facts/tool_error.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/ending.h"
#include "input/common/json_path.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// A line a record:
//
//   {"type": "thread.started", "thread_id"}: the id of the rollout
//   {"type": "turn.started"}
//   {"type": "item.started"|"item.updated"|"item.completed", "item": {"id", "type", …}}
//   {"type": "turn.completed", "usage": {"input_tokens" with the cached ones, "output_tokens" with
//    those of the reasoning, …}}: of the thread since it was started, resumed or not
//   {"type": "turn.failed", "error": {"message"}}, and right before it, of the same failure,
//   {"type": "error", "message"}
//
// An item of type `error` is a warning of the client's, behind which the turn goes on, or an
// attempt at reaching the model that failed. A line of this type is what the turn then fails with.
//
// An item that began and is not done when the log ends has no output.
//
// Nothing shows how often the model was asked within a turn, what the user said, when, or which
// model it was: a turn is read as one call, which holds its tools and what they gave back.

namespace {

/// What a turn fails with is recorded before the failure, which may be missing.
constexpr std::string_view kFailure = "turn failed";

/// Of a line or an item.
bool is_reconnecting(json::element told) {
  const std::string_view message = json::text_at(told, "message");
  return message.starts_with("Reconnecting") ||
         (message.starts_with("stream error") && message.find("retrying") != message.npos);
}

/// `http_401` of `unexpected status 401 Unauthorized: …`, else what other texts name.
std::string failure(json::element line) {
  constexpr std::string_view kMark = "unexpected status ";
  constexpr size_t kDigits = 3;
  json::element error;
  if (!json::find(line, "error", error)) error = line;
  const std::string_view message = json::text_at(error, "message");
  if (const size_t at = message.find(kMark); at != std::string_view::npos) {
    const std::string_view status = message.substr(at + kMark.size(), kDigits);
    if (status.size() == kDigits && are_digits(status)) return "http_" + std::string(status);
  }
  const std::string word = error_word(error);
  return word.empty() || word == "error" ? "turn_failed" : word;
}

/// A tool of the item's own type, with what it was told under this key.
void name_tool(json::element item, std::string_view name, std::string_view key, Block& use) {
  json::element told;
  use.name = name;
  if (!json::find(item, key, told)) return;
  use.text = json::text(told);
  use.body = told;
  use.has_body = json::is_object(told) || json::is_array(told);
}

bool name_use(json::element item, Draft& draft, Block& use) {
  const std::string_view type = json::text_at(item, "type");
  if (type == "command_execution")
    name_tool(item, type, "command", use);
  else if (type == "file_change")
    name_tool(item, type, "changes", use);
  else if (type == "web_search")
    name_tool(item, type, "query", use);
  else if (type == "todo_list")
    name_tool(item, type, "items", use);
  else if (type == "mcp_tool_call")
    name_tool(item,
              draft.keep(qualified(std::string("mcp__").append(json::text_at(item, "server")),
                                   json::text_at(item, "tool"))),
              "arguments", use);
  else if (type == "collab_tool_call")
    name_tool(item, json::text_at(item, "tool"), "prompt", use);
  else
    return false;
  return true;
}

void read_item(json::element item, Draft& draft) {
  const std::string_view type = json::text_at(item, "type");
  draft.role = Message::Role::assistant;
  Block use;
  if (type == "agent_message") {
    add_text(json::text_at(item, "text"), draft);
  } else if (type == "reasoning") {
    use.kind = Block::Kind::hidden;
    draft.blocks.push_back(use);
  } else if (name_use(item, draft, use)) {
    use.kind = Block::Kind::tool_use;
    use.id = json::text_at(item, "id");
    Block result;
    result.kind = Block::Kind::tool_result;
    result.id = use.id;
    json::element output;
    for (std::string_view key : {"aggregated_output", "result"})
      if (json::find(item, key, output) && !output.is_null()) {
        result.text = json::text(output);
        result.body = output;
        result.has_body = true;
      }
    json::element code;
    int64_t exit = 0;
    if (json::find(item, "exit_code", code) && code.get_int64().get(exit)) exit = 0;
    result.is_error = exit != 0 || outcome_named(json::text_at(item, "status")) == Outcome::error;
    draft.blocks.push_back(use);
    draft.blocks.push_back(result);
  }
}

class CodexExecLine {
 public:
  CodexExecLine(std::string_view text, const Extent& at, RecordContext& context)
      : text_(text), context_(context), shard_(context.shard) {
    said_.source = at;
    mark_printed(said_);
  }

  void read(json::element line) {
    const std::string_view type = json::text_at(line, "type");
    json::element item;
    said_.is_ambiguous = type == "error";  // which loggers write as well
    if (type == "thread.started") {
      said_.kind = Utterance::Kind::heading;
      said_.session = shard_.intern(json::text_at(line, "thread_id"));
    } else if (type == "turn.started") {
      said_.kind = Utterance::Kind::asked;
      said_.is_complete = true;
    } else if (type == "turn.completed") {
      read_usage(line);
    } else if (type == "error" && is_reconnecting(line)) {
      return read_lost_stream();
    } else if (type == "turn.failed" || type == "error") {
      said_.kind = Utterance::Kind::failed;
      said_.error = shard_.intern(failure(line));
      said_.item = shard_.intern(kFailure);
      if (type == "error") said_.version = Utterance::Version::begun;
      said_.form = Utterance::Form::whole;  // of the turn, which is the call that its tools are in
    } else if (type == "item.completed" && json::find(line, "item", item)) {
      return read_completed(item);
    } else if (type == "item.started" && json::find(line, "item", item)) {
      return read_started(item);
    }
    shard_.add(said_);
  }

 private:
  void read_usage(json::element line) {
    json::element usage;
    if (!json::find(line, "usage", usage)) return;
    said_ = usage_of(said_, {.scope = UsageTerms::Scope::turn,
                             .form = UsageTerms::Form::running,
                             .place = UsageTerms::Place::before});
    said_.tokens = read_codex_usage(usage);
  }

  void read_lost_stream() {
    said_.kind = Utterance::Kind::failed;
    said_.error = shard_.intern("stream_error");
    shard_.add(said_);
  }

  /// Of a tool that is never done no more is known.
  void read_started(json::element item) {
    Draft& draft = read_draft(item);
    std::erase_if(draft.blocks,
                  [](const Block& block) { return block.kind != Block::Kind::tool_use; });
    if (draft.blocks.empty()) return shard_.add(said_);
    said_.kind = Utterance::Kind::answered;
    said_.outcome = Outcome::ok;
    said_.version = Utterance::Version::begun;
    said_.item = shard_.intern(json::text_at(item, "id"));
    add_utterance(said_, draft, context_);
  }

  void read_completed(json::element item) {
    if (json::text_at(item, "type") == "error") {
      if (is_reconnecting(item)) return read_lost_stream();
      shard_.complain(Complaint::Kind::field, said_.source,
                      "a warning of the client; the run continued");
      return shard_.add(said_);
    }
    said_.item = shard_.intern(json::text_at(item, "id"));
    Draft& draft = read_draft(item);
    if (draft.blocks.empty()) return shard_.add(said_);
    said_.kind = Utterance::Kind::answered;
    said_.outcome = Outcome::ok;
    if (draft.blocks.front().kind == Block::Kind::hidden) return shard_.add(said_);
    add_utterance(said_, draft, context_);
    if (json::text_at(item, "type") == "collab_tool_call") read_agents(item);
  }

  /// The threads that a tool started, which may have rollouts of their own.
  void read_agents(json::element item) {
    json::element threads;
    if (json::text_at(item, "tool") != "spawn_agent" ||
        !json::find(item, "receiver_thread_ids", threads))
      return;
    json::items(threads, [&](json::element thread) {
      AgentRelation about = relation_of(said_, AgentRelation::Kind::reported);
      about.session = shard_.intern(json::text_at(item, "sender_thread_id"));
      about.agent = shard_.intern(json::text(thread));
      about.tool_use = shard_.intern(json::text_at(item, "id"));
      if (about.agent) shard_.add(about);
    });
  }

  /// Items are counted from 0 in every run: what else the line says tells them apart.
  Draft& read_draft(json::element item) {
    Draft& draft = cleared(context_.draft);
    draft.ids_of = hash_of(text_);
    read_item(item, draft);
    return draft;
  }

  std::string_view text_;
  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

}  // namespace

Tokens read_codex_usage(json::element usage) {
  Tokens tokens;
  int64_t input = kNoCount, cached = kNoCount, written = 0;
  json::fields(usage, [&](std::string_view key, json::element value) {
    if (key == "input_tokens")
      input = json::count(value, input);
    else if (key == "cached_input_tokens")
      cached = json::count(value, cached);
    else if (key == "cache_write_input_tokens")
      written = json::count(value, written);
    else if (key == "output_tokens")
      tokens.output = json::count(value, tokens.output);
  });
  count_input(input, cached, tokens);
  // These are in the input too, and older versions do not count them apart.
  if (written > 0 && tokens.input >= written) {
    tokens.input -= written;
    tokens.cache_creation = written;
  }
  return tokens;
}

void read_codex_exec(const RecordMatcher& record, const Part& whole, Utterance&,
                     RecordContext& context) {
  CodexExecLine(whole.text, whole.at, context).read(record);
}

void say_codex_exec(json::element record, Draft& said) {
  json::element item;
  if (json::find(record, "item", item)) read_item(item, said);
}

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
    constexpr std::string_view kToolItems[] = {"CommandExecution", "FileChange", "McpToolCall",
                                               "DynamicToolCall"};
    if (!is_one_of(json::text_at(item, "type"), kToolItems)) return;
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
