#include "input/bytes/cursor_transcript.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/hex.h"
#include "base/json_writer.h"
#include "input/bytes/record_lines.h"
#include "input/bytes/unnamed_copy.h"
#include "input/common/json.h"

namespace xtrace {

// As Cursor wrote transcripts (`.txt`) before they were JSON:
//
//   user:
//   <user_query>
//   what the user said
//   </user_query>
//
//   assistant:
//   [Thinking] what the model thought
//   what it said
//   [Tool call] Read
//     path: plan.txt
//   [Tool result] Read
//     what the tool gave, where that is told
//
// What belongs to a mark is indented; the next line that is not ends it. What tools gave ends a
// step of the answer. Nothing names the use of a tool: it gets a name here, made of all that was
// said until then, and what the tool of that name gave next in the same answer is told of it.

namespace {

constexpr std::string_view kUser = "user:", kAssistant = "assistant:";
constexpr std::string_view kThinking = "[Thinking]", kCall = "[Tool call] ",
                           kResult = "[Tool result]";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_role(std::string_view line) {
  return line == kUser || line == kAssistant;
}

/// The length of the name with which `name: value` or `name=value` begins; 0: it does not.
size_t name_length(std::string_view line) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t end = line.find_first_not_of(kLetters);
  return end != std::string_view::npos && (line[end] == ':' || line[end] == '=') ? end : 0;
}

/// What a tool was given, as JSON: it may be that already, or a line for each argument, of which
/// some go on over further ones.
std::string arguments_of(std::string_view body) {
  simdjson::dom::parser parser;
  json::element value;
  std::string whole(without_blanks(body));
  if (!parser.parse(whole).get(value) && json::is_object(value)) return whole;
  std::vector<std::pair<std::string_view, std::string>> arguments;
  const size_t indent = std::min(body.find_first_not_of(" \t\n"), body.size());
  for (std::string_view rest = body; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t begin = line.find_first_not_of(" \t");
    const std::string_view words = line.substr(std::min(begin, line.size()));
    const size_t name = begin == indent || arguments.empty() ? name_length(words) : 0;
    if (name > 0)
      arguments.emplace_back(words.substr(0, name), without_blanks(words.substr(name + 1)));
    else if (!arguments.empty())
      arguments.back().second.append("\n").append(line);
    else if (!words.empty())
      arguments.emplace_back("input", words);
  }
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::tight());
  for (const auto& [key, argument] : arguments) json.field(key, without_blanks(argument));
  json.close();
  return text;
}

/// Tools of one answer that have given nothing yet.
class Asked {
 public:
  void add(std::string id, const std::string& name) {
    by_name_[name].push_back(ids_.size());
    ids_.push_back(std::move(id));
    is_taken_.push_back(false);
  }

  /// The id of the first one of this name, or of any where it is empty; empty where there is none.
  std::string take(const std::string& name) {
    if (name.empty()) {
      while (first_ < ids_.size() && is_taken_[first_]) ++first_;
      return take_at(first_);
    }
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    std::deque<size_t>& places = found->second;
    while (!places.empty() && is_taken_[places.front()]) places.pop_front();
    return places.empty() ? std::string() : take_at(places.front());
  }

  void clear() { *this = {}; }

 private:
  std::string take_at(size_t at) {
    if (at == ids_.size()) return {};
    is_taken_[at] = true;
    return std::move(ids_[at]);
  }

  std::vector<std::string> ids_;  ///< in order
  std::vector<bool> is_taken_;
  size_t first_ = 0;  ///< all before are taken
  std::unordered_map<std::string, std::deque<size_t>> by_name_;
};

/// Writes the log while it reads the transcript, line by line.
class CursorTranscript {
 public:
  explicit CursorTranscript(RecordLines& log) : log_(log) {}

