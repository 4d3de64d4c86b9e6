#include "base/shell_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/one_of.h"
#include "base/path.h"

namespace xtrace {

namespace {

/// More than anybody writes: so that the time grows with the length of a line alone.
constexpr size_t kMostNested = 4, kMostOpen = 256, kMostDocuments = 64, kLongestFolder = 1024;

/// Programs that run another one, and words of the shell, which may precede a command.
constexpr std::string_view kBeforeNames[] = {"if",    "then",    "else",    "elif", "do",   "while",
                                             "until", "!",       "{",       "time", "exec", "env",
                                             "sudo",  "command", "timeout", "nice", "nohup"};
constexpr std::string_view kShells[] = {"bash", "sh", "zsh", "dash"};

/// May the word precede the name of a command: `if`, `LC_ALL=C`, `timeout -k 5 60`?
bool is_before_name(std::string_view word) {
  const size_t is = word.find('=');
  const bool is_time = word.find_first_of("0123456789") == 0 &&
                       word.find_first_not_of("0123456789.smhd") == word.npos;
  return (is != word.npos && word.find('/') > is) || word.starts_with('-') || is_time ||
         is_one_of(word, kBeforeNames);
}

/// Does a shell run the word that follows this option?
bool is_before_script(std::string_view word) {
  return is_one_of(word, {"-c", "-lc"});
}

struct ShellUser {
  std::function<void(const ShellCommand&)> add_command;
  std::span<const std::string_view> programs;  ///< whose texts are read
  TakeText take_text;
};

/// Goes through a line as a shell does: words, quotes, here-documents and parentheses.
class ShellReader {
 public:
  ShellReader(std::string_view text, std::string folder, size_t nested, const ShellUser& user)
      : text_(text), folder_(std::move(folder)), nested_(nested), user_(user) {}

  void read() {
    while (at_ < text_.size()) step();
    end_pipeline();
  }

 private:
  /// What a command does with its input: it runs that, or the user of the reader reads it.
  enum class Input { other, text, script };
  struct Command : ShellCommand {
    Input input = Input::other;
    bool has_script = false;
  };
  struct Word : ShellWord {
    bool exists = false;
    size_t begin = 0;
  };
  struct Open {
    Command around;
    std::string folder;
    Word word;
    bool is_quoted;
  };
  struct Document {
    std::string_view end;
    bool has_tabs = false;  ///< may be indented by them
    Input input = Input::other;
    std::string folder = {};
  };

  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (take_text()) return;
    if (c == ' ' || c == '\t' || c == '\r') return end_word(), skip(1);
    if (c == '\n') return end_pipeline(";"), skip(1), read_documents();
    if (c == '\\') return read_escaped();
    if (c == '\'' || c == '"') return read_quoted(c);
    if (c == '#' && !word_.exists) return skip(text_.substr(at_).find('\n'));
    if (c == ';') return end_pipeline(";"), skip(1);
    if (c == '&' && peek(1) == '&') return end_pipeline("&&"), skip(2);
    if (c == '&' && !is_redirection()) return end_pipeline("&"), skip(1);
    if (c == '|' && peek(1) == '|') return end_pipeline("||"), skip(2);
    if (c == '|') return end_command("|"), skip(peek(1) == '&' ? 2 : 1);
    if (c == '(') return open(false);
    if (c == ')') return close();
    if (c == '<') return read_redirection();
    add_to_word(1, c, c);
  }

  void skip(size_t count) { at_ += std::min(count, text_.size() - at_); }

  /// Adds a character that is written with `length` bytes.
  void add_to_word(size_t length, char c, char bare) {
    begin_word(at_);
    word_.text += c;
    word_.bare += bare;
    skip(length);
  }

  void begin_word(size_t at) {
    if (!word_.exists) word_.begin = at;
    word_.exists = true;
  }

  /// `2>&1`, `&>log`
  bool is_redirection() const { return peek(1) == '>' || (at_ > 0 && text_[at_ - 1] == '>'); }

  /// Does a text begin here that the user reads?
  bool take_text() {
    if (command_.input != Input::text || (word_.exists && word_.text != "$")) return false;
    const char quote = text_[at_];
    const bool is_quoted = quote == '\'' || quote == '"';
    if (!is_quoted && std::string_view(" \t\r\n").find(quote) != std::string_view::npos)
      return false;
    const size_t begin = at_ + (is_quoted ? 1 : 0);
    const size_t taken = user_.take_text(text_.substr(begin), folder_);
    if (taken == 0) return false;
    at_ = begin + taken;
    const size_t end = text_.find_first_not_of(" \t\r\n", at_);
    if (is_quoted && end != text_.npos && text_[end] == quote) at_ = end + 1;
    word_ = {};
    return true;
  }

  void read_escaped() {
    const size_t line = peek(1) == '\r' ? 2 : 1;
    if (peek(line) == '\n') return skip(line + 1);
    if (std::string_view(" \t\\'\"$`;&|()<>#").find(peek(1)) != std::string_view::npos)
      return add_to_word(2, peek(1), '_');
    add_to_word(1, '\\', '_');
    if (at_ < text_.size() && peek(0) != '\r') add_to_word(1, peek(0), '_');
  }

  void read_quoted(char quote) {
    if (quote == '"' && peek(1) == '$' && peek(2) == '(' && peek(3) != '(') {
      add_to_word(2, '$', '$');
      return open(true);
    }
    skip(1);
    read_to(quote);
  }

