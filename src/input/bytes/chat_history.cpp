#include "input/bytes/chat_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/one_of.h"
#include "base/trimmed.h"
#include "facts/made_id.h"
#include "input/bytes/record_lines.h"
#include "input/bytes/unnamed_copy.h"

namespace xtrace {

// Appended to by each chat in a folder:
//
//   # aider chat started at 2026-09-03 08:00:00
//
//   > Model: gpt-5.2 with diff edit format␣␣
//   #### what the user said␣␣
//   #### and its next line␣␣
//
//   what the model said
//
//   > Tokens: 12k sent, 9.6k cache write, 21k cache hit, 290 received. Cost: $0.03 message, …␣␣
//   > Applied edit to beds.py␣␣
//
// What the program says and what the user said ends with two blanks; an answer may have quotes and
// headings of its own, which do not, and there is an empty line before it. So a `>` without the
// blanks, directly behind what the program or the user said, begins a message of the program's of
// several lines, and the blanks end it. Where the whole file has none of these blanks, editors took
// them away. Each answer is one record:
//
//   {"aider": "answer", "session", "role": "assistant", "text", "model", "usage": {"input",
//    "output", "cache_read", "cache_write"}, "cost", "is_rounded", "edits": [{"name",
//    "arguments", "error" of the linter that was run on the file}], "error"}
//
// What the program prints that nobody asked the model for (`--show-repo`, `/diff`, `!ls`) stands
// like an answer; what tells an answer then is the count of its tokens.
//
// Older versions leave out what went through a cache where they show what was sent, others have it
// in that: it shows where the sum would be too large.

namespace {

constexpr std::string_view kTitle = "# aider chat started at ";

/// The number that ends where `words` begin in the text, such as `12k` or `5,244`.
struct Count {
  double value = -1;  ///< not told
  bool is_rounded = false;
};

Count count_before(std::string_view text, std::string_view words) {
  const size_t end = text.find(words);
  if (end == std::string_view::npos) return {};
  size_t begin = end;
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == ',' || c == 'k' || c == 'M';
  };
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  std::string digits;
  double factor = 1;
  for (const char c : text.substr(begin, end - begin)) {
    if (c == 'k') factor = 1e3;
    if (c == 'M') factor = 1e6;
    if ((c >= '0' && c <= '9') || c == '.') digits += c;
  }
  if (digits.empty()) return {};
  return {std::strtod(digits.c_str(), nullptr) * factor, factor > 1};
}

struct Usage {
  double input = -1, output = -1, cache_read = -1, cache_write = -1, cost = -1;
  bool is_rounded = false;
};

Usage usage_of(std::string_view line) {
  const Count sent = count_before(line, " sent"), received = count_before(line, " received"),
              read = count_before(line, " cache hit"), written = count_before(line, " cache write");
  Usage usage{sent.value, received.value, read.value, written.value};
  for (const double cached : {written.value, read.value})
    if (cached > 0 && cached <= usage.input) usage.input -= cached;
  const size_t dollars = line.find("Cost: $");
  if (dollars != std::string_view::npos)
    usage.cost = std::strtod(std::string(line.substr(dollars + 7, 24)).c_str(), nullptr);
  usage.is_rounded = usage.cost >= 0;
  for (const Count& count : {sent, received, read, written}) usage.is_rounded |= count.is_rounded;
  return usage;
}

/// `gpt-5.2` of `gpt-5.2 with diff edit format, …`.
std::string_view model_of(std::string_view words) {
  words = words.substr(0, words.find(" with "));
  return trimmed(words.substr(0, words.find(',')));
}

/// `RateLimitError` of `litellm.RateLimitError: …`; empty: it names no error.
std::string_view error_of(std::string_view words) {
  const std::string_view name = words.substr(0, words.find_first_of(": "));
  if (!name.ends_with("Error") && !name.ends_with("Timeout")) return {};
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
}

/// What tells the program to do something.
bool is_command(std::string_view prompt) {
  return prompt.starts_with('/') || prompt.starts_with('!');
}

/// Does the model answer it?
bool asks_model(std::string_view prompt) {
  const std::string_view word = prompt.substr(0, prompt.find_first_of(" \t\n"));
  return !is_command(prompt) ||
         is_one_of(word, {"/ask", "/code", "/architect", "/context", "/help"});
}

bool has_mark(std::string_view line) {
  return line.ends_with("  ");
}

/// Writes the log while it reads the history, line by line.
class ChatHistory {
 public:
  /// `is_stripped`: an editor took away the blanks that end what the program and the user said.
  ChatHistory(RecordLines& log, bool is_stripped) : log_(log), is_stripped_(is_stripped) {}

