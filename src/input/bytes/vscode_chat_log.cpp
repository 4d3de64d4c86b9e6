#include "input/bytes/vscode_chat_log.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "input/bytes/record_lines.h"
#include "input/bytes/unnamed_copy.h"
#include "input/common/json.h"

namespace xtrace {

// Since version 1.109, Visual Studio Code logs how a chat changes, a line for each change:
//
//   {"kind": 0, "v": the whole chat}: also later on, when the log was rewritten
//   {"kind": 1, "k": path, "v": value}: sets it
//   {"kind": 2, "k": path, "v": [items], "i": N}: cuts the list to N items if there is an N, and
//                                                 adds the items
//   {"kind": 3, "k": path}: removes it
//
// A path is a list of keys and places in lists: ["requests", 0, "response"].

namespace {

constexpr std::string_view kRequests = "requests";
constexpr std::string_view kInput = "inputState";  ///< a prompt that was not sent yet

/// A value that changes. Only the parts that a path leads into are parsed.
class ChangingValue {
 public:
  ChangingValue() = default;
  ChangingValue(json::element value, size_t line) : line_(line), text_(simdjson::minify(value)) {}

  size_t line() const { return line_; }  ///< that added it

  /// The member or item there, made if it is missing; nullptr: it cannot be there.
  ChangingValue* find_or_add(json::element step) {
    if (json::is_string(step)) return find_or_add(json::text(step));
    take_apart();
    const size_t place = static_cast<size_t>(json::count(step, -1));
    if (kind_ != Kind::list || place > items_.size()) return nullptr;
    if (place == items_.size()) items_.emplace_back();
    return &items_[place];
  }
  ChangingValue* find_or_add(std::string_view key) {
    take_apart();
    return kind_ == Kind::object ? &members_[std::string(key)] : nullptr;
  }

  void remove(json::element step) {
    if (json::is_string(step)) return remove(json::text(step));
    take_apart();
    const size_t place = static_cast<size_t>(json::count(step, -1));
    if (place < items_.size()) items_.erase(items_.begin() + static_cast<ptrdiff_t>(place));
  }
  void remove(std::string_view key) {
    take_apart();
    members_.erase(std::string(key));
  }

  /// Any other value becomes a list.
  void push(json::element change, size_t line) {
    take_apart();
    if (kind_ != Kind::list) *this = {}, kind_ = Kind::list;
    json::element value;
    if (json::find(change, "i", value)) {
      const size_t kept = static_cast<size_t>(json::count(value, 0));
      if (kept < items_.size()) items_.resize(kept);
    }
    if (json::find(change, "v", value))
      json::items(value, [&](json::element item) { items_.emplace_back(item, line); });
  }

  /// Returns the items of a list, which are gone then.
  std::vector<ChangingValue> take_items() {
    take_apart();
    return std::move(items_);
  }

  void write(JsonWriter& out) const {
    if (kind_ == Kind::plain) return text_.empty() ? out.null() : out.raw(text_);
    const bool is_list = kind_ == Kind::list;
    is_list ? out.open_list(JsonLayout::tight()) : out.open_object(JsonLayout::tight());
    write_members(out);
    for (const ChangingValue& item : items_) item.write(out);
    out.close();
  }
  void write_members(JsonWriter& out) const {
    for (const auto& [key, member] : members_) {
      out.key(key);
      member.write(out);
    }
  }

 private:
  enum class Kind : uint8_t { plain, object, list };

  void take_apart() {
    if (kind_ != Kind::plain || text_.empty()) return;
    simdjson::dom::parser parser;
    json::element value;
    if (parser.parse(text_).get(value)) return;
    if (json::is_object(value)) kind_ = Kind::object;
    if (json::is_array(value)) kind_ = Kind::list;
    json::fields(value, [&](std::string_view key, json::element member) {
      members_.insert_or_assign(std::string(key), ChangingValue(member, line_));
    });
    json::items(value, [&](json::element item) { items_.emplace_back(item, line_); });
    if (kind_ != Kind::plain) text_.clear();
  }

