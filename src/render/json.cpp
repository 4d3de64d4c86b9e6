#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

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

template <class List, class Append>
void append_list(std::string& out, const List& list, Append append) {
  out += '[';
  bool first = true;
  for (const auto& item : list) {
    if (!std::exchange(first, false)) out += ", ";
    append(item);
  }
  out += ']';
}

void append_texts(std::string& out, const Texts& texts) {
  append_list(out, texts, [&](Text text) { append_json(out, text.view()); });
}

/// Of equal keys the last counts, as it does for those who read it.
void append_entries(std::string& out, const Entries& entries) {
  out += '{';
  bool first = true;
  for (size_t i = 0; i < entries.items.size(); ++i) {
    const auto& [key, cell] = entries.items[i];
    auto is_same = [&key = key](const std::pair<Text, Cell>& later) { return later.first == key; };
    auto later = entries.items.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::any_of(later, entries.items.end(), is_same)) continue;
    if (!std::exchange(first, false)) out += ", ";
    append_json(out, key.view());
    out += ": ";
    append_json(out, cell);
  }
  out += '}';
}

}  // namespace

void append_json(std::string& out, const Cell& cell) {
  std::visit(Overloaded{
                 [&](std::monostate) { out += "null"; },
                 [&](std::nullptr_t) { out += "null"; },
                 [&](bool truth) { out += truth ? "true" : "false"; },
                 [&](int64_t number) { append_integer(out, number); },
                 [&](double number) { fmt::format_to(std::back_inserter(out), "{}", number); },
                 [&](Dollars amount) { out += format_dollars(amount); },
                 [&](Moment moment) { append_json(out, format_time(moment)); },
                 [&](Duration length) { append_milliseconds(out, length); },
                 [&](Text text) { append_json(out, text.view()); },
                 [&](const Texts* texts) { append_texts(out, *texts); },
                 [&](const TextLists* lists) {
                   append_list(out, *lists, [&](const Texts& texts) { append_texts(out, texts); });
                 },
                 [&](const Integers* numbers) {
                   append_list(out, *numbers, [&](int64_t number) { append_integer(out, number); });
                 },
                 [&](const Table* table) { append_rows(out, *table, ", "); },
                 [&](const Entries* entries) { append_entries(out, *entries); },
             },
             cell);
}

namespace {

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
    append_json(out, cells[i]);
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

}  // namespace

void append_json_row(std::string& out, std::span<const Column> columns,
                     std::span<const Cell> cells) {
  out += '{';
  append_fields(out, columns, cells, ", ");
  out += '}';
}

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

  void answer(const Document& document) {
    Descriptions descriptions;
    descriptions.add(document.sections());
    if (const Closing* closing = document.closing()) descriptions.add(closing->columns);
    object(document.sections(), 2, &descriptions, document.closing());
    text_ += '\n';
    out_ << text_;
  }

 private:
  /// `descriptions` stand behind the first section, `closing` behind the last.
  void object(const std::deque<Section>& sections, size_t indent, const Descriptions* descriptions,
              const Closing* closing) {
    text_ += '{';
    bool first = true;
    auto begin = [&](std::string_view name) {
      if (!first) text_ += ',';
      first = false;
      line(indent);
      if (name.empty()) return;
      append_json(text_, name);
      text_ += ": ";
    };
    for (const Section& section : sections) {
      bool top = first;
      std::visit(Overloaded{[&](const Record& record) {
                              bool flat = record.table.name.empty();
                              std::string fields;
                              append_fields(fields, record.table.columns, record.table.cells,
                                            flat ? ",\n" + std::string(indent, ' ') : ", ");
                              if (!flat || !fields.empty()) begin(record.table.name);
                              text_ += flat ? fields : '{' + fields + '}';
                            },
                            [&](const Table& table) {
                              begin(table.name);
                              open();
                              for (size_t i = 0; i < table.rows(); ++i)
                                row(table.columns, table.row(i), indent);
                              close(indent);
                            },
                            [&](const Stream& stream) {
                              begin(stream.name);
                              open();
                              stream.rows([&](std::span<const Cell> cells) {
                                row(stream.columns, cells, indent);
                              });
                              close(indent);
                            },
                            [&](const Group& group) {
                              begin(group.name);
                              open();
                              group.members([&](const Document& member) {
                                item(indent);
                                object(member.sections(), indent + 4, nullptr, nullptr);
                                return any_ = true;
                              });
                              close(indent);
                            },
                            [](const auto&) {}},
                 section);
      if (!top || descriptions == nullptr) continue;
      begin({});
      descriptions->append(text_);
    }
    if (closing != nullptr) {
      begin({});
      CellArena arena;
      append_fields(text_, closing->columns, closing->cells(arena),
                    ",\n" + std::string(indent, ' '));
    }
    line(indent - 2);
    text_ += '}';
  }

  void line(size_t indent) {
    text_ += '\n';
    text_.append(indent, ' ');
  }
  void open() {
    text_ += '[';
    any_ = false;
  }
  void item(size_t indent) {
    if (any_) text_ += ',';
    any_ = true;
    line(indent + 2);
  }
  /// One row a line, so that answers can be compared and searched line by line.
  void row(std::span<const Column> columns, std::span<const Cell> cells, size_t indent) {
    item(indent);
    text_ += '{';
    append_fields(text_, columns, cells, ", ");
    text_ += '}';
    constexpr size_t kMuch = 64 << 10;
    if (text_.size() < kMuch) return;
    out_ << text_;
    text_.clear();
  }
  void close(size_t indent) {
    if (any_) line(indent);
    text_ += ']';
  }

  std::ostream& out_;
  std::string text_;
  bool any_ = false;  ///< the list at hand has items
};

}  // namespace

void write_json(const Document& document, const Paper&, std::ostream& out) {
  Writer(out).answer(document);
}

}  // namespace xtrace