  Status read_line(std::string_view line) {
    ++line_;
    // There is an empty line before it; what an answer quotes of one may have none.
    const bool is_behind_blank = std::exchange(last_is_blank_, trimmed(line).empty());
    if (is_behind_blank && line.starts_with(kTitle))
      return begin_chat(trimmed(line.substr(kTitle.size())));
    if (session_.empty()) return {};
    const bool is_marked = is_stripped_ ? may_be_marked(line) : has_mark(line);
    const bool is_prompt = is_marked && line.starts_with("####"),
               is_note = is_marked && line.starts_with(">");
    if (is_in_note_ && !is_prompt && !is_note) return read_rest(line, is_marked);
    if (Status told = break_off(); !told) return told;
    const bool is_behind_prompt = last_is_prompt_,
               is_behind_note = std::exchange(last_is_note_, is_note);
    if (is_prompt) return read_prompt(trimmed(line.substr(4)));
    last_is_prompt_ = false;
    if (is_note) return read_note(trimmed(line.substr(1)));
    if ((is_behind_prompt || is_behind_note) && line.starts_with(">")) {
      is_in_note_ = true;
      return read_note(trimmed(line.substr(1)));
    }
    if (is_behind_note && !trimmed(line).empty()) {
      last_is_note_ = true;
      return {};
    }
    return read_answer(line);
  }

  Status end() {
    if (Status told = break_off(); !told) return told;
    drop_command();
    return flush();
  }

 private:
  enum class Open : uint8_t { nothing, prompt, answer };
  struct Told {
    size_t line;
    std::string record;
  };
  struct Edit {
    std::string path;
    size_t line = 0;
    bool has_faults = false;  ///< the linter that was run on the file found errors
  };

  /// Without blanks an answer's own quotes and headings look the same, up to what ends it.
  bool may_be_marked(std::string_view line) const {
    const std::string_view words = trimmed(line.substr(std::min<size_t>(line.size(), 1)));
    return (line.starts_with(">") && (words.starts_with("Tokens: ") || words.starts_with("^C "))) ||
           open_ != Open::answer || is_counted_;
  }

  /// A further line of what the program says.
  Status read_rest(std::string_view line, bool is_last) {
    held_.emplace_back(line_, line);
    if (!is_last) return {};
    held_.clear();
    is_in_note_ = false;
    last_is_note_ = true;
    return {};
  }

  /// The program never ended its message: what follows the next empty line is no part of it.
  Status break_off() {
    is_in_note_ = false;
    const auto is_empty = [](const auto& held) { return trimmed(held.second).empty(); };
    auto at = std::find_if(held_.begin(), held_.end(), is_empty);
    const size_t line = line_;
    Status told;
    for (; at != held_.end() && told; ++at) {
      line_ = at->first;
      told = read_answer(at->second);
    }
    line_ = line;
    held_.clear();
    return told;
  }

  Status begin_chat(std::string_view started) {
    if (Status told = break_off(); !told) return told;
    drop_command();
    if (Status told = flush(); !told) return told;
    // Nothing but a time, of which another spelling is no other text.
    session_ = "aider-" +
               std::string(trimmed(started.substr(0, started.find_first_not_of("0123456789-: "))));
    for (char& c : session_)
      if (c == ' ') c = 'T';
    model_.clear();
    is_asked_ = false;
    last_is_prompt_ = last_is_note_ = false;
    return {};
  }

