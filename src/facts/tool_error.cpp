#include "facts/tool_error.h"

#include <algorithm>
#include <string>

#include "base/number.h"
#include "base/word_table.h"
#include "facts/error_class.h"

namespace xtrace {

namespace {

struct Said {
  std::string_view words;
  ToolError error;
};

/// Names, as folded_error() has them.
constexpr WordRow<ToolError> kNames[] = {
    {ToolError::not_found,
     {"toolnotfound", "notfound", "unknowntool", "nosuchtool", "methodnotfound"}},
    {ToolError::invalid_arguments,
     {"invalidarguments", "invalidargument", "invalidparams", "invalidtoolparams",
      "invalidtoolinput", "inputvalidation", "validation"}},
    // `tool` is OpenTelemetry's `tool_error`.
    {ToolError::execution, {"toolexecution", "executionfailed", "execution", "tool"}},
    {ToolError::timeout,
     {"tooltimeout", "timeout", "timeoutexpired", "deadlineexceeded", "etimedout"}},
    {ToolError::denied, {"denied", "rejected", "userrejected"}},
    {ToolError::cancelled,
     {"cancelled", "killed", "stopped", "interrupted", "canceled", "aborted", "abort"}},
};

/// How the text of an error begins, in small letters: the words of Claude Code, Codex, Gemini CLI,
/// pi, LangChain, OpenAI's and Google's agent kits, and the codes of the Model Context Protocol
/// (JSON-RPC 2.0, section 5.1).
constexpr WordRow<ToolError> kBeginnings[] = {
    {ToolError::denied,
     {"the user doesn't want to proceed", "the user doesn't want to take this action",
      "[request interrupted by user", "permission to use ", "claude requested permissions to",
      "this command requires approval", "execution stopped by pretooluse hook",
      "user did not allow", "user denied", "user rejected", "user declined",
      "the user rejected permission", "the user has specified a rule which prevents"}},
    {ToolError::cancelled,
     {"cancelled: ", "sibling tool call errored", "tool call cancelled", "operation aborted",
      "command aborted", "aborted by user"}},
    {ToolError::not_found,
     {"no such tool available", "unknown tool", "unknown skill",
      "unsupported call: ", "mcp error -32601", "method not found"}},
    {ToolError::invalid_arguments,
     {"mcp error -32602", "input validation error", "invalid params", "invalid parameters",
      "invalid arguments", "invalid tool parameters", "missing required parameter",
      "failed to parse function arguments", "validation failed for tool", "params must have",
      "params/", "parameter `", "invalid `", "your bash command contained syntax errors"}},
    {ToolError::timeout, {"mcp error -32001", "request timed out", "timed out", "timeout"}},
    {ToolError::execution,
     {"mcp error -32603",
      "file does not exist",
      "path does not exist",
      "directory does not exist",
      "file not found",
      "file has not been read yet",
      "file has been modified since",
      "file has been unexpectedly modified",
      "file content (",
      "string to replace not found",
      "no changes to make",
      "could not find the exact text",
      "command failed",
      "command exited with code",
      "request failed with status",
      "an error occurred while running the tool",
      "traceback (most recent call last)",
      "fatal: ",
      "no replacement was performed",
      "your proposed edit has introduced",
      "[your proposed edit has introduced",
      "[no exact match found",
      "wrong flag!",
      "command failed to execute",
      "broken pipe error"}},
};

/// A hook that is asked before a tool runs says so by failing: `PreToolUse:Bash hook error: …`.
bool is_denied_by_hook(std::string_view line) {
  return line.starts_with("pretooluse:") && line.find(" hook error") != line.npos;
}

/// Anywhere in the first line.
constexpr Said kInFirstLine[] = {
    {"rejected by user", ToolError::denied},
    {"rejected by the user", ToolError::denied},
    {"has been denied", ToolError::denied},
    {"is not a valid tool", ToolError::not_found},
    {"not found in registry", ToolError::not_found},
    {"mandatory input parameters are not present", ToolError::invalid_arguments},
    {"timed out after", ToolError::timeout},
    {"timed out waiting", ToolError::timeout},
    {"execution timed out", ToolError::timeout},
    {"deadline exceeded", ToolError::timeout},
    {"matches of the string to replace", ToolError::execution},
    // What servers answer that the tool asked (RFC 9110, section 15).
    {"gateway timeout", ToolError::timeout},
    {"gateway time-out", ToolError::timeout},
    {"request timeout", ToolError::timeout},
    {"service unavailable", ToolError::execution},
    {"temporarily unavailable", ToolError::execution},
    {"bad gateway", ToolError::execution},
    {"internal server error", ToolError::execution},
    {"too many requests", ToolError::execution},
    {"rate limit", ToolError::execution},
    {"overloaded", ToolError::execution},
    {"connection refused", ToolError::execution},
    {"connection reset", ToolError::execution},
    {"could not resolve host", ToolError::execution},
    // strerror(3), and what shells say of it.
    {": no such file or directory", ToolError::execution},
    {": permission denied", ToolError::execution},
    {": command not found", ToolError::execution},
    {": not a directory", ToolError::execution},
    {": is a directory", ToolError::execution},
};

constexpr bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool take(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words)) return false;
  text.remove_prefix(words.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return true;
}

/// What a command did that ended otherwise than well: clients say so first, and that they stopped
/// it, in the next line.
ToolError ended_badly(std::string_view text) {
  size_t next = text.find('\n');
  std::string_view why = next == std::string_view::npos ? "" : text.substr(next + 1);
  return why.starts_with("command timed out") ? ToolError::timeout : ToolError::execution;
}

/// Other clients say so last, behind what the command printed.
ToolError ended_with(std::string_view text) {
  constexpr Said kLastLines[] = {{"Command exited with code ", ToolError::execution},
                                 {"Command timed out after ", ToolError::timeout},
                                 {"Command aborted", ToolError::cancelled},
                                 {"<error>Command was aborted", ToolError::cancelled}};
  std::string_view line = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  line.remove_prefix(line.rfind('\n') + 1);  // npos + 1 is 0
  for (const Said& said : kLastLines)
    if (line.starts_with(said.words)) return said.error;
  return ToolError::other;
}

ToolError error_beginning(std::string_view text) {
  for (const WordRow<ToolError>& row : kBeginnings)
    for (std::string_view words : row.words)
      if (!words.empty() && text.starts_with(words)) return row.meaning;
  return ToolError::other;
}

/// Gemini CLI says so of whatever did not run to its end, and then why: mostly because the user did
/// not let it begin.
ToolError stopped_because(std::string_view why) {
  take(why, "reason:");
  return error_beginning(why) == ToolError::denied ? ToolError::denied : ToolError::cancelled;
}

/// `TypeError: …`, `ENOENT: …`: the name of what was thrown, which something that ran did.
ToolError thrown(std::string_view original) {
  std::string_view name = original.substr(0, std::min(original.find(':'), original.size()));
  if (name.size() == original.size() || name.size() > 60) return ToolError::other;
  bool is_one_word = std::all_of(name.begin(), name.end(), [](char c) {
    return is_small(small(c)) || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
  if (!is_one_word) return ToolError::other;
  bool is_errno =
      name.size() > 3 && name.front() == 'E' && std::none_of(name.begin(), name.end(), is_small);
  bool is_class = (name.ends_with("Error") || name.ends_with("Exception")) && name != "Error";
  if (!is_errno && !is_class) return ToolError::other;
  ToolError named = tool_error_named(name);
  // Of a file or a page that is not there; what is known by that name is the tool.
  if (named == ToolError::not_found && !name.starts_with("Tool")) return ToolError::execution;
  return named == ToolError::other ? ToolError::execution : named;
}

/// A tool that another service answered so has run, and failed.
ToolError of_status(int status) {
  return status == 408 || status == 504 ? ToolError::timeout : ToolError::execution;
}

/// `http503`, `503`; 0: it is none of a failure.
int status_named_in(std::string_view folded) {
  if (folded.starts_with("http")) folded.remove_prefix(4);
  const int status = folded.size() == 3 ? number_of<int>(folded).value_or(0) : 0;
  return status >= 400 && status < 600 ? status : 0;
}

/// `HTTP 503`, `status code: 503`, `"code": 503`, `503 …`: a number that a word before it, or its
/// place, makes a status.
ToolError by_status_of_http(std::string_view line) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view kBefore[] = {"http", "status", "code", "error", "statuscode"};
  for (size_t at = line.find_first_of(kDigits); at < line.size();) {
    const size_t end = std::min(line.find_first_not_of(kDigits, at), line.size());
    const int number = end - at == 3 ? number_of<int>(line.substr(at, 3)).value_or(0) : 0;
    const size_t last = line.substr(0, at).find_last_of(kLetters);
    const bool is_near = last != line.npos && at - last <= 6;  // `": `, `/1.1 `
    const size_t first = is_near ? line.substr(0, last + 1).find_last_not_of(kLetters) + 1 : 0;
    const bool is_status =
        at == 0 || (is_near && is_one_of(line.substr(first, last + 1 - first), kBefore));
    const bool is_whole = end == line.size() || !is_small(line[end]);
    if (number >= 400 && number < 600 && is_status && is_whole) return of_status(number);
    at = line.find_first_of(kDigits, end);
  }
  return ToolError::other;
}

}  // namespace

std::string_view folded_error(std::string_view name, char (&room)[64]) {
  if (size_t dot = name.find_last_of(".:/"); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  size_t length = 0;
  for (char c : name) {
    c = small(c);
    if (!is_small(c) && (c < '0' || c > '9')) continue;
    if (length == sizeof(room)) return {};  // no name that is known is as long
    room[length++] = c;
  }
  std::string_view text(room, length);
  for (std::string_view end : {"exception", "error"})
    if (text.size() > end.size() && text.ends_with(end)) text.remove_suffix(end.size());
  return text;
}

ToolError tool_error_named(std::string_view name) {
  char room[64];
  std::string_view text = folded_error(name, room);
  const ToolError known = find_meaning(kNames, text, ToolError::other);
  if (known != ToolError::other) return known;
  if (const int status = status_named_in(text); status != 0) return of_status(status);
  // By what services are said to fail with: the tool asked one, and that did not answer.
  switch (provider_error(name)) {
    case ErrorClass::network:
      return text.find("timeout") != text.npos ? ToolError::timeout : ToolError::execution;
    case ErrorClass::provider:
    case ErrorClass::rate_limit: return ToolError::execution;
    default: return ToolError::other;
  }
}

ToolError tool_error_in(std::string_view whole) {
  constexpr size_t kLooked = 400;  // what went wrong is said first; then comes output
  std::string_view original = whole.substr(0, kLooked);
  take(original, "");
  take(original, "<tool_use_error>");
  take(original, "Error: ");
  take(original, "ERROR:");
  std::string folded(original);
  std::transform(folded.begin(), folded.end(), folded.begin(), small);
  std::string_view text = folded;
  if (text.starts_with("exit code")) return ended_badly(text);
  if (take(text, "[operation cancelled]")) return stopped_because(text);
  if (ToolError error = ended_with(whole); error != ToolError::other) return error;
  if (ToolError error = error_beginning(text); error != ToolError::other) return error;
  if (ToolError error = thrown(original); error != ToolError::other) return error;
  std::string_view line = text.substr(0, text.find('\n'));
  for (const Said& said : kInFirstLine)
    if (line.find(said.words) != std::string_view::npos) return said.error;
  if (whole.find("\nEXECUTION TIMED OUT") != whole.npos) return ToolError::timeout;
  if (is_denied_by_hook(line)) return ToolError::denied;
  if (const ToolError error = by_status_of_http(line); error != ToolError::other) return error;
  bool is_of_tool = line.starts_with("tool ") || line.starts_with("agent type ");
  if (is_of_tool && line.find(" not found") != std::string_view::npos) return ToolError::not_found;
  // As Codex and others put it behind what they say of the run.
  for (std::string_view mark : {"\nprocess exited with code ", "\"exit_code\":"})
    if (text.find(mark) != std::string_view::npos) return ToolError::execution;
  return ToolError::other;
}

}  // namespace xtrace
