#include "input/calls/message_draft.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/place_name.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "facts/agent_type.h"
#include "facts/agents.h"
#include "facts/steady_output.h"
#include "input/calls/block_hash.h"
#include "input/calls/tool_target.h"
#include "input/common/json_path.h"
#include "input/common/parsers.h"
#include "input/common/shard.h"

namespace xtrace {

namespace {

bool says_nothing(const Block& block) {
  return block.kind == Block::Kind::hidden ||
         (block.kind == Block::Kind::text && trimmed(block.text).empty());
}

/// What clients tell a model by themselves, now in this message and now in that.
bool is_reminder(const Block& block) {
  constexpr std::string_view kBegin = "<system-reminder>", kEnd = "</system-reminder>";
  std::string_view text = trimmed(block.text);
  return block.kind == Block::Kind::text && text.starts_with(kBegin) && text.ends_with(kEnd);
}

/// Clients tell behind a subagent's last words how it can be resumed.
constexpr std::string_view kAgentMark = "agentId: ";

/// 0: nothing is said.
uint64_t name_of_text(std::string_view text) {
  std::string room;
  const std::string_view said = trimmed(steady_output(text, room));
  return said.empty() ? 0 : hash_of(said);
}

/// A client that has a command looked at by a smaller model writes `Command: …`, after its
/// instructions if there are any, and what the command printed behind `Output:`.
std::string_view command_asked_about(std::string_view text) {
  constexpr std::string_view kMark = "Command: ", kOutput = "\nOutput:";
  size_t at = text.starts_with(kMark) ? 0 : text.rfind("\nCommand: ");
  if (at == std::string_view::npos) return {};
  std::string_view command = text.substr(text.find(kMark, at) + kMark.size());
  return trimmed(command.substr(0, command.find(kOutput)));
}

/// Clients write `<command-name>/review</command-name>` for a command that the user typed, and
/// behind it either the prompt that it represents or, of a command that they ran by themselves,
/// what that printed.
constexpr std::string_view kCommandName = "<command-name>", kCommandEnd = "</command-name>",
                           kCommandOutput = "<local-command-std";

std::string slash_command_in(std::string_view text) {
  constexpr size_t kTagHead =
      512;  // bytes before it: the command's message, which repeats its name
  const size_t at = text.substr(0, kTagHead).find(kCommandName);
  if (at == std::string_view::npos || !trimmed(text).starts_with("<command-")) return {};
  text.remove_prefix(at + kCommandName.size());
  const std::string_view name = trimmed(text.substr(0, text.find(kCommandEnd)));
  if (name.empty() || name.size() > kTagHead) return {};
  return name.front() == '/' ? std::string(name) : "/" + std::string(name);
}

/// Notes what the use states of a subagent that it starts, or that it has go on.
void note_spawn(std::string_view name, json::element arguments, ToolUse& use, Shard& shard) {
  static constexpr SpawnTool kAsMost;
  const SpawnTool* const known = find_spawn_tool(name);
  const SpawnTool& tool = known == nullptr ? kAsMost : *known;
  const std::string_view type = json::text_at(arguments, tool.type),
                         resumed = json::text_at(arguments, tool.resumed);
  if (is_name(type))
    use.subagent_type = shard.intern(type);
  else
    use.type_key = shard.intern(agent_type_key(type));
  const std::string prompt = json::text_on(arguments, tool.prompt);
  const bool is_message = tool.starts == SpawnTool::Starts::if_resumed;
  if (is_message && (prompt.empty() || resumed.empty())) return;
  use.resume = shard.intern(resumed);
  if (!prompt.empty()) use.prompt = shard.intern(prompt_hash(prompt));
}

/// `nth`: of the message's tool uses, counted from 0.
void note_tool_use(const Block& block, MessageId message, uint32_t nth, Parsers& parsers,
                   Shard& shard) {
  ToolUse use;
  use.message = message;
  use.id = shard.intern(block.id);
  use.name = shard.intern(block.name);
  NamedTargets targets;
  json::element arguments = block.body;
  if (block.has_body || parsers.parse(block.text, arguments)) {
    const std::string command = command_of(arguments);
    use.arguments = digest_of_given(arguments, !command.empty());
    targets = targets_in(arguments, command);
    if (!command.empty()) use.command = shard.intern(prompt_hash(command));
    note_spawn(block.name, arguments, use, shard);
    use.skill = shard.intern(json::text_on(arguments, find_skill_keys(block.name)));
  } else {
    targets = targets_in(block.text);
    if (!block.text.empty()) use.arguments = hash_of(block.text);
  }
  use.patches = targets.are_patched;
  use.given_words = static_cast<uint32_t>(targets.words);
  use.server_tool = block.server_tool;
  for (const std::string& target : targets.all) {
    const StringId name = shard.intern(target);
    if (!use.target)
      use.target = name;
    else
      shard.add(ToolTarget{message, nth, name});
  }
  shard.add(use);
}

/// A value as text that is the same for equal values: keys of objects in order, strings quoted
/// inside lists and objects alone.
std::string text_of(json::element value, bool quoted = false) {
  if (json::is_string(value) && !quoted) return std::string(json::text(value));
  if (json::is_array(value)) {
    std::string text;
    json::items(value, [&](json::element item) {
      text += (text.empty() ? "" : ",") + text_of(item, true);
    });
    return "[" + text + "]";
  }
  if (json::is_object(value)) {
    std::vector<std::pair<std::string_view, std::string>> parts;
    json::fields(value, [&](std::string_view key, json::element field) {
      parts.emplace_back(key, text_of(field, true));
    });
    std::sort(parts.begin(), parts.end());
    std::string text;
    for (const auto& [key, part] : parts)
      text += (text.empty() ? "\"" : ",\"") + std::string(key) + "\":" + part;
    return "{" + text + "}";
  }
  return simdjson::minify(value);
}

/// `use`: of the message's tool uses, counted from 0.
void note_arguments(const Block& block, MessageId message, uint32_t use, Parsers& parsers,
                    Shard& shard) {
  json::element arguments = block.body;
  bool is_json = block.has_body || parsers.parse(block.text, arguments);
  if (!is_json || !json::is_object(arguments)) {
    StringId whole = shard.intern_argument(is_json ? text_of(arguments) : std::string(block.text));
    if (whole) shard.add(Argument{message, use, {}, whole});
    return;
  }
  json::fields(arguments, [&](std::string_view key, json::element value) {
    shard.add(Argument{message, use, shard.intern(key), shard.intern_argument(text_of(value))});
  });
}

/// A subagent's result ends with `agentId: a1f8104 (for resuming …)`.
std::string_view agent_named_in(std::string_view output) {
  std::string_view end = output.substr(output.size() - std::min<size_t>(output.size(), 400));
  size_t at = end.rfind(kAgentMark);
  if (at == std::string_view::npos) return {};
  std::string_view id = end.substr(at + kAgentMark.size());
  return id.substr(0, id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-_"));
}

/// What kind of error a tool's output tells of: in one piece, or in several.
ToolError error_told_by(const Block& block) {
  if (!block.is_error) return ToolError::none;
  if (block.error != ToolError::none) return block.error;
  ToolError error = tool_error_in(block.text);
  if (block.has_body)
    json::items(block.body, [&](json::element part) {
      if (error == ToolError::other) error = tool_error_in(json::text_at(part, "text"));
    });
  return error;
}

/// Names the first text of a tool's output. `names_agent`: some of it names the subagent.
uint64_t first_text_of(const Block& block, bool names_agent) {
  auto name = [&](std::string_view text) {
    return name_of_text(names_agent ? text.substr(0, text.rfind(kAgentMark)) : text);
  };
  uint64_t said = name(block.text);
  if (block.has_body)
    json::items(block.body, [&](json::element part) {
      if (said == 0) said = name(json::text_at(part, "text"));
    });
  return said;
}

/// Calls `each` with the text of a tool's output, in one piece or in several.
template <class Each>
void each_text(const Block& block, Each each) {
  each(block.text);
  if (block.has_body)
    json::items(block.body, [&](json::element part) { each(json::text_at(part, "text")); });
}

std::string_view background_task_of(const Block& block) {
  std::string_view task = block.task;
  each_text(block, [&](std::string_view text) {
    if (task.empty()) task = background_task_in(text);
  });
  return task;
}

/// What the message states of ends in the background.
void note_background_ends(const Draft& draft, MessageId message, Shard& shard) {
  const auto add = [&](const TaskNotification& told) {
    if (told.task.empty() && told.tool_use.empty()) return;
    shard.add(BackgroundEnd{message, shard.intern(told.tool_use), shard.intern(told.task),
                            told.failed, told.error});
  };
  for (const TaskNotification& told : draft.ended) add(told);
  for (const Block& block : draft.blocks) {
    if (block.kind == Block::Kind::text)
      for (const TaskNotification& told : read_task_notifications(block.text)) add(told);
    if (block.kind == Block::Kind::tool_result && !block.is_report)
      each_text(block, [&](std::string_view text) { add(read_task_output(text)); });
  }
}

/// Are a program's notices all that is said in a user's place?
bool says_only_notices(const Draft& draft) {
  bool any = false;
  for (const Block& block : draft.blocks) {
    if (says_nothing(block) || is_reminder(block) || block.is_report) continue;
    if (block.kind != Block::Kind::text || !is_task_notification(block.text)) return false;
    any = true;
  }
  return any;
}

void note_tool_result(const Block& block, MessageId message, bool in_answer, Shard& shard) {
  ToolResult result;
  result.message = message;
  result.is_error = block.is_error;
  result.error = error_told_by(block);
  result.took = block.took;
  if (block.is_report) {
    result.agent = shard.intern(block.id);
    result.said = first_text_of(block, false);
    return shard.add(result);
  }
  std::string_view agent = agent_named_in(block.text);
  if (block.has_body)
    json::items(block.body, [&](json::element part) {
      std::string_view named = agent_named_in(json::text_at(part, "text"));
      if (!named.empty()) agent = named;
    });
  result.tool_use = shard.intern(block.id);
  result.agent = shard.intern(agent);
  result.said = first_text_of(block, !agent.empty());
  const std::string_view task = background_task_of(block);
  result.goes_on = !task.empty() && !block.is_error;
  if (result.goes_on) result.task = shard.intern(task);
  result.in_answer = in_answer || block.in_answer;
  result.came = block.ended;
  result.is_timed = block.ended != kNoTime && block.took != kNoDuration;
  shard.add(result);
}

void note_strings(json::element value, MessageId message, Shard& shard) {
  if (json::is_string(value))
    shard.add(MessageText{message, shard.intern_text(fold_white_space(json::text(value)))});
  json::items(value, [&](json::element item) { note_strings(item, message, shard); });
  json::fields(value,
               [&](std::string_view, json::element field) { note_strings(field, message, shard); });
}

void note_wordings(const Block& block, MessageId message, Parsers& parsers, Shard& shard) {
  json::element arguments = block.body;
  bool is_json = block.kind == Block::Kind::tool_use && !block.has_body &&
                 parsers.parse(block.text, arguments);
  if (block.has_body || is_json)
    note_strings(arguments, message, shard);
  else if (!block.text.empty())
    shard.add(MessageText{message, shard.intern_text(fold_white_space(block.text))});
}

/// A client may add lines of its own behind the prompt that it was given: notes what precedes the
/// first and the last few line breaks of a conversation's first text.
void note_beginnings(std::string_view text, MessageId message, Shard& shard) {
  constexpr size_t kBreaks = 8, kShortest = 16;  // at either end; characters that name a task
  std::string folded;
  std::vector<size_t> ends;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = fold_white_space(text.substr(begin, end - begin));
    if (!line.empty() && folded.size() >= kShortest) ends.push_back(folded.size());
    if (!line.empty()) folded.append(folded.empty() ? "" : " ").append(line);
    begin = end + 1;
  }
  for (size_t i = 0; i < ends.size(); ++i)
    if (i < kBreaks || i + kBreaks >= ends.size()) {
      const std::string_view beginning = std::string_view(folded).substr(0, ends[i]);
      shard.add(Prompt{
          .message = message, .hash = shard.intern(hex(hash_of(beginning))), .is_beginning = true});
    }
}

}  // namespace

std::string prompt_hash(std::string_view text) {
  return hex(hash_of(fold_white_space(text)));
}

MessageId add_message(MessageId before, const Draft& draft, Parsers& parsers, Shard& shard) {
  const Message::Role role = draft.role == Message::Role::user && says_only_notices(draft)
                                 ? Message::Role::other
                                 : draft.role;
  uint64_t all = begin_own(role), own = all, said = 0;
  for (const Block& block : draft.blocks) {
    if (says_nothing(block)) continue;
    uint64_t hash = hash_block(block, draft.ids_of, parsers);
    all = chain(all, hash);
    if (!is_reminder(block)) own = chain(own, hash);
  }
  // Of its history and itself, which are enough to tell it where clients put nothing in.
  const uint64_t key = chain(before ? shard[before].key : 0, all);
  if (MessageId known = shard.find_message(key)) return known;

  uint32_t depth = before ? shard[before].depth + 1 : 1;
  for (const Block& block : draft.blocks)
    if (said == 0 && block.kind == Block::Kind::text) said = name_of_text(block.text);
  MessageId id = shard.add_message({before, depth, key, role, own, said});
  uint32_t uses = 0;
  for (const Block& block : draft.blocks) {
    if (shard.keeps_wordings()) note_wordings(block, id, parsers, shard);
    if (block.kind == Block::Kind::tool_use) {
      note_tool_use(block, id, uses, parsers, shard);
      if (shard.keeps_arguments()) note_arguments(block, id, uses, parsers, shard);
      ++uses;
    }
    if (block.kind == Block::Kind::tool_result)
      note_tool_result(block, id, draft.role == Message::Role::assistant, shard);
    if (block.kind == Block::Kind::text && role == Message::Role::user && !says_nothing(block)) {
      if (!before) note_beginnings(block.text, id, shard);
      Prompt prompt;
      prompt.message = id;
      prompt.hash = shard.intern(prompt_hash(block.text));
      if (std::string_view command = command_asked_about(block.text); !command.empty())
        prompt.command = shard.intern(prompt_hash(command));
      prompt.slash_command = shard.intern(slash_command_in(block.text));
      prompt.is_command_output = trimmed(block.text).starts_with(kCommandOutput);
      shard.add(prompt);
    }
  }
  if (role != Message::Role::assistant) note_background_ends(draft, id, shard);
  return id;
}

}  // namespace xtrace
