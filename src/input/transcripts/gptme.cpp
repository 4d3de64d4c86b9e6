#include <algorithm>
#include <string>

#include "base/json_writer.h"
#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The conversations of gptme, a line for each message, in a folder that has the session's name:
//
//   {"role": "system"|"user"|"assistant", "content": text, "timestamp", "files", "file_hashes",
//    "pinned", "hide", "ui_only", "ephemeral_ttl", "call_id", "metadata": {"model",
//    "served_model", "cost", "usage": {"input_tokens" without those of a cache, "output_tokens",
//    "cache_read_tokens", "cache_creation_tokens"}, "tool"}}
//
// Keys without a value are left out; until 2026 the counts were in the metadata itself. A tool use
// is text, `@shell(ID): {"command": …}` or a block of code whose language is the tool:
//
//   ```save PATH
//   content of the file
//   ```
//
// A tool's output is a message of the system. It has the `call_id` of its use or, in new versions,
// the name of its tool in the metadata; older ones are recognized by their first words. The log
// `events.jsonl` repeats the messages of the same conversation.

namespace {

/// A tool whose use is a block of code, and the name of its argument.
struct BlockTool {
  std::string_view language, name, argument;
};
constexpr BlockTool kBlockTools[] = {
    {"shell", "shell", "command"},
    {"ipython", "ipython", "code"},
    {"py", "ipython", "code"},
    {"save", "save", "content"},
    {"append", "append", "content"},
    {"patch", "patch", "patch"},
    {"morph", "morph", "edit"},
    {"read", "read", "path"},
    {"tmux", "tmux", "command"},
    {"gh", "gh", "command"},
    {"todowrite", "todowrite", "operation"},
    {"todoread", "todoread", "code"},
    {"choice", "choice", "options"},
    {"rag", "rag", "command"},
    {"complete", "complete", "code"},
    {"form", "form", "fields"},
};

constexpr std::string_view kFence = "```";

std::string_view cut_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The content of the block that `text` is in, up to its closing fence, which is cut off too; an
/// inner fence that names a language opens a block of its own. False: nothing closes it.
bool cut_block(std::string_view& text, std::string_view& content) {
  std::string_view rest = text;
  for (int depth = 1; !rest.empty();) {
    const size_t begin = text.size() - rest.size();
    const std::string_view line = cut_line(rest);
    if (!line.starts_with(kFence)) continue;
    depth += line == kFence ? -1 : 1;
    if (depth > 0) continue;
    content = text.substr(0, begin == 0 ? 0 : begin - 1);
    text = rest;
    return true;
  }
  return false;
}

/// The JSON object with which `text` begins; empty: it does not, or it is cut off.
std::string_view object_at(std::string_view text) {
  bool is_string = false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_string && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      is_string = !is_string;
    else if (!is_string && text[i] == '{')
      ++depth;
    else if (!is_string && text[i] == '}' && --depth == 0)
      return text.substr(0, i + 1);
  }
  return {};
}

void add_block_use(std::string_view line, std::string_view content, Draft& draft) {
  const std::string_view info = line.substr(kFence.size());
  const std::string_view language = info.substr(0, info.find(' '));
  const auto* tool = std::ranges::find(kBlockTools, language, &BlockTool::language);
  if (tool == std::end(kBlockTools)) return;
  std::string arguments;
  JsonWriter json(arguments);
  json.open_object(JsonLayout::tight());
  if (language.size() + 1 < info.size() && tool->argument != "path")
    json.field("path", info.substr(language.size() + 1));
  json.field(tool->argument, content);
  json.close();
  Block& use = draft.blocks.emplace_back();
  use.kind = Block::Kind::tool_use;
  use.name = tool->name;
  use.text = draft.keep(std::move(arguments));
}

/// `@TOOL(ID): {arguments}`; `rest` is the text from the line on.
void add_named_use(std::string_view rest, Draft& draft) {
  const size_t open = rest.find('('), close = rest.find("): {");
  if (open == rest.npos || close == rest.npos || close < open || close > rest.find('\n')) return;
  const std::string_view arguments = object_at(rest.substr(close + 3));
  if (arguments.empty() || open < 2) return;
  Block& use = draft.blocks.emplace_back();
  use.kind = Block::Kind::tool_use;
  use.name = rest.substr(1, open - 1);
  use.id = rest.substr(open + 1, close - open - 1);
  use.text = arguments;
}

