#include "render/cypher_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/overloaded.h"
#include "base/text.h"
#include "render/json_cells.h"
#include "render/property_name.h"

namespace xtrace {

namespace {

void append_escape_of(std::string& out, char32_t character) {
  if (character == 0)
    out += "\uFFFD";  // no database likes it
  else
    append_escaped(out, character);
}

/// With a point or an exponent, for a property keeps the type it was first given.
std::string number_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  std::erase(text, '+');  // openCypher's exponents have none
  return text;
}

template <class List, class Append>
void append_list(std::string& out, const List& list, Append append) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    append(list[i]);
  }
  out += ']';
}

/// Empty: there is nothing to keep.
std::string literal_of(const Cell& cell) {
  std::string out;
  auto append_as_json = [&](const auto&) {
    std::string json;
    append_json(json, cell);
    append_cypher(out, json);
  };
  std::visit(
      Overloaded{
          [](std::monostate) {},
          [](std::nullptr_t) {},
          [&](bool truth) { out += truth ? "true" : "false"; },
          [&](int64_t number) { out += fmt::format("{}", number); },
          [&](double number) { out += std::isfinite(number) ? number_text(number) : ""; },
          [&](Dollars amount) { out += number_text(static_cast<double>(amount.billionths) / 1e9); },
          // As text: a time of the input may lie beyond what datetime() takes, which would
          // refuse all the batch. datetime(n.timestamp) makes one of those that do not.
          [&](Moment moment) { append_cypher(out, format_time(moment)); },
          [&](Duration) { append_json(out, cell); },
          [&](Text text) { append_cypher(out, text.view()); },
          [&](const Texts* texts) {
            append_list(out, *texts, [&](Text text) { append_cypher(out, text.view()); });
          },
          [&](const Integers* numbers) {
            append_list(out, *numbers, [&](int64_t number) { out += fmt::format("{}", number); });
          },
          [&](const TextLists* lists) { append_as_json(lists); },
          [&](const Table* table) { append_as_json(table); },
          [&](const Entries* entries) { append_as_json(entries); },
          [&](JsonText value) { append_cypher(out, value.json.view()); },
      },
      cell);
  return out;
}

}  // namespace

void append_cypher(std::string& out, std::string_view text) {
  out += '"';
  bool after_backslash = false;
  while (!text.empty()) {
    auto [character, length] = decode(text);
    // Neo4j 5 replaces \u0022 by a quote before it looks where a literal ends: so quotes and
    // backslashes are never written by number, and no backslash of the text precedes a u.
    if (character == '"' || character == '\'' || character == '\\')
      (out += '\\') += static_cast<char>(character);
    else if (acts_on_terminal(character) || (after_backslash && (character | 0x20) == 'u'))
      append_escape_of(out, character);
    else if (character == U'\uFFFD')
      out += "\uFFFD";
    else
      out += text.substr(0, length);
    after_backslash = character == '\\';
    text.remove_prefix(length);
  }
  out += '"';
}

void CypherMap::add(std::string_view name, std::string_view text) {
  if (text.empty()) return;
  std::string literal;
  append_cypher(literal, text);
  add_literal(name, literal);
}

void CypherMap::add(std::string_view name, const Cell& cell) {
  if (std::string literal = literal_of(cell); !literal.empty()) add_literal(name, literal);
}

void CypherMap::add(const Entries& entries) {
  for (size_t i = 0; i < entries.items.size(); ++i) {
    const auto& [key, cell] = entries.items[i];
    auto is_same = [&key = key](const std::pair<Text, Cell>& later) { return later.first == key; };
    auto later = entries.items.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::any_of(later, entries.items.end(), is_same)) continue;  // the last counts, as in JSON
    add(property_name(key.view()), cell);
  }
}

void CypherMap::add_literal(std::string_view wish, std::string_view literal) {
  std::string name(wish);
  for (size_t copy = 2; !names_.emplace(name, 2).second; name = fmt::format("{}_{}", wish, copy))
    copy = names_[std::string(wish)]++;
  fmt::format_to(std::back_inserter(fields_), "{}{}: {}", fields_.empty() ? "" : ", ", name,
                 literal);
}

}  // namespace xtrace
