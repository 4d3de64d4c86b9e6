#include "render/html/answer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "base/one_of.h"
#include "base/overloaded.h"
#include "render/json_cells.h"

namespace xtrace {

namespace {

constexpr size_t kMostRows = 500;
/// Rows within rows of all tables, 2 MB of them: a story of 100,000 steps has 44,000, the steps of
/// its summaries.
constexpr size_t kMostNested = 10'000;

/// Counts the rows that are not written, by table.
class AnswerWriter {
 public:
  explicit AnswerWriter(JsonWriter& json) : json_(json) {}

  void object(const Document& document) {
    json_.open_object(JsonLayout::tight());
    std::vector<std::pair<std::string_view, size_t>> more;
    for (const Section& section : document.sections()) {
      const size_t left_out =
          std::visit(Overloaded{[&](const Record& record) { return this->record(record.table); },
                                [&](const Table& table) { return this->table(table); },
                                [&](const Stream& stream) { return this->stream(stream); },
                                [&](const Group& group) { return this->group(group); },
                                [](const auto&) { return size_t{0}; }},
                     section);
      if (left_out > 0) more.emplace_back(name_of(section), left_out);
    }
    if (const Closing* closing = document.closing()) {
      CellArena arena;
      write_fields(json_, closing->columns, closing->cells(arena));
    }
    more.insert(more.end(), cut_.begin(), cut_.end());
    cut_.clear();
    if (!more.empty()) {
      json_.open_object("more", JsonLayout::tight());
      for (const auto& [name, count] : more) json_.field(name, count);
      json_.close();
    }
    json_.close();
  }

 private:
  static std::string_view name_of(const Section& section) {
    return std::visit(Overloaded{[](const Table& table) { return table.name; },
                                 [](const Stream& stream) { return stream.name; },
                                 [](const Group& group) { return group.name; },
                                 [](const auto&) { return std::string_view(); }},
                      section);
  }
  static bool is_drawn(std::string_view name) {
    return is_one_of(name, {"nodes", "edges", kGraphBehind, kGraphBefore});
  }

  size_t record(const Table& table) {
    if (!table.name.empty()) json_.open_object(table.name, JsonLayout::tight());
    // A path of a hundred thousand ids is drawn, and not listed.
    std::vector<Column> columns;
    std::vector<Cell> cells;
    for (size_t i = 0; i < table.columns.size() && i < table.cells.size(); ++i) {
      const Texts* const* texts = std::get_if<const Texts*>(&table.cells[i]);
      if (texts != nullptr && (*texts)->size() > kMostRows) continue;
      columns.push_back(table.columns[i]);
      cells.push_back(table.cells[i]);
    }
    write_fields(json_, columns, cells);
    if (!table.name.empty()) json_.close();
    return 0;
  }
  size_t table(const Table& table) {
    if (is_drawn(table.name)) return 0;
    json_.open_list(table.name, JsonLayout::tight());
    for (size_t i = 0; i < table.rows() && i < kMostRows; ++i) row(table.columns, table.row(i));
    json_.close();
    return table.rows() - std::min(table.rows(), kMostRows);
  }
  size_t stream(const Stream& stream) {
    if (is_drawn(stream.name)) return 0;
    size_t count = 0;
    json_.open_list(stream.name, JsonLayout::tight());
    stream.rows([&](std::span<const Cell> cells) {
      if (++count <= kMostRows) row(stream.columns, cells);
    });
    json_.close();
    return count - std::min(count, kMostRows);
  }
  size_t group(const Group& group) {
    if (is_drawn(group.name)) return 0;
    size_t count = 0;
    json_.open_list(group.name, JsonLayout::tight());
    group.members([&](const Document& member) {
      if (++count <= kMostRows) object(member);
      return true;
    });
    json_.close();
    return count - std::min(count, kMostRows);
  }
  void row(std::span<const Column> columns, std::span<const Cell> cells) {
    std::vector<Cell> shown(cells.begin(), cells.end());
    std::deque<Table> shorter;
    for (size_t i = 0; i < shown.size(); ++i) {
      const Table* const* rows = std::get_if<const Table*>(&shown[i]);
      if (rows == nullptr) continue;
      const size_t all = (*rows)->rows(), fits = std::min(all, nested_left_);
      nested_left_ -= fits;
      if (fits == all) continue;
      cut_[columns[i].key] += all - fits;
      shorter.push_back(**rows);
      shorter.back().cells.resize(fits * shorter.back().columns.size());
      shown[i] = &shorter.back();
    }
    json_.open_object(JsonLayout::tight());
    write_fields(json_, columns, shown);
    json_.close();
  }

  JsonWriter& json_;
  size_t nested_left_ = kMostNested;
  std::map<std::string_view, size_t> cut_;  ///< rows within rows that are not written
};

}  // namespace

void write_answer(JsonWriter& json, const Document& document) {
  AnswerWriter(json).object(document);
}

std::string for_script_element(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json)
    if (c == '<' || c == '>' || c == '&')
      fmt::format_to(std::back_inserter(text), "\\u{:04x}", static_cast<unsigned>(c));
    else
      text += c;
  return text;  // U+2028 and U+2029 are escapes in all JSON that we write
}

}  // namespace xtrace
