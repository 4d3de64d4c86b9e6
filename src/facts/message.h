#pragma once

#include "base/id.h"
#include "base/time.h"
#include "facts/record.h"
#include "facts/server_tools.h"
#include "facts/tool_error.h"

namespace xtrace {

/// One message after one particular history. Requests repeat their whole conversation; here each
/// message is once and knows what came before it, so that a message list is a path, calls that
/// share a beginning share the path, and memory grows with what is new, not with what is repeated.
///
///     u1 ── a1 ── u2 ── a2      the request of a third call adds one message to this path;
///              └── u2'          the same conversation asked otherwise branches off
struct Message {
  enum class Role : uint8_t { user, assistant, other };
  MessageId before;    ///< nowhere: the first one
  uint32_t depth = 1;  ///< messages up to and including this one
  uint64_t key = 0;    ///< names the path: equal keys, equal messages all the way
  Role role = Role::other;
  /// Names this message alone, whatever its history, without what clients put in by themselves
  /// (`<system-reminder>`). 0: not known.
  uint64_t own = 0;
  uint64_t said = 0;  ///< names its first text; 0: it has none
};

/// A tool that an assistant message asks for.
struct ToolUse {
  MessageId message;
  StringId id;  ///< nowhere: lost on the way into the log
  StringId name;
  StringId target;   ///< the file or address it works on, if its arguments name one; of several
                     ///< the first, see ToolTarget
  StringId command;  ///< hash of the command it runs, white space folded
  StringId skill;    ///< that it loads
  uint64_t arguments =
      0;  ///< hash of all it is given; the order of keys does not count; 0: nothing
  // Only for tools that start a subagent:
  StringId subagent_type;  ///< if it is a name by its form
  StringId type_key;       ///< if it is none, but content: what it compares by, agent_type_key()
  StringId prompt;         ///< hash of the prompt, white space folded
  StringId resume;         ///< the earlier subagent to go on with
  StringId agent;  ///< the subagent that it started, where its own record says so, as converted
                   ///< ones do; others learn it from the result
  bool patches = false;  ///< it changes its targets: it is given a patch, or a command that applies
                         ///< one
  ServerTool server_tool = ServerTool::none;  ///< the vendor ran it, at a fee perhaps
  /// Characters of what is given as a path or address and is none by its form, where there is no
  /// target: words, of which no more is kept. Never compared: equal lengths are not equal words.
  uint32_t given_words = 0;
};

/// A further file that a tool use works on, as a patch of several files does. targets_of() has them
/// all.
struct ToolTarget {
  MessageId message;
  uint32_t use = 0;  ///< of the message's tool uses, counted from 0
  StringId name;
};

/// A tool's output that a user message brings.
struct ToolResult {
  MessageId message;
  StringId tool_use;
  StringId agent;  ///< the subagent that names itself in the output (`agentId: …`); without a tool
                   ///< use, the one that reports in this message
  bool is_error = false;
  ToolError error = ToolError::none;  ///< what kind, if it is one
  uint64_t said = 0;  ///< names its first text, as Message::said does: equal, if a subagent said it
  Duration took = kNoDuration;  ///< how long the tool ran, where the log measured that
  Time came = kNoTime;     ///< when it was there, where the log dates results apart from requests
  bool is_timed = false;   ///< the log has the moments when the tool began, `took` before it `came`
  bool in_answer = false;  ///< in an answer: what a vendor runs by itself has ended there
  /// It states that the tool went on in the background. Then `is_error` and `error` are of the end
  /// that a later record states (BackgroundEnd), and without one nothing is known of that.
  bool goes_on = false;
  bool has_ended = false;  ///< such a record is there
  StringId task;           ///< by which such a record may name what goes on
};

/// It is known how the tool fared, or that it failed.
constexpr Outcome outcome_of(const ToolResult& result) {
  if (result.is_error) return Outcome::error;
  return result.goes_on && !result.has_ended ? Outcome::unfinished : Outcome::ok;
}

/// What a message states of a tool that went on in the background: how that ended. A program says
/// it, whatever the role.
struct BackgroundEnd {
  MessageId message;
  StringId tool_use;  ///< nowhere: `task` names it
  StringId task;
  bool is_error = false;
  ToolError error = ToolError::none;
};

/// What a message says in one of its texts, tool outputs or tool arguments, white space folded.
/// Read only when asked for, as nothing else keeps payloads.
struct MessageText {
  MessageId message;
  StringId text;
};

/// An argument of a tool use. Read only when asked for, as it is payload.
struct Argument {
  MessageId message;
  uint32_t use = 0;  ///< of the message's tool uses, counted from 0
  StringId name;     ///< nowhere: they are no JSON object, and `value` is all of them
  StringId value;    ///< a text as it is, anything else as JSON; the order of keys does not count
};

/// A text block of a user message, by the hash of its text, white space folded.
struct Prompt {
  MessageId message;
  StringId hash;
  StringId command{};              ///< hash of the command it asks about (`Command: …`), likewise
  bool is_beginning = false;       ///< only of what a longer text begins with, up to a line break
  StringId slash_command{};        ///< that the client replaced by it: `/review`
  bool is_command_output = false;  ///< it is what a command printed that the client ran by itself
};

}  // namespace xtrace