  Status read_line(std::string_view line) {
    ++line_;
    said_ = chain(said_, hash_of(line));
    const std::string_view words = without_blanks(line);
    if (is_role(line)) {
      Status told = flush();
      by_user_ = line == kUser;
      asked_.clear();
      return told;
    }
    if (!by_user_) {
      if (words.starts_with(kThinking))
        return begin(Piece::thought, words.substr(kThinking.size()));
      if (words.starts_with(kCall)) return begin(Piece::tool_use, words.substr(kCall.size()));
      if (words.starts_with(kResult))
        return begin(Piece::tool_result, words.substr(kResult.size()));
    }
    const bool ends_body = !words.empty() && !line.starts_with(' ') && !line.starts_with('\t');
    if (pieces_.empty() || (pieces_.back().kind != Piece::text && ends_body)) {
      if (words.empty()) return {};
      if (Status told = begin(Piece::text, {}); !told) return told;
    }
    pieces_.back().body.append(line) += '\n';
    return {};
  }

  Status flush() {
    if (pieces_.empty()) return {};
    std::string record;
    JsonWriter json(record);
    json.open_object(JsonLayout::tight());
    json.field("role", by_user_ || of_results_ ? "user" : "assistant");
    json.open_object("message");
    json.open_list("content");
    for (const Piece& piece : pieces_) write(piece, json);
    for (int open = 0; open < 3; ++open) json.close();
    pieces_.clear();
    return log_.write(begin_, record);
  }

 private:
  struct Piece {
    enum Kind : uint8_t { text, thought, tool_use, tool_result };
    Kind kind = text;
    std::string id, name, body;
  };

  Status begin(Piece::Kind kind, std::string_view words) {
    if (const bool is_result = kind == Piece::tool_result;
        pieces_.empty() || is_result != of_results_) {
      if (Status told = flush(); !told) return told;
      of_results_ = is_result;
      begin_ = line_;
    }
    Piece& piece = pieces_.emplace_back();
    piece.kind = kind;
    (kind == Piece::thought ? piece.body : piece.name) = without_blanks(words);
    if (kind == Piece::tool_use) asked_.add(piece.id = hex(said_), piece.name);
    if (kind == Piece::tool_result) piece.id = asked_.take(piece.name);
    return {};
  }

  static void write(const Piece& piece, JsonWriter& json) {
    const std::string_view body = without_blanks(piece.body);
    json.open_object();
    switch (piece.kind) {
      case Piece::text:
        json.field("type", "text");
        json.field("text", body);
        break;
      case Piece::thought:
        json.field("type", "thinking");
        json.field("thinking", body);
        break;
      case Piece::tool_use:
        json.field("type", "tool_use");
        json.field("id", std::string_view(piece.id));
        json.field("name", std::string_view(piece.name));
        json.key("input");
        json.raw(arguments_of(piece.body));
        break;
      case Piece::tool_result:
        json.field("type", "tool_result");
        if (!piece.id.empty()) json.field("tool_use_id", std::string_view(piece.id));
        json.field("content", body);
        break;
    }
    json.close();
  }

  RecordLines& log_;
  std::vector<Piece> pieces_;  ///< of the record that is being read
  Asked asked_;
  size_t line_ = 0, begin_ = 0;  ///< counted from 1
  uint64_t said_ = 0;            ///< names all lines until now
  bool by_user_ = true;
  bool of_results_ = false;  ///< the record shows what tools gave
};

}  // namespace

bool is_cursor_transcript(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  if (!head.starts_with(kUser)) return false;
  const std::string_view rest = head.substr(kUser.size());
  const size_t begin = rest.find_first_not_of("\r\n");
  if (begin == 0 || begin == std::string_view::npos) return false;
  // YAML may begin like that, and goes on in other ways.
  if (rest[begin] == '<') return true;
  if (rest[begin] == ' ' || rest[begin] == '\t' || rest[begin] == '-') return false;
  for (std::string_view end : {"\nassistant:\n", "\nassistant:\r\n"})
    if (rest.find(end) != std::string_view::npos) return true;
  return false;
}

std::optional<Error> unpack_cursor_transcript(Input& input, const File& file) {
  Result<File> log = create_unnamed_file(input.path);
  if (!log) return log.error();
  RecordLines records(*log, input.path);
  CursorTranscript transcript(records);
  Status read = for_each_line(file, input.path,
                              [&](std::string_view line) { return transcript.read_line(line); });
  if (read) read = transcript.flush();
  if (!read) return read.error();
  read_in_place_of(input, *std::move(log), records.bytes());
  return {};
}

}  // namespace xtrace