  Status read_prompt(std::string_view text) {
    if (!std::exchange(last_is_prompt_, true)) {
      drop_command();
      if (Status told = begin(Open::prompt); !told) return told;
      is_asked_ = asks_model(text);
    } else {
      text_ += '\n';
    }
    text_ += text;
    return {};
  }

  /// The model is told of a command only where it answers.
  void drop_command() {
    if (open_ != Open::prompt || !is_command(text_)) return;
    open_ = Open::nothing;
    text_.clear();
  }

  Status read_answer(std::string_view line) {
    if (open_ != Open::answer || is_counted_) {
      if (trimmed(line).empty()) return {};
      if (Status told = begin(Open::answer); !told) return told;
    }
    text_.append(line) += '\n';
    return {};
  }

  Status read_note(std::string_view words) {
    constexpr std::string_view kEdit = "Applied edit to ",
                               kFaults = "# Fix any errors below, if possible.",
                               kLinter = "## Running: ";
    if (words.starts_with("Tokens: ") && open_ != Open::nothing) {
      return read_usage(words);
    } else if (words.starts_with(kEdit) && open_ == Open::answer) {
      edits_.emplace_back(Edit{std::string(words.substr(kEdit.size())), line_});
    } else if (words.starts_with(kFaults) && open_ == Open::answer && !edits_.empty()) {
      faulty_ = edits_.size() - 1;
      edits_.back().has_faults = true;
    } else if (words.starts_with(kLinter) && faulty_) {
      name_faulty(words);
    } else if (words.starts_with("^C KeyboardInterrupt")) {
      drop_command();
      return is_awaited() ? fail_with("aborted") : Status{};
    } else if (words.starts_with("Retrying in ")) {
      return std::exchange(has_failed_, false) ? Status{} : fail_with("error");
    } else if (const std::string_view error = error_of(words); !error.empty()) {
      Status told = fail_with(error);
      has_failed_ = true;
      return told;
    } else {
      for (std::string_view key : {"Model: ", "Models: ", "Main model: "})
        if (words.starts_with(key)) model_ = model_of(words.substr(key.size()));
    }
    return {};
  }

  /// The linter that found faults was run on one of the files, which ends its command.
  void name_faulty(std::string_view command) {
    const auto is_of = [&](const Edit& edit) { return command.ends_with(edit.path); };
    const auto edit = std::ranges::find_if(edits_, is_of);
    if (edit == edits_.end()) return;
    edits_[*faulty_].has_faults = false;
    edit->has_faults = true;
    faulty_.reset();
  }

  /// Of the answer above it; where that is missing or counted already, of one without words.
  Status read_usage(std::string_view words) {
    Status told;
    if (open_ != Open::answer || is_told(usage_)) told = begin(Open::answer);
    usage_ = usage_of(words);
    is_counted_ = true;
    return told;
  }

  static bool is_told(const Usage& usage) { return usage.input >= 0 || usage.output >= 0; }

  /// Does the model owe something?
  bool is_awaited() const {
    if (!is_asked_) return false;
    return open_ == Open::prompt || (open_ == Open::answer && !is_counted_);
  }

  /// Of an answer that began, it is what became of it; else an attempt by itself.
  Status fail_with(std::string_view error) {
    if (open_ != Open::answer || is_counted_) {
      if (Status told = begin(Open::answer); !told) return told;
    }
    error_ = error;
    is_counted_ = true;
    return {};
  }

  Status begin(Open open) {
    Status told = flush();
    open_ = open;
    begin_ = line_;
    answered_by_ = model_;
    return told;
  }

