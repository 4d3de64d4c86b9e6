#include <fmt/format.h>

#include <deque>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/overloaded.h"
#include "render/json_cells.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// Every field whose meaning is not in its name, once.
class Descriptions {
 public:
  void add(const std::deque<Section>& sections, const std::string& around = {}) {
    for (const Section& section : sections)
      std::visit(
          Overloaded{
              [&](const Record& record) {
                add(around + std::string(record.table.name), record.table.columns);
              },
              [&](const Table& table) { add(around + std::string(table.name), table.columns); },
              [&](const Stream& rows) { add(around + std::string(rows.name), rows.columns); },
              [&](const Group& group) {
                group.members([&](const Document& member) {
                  add(member.sections(), std::string(group.name) + '.');
                  return false;  // all are of one shape
                });
              },
              [](const auto&) {}},
          section);
  }
  void add(std::span<const Column> columns) { add({}, columns); }
  void write(JsonWriter& json) const {
    json.open_object("field_descriptions", JsonLayout::lines(4));
    for (const auto& [path, help] : described_) json.field(path, help);
    json.close();
  }

 private:
  void add(std::string prefix, std::span<const Column> columns) {
    if (prefix.ends_with('.')) prefix.pop_back();
    for (const Column& column : columns) {
      std::string path =
          prefix.empty() ? std::string(column.key) : fmt::format("{}.{}", prefix, column.key);
      if (!column.help.empty()) described_.emplace_back(path, column.help);
      add(path, column.of);
    }
  }

  std::vector<std::pair<std::string, std::string_view>> described_;
};

/// Writes the sections of an answer as the fields of an object; what is written goes out now and
/// then.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void answer(const Document& document, bool describes_fields) {
    Descriptions descriptions;
    if (describes_fields) {
      descriptions.add(document.sections());
      if (const Closing* closing = document.closing()) descriptions.add(closing->columns);
    }
    object(document.sections(), 2, describes_fields ? &descriptions : nullptr, document.closing());
    text_ += '\n';
    out_ << text_;
  }

 private:
  /// `descriptions` follow the first section, `closing` the last.
  void object(const std::deque<Section>& sections, size_t indent, const Descriptions* descriptions,
              const Closing* closing) {
    json_.open_object(JsonLayout::lines(indent));
    for (const Section& section : sections) {
      std::visit(Overloaded{[&](const Record& one) { record(one.table); },
                            [&](const Table& table) {
                              json_.open_list(table.name, JsonLayout::lines(indent + 2));
                              for (size_t i = 0; i < table.rows(); ++i)
                                row(table.columns, table.row(i));
                              json_.close();
                            },
                            [&](const Stream& stream) {
                              json_.open_list(stream.name, JsonLayout::lines(indent + 2));
                              stream.rows(
                                  [&](std::span<const Cell> cells) { row(stream.columns, cells); });
                              json_.close();
                            },
                            [&](const Group& group) {
                              json_.open_list(group.name, JsonLayout::lines(indent + 2));
                              group.members([&](const Document& member) {
                                object(member.sections(), indent + 4, nullptr, nullptr);
                                return true;
                              });
                              json_.close();
                            },
                            [](const auto&) {}},
                 section);
      if (descriptions != nullptr) descriptions->write(json_);
      descriptions = nullptr;
    }
    if (closing != nullptr) {
      CellArena arena;
      write_fields(json_, closing->columns, closing->cells(arena));
    }
    json_.close();
  }

  /// Without a name its fields are those of the object around it.
  void record(const Table& table) {
    if (!table.name.empty()) json_.open_object(table.name);
    write_fields(json_, table.columns, table.cells);
    if (!table.name.empty()) json_.close();
  }

  /// One row a line, so that answers can be compared and searched line by line.
  void row(std::span<const Column> columns, std::span<const Cell> cells) {
    json_.open_object();
    write_fields(json_, columns, cells);
    json_.close();
    constexpr size_t kMuch = 64 << 10;
    if (text_.size() < kMuch) return;
    out_ << text_;
    text_.clear();
  }

  std::ostream& out_;
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace

void write_json(const Document& document, const Paper& paper, std::ostream& out) {
  Writer(out).answer(document, document.describes_fields() || paper.describes_fields);
}

extern constinit const Renderer kJsonRenderer = {
    .name = "json",
    .summary = "all data, for programs",
    .face = Face::tables,
    .write = write_json,
    .comes_in_lines = true,
};

extern constinit const Renderer kBothRenderer = {
    .name = "both",
    .summary = "JSON that includes a Mermaid picture",
    .face = Face::tables,
    .write = write_json,
    .adds_picture = true,
};

}  // namespace xtrace
