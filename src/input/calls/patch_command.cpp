#include "input/calls/patch_command.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/names_once.h"
#include "base/one_of.h"
#include "input/calls/patch.h"

namespace xtrace {

namespace {

/// More than anybody writes: so that the time grows with a command's length alone.
constexpr size_t kMostNested = 4, kMostOpen = 256, kMostDocuments = 64, kLongestFolder = 1024;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// What a command does with what it is given: it runs that, or takes it for a patch.
enum class Reader { other, patch, shell };

Reader reader_named(std::string_view word) {
  const std::string_view name = base_name(word);
  if (is_one_of(name, {"apply_patch", "applypatch"})) return Reader::patch;
  return is_one_of(name, {"bash", "sh", "zsh", "dash"}) ? Reader::shell : Reader::other;
}

/// What a shell is told before a command that it is to run.
bool is_before_script(std::string_view word) {
  return is_one_of(word, {"-c", "-lc"});
}

/// What may stand before the name of a command: `if`, `LC_ALL=C`, `timeout -k 5 60`, …
bool is_before_name(std::string_view word) {
  const size_t is = word.find('=');
  const bool is_time = word.find_first_of("0123456789") == 0 &&
                       word.find_first_not_of("0123456789.smhd") == word.npos;
  return (is != word.npos && word.find('/') > is) || word.starts_with('-') || is_time ||
         is_one_of(word, {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "time",
                          "exec", "command", "env", "sudo", "timeout", "nice", "nohup"});
}

/// Goes through a command as a shell does, as far as that tells what is run with which patch in
/// which folder: words, quotes, here-documents and parentheses.
class PatchCommand {
 public:
  PatchCommand(std::string_view text, std::string folder, size_t nested, NamesOnce& files)
      : text_(text), folder_(std::move(folder)), nested_(nested), files_(files) {}

  void read() {
    while (at_ < text_.size()) step();
    end_pipeline();
  }

 private:
  struct Command {
    std::string name;
    std::string argument;  ///< the first; of a shell its last option
    Reader reads = Reader::other;
    size_t words = 0;
  };
  struct Open {
    Command around;
    std::string folder, word;
    bool is_quoted;
  };
  struct Document {
    std::string_view end;
    bool has_tabs = false;  ///< may be indented by them
    Reader reader = Reader::other;
    std::string folder = {};
  };

  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (takes_patch(at_)) return;
    if (c == ' ' || c == '\t' || c == '\r') return end_word(), skip(1);
    if (c == '\n') return end_pipeline(), skip(1), read_documents();
    if (c == '\\') return read_escaped();
    if (c == '\'' || c == '"') return read_quoted(c);
    if (c == '#' && !has_word_) return skip(text_.substr(at_).find('\n'));
    if (c == ';') return end_pipeline(), skip(1);
    if (c == '&' && !is_redirection()) return end_pipeline(), skip(peek(1) == '&' ? 2 : 1);
    if (c == '|' && peek(1) == '|') return end_pipeline(), skip(2);
    if (c == '|') return end_command(), skip(peek(1) == '&' ? 2 : 1);
    if (c == '(') return open(false);
    if (c == ')') return close();
    if (c == '<') return read_redirection();
    add_to_word(text_.substr(at_, 1));
    skip(1);
  }

  void skip(size_t count) { at_ += std::min(count, text_.size() - at_); }

  void add_to_word(std::string_view text) {
    word_ += text;
    has_word_ = true;
  }

  /// `2>&1`, `&>log`
  bool is_redirection() const { return peek(1) == '>' || (at_ > 0 && text_[at_ - 1] == '>'); }

  /// Is the word at `at` a patch that the tool is given?
  bool takes_patch(size_t at) {
    if (command_.reads != Reader::patch || (has_word_ && word_ != "$")) return false;
    const bool is_quoted = text_[at] == '\'' || text_[at] == '"';
    if (!is_quoted && text_[at] != '*') return false;
    const std::string_view patch = text_.substr(is_quoted ? at + 1 : at);
    if (!begins_patch(patch)) return false;
    const std::string_view rest = take_patch(patch, folder_, files_);
    at_ = text_.size() - rest.size();
    const size_t end = rest.find_first_not_of(" \t\r\n");
    if (is_quoted && end != rest.npos && rest[end] == text_[at]) skip(end + 1);
    word_.clear();
    has_word_ = false;
    return true;
  }

  void read_escaped() {
    const size_t line = peek(1) == '\r' ? 2 : 1;
    if (peek(line) == '\n') return skip(line + 1);
    const bool hides =
        std::string_view(" \t\\'\"$`;&|()<>#").find(peek(1)) != std::string_view::npos;
    add_to_word(text_.substr(hides ? at_ + 1 : at_, 1));
    skip(hides ? 2 : 1);
  }

  void read_quoted(char quote) {
    if (quote == '"' && peek(1) == '$' && peek(2) == '(' && peek(3) != '(')
      return skip(1), add_to_word("$"), skip(1), open(true);
    skip(1);
    read_to(quote);
  }

  /// Up to a quote's end; if it has none it is no quote.
  void read_to(char quote) {
    size_t end = at_;
    for (; end < text_.size() && text_[end] != quote; ++end)
      if (quote == '"' && text_[end] == '\\') ++end;
    if (end >= text_.size()) return;
    has_word_ = true;
    for (; at_ < end; ++at_) {
      const char next = peek(1);
      if (quote == '"' && text_[at_] == '\\' &&
          (next == '"' || next == '\\' || next == '$' || next == '`'))
        ++at_;
      word_ += text_[at_];
    }
    skip(1);
  }

  void open(bool is_quoted) {
    skip(1);
    if (open_.size() < kMostOpen)
      open_.push_back({std::move(command_), folder_, std::move(word_), is_quoted});
    command_ = {};
    word_.clear();
    has_word_ = false;
  }