  Kind kind_ = Kind::plain;
  size_t line_ = 0;
  std::string text_;  ///< of a plain value; empty: null
  std::map<std::string, ChangingValue> members_;
  std::vector<ChangingValue> items_;
};

/// The chat that the lines lead to, and the lines that cannot be read.
class VsCodeChat {
 public:
  void read_line(std::string_view line) {
    ++line_;
    if (line.empty()) return;
    json::element change;
    text_.assign(line);
    if (parser_.parse(text_).get(change) || !json::is_object(change) || !apply(change))
      records_.emplace(line_, line);
  }

  /// Returns the records by their lines.
  std::map<size_t, std::string> finish() {
    std::map<size_t, std::vector<ChangingValue>> by_line;
    size_t line = 1;  // they are in the order of their lines
    if (ChangingValue* requests = chat_.find_or_add(kRequests))
      for (ChangingValue& request : requests->take_items())
        by_line[line = std::max(line, request.line())].push_back(std::move(request));
    if (by_line.empty()) by_line[line];
    for (std::string_view key : {kRequests, kInput}) chat_.remove(key);
    for (const auto& [at, added] : by_line) {
      std::string record;
      JsonWriter out(record);
      out.open_object(JsonLayout::tight());
      chat_.write_members(out);
      out.open_list(kRequests, JsonLayout::tight());
      for (const ChangingValue& request : added) request.write(out);
      out.close();
      out.close();
      records_[at] = std::move(record);
    }
    return std::move(records_);
  }

 private:
  bool apply(json::element change) {
    enum : int64_t { kWhole, kSet, kPush, kRemove };
    json::element kind, path, value;
    if (!json::find(change, "kind", kind)) return false;
    const bool has_value = json::find(change, "v", value);
    const int64_t does = json::count(kind, -1);
    if (does == kWhole && has_value) return chat_ = ChangingValue(value, line_), true;
    if (does < kSet || does > kRemove || !json::find(change, "k", path)) return false;
    std::vector<json::element> steps;
    json::items(path, [&](json::element step) { steps.push_back(step); });
    if (steps.empty()) return false;
    ChangingValue* at = &chat_;
    for (size_t i = 0; i + (does == kRemove ? 1 : 0) < steps.size(); ++i)
      if ((at = at->find_or_add(steps[i])) == nullptr) return false;
    if (does == kSet) *at = has_value ? ChangingValue(value, line_of(*at)) : ChangingValue();
    if (does == kPush) at->push(change, line_);
    if (does == kRemove) at->remove(steps.back());
    return true;
  }

  /// A value that replaces another one keeps its line.
  size_t line_of(const ChangingValue& before) const {
    return before.line() == 0 ? line_ : before.line();
  }

  simdjson::dom::parser parser_;
  std::string text_;
  ChangingValue chat_;
  size_t line_ = 0;
  std::map<size_t, std::string> records_;
};

}  // namespace

bool is_vscode_chat_log(std::string_view head) {
  for (std::string_view word : {"{", "\"kind\"", ":", "0", ",", "\"v\"", ":", "{"}) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size()));
    if (!head.starts_with(word)) return false;
    head.remove_prefix(word.size());
  }
  return head.find("\"sessionId\"") != head.npos || head.find("\"requests\"") != head.npos;
}

std::optional<Error> unpack_vscode_chat_log(Input& input, const File& file) {
  Result<File> log = create_unnamed_file(input.path);
  if (!log) return log.error();
  VsCodeChat chat;
  Status done = for_each_line(file, input.path, [&](std::string_view line) {
    chat.read_line(line);
    return Status();
  });
  RecordLines records(*log, input.path);
  for (const auto& [line, record] : chat.finish())
    if (done) done = records.write(line, record);
  if (!done) return done.error();
  read_in_place_of(input, *std::move(log), records.bytes());
  return {};
}

}  // namespace xtrace
