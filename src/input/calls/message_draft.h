#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "facts/message.h"
#include "input/calls/task_notification.h"
#include "input/common/json.h"

namespace xtrace {

class Parsers;
class Shard;

/// A piece of a message, in the words of no vendor. Texts borrow from the record.
struct Block {
  enum class Kind : uint8_t { text, tool_use, tool_result, hidden, other };
  Kind kind = Kind::other;
  bool is_error = false;
  bool has_body = false;
  bool in_answer = false;  ///< an output that was in an answer, though it is distinguished here
  bool is_report = false;  ///< an output that no tool gave, but the subagent that `id` names
  ServerTool server_tool = ServerTool::none;  ///< of a use: the vendor ran it
  std::string_view text;  ///< of a text block or a hidden one; a tool's output in one piece, or
                          ///< its arguments as JSON
  std::string_view id;    ///< of the tool use
  std::string_view name;  ///< of the tool, or the type of another block
  json::element body;     ///< a tool's arguments, its output, or the whole of another block
  Duration took = kNoDuration;  ///< how long the tool ran that gave this output, if it says so
  ToolError error = ToolError::none;  ///< of an output that is an error: told beside its words
  Time ended = kNoTime;   ///< … and when it ended, where it says when it began as well
  std::string_view task;  ///< of an output: what goes on in the background, where the log tells
                          ///< that beside its words
};

/// A message before it is known whether anyone said it before.
struct Draft {
  Message::Role role = Message::Role::other;
  std::vector<Block> blocks;
  /// What ended in the background, where the log shows that beside its words.
  std::vector<TaskNotification> ended;
  /// Names what its tools' ids are of, where others have the same ones; 0: they have not.
  uint64_t ids_of = 0;
  std::vector<std::shared_ptr<const std::string>> kept;  ///< which no record holds

  /// A text for blocks to borrow.
  std::string_view keep(std::string text) {
    return *kept.emplace_back(std::make_shared<const std::string>(std::move(text)));
  }
};

/// The same room for another message.
inline Draft& cleared(Draft& draft) {
  draft.blocks.clear();
  draft.ended.clear();
  draft.kept.clear();
  draft.ids_of = 0;
  return draft;
}

/// Reads a message as Anthropic (`content` blocks) or OpenAI (`tool_calls`, role `tool`) write it.
void read_message(json::element message, Draft& draft);
/// Reads a block of Bedrock's Converse API, whose key is its type; false: it is none.
bool read_converse_block(json::element block, Block& read);
void read_block(json::element block, Draft& draft);
/// `{"id", "function": {"name", "arguments"}}` or `{"id", "custom": {"name", "input"}}`, one of
/// OpenAI's `tool_calls`, or a piece of one.
void read_tool_call(json::element tool_call, Draft& draft);

/// The path that goes on from `before` with this message: a known one, or a new one whose tool
/// uses, results and prompts are noted in the shard.
///
/// Two messages are equal when they say the same: prompt-cache marks, the thinking that clients
/// leave out of the history, white space around texts and the way a string or a list of blocks is
/// written do not count, and a tool use or result is named by its id and what that is of; by what
/// the tool was given, or gave, too, where others may have the same id (`call_0`).
MessageId add_message(MessageId before, const Draft& draft, Parsers& parsers, Shard& shard);

/// The name of a tool of a server, `mcp__SERVER__TOOL`; `space` is where the tool's name stands,
/// the server's name and sometimes the beginning of the tool's.
std::string qualified(std::string_view space, std::string_view name);

/// Hash of a prompt, the white space folded, as 16 hex digits.
std::string prompt_hash(std::string_view text);

}  // namespace xtrace