  void close() {
    skip(1);
    end_pipeline();
    if (open_.empty()) return;
    Open& last = open_.back();
    command_ = std::move(last.around);
    folder_ = std::move(last.folder);
    word_ = std::move(last.word);
    has_word_ = !word_.empty();
    const bool is_quoted = last.is_quoted;
    open_.pop_back();
    if (has_word_) word_ += "()";
    if (is_quoted) read_to('"');
  }

  void read_redirection() {
    end_word();
    if (peek(1) != '<') return skip(1);
    if (peek(2) == '<') return skip(3);
    skip(2);
    const bool has_tabs = peek(0) == '-';
    if (has_tabs) skip(1);
    while (peek(0) == ' ' || peek(0) == '\t') skip(1);
    if (peek(0) == '\\') skip(1);
    const char quote = peek(0);
    const bool is_quoted = quote == '\'' || quote == '"';
    if (is_quoted) skip(1);
    const std::string_view rest = text_.substr(at_);
    const std::string_view end =
        rest.substr(0, is_quoted ? rest.find_first_of(quote == '"' ? "\"\n" : "'\n")
                                 : rest.find_first_of(" \t\r\n;&|()<>'\""));
    skip(end.size() + (is_quoted ? 1 : 0));
    if (!end.empty() && documents_.size() < kMostDocuments) documents_.push_back({end, has_tabs});
  }

  void end_word() {
    if (!has_word_) return;
    const std::string word = std::exchange(word_, {});
    has_word_ = false;
    if (command_.words == 0) {
      if (is_before_name(word)) return;
      command_.name = word;
      command_.reads = reader_named(word);
      if (command_.reads != Reader::other) reader_ = command_.reads;
    } else if (command_.reads == Reader::shell) {
      if (!word.starts_with('-')) return run(word);
      command_.argument = word;
      if (is_before_script(word) && !is_quote_ahead()) {
        command_ = {};  // written as a list of words, the last of which is a script
        reader_ = Reader::other;
        return;
      }
    } else if (command_.words == 1) {
      if (word == "--") return;
      command_.argument = word;
    }
    ++command_.words;
  }

  /// What a shell is given as a word is a script if it is told so.
  void run(std::string_view script) {
    if (is_before_script(std::exchange(command_.argument, {})) && nested_ < kMostNested)
      PatchCommand(script, folder_, nested_ + 1, files_).read();
  }

  bool is_quote_ahead() const {
    const size_t next = text_.find_first_not_of(" \t", at_);
    return next != text_.npos && (text_[next] == '\'' || text_[next] == '"');
  }

  void end_command() {
    end_word();
    if (is_one_of(command_.name, {"cd", "pushd"})) change_folder(command_.argument);
    command_ = {};
  }

  /// A folder that only the run tells is left out.
  void change_folder(std::string_view to) {
    std::string next;
    if (to == "-")
      next = folder_before_;
    else if (to.find("$(") == to.npos && to.find('`') == to.npos)
      next = name_below(folder_, to);
    if (next.size() > kLongestFolder) next.clear();
    folder_before_ = std::exchange(folder_, next);
  }

  /// A document is read by a command of its line: by its own, or by one that is told to read the
  /// file into which it is written.
  void end_pipeline() {
    end_command();
    for (Document& document : documents_) {
      if (document.reader != Reader::other) continue;
      document.reader = reader_;
      document.folder = folder_;
    }
    reader_ = Reader::other;
  }

  void read_documents() {
    for (const Document& document : std::exchange(documents_, {})) {
      if (document.reader == Reader::shell) continue;  // is read on as what it is
      const std::optional<size_t> end = end_of(document);
      const std::string_view body = text_.substr(at_, end ? *end - at_ : text_.npos);
      if (document.reader == Reader::patch && begins_patch(body)) {
        const std::string_view rest = take_patch(body, document.folder, files_);
        skip(body.size() - rest.size());
      }
      if (!end) continue;  // `1 << n` is no document, and one may be cut off
      at_ = *end;
      skip(line_at(at_).size() + 1);
    }
  }

  std::string_view line_at(size_t at) const { return text_.substr(at, text_.find('\n', at) - at); }

  /// What may end a document in the line at `at`.
  std::string_view end_at(size_t at, bool has_tabs) const {
    std::string_view line = line_at(at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (has_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    return line;
  }

  /// Where the line begins that ends a document.
  std::optional<size_t> end_of(const Document& document) {
    auto& lines = last_lines_[document.has_tabs ? 1 : 0];
    if (lines.empty())
      for (size_t at = 0; at < text_.size(); at += line_at(at).size() + 1)
        lines[end_at(at, document.has_tabs)] = at;
    const auto last = lines.find(document.end);
    if (last == lines.end()) return std::nullopt;
    for (size_t at = at_; at <= last->second; at += line_at(at).size() + 1)
      if (end_at(at, document.has_tabs) == document.end) return at;
    return std::nullopt;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::string word_;
  bool has_word_ = false;
  Command command_;
  std::string folder_, folder_before_;
  Reader reader_ = Reader::other;  ///< of what the pipeline is given
  std::vector<Open> open_;
  std::vector<Document> documents_;
  /// Where a line stands last, as it is and without tabs before it: what no line ends is looked for
  /// in no further one.
  std::array<std::unordered_map<std::string_view, size_t>, 2> last_lines_;
  const size_t nested_;
  NamesOnce& files_;
};

}  // namespace

std::vector<std::string> files_patched_by(std::string_view command) {
  NamesOnce files;
  if (command.find(kPatchBegin) != command.npos) PatchCommand(command, {}, 0, files).read();
  return files.take();
}

}  // namespace xtrace
