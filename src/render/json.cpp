#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <set>

#include "base/overloaded.h"
#include "render/json_text.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// Integers beyond this lose digits in programs that hold numbers as doubles.
constexpr int64_t kExact = int64_t{1} << 53;

void append_integer(std::string& out, int64_t number) {
  const char* quote = number <= kExact && number >= -kExact ? "" : "\"";
  fmt::format_to(std::back_inserter(out), "{}{}{}", quote, number, quote);
}

/// Milliseconds with as many decimals as there are nanoseconds to tell.
void append_milliseconds(std::string& out, Duration length) {
  int64_t nanos = length.count();
  if (nanos < 0) out += '-';
  uint64_t magnitude = nanos < 0 ? 0 - static_cast<uint64_t>(nanos) : static_cast<uint64_t>(nanos);
  fmt::format_to(std::back_inserter(out), "{}", magnitude / 1'000'000);
  if (magnitude % 1'000'000 == 0) return;
  std::string decimals = fmt::format("{:06}", magnitude % 1'000'000);
  out += '.' + decimals.substr(0, decimals.find_last_not_of('0') + 1);
}

void append_rows(std::string& out, const Table& table, std::string_view separator);

void append_cell(std::string& out, const Cell& cell) {
  std::visit(Overloaded{
                 [&](std::monostate) { out += "null"; },
                 [&](std::nullptr_t) { out += "null"; },
                 [&](bool truth) { out += truth ? "true" : "false"; },
                 [&](int64_t number) { append_integer(out, number); },
                 [&](double number) { fmt::format_to(std::back_inserter(out), "{}", number); },
                 [&](Moment moment) { append_json(out, format_time(moment)); },
                 [&](Duration length) { append_milliseconds(out, length); },
                 [&](Text text) { append_json(out, text.view()); },
                 [&](const Texts* texts) {
                   out += '[';
                   for (size_t i = 0; i < texts->size(); ++i) {
                     if (i > 0) out += ", ";
                     append_json(out, (*texts)[i].view());
                   }
                   out += ']';
                 },
                 [&](const Table* table) { append_rows(out, *table, ", "); },
             },
             cell);
}

/// The fields of one row, without braces. Keys that share what stands before a dot share an object.
void append_fields(std::string& out, std::span<const Column> columns, std::span<const Cell> cells,
                   std::string_view separator) {
  std::string_view open;
  bool first = true;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (std::holds_alternative<std::monostate>(cells[i])) continue;
    std::string_view key = columns[i].key, object;
    if (size_t dot = key.find('.'); dot != std::string_view::npos) {
      object = key.substr(0, dot);
      key.remove_prefix(dot + 1);
    }
    if (object != open && !open.empty()) out += '}';
    if (!first) out += object == open && !object.empty() ? std::string_view(", ") : separator;
    if (object != open && !object.empty()) {
      append_json(out, object);
      out += ": {";
    }
    open = object;
    first = false;
    append_json(out, key);
    out += ": ";
    append_cell(out, cells[i]);
  }
  if (!open.empty()) out += '}';
}

void append_rows(std::string& out, const Table& table, std::string_view separator) {
  out += '[';
  for (size_t row = 0; row < table.rows(); ++row) {
    if (row > 0) out += separator;
    out += '{';
    append_fields(out, table.columns, table.row(row), ", ");
    out += '}';
  }
  out += ']';
}

/// The rows of a section, one a line. What is written goes out now and then.
class Rows {
 public:
  Rows(std::string& text, std::span<const Column> columns, std::ostream& out)
      : text_(text), columns_(columns), out_(out) {}

  void add(std::span<const Cell> row) {
    text_ += any_ ? ",\n    {" : "[\n    {";
    any_ = true;
    append_fields(text_, columns_, row, ", ");
    text_ += '}';
    if (text_.size() < kMuch) return;
    out_ << text_;
    text_.clear();
  }
  void end() { text_ += any_ ? "\n  ]" : "[]"; }

 private:
  static constexpr size_t kMuch = 64 << 10;
  std::string& text_;
  std::span<const Column> columns_;
  std::ostream& out_;
  bool any_ = false;
};

/// Every field whose meaning is not in its name, once.
class Descriptions {
 public:
  void add(std::string_view prefix, std::span<const Column> columns) {
    for (const Column& column : columns) {
      std::string path =
          prefix.empty() ? std::string(column.key) : fmt::format("{}.{}", prefix, column.key);
      if (!column.help.empty()) described_.emplace_back(path, column.help);
      add(path, column.of);
    }
  }
  void append(std::string& out) const {
    out += "\"field_descriptions\": {";
    for (size_t i = 0; i < described_.size(); ++i) {
      out += i == 0 ? "\n    " : ",\n    ";
      append_json(out, described_[i].first);
      out += ": ";
      append_json(out, described_[i].second);
    }
    out += "\n  }";
  }

 private:
  std::vector<std::pair<std::string, std::string_view>> described_;
};

}  // namespace

/// One row a line, so that answers can be compared and searched line by line.
void write_json(const Document& document, const Paper&, std::ostream& out) {
  Descriptions descriptions;
  for (const Section& section : document.sections())
    std::visit(Overloaded{[&](const Record& record) {
                            descriptions.add(record.table.name, record.table.columns);
                          },
                          [&](const Table& table) { descriptions.add(table.name, table.columns); },
                          [&](const Stream& rows) { descriptions.add(rows.name, rows.columns); },
                          [](const auto&) {}},
               section);
  std::string text = "{";
  bool first = true;
  auto begin = [&](std::string_view name) {
    text += first ? "\n  " : ",\n  ";
    first = false;
    if (name.empty()) return;
    append_json(text, name);
    text += ": ";
  };
  for (const Section& section : document.sections()) {
    bool top = first;
    if (const Record* record = std::get_if<Record>(&section)) {
      bool flat = record->table.name.empty();
      std::string fields;
      append_fields(fields, record->table.columns, record->table.cells, flat ? ",\n  " : ", ");
      if (!flat || !fields.empty()) begin(record->table.name);
      text += flat ? fields : '{' + fields + '}';
    } else if (const Table* table = std::get_if<Table>(&section)) {
      Rows rows(text, table->columns, out);
      begin(table->name);
      for (size_t row = 0; row < table->rows(); ++row) rows.add(table->row(row));
      rows.end();
    } else if (const Stream* stream = std::get_if<Stream>(&section)) {
      Rows rows(text, stream->columns, out);
      begin(stream->name);
      stream->rows([&](std::span<const Cell> row) { rows.add(row); });
      rows.end();
    }
    if (top) {
      begin({});
      descriptions.append(text);
    }
    out << text;
    text.clear();
  }
  out << "\n}\n";
}

}  // namespace xtrace
