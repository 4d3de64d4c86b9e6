#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "mcp/message.h"

namespace xtrace::mcp {

/// What an argument of a tool does.
enum class Role {
  option,         ///< is the value of an option of the view
  option_switch,  ///< sets an option that takes no value: `yes`, or `no`
  session,        ///< chooses the input
  axis,           ///< chooses the table that comes first
  max_tokens,     ///< how long a page of the answer may be
  cursor,         ///< asks for the next page of an answer
};

struct ToolArgument {
  std::string_view name, help;
  Role role = Role::option;
  std::string_view option{};                      ///< `--since`
  std::span<const std::string_view> words{};      ///< the values allowed; empty: any
  bool is_needed = false;                         ///< unless a cursor is given, or
  std::span<const std::string_view> or_one_of{};  ///< one of these arguments
};

/// A question that an agent can ask: a view, and what may be chosen of it.
struct Tool {
  std::string_view name, title, about;
  std::string_view view;
  std::span<const ToolArgument> arguments;
};

/// To add one: a row there. An argument is offered if its view has the option.
std::span<const Tool> tools();
/// nullptr: there is none of that name.
const Tool* find_tool(std::string_view name);

/// Writes the list of tools, as `tools/list` returns it.
void write_tools(JsonWriter& json);

/// A call of a tool, read.
struct ToolRequest {
  std::vector<std::string> options;  ///< of the view, as words: `--since=7d`
  std::string session;               ///< empty: none was named
  std::string axis;
  std::string cursor;
  size_t max_tokens = 0;
};

/// An Error says to the agent what to write instead.
Result<ToolRequest> read_tool_request(const Tool& tool,
                                      const std::vector<GivenArgument>& arguments);

/// Answers in place of the newest session about all of them.
inline constexpr std::string_view kAllSessions = "all";

/// Moves the table whose first column is `axis` behind the summary of an answer.
std::string put_first(std::string answer, std::string_view axis);

}  // namespace xtrace::mcp