  Status flush() {
    if (open_ == Open::nothing) return {};
    Told told{begin_, {}};
    const bool is_held = open_ == Open::prompt && is_command(text_),
               is_printed =
                   open_ == Open::answer && !is_asked_ && !is_told(usage_) && error_.empty();
    if (!is_printed) {
      JsonWriter json(told.record);
      json.open_object(JsonLayout::tight());
      write_record(json);
      json.close();
    }
    open_ = Open::nothing;
    is_counted_ = has_failed_ = false;
    usage_ = {};
    text_.clear();
    error_.clear();
    edits_.clear();
    faulty_.reset();
    const std::optional<Told> command = std::exchange(command_, std::nullopt);
    if (is_held) {
      command_ = std::move(told);
      return {};
    }
    if (is_printed) return {};
    Status written;
    if (command) written = log_.write(command->line, command->record);
    return written ? log_.write(told.line, told.record) : written;
  }

  void write_record(JsonWriter& json) {
    const bool is_answer = open_ == Open::answer;
    json.field("aider", is_answer ? "answer" : "prompt");
    json.field("session", std::string_view(session_));
    json.field("role", is_answer ? "assistant" : "user");
    json.field("text", trimmed(text_));
    if (!is_answer) return;
    if (!answered_by_.empty()) json.field("model", std::string_view(answered_by_));
    if (!error_.empty()) json.field("error", std::string_view(error_));
    json.open_object("usage");
    const auto count = [&](std::string_view name, double tokens) {
      if (tokens >= 0) json.field(name, std::llround(tokens));
    };
    count("input", usage_.input);
    count("output", usage_.output);
    count("cache_read", usage_.cache_read);
    count("cache_write", usage_.cache_write);
    json.close();
    if (usage_.cost >= 0) json.field("cost", usage_.cost);
    if (usage_.is_rounded && !std::exchange(is_told_rounded_, true)) json.field("is_rounded", true);
    json.open_list("edits");
    for (const Edit& edit : edits_) {
      json.open_object();
      json.field("name", "edit");
      json.open_object("arguments");
      json.field("path", std::string_view(edit.path));
      json.close();
      if (edit.has_faults) {  // named, as the result would be that of the first edit without a name
        const std::string id = fmt::format("{}{}-{}", kByOrder, session_, edit.line);
        json.field("id", std::string_view(id));
        json.field("error", "the linter found errors");
      }
      json.close();
    }
    json.close();
  }

  RecordLines& log_;
  bool is_stripped_;
  size_t line_ = 0, begin_ = 0;  ///< lines, counted from 1
  Open open_ = Open::nothing;
  std::string session_, model_, answered_by_, text_, error_;
  std::vector<Edit> edits_;
  std::optional<size_t> faulty_;  ///< the edit with faults, until the linter's command names one
  Usage usage_;
  std::optional<Told> command_;  ///< behind it nothing is told yet
  bool is_asked_ = false;        ///< the model, in this chat and by the last prompt
  bool is_counted_ = false;      ///< the answer is whole
  bool has_failed_ = false;      ///< which the program may tell once more when it tries again
  bool last_is_blank_ = true;    ///< the line before
  bool last_is_prompt_ = false;  ///< likewise
  bool last_is_note_ = false;    ///< likewise, of the program
  bool is_in_note_ = false;      ///< the program says something of several lines
  std::vector<std::pair<size_t, std::string>> held_;  ///< lines of it, behind the first
  bool is_told_rounded_ = false;                      ///< once will do
};

}  // namespace

bool is_chat_history(std::string_view head) {
  const size_t begin = head.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head.substr(begin).starts_with(kTitle);
}

std::optional<Error> unpack_chat_history(Input& input, const File& file) {
  Result<File> log = create_unnamed_file(input.path);
  if (!log) return log.error();
  RecordLines records(*log, input.path);
  bool any_mark = false;
  Status read = for_each_line(file, input.path, [&](std::string_view line) {
    any_mark |= has_mark(line) && (line.starts_with(">") || line.starts_with("####"));
    return Status{};
  });
  if (!read) return read.error();
  ChatHistory history(records, !any_mark);
  read = for_each_line(file, input.path,
                       [&](std::string_view line) { return history.read_line(line); });
  if (read) read = history.end();
  if (!read) return read.error();
  read_in_place_of(input, *std::move(log), records.bytes());
  return {};
}

}  // namespace xtrace
