#include "input/transcripts/cline_text_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/json_writer.h"
#include "base/one_of.h"
#include "facts/made_id.h"
#include "facts/rows.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

namespace {

constexpr std::string_view kStart = "new_task", kTold = "told-by-";

/// What the two programs take for a tool.
constexpr std::string_view kTools[] = {"access_mcp_resource",
                                       "apply_diff",
                                       "ask_followup_question",
                                       "attempt_completion",
                                       "browser_action",
                                       "codebase_search",
                                       "condense",
                                       "edit_file",
                                       "execute_command",
                                       "fetch_instructions",
                                       "generate_image",
                                       "insert_content",
                                       "list_code_definition_names",
                                       "list_files",
                                       "load_mcp_documentation",
                                       "new_rule",
                                       "new_task",
                                       "plan_mode_respond",
                                       "read_file",
                                       "replace_in_file",
                                       "report_bug",
                                       "run_slash_command",
                                       "search_and_replace",
                                       "search_files",
                                       "switch_mode",
                                       "update_todo_list",
                                       "use_mcp_tool",
                                       "web_fetch",
                                       "web_search",
                                       "write_to_file"};

/// `<name>` and what stands until `</name>`.
struct Element {
  std::string_view name, content;
};

/// Those of a text, one behind another; one without an end is none.
class Elements {
 public:
  explicit Elements(std::string_view text) : text_(text) {}

  /// The next one that `is_wanted`.
  template <class IsWanted>
  bool next(IsWanted is_wanted, Element& found) {
    for (at_ = text_.find('<', at_); at_ != text_.npos; at_ = text_.find('<', at_ + 1)) {
      const size_t close = text_.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at_ + 1);
      if (close == text_.npos || text_[close] != '>') continue;
      found.name = text_.substr(at_ + 1, close - at_ - 1);
      if (found.name.empty() || !is_wanted(found.name)) continue;
      const std::string mark = fmt::format("</{}>", found.name);
      const size_t end = end_of(found.name, mark, close);
      if (end == text_.npos) continue;
      found.content = text_.substr(close + 1, end - close - 1);
      at_ = end + mark.size();
      return true;
    }
    return false;
  }