  /// Up to the end of a quote; a quote without an end is none.
  void read_to(char quote) {
    size_t end = at_;
    for (; end < text_.size() && text_[end] != quote; ++end)
      if (quote == '"' && text_[end] == '\\') ++end;
    if (end >= text_.size()) return;
    begin_word(at_ - 1);
    while (at_ < end) {
      const char next = peek(1);
      const bool is_escape = quote == '"' && text_[at_] == '\\' &&
                             (next == '"' || next == '\\' || next == '$' || next == '`');
      add_to_word(is_escape ? 2 : 1, is_escape ? next : text_[at_], '_');
    }
    skip(1);
  }

  void open(bool is_quoted) {
    skip(1);
    if (open_.size() < kMostOpen) {
      if (word_.exists) ++substitutions_;
      open_.push_back({std::move(command_), folder_, std::move(word_), is_quoted});
    }
    command_ = {};
    word_ = {};
  }

  void close() {
    end_pipeline();
    skip(1);
    if (open_.empty()) return;
    Open& last = open_.back();
    command_ = std::move(last.around);
    folder_ = std::move(last.folder);
    word_ = std::move(last.word);
    const bool is_quoted = last.is_quoted;
    open_.pop_back();
    if (word_.exists) {
      --substitutions_;
      word_.text += "()";
      word_.bare += "()";
    }
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
    if (!word_.exists) return;
    const Word word = std::exchange(word_, {});
    auto& words = command_.words;
    if (words.empty()) {
      if (is_before_name(word.text)) return;
      const std::string_view program = program_name(word.text);
      command_.input = is_one_of(program, user_.programs) ? Input::text
                       : is_one_of(program, kShells)      ? Input::script
                                                          : Input::other;
      if (command_.input != Input::other) input_ = command_.input;
    } else if (command_.input == Input::script) {
      if (is_before_script(word.text) && !is_quote_ahead()) {
        command_ = {};  // written as a list of words, the last of which is a script
        input_ = Input::other;
        return;
      }
      if (is_before_script(words.back().text) && nested_ < kMostNested) {
        ShellReader script(word.text, folder_, nested_ + 1, user_);
        script.substitutions_ = substitutions_;
        script.read();
        command_.has_script = true;
      }
    }
    const char* begin = words.empty() ? text_.data() + word.begin : command_.written.data();
    command_.written = {begin, text_.data() + at_};
    words.push_back(word);
  }

  bool is_quote_ahead() const {
    const size_t next = text_.find_first_not_of(" \t", at_);
    return next != text_.npos && (text_[next] == '\'' || text_[next] == '"');
  }

  void end_command(std::string_view next = {}) {
    end_word();
    Command command = std::exchange(command_, {});
    if (command.words.empty()) return;
    command.next = next;
    if (is_one_of(command.words[0].text, {"cd", "pushd"})) {
      const auto to = std::find_if(command.words.begin() + 1, command.words.end(),
                                   [](const ShellWord& word) { return word.text != "--"; });
      change_folder(to != command.words.end() ? to->text : "");
    }
    if (user_.add_command && substitutions_ == 0 && !command.has_script) user_.add_command(command);
  }

  /// A folder that only the run can know is left out.
  void change_folder(std::string_view to) {
    std::string next;
    if (to == "-")
      next = folder_before_;
    else if (to.find("$(") == to.npos && to.find('`') == to.npos)
      next = path_below(folder_, to);
    if (next.size() > kLongestFolder) next.clear();
    folder_before_ = std::exchange(folder_, next);
  }

  /// A document is read by a command of its line: by its own, or by a later one, which may read the
  /// file into which it is written.
  void end_pipeline(std::string_view next = {}) {
    end_command(next);
    for (Document& document : documents_) {
      if (document.input != Input::other) continue;
      document.input = input_;
      document.folder = folder_;
    }
    input_ = Input::other;
  }

  void read_documents() {
    for (const Document& document : std::exchange(documents_, {})) {
      if (document.input == Input::script) continue;  // read on as the commands that it contains
      const std::optional<size_t> end = end_of(document);
      if (document.input == Input::text)
        at_ += user_.take_text(text_.substr(at_, end ? *end - at_ : text_.npos), document.folder);
      if (!end) continue;  // `1 << n` is no document, and one may be cut off
      at_ = *end;
      skip(line_at(at_).size() + 1);
    }
  }

  std::string_view line_at(size_t at) const { return text_.substr(at, text_.find('\n', at) - at); }

  /// The line at `at` as the end of a document is compared with it.
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
  Word word_;
  Command command_;
  std::string folder_, folder_before_;
  Input input_ = Input::other;  ///< of the pipeline
  std::vector<Open> open_;
  size_t substitutions_ = 0;  ///< of those, how many are part of a word
  std::vector<Document> documents_;
  /// The last place of each line, as it is and without tabs before it: an end that no line has is
  /// searched in no further one.
  std::array<std::unordered_map<std::string_view, size_t>, 2> last_lines_;
  const size_t nested_;
  const ShellUser& user_;
};

}  // namespace

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=@+,").find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

std::string_view program_name(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

void for_each_command(std::string_view line, const std::function<void(const ShellCommand&)>& each) {
  ShellReader(line, {}, 0, {each, {}, {}}).read();
}

void for_each_text(std::string_view line, std::span<const std::string_view> programs,
                   const TakeText& take) {
  ShellReader(line, {}, 0, {{}, programs, take}).read();
}

}  // namespace xtrace
