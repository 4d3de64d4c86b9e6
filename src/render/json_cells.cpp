#include "render/json_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/overloaded.h"

namespace xtrace {

namespace {

/// Milliseconds with as many decimals as the nanoseconds need.
std::string milliseconds(Duration length) {
  int64_t nanos = length.count();
  uint64_t magnitude = nanos < 0 ? 0 - static_cast<uint64_t>(nanos) : static_cast<uint64_t>(nanos);
  std::string text = fmt::format("{}{}", nanos < 0 ? "-" : "", magnitude / 1'000'000);
  if (magnitude % 1'000'000 == 0) return text;
  std::string decimals = fmt::format("{:06}", magnitude % 1'000'000);
  return text += '.' + decimals.substr(0, decimals.find_last_not_of('0') + 1);
}

template <class List, class Write>
void write_list(JsonWriter& json, const List& list, Write write) {
  json.open_list();
  for (const auto& item : list) write(item);
  json.close();
}

void write_texts(JsonWriter& json, const Texts& texts) {
  write_list(json, texts, [&](Text text) { json.value(text.view()); });
}

void write_rows(JsonWriter& json, const Table& table) {
  json.open_list();
  for (size_t row = 0; row < table.rows(); ++row) {
    json.open_object();
    write_fields(json, table.columns, table.row(row));
    json.close();
  }
  json.close();
}

/// Of equal keys the last counts, as it does for those who read it.
void write_entries(JsonWriter& json, const Entries& entries) {
  constexpr size_t kFew = 16;  // it costs less to look through them than to look them up
  const auto& items = entries.items;
  std::unordered_map<std::string_view, size_t> last;
  if (items.size() > kFew)
    for (size_t i = 0; i < items.size(); ++i) last[items[i].first.view()] = i;
  auto comes_again = [&](size_t i) {
    if (!last.empty()) return last[items[i].first.view()] != i;
    return std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, items.end(),
                       [&](const auto& later) { return later.first == items[i].first; });
  };
  json.open_object();
  for (size_t i = 0; i < items.size(); ++i) {
    if (comes_again(i)) continue;
    json.key(items[i].first.view());
    write_cell(json, items[i].second);
  }
  json.close();
}

}  // namespace

void write_cell(JsonWriter& json, const Cell& cell) {
  std::visit(Overloaded{
                 [&](std::monostate) { json.null(); },
                 [&](std::nullptr_t) { json.null(); },
                 [&](bool truth) { json.value(truth); },
                 [&](int64_t number) { json.value(number); },
                 [&](double number) { json.value(number); },
                 [&](Dollars amount) { json.raw(format_dollars(amount)); },
                 [&](Moment moment) { json.value(std::string_view(format_time(moment))); },
                 [&](Duration length) { json.raw(milliseconds(length)); },
                 [&](Text text) { json.value(text.view()); },
                 [&](const Texts* texts) { write_texts(json, *texts); },
                 [&](const TextLists* lists) {
                   write_list(json, *lists, [&](const Texts& texts) { write_texts(json, texts); });
                 },
                 [&](const Integers* numbers) {
                   write_list(json, *numbers, [&](int64_t number) { json.value(number); });
                 },
                 [&](const Table* table) { write_rows(json, *table); },
                 [&](const Entries* entries) { write_entries(json, *entries); },
                 [&](JsonText value) { json.raw(value.json.view()); },
             },
             cell);
}

void write_fields(JsonWriter& json, std::span<const Column> columns, std::span<const Cell> cells) {
  std::string_view open;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (std::holds_alternative<std::monostate>(cells[i])) continue;
    std::string_view key = columns[i].key, object;
    if (size_t dot = key.find('.'); dot != std::string_view::npos) {
      object = key.substr(0, dot);
      key.remove_prefix(dot + 1);
    }
    if (object != open && !open.empty()) json.close();
    if (object != open && !object.empty()) json.open_object(object);
    open = object;
    json.key(key);
    write_cell(json, cells[i]);
  }
  if (!open.empty()) json.close();
}

void append_json(std::string& out, const Cell& cell) {
  JsonWriter json(out);
  write_cell(json, cell);
}

void append_json_row(std::string& out, std::span<const Column> columns,
                     std::span<const Cell> cells) {
  JsonWriter json(out);
  json.open_object();
  write_fields(json, columns, cells);
  json.close();
}

}  // namespace xtrace
