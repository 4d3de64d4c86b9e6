#include <fmt/format.h>

#include <optional>

#include "base/hash.h"
#include "base/json_writer.h"
#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The trajectories of SWE-agent (`.traj`), one a document:
//
//   {"trajectory": [steps], "info": {"exit_status", "model_stats": {"tokens_sent",
//    "tokens_received", "instance_cost", "api_calls"}}, "environment", "replay_config",
//    "history": [{"role", "content", "agent", "is_demo", "tool_calls": [as OpenAI has them],
//                 "tool_call_ids": [id]: of a tool's output}]}
//
// The history is the conversation; what is a demonstration in it nobody said. Tokens and cost are
// told in sum, which is the session's; times are not told.
//
// A model that calls no tools writes a command in its text, which stands as `action` beside that;
// what the command gave is said in the user's name next:
//
//   {"role": "assistant", "content", "thought", "action": "open main.py\n"},
//   {"role": "user", "content": the output}
//
// The step that ends it, where the agent submits, is not in the history of newer versions, but
// among the steps:
//
//   {"response", "thought", "action": "submit", "observation": the output}
//
// What is done so and what it gave are read as a tool's use and its result. Neither has an id, so
// they get one that counts the commands of this very document.

namespace {

/// Nothing but the words of a result shows that a command failed: those of the program and of the
/// tools that it brings.
constexpr Failure kSweAgentFailure = {
    .text = "content/0/text|content",
    .begins =
        "Your proposed edit has introduced new syntax error(s)|No replacement was performed|"
        "Your bash command contained syntax errors and was NOT executed|COMMAND FAILED TO "
        "EXECUTE|BROKEN PIPE ERROR|Wrong flag!",
    .line = "EXECUTION TIMED OUT"};

constexpr PieceShape kSweAgentPieces[] = {
    kOpenaiToolUse,
    {.type = "tool_call_ids",
     .says = PieceShape::Says::tool_result,
     .id = "tool_call_ids/0",
     .output = "content",
     .failed = kSweAgentFailure},
    {.type = "content", .says = PieceShape::Says::text, .text = "content|content/0/text"},
    {.says = PieceShape::Says::nothing},
};

/// The commands that the program brings; whatever else is done is the shell's.
constexpr std::string_view kSweAgentCommands[] = {
    "open",      "goto",        "scroll_down",   "scroll_up",        "create",      "edit",
    "insert",    "search_dir",  "search_file",   "find_file",        "submit",      "undo_edit",
    "decompile", "disassemble", "connect_start", "connect_sendline", "debug_start", "debug_exec"};

std::string_view command_of(json::element message) {
  json::element call;
  if (json::follow(message, "tool_calls/0", call)) return {};
  return json::text_at(message, "action");
}

/// What follows the name of a command, without the blanks around it.
std::string_view argument_of(std::string_view command, size_t name) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = command.find_first_not_of(kBlanks, name);
  if (begin == std::string_view::npos) return {};
  return command.substr(begin, command.find_last_not_of(kBlanks) + 1 - begin);
}

/// Behind what the model said.
void add_command(json::element message, Draft& draft) {
  const std::string_view command = command_of(message);
  if (command.empty()) return;
  const std::string_view first = command.substr(0, command.find_first_of(" \t\n"));
  Block& use = draft.blocks.emplace_back();
  use.kind = Block::Kind::tool_use;
  std::string arguments;
  JsonWriter json(arguments);
  json.open_object(JsonLayout::tight());
  if (is_one_of(first, kSweAgentCommands)) {
    use.name = first;
    const std::string_view rest = argument_of(command, first.size());
    std::string_view path;
    if (is_one_of(first, {"open", "create"})) path = rest.substr(0, rest.find_first_of(" \t\n"));
    if (!path.empty()) json.field("path", path);
    if (rest != path) json.field("arguments", rest);
  } else {
    use.name = "bash";
    json.field("command", command);
  }
  json.close();
  use.text = draft.keep(std::move(arguments));
}

/// The content of a message that says what a command gave: a text, or a list with one.
void add_output(json::element content, Draft& draft) {
  draft.role = Message::Role::user;
  Block& told = add_block(Block::Kind::tool_result, content, ".", draft);
  told.is_error = kSweAgentFailure.is_said(told.text);
}

constexpr UsageShape kSweAgentCounts = {.input = "tokens_sent", .output = "tokens_received"};

void adjust_swe_agent(json::element message, Utterance& said, Draft& draft) {
  if (json::is_true_on(message, "is_demo")) {
    draft.blocks.clear();
    said.kind = Utterance::Kind::silent;
  }
  // What a command gave, of models that call no tools: the program says it, not the user.
  if (said.kind == Utterance::Kind::asked &&
      json::text_at(message, "message_type") == "observation" && !draft.blocks.empty() &&
      draft.blocks.front().kind == Block::Kind::text)
    draft.role = Message::Role::other;
}

constexpr MessageShape kSweAgentMessages = {.content = ".",
                                            .calls = "tool_calls",
                                            .type = "",
                                            .pieces = kSweAgentPieces,
                                            .adjust = adjust_swe_agent};