 private:
  /// Where a name ends last is looked up once, so that many without an end cost no more than one.
  size_t end_of(std::string_view name, const std::string& mark, size_t close) {
    constexpr size_t kMost = 64;  // names in a text: more are no tools and arguments of theirs
    if (last_.size() >= kMost && !last_.contains(name)) return text_.npos;
    const auto [known, is_new] = last_.try_emplace(name, 0);
    if (is_new) known->second = text_.rfind(mark);
    const size_t last = known->second;
    if (last == text_.npos || last < close) return text_.npos;
    // Files may have the like in them.
    return is_one_of(name, {"content", "diff"}) ? last : text_.find(mark, close);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::map<std::string_view, size_t> last_;
};

std::string_view without_line_ends(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

/// As a server's tools are named where models call them.
std::string name_of_tool(const Element& tool) {
  Element server, name;
  const auto is_server = [](std::string_view key) { return key == "server_name"; };
  const auto is_name = [](std::string_view key) { return key == "tool_name"; };
  if (tool.name != "use_mcp_tool" || !Elements(tool.content).next(is_server, server) ||
      !Elements(tool.content).next(is_name, name))
    return std::string(tool.name);
  return qualified(std::string("mcp__").append(without_line_ends(server.content)),
                   without_line_ends(name.content));
}

std::string arguments_in(std::string_view content) {
  std::string arguments;
  JsonWriter json(arguments);
  json.open_object(JsonLayout::tight());
  const auto is_any = [](std::string_view) { return true; };
  Element argument;
  for (Elements all(content); all.next(is_any, argument);)
    json.field(argument.name, without_line_ends(argument.content));
  json.close();
  return arguments;
}

/// The tool that a text begins to tell of, `[TOOL for …] Result:`; empty: of none.
std::string_view tool_told_of(std::string_view text, size_t& end) {
  constexpr std::string_view kMark = "] Result:";
  if (!text.starts_with('[')) return {};
  const std::string_view name = text.substr(1, std::min(text.find_first_of(" ]"), text.size()) - 1);
  const size_t mark = text.find(kMark);
  if (mark == text.npos || !is_one_of(name, kTools)) return {};
  end = mark + kMark.size();
  return name;
}

constexpr Failure kClineTextFailure = {
    .begins = "The tool execution failed with the following error:|The user denied this operation"};

std::string_view trimmed_front(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \r\n");
  return begin == text.npos ? std::string_view{} : text.substr(begin);
}

/// `read_file` of `by-order-read_file-…`; empty: it is no name of ours.
std::string_view tool_of_name(std::string_view id) {
  for (std::string_view prefix : {kByOrder, kTold}) {
    if (!id.starts_with(prefix)) continue;
    id.remove_prefix(prefix.size());
    const std::string_view tool = id.substr(0, id.find('-'));
    return is_one_of(tool, kTools) ? tool : std::string_view{};
  }
  return {};
}

class TextToolPairs {
 public:
  explicit TextToolPairs(RawTrace& trace) : trace_(trace) {}

  void find() {
    uint32_t file = UINT32_MAX;
    for (size_t i = 0; i < trace_.utterances.size(); ++i) {
      Utterance& said = trace_.utterances[i];
      if (said.source.file != file) asked_ = {};
      file = said.source.file;
      if (said.kind == Utterance::Kind::answered && said.way != Utterance::Way::shown)
        note_answer(said);
      if (!is_either(i)) continue;
      const bool is_result = gives_what_was_asked(said.message);
      Utterance& other = is_result ? trace_.utterances[i + 1] : said;
      other.kind = Utterance::Kind::silent;
      said.way = Utterance::Way::kept;
      asked_ = {};
    }
    for (const auto& [message, is_read] : uses_)
      if (!is_read)
        for (ToolUse& use : rows_to_change(trace_.tool_uses, message))
          if (trace_[use.name] != kStart && is_ours(use.id)) use.id = {};
  }

 private:
  bool is_ours(StringId id) const { return id && !tool_of_name(trace_[id]).empty(); }

  /// What `convert` wrote of such a task is told as it was found then.
  bool is_as_recorded(const Utterance& said) const {
    const std::string_view format = trace_.sources[said.source.file].format;
    return format == "cline" || format == "roo-code";
  }

  void note_answer(const Utterance& said) {
    asked_ = is_as_recorded(said) ? said.message : MessageId{};
    if (!asked_) return;
    for (const ToolUse& use : rows_of(trace_.tool_uses, asked_))
      if (is_ours(use.id)) uses_.emplace(asked_, false);
  }

  /// Is it a message that was read with results, before the same without?
  bool is_either(size_t i) const {
    const Utterance& said = trace_.utterances[i];
    if (said.way != Utterance::Way::shown || said.kind != Utterance::Kind::asked || !said.message)
      return false;
    const std::span<const ToolResult> results = rows_of(trace_.tool_results, said.message);
    return !results.empty() && is_ours(results.front().tool_use);
  }

  /// Two that say the same share their rows, of which the other may have been told the uses.
  bool gives_what_was_asked(MessageId message) {
    if (!asked_) return false;
    const std::span<const ToolUse> uses = rows_of(trace_.tool_uses, asked_);
    const std::span<ToolResult> results = rows_to_change(trace_.tool_results, message);
    if (results.size() > uses.size()) return false;
    for (size_t i = 0; i < results.size(); ++i) {
      const std::string_view tool = tool_of_name(trace_[results[i].tool_use]);
      if (!is_ours(uses[i].id) || tool != tool_of_name(trace_[uses[i].id])) return false;
    }
    for (size_t i = 0; i < results.size(); ++i) results[i].tool_use = uses[i].id;
    return uses_[asked_] = true;
  }

  RawTrace& trace_;
  MessageId asked_;                 ///< the answer before
  std::map<MessageId, bool> uses_;  ///< by answer: whether a result is known
};

}  // namespace

void read_text_tools(std::string_view stamp, Draft& draft) {
  const auto is_tool = [](std::string_view name) { return is_one_of(name, kTools); };
  for (const Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_use) return;
  std::vector<Block> uses;
  for (const Block& block : draft.blocks) {
    if (block.kind != Block::Kind::text) continue;
    Element tool;
    for (Elements all(block.text); all.next(is_tool, tool);) {
      Block& use = uses.emplace_back();
      use.kind = Block::Kind::tool_use;
      use.name = draft.keep(name_of_tool(tool));
      use.id = draft.keep(fmt::format("{}{}-{}-{}", kByOrder, tool.name, stamp, uses.size()));
      use.text = draft.keep(arguments_in(tool.content));
    }
  }
  draft.blocks.insert(draft.blocks.end(), uses.begin(), uses.end());
}

bool gives_text_results(const Draft& draft) {
  size_t end = 0;
  return !draft.blocks.empty() && draft.blocks.front().kind == Block::Kind::text &&
         !tool_told_of(draft.blocks.front().text, end).empty();
}

void read_text_results(std::string_view stamp, Draft& draft) {
  std::vector<Block> results;
  std::vector<std::string> texts;  // by result
  for (const Block& block : draft.blocks) {
    if (block.kind != Block::Kind::text) continue;
    size_t end = 0;
    const std::string_view tool = tool_told_of(block.text, end);
    if (!tool.empty()) {
      Block& result = results.emplace_back();
      result.kind = Block::Kind::tool_result;
      result.id = draft.keep(fmt::format("{}{}-{}-{}", kTold, tool, stamp, results.size()));
      texts.emplace_back(trimmed_front(block.text.substr(end)));
    } else if (!results.empty()) {
      std::string& text = texts.back();
      if (!text.empty()) text += '\n';
      text += block.text;
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    Block& result = results[i];
    result.text = draft.keep(std::move(texts[i]));
    result.is_error = kClineTextFailure.is_said(result.text);
    draft.ids_of = chain(draft.ids_of, hash_of(result.text));
  }
  draft.role = Message::Role::user;
  draft.blocks = std::move(results);
}

void pair_text_tools(RawTrace& trace) {
  const auto is_of_text = [&](const ToolUse& use) {
    return use.id && !tool_of_name(trace[use.id]).empty();
  };
  const auto is_told_in_text = [&](const ToolResult& result) {
    return result.tool_use && trace[result.tool_use].starts_with(kTold);
  };
  if (std::any_of(trace.tool_uses.begin(), trace.tool_uses.end(), is_of_text) ||
      std::any_of(trace.tool_results.begin(), trace.tool_results.end(), is_told_in_text))
    TextToolPairs(trace).find();
}

}  // namespace xtrace