void add_uses(std::string_view text, Draft& draft) {
  while (!text.empty()) {
    const std::string_view whole = text, line = cut_line(text);
    std::string_view content;
    if (line.starts_with('@'))
      add_named_use(whole, draft);
    else if (line.starts_with(kFence) && line != kFence && cut_block(text, content))
      add_block_use(line, content, draft);
  }
}

bool begins_like_output(std::string_view text) {
  constexpr std::string_view kBeginnings[] = {"Ran command:",
                                              "Ran allowlisted command:",
                                              "Executed code block.",
                                              "Saved to ",
                                              "Appended to ",
                                              "Patch successfully applied",
                                              "Patch failed",
                                              "Error executing tool ",
                                              "Error during execution:",
                                              "Save aborted:",
                                              "Append aborted:",
                                              "Shell error:",
                                              "Return code: ",
                                              "Promoted to background shell job",
                                              "Error: No patch provided"};
  return std::ranges::any_of(kBeginnings, [&](auto begin) { return text.starts_with(begin); });
}

/// A tool reports its failure in words alone.
constexpr Failure kGptmeFailure = {
    .begins = "Error|Failed|Patch failed|Shell error:|Save aborted:|Append aborted:"};
bool reports_failure(std::string_view text) {
  if (kGptmeFailure.is_said(text)) return true;
  constexpr std::string_view kCode = "Return code: ";
  const size_t at = text.rfind(kCode);
  if (at != text.npos && (at == 0 || text[at - 1] == '\n'))
    return !text.substr(at + kCode.size()).starts_with('0');
  return text.starts_with("Executed code block.") &&
         text.find("\nException during execution on line ") != text.npos;
}

bool is_output(json::element message) {
  json::element value;
  return json::text_at(message, "role") == "system" &&
         (json::follow(message, "call_id|metadata/tool", value) ||
          begins_like_output(json::text_at(message, "content")));
}

void say_gptme(json::element message, Draft& said) {
  const std::string_view text = json::text_at(message, "content");
  said.role = role_by_name(json::text_at(message, "role"));
  if (is_output(message)) {
    said.role = Message::Role::user;
    Block& output = add_block(Block::Kind::tool_result, message, "content", said);
    output.id = json::text_at(message, "call_id");
    output.is_error = reports_failure(text);
    return;
  }
  add_text(text, said);
  if (said.role == Message::Role::assistant) add_uses(text, said);
}

/// A branch of a conversation repeats its messages: those with microseconds are distinguished by
/// their times. A message to the user alone was never sent to a model.
void adjust_gptme(json::element message, Utterance& said, Draft& draft) {
  constexpr size_t kMicroseconds = std::string_view("2026-01-01T00:00:00.000000").size();
  if (json::text_at(message, "timestamp").size() < kMicroseconds) said.id = said.answer = {};
  draft.blocks.clear();
  if (json::is_true_on(message, "ui_only"))
    said.kind = Utterance::Kind::silent;
  else
    say_gptme(message, draft);
}

constexpr MessageShape kGptmeMessages = {
    .id = "timestamp",
    .model = "metadata/served_model|metadata/model",
    .time = "timestamp",
    .cost = "metadata/cost",
    .usage = "metadata/usage|metadata",
    .counts = {.input = "input_tokens",
               .output = "output_tokens",
               .cache_read = "cache_read_tokens",
               .cache_write = "cache_creation_tokens"},
    .adjust = adjust_gptme,
};

constexpr RecordShape kGptmeRecords[] = {
    {.when = "content timestamp:text role=system|user|assistant "
             "pinned|hide|ui_only|files|file_hashes|call_id|metadata "
             "{role|content|timestamp|files|file_hashes|pinned|hide|ui_only|ephemeral_ttl|call_id|"
             "metadata}",
     .adds = Utterance::Kind::heading,
     .message = &kGptmeMessages,
     .say = say_gptme},
    // Any program may write such a line.
    {.when = "content timestamp:text role=system|user|assistant {role|content|timestamp}",
     .is_ambiguous = true,
     .message = &kGptmeMessages,
     .say = say_gptme},
    {.when = "payload:object type=message_append|message_edit|checkpoint|undo seq:number ts"},
};

}  // namespace

extern constinit const Format kGptme = format_of_shapes<kGptmeRecords>(
    "gptme", "the conversations of gptme (conversation.jsonl)", "conversation");

}  // namespace xtrace