/// One of the trajectory, not of the history.
bool is_step(json::element part) {
  json::element value;
  return json::find(part, "response", value) && !json::find(part, "role", value);
}

/// A message, a step or what a command gave.
void say_swe_agent(json::element part, Draft& said) {
  if (!json::is_object(part)) return add_output(part, said);
  if (is_step(part)) {
    said.role = Message::Role::assistant;
    add_text(json::text_at(part, "response"), said);
  } else {
    say_message(part, kSweAgentMessages, said);
  }
  if (said.role == Message::Role::assistant) add_command(part, said);
}

/// The history, where what a command gave goes with the command.
class SweAgentHistory {
 public:
  SweAgentHistory(std::string_view text, RecordContext& context)
      : context_(context), messages_(kSweAgentMessages, context), document_(hash_of(text)) {}

  void read(json::element record, const Part& whole) {
    each_item(record, whole, "history", [&](json::element message, const Part& part) {
      if (json::is_true_on(message, "is_demo")) return messages_.read(message, part);
      const std::string_view role = json::text_at(message, "role");
      if (role == "assistant") last_ = message;
      if (role == "user" && !pending_.empty()) return read_output(message, "content", part);
      pending_.clear();
      if (role != "assistant" || command_of(message).empty()) return messages_.read(message, part);
      name_command();
      read_command(message, part);
    });
  }

  /// The steps behind the last one of which the history tells.
  void read_further_steps(json::element record, const Part& whole) {
    size_t known = 0, at = 0;
    each_item(record, whole, "trajectory", [&](json::element step, const Part&) {
      ++at;
      if (is_last(step)) known = at;
    });
    if (known == 0) return;  // another agent's, or nobody's
    at = 0;
    each_item(record, whole, "trajectory", [&](json::element step, const Part& part) {
      if (at++ < known || !is_step(step)) return;
      name_command();
      read_command(step, part);
      if (command_of(step).empty()) return pending_.clear();
      read_output(step, "observation", part);
    });
  }

 private:
  /// Is it the step of the last answer in the history?
  bool is_last(json::element step) const {
    if (!last_) return false;
    json::element content, response;
    return json::find(*last_, "content", content) && json::find(step, "response", response) &&
           words_of(content) == words_of(response) && !words_of(response).empty() &&
           json::text_at(*last_, "action") == json::text_at(step, "action");
  }

  static std::string_view words_of(json::element content) {
    json::element text;
    if (json::is_string(content)) return json::text(content);
    return json::follow(content, "0/text", text) ? json::text(text) : std::string_view{};
  }

  void name_command() { pending_ = fmt::format("action-{:016x}-{}", document_, ++commands_); }

  void read_command(json::element message, const Part& part) {
    Draft& draft = cleared(context_.draft);
    say_swe_agent(message, draft);
    if (!command_of(message).empty()) draft.blocks.back().id = pending_;
    Utterance said;
    said.source = part.at;
    said.kind = Utterance::Kind::answered;
    said.outcome = Outcome::ok;
    said.form = Utterance::Form::whole;
    add(said, draft);
  }

  void read_output(json::element message, std::string_view field, const Part& part) {
    json::element content;
    const Part place = part.field(field);
    Utterance said;
    said.kind = Utterance::Kind::asked;
    said.source = place.text.empty() ? part.at : place.at;
    Draft& draft = cleared(context_.draft);
    if (!json::find(message, field, content)) return messages_.read(message, part);
    add_output(content, draft);
    draft.blocks.back().id = pending_;
    add(said, draft);
    pending_.clear();
  }

  void add(Utterance& said, const Draft& draft) {
    said.message = add_message({}, draft, context_.parsers, context_.shard);
    context_.shard.add(said);
  }

  RecordContext& context_;
  MessageReader messages_;
  uint64_t document_;
  std::optional<json::element> last_;  ///< answer in the history
  std::string pending_;                ///< the id of the command whose output comes next
  size_t commands_ = 0;
};

void read_swe_trajectory(const RecordMatcher& record, const Part& whole, Utterance&,
                         RecordContext& context) {
  SweAgentHistory history(whole.text, context);
  history.read(record, whole);
  history.read_further_steps(record, whole);
}

/// A replay asks no model, and counts nothing.
constexpr UsageRecord kTrajectoryUsage = {.terms = kSessionInAll,
                                          .at = "info/model_stats",
                                          .counts = kSweAgentCounts,
                                          .calls = "info/model_stats/api_calls",
                                          .cost = "info/model_stats/instance_cost"};

constexpr RecordShape kSweAgentRecords[] = {
    {.when = "history/0/role history/0/agent",
     .usage = &kTrajectoryUsage,
     .read = read_swe_trajectory,
     .say = say_swe_agent},
};

}  // namespace

extern constinit const Format kSweAgent =
    format_of_shapes<kSweAgentRecords>("swe-agent", "trajectories of SWE-agent");

}  // namespace xtrace
