#include "render/chart/passages.h"

#include <algorithm>

#include "render/chart/chart_cells.h"

namespace xtrace {

namespace {

/// The arguments of the uses of tools, in order, behind their names: in words, or as JSON where
/// the words are cut.
std::vector<Passage> passages_of_uses(const Table* uses) {
  std::vector<Passage> passages;
  if (uses == nullptr) return passages;
  const RoleColumns columns(uses->columns);
  const CellKey in_words(uses->columns, {"arguments_text"});
  for (size_t i = 0; i < uses->rows(); ++i) {
    const std::string_view words = text_of(in_words.in(uses->row(i)));
    const bool is_whole = !words.empty() && !words.ends_with("…");
    passages.push_back(
        {std::string(text_of(columns.in(uses->row(i), Role::name))),
         std::string(is_whole ? words : text_of(columns.in(uses->row(i), Role::arguments)))});
  }
  return passages;
}

std::string title_of_kind(std::string_view kind, bool is_error) {
  std::string title(kind);
  std::replace(title.begin(), title.end(), '_', ' ');
  return is_error ? title + ", error" : title;
}

}  // namespace

std::vector<Passage> passages_of(std::span<const Column> columns, std::span<const Cell> row) {
  const RoleColumns roles(columns);
  std::vector<Passage> uses = passages_of_uses(rows_of(roles.in(row, Role::tool_uses))), passages;
  const auto add = [&](std::string_view title, std::string_view text) {
    if (!text.empty()) passages.push_back({std::string(title), std::string(text)});
  };
  add("system prompt", text_of(CellKey(columns, {"system_prompt"}).in(row)));
  const Table* messages = rows_of(CellKey(columns, {"messages"}).in(row));
  if (messages == nullptr) {
    add("prompt", text_of(roles.in(row, Role::prompt)));
    add("reply", text_of(roles.in(row, Role::reply)));
    passages.insert(passages.end(), uses.begin(), uses.end());
    return passages;
  }
  const CellKey kind(messages->columns, {"kind"}), text(messages->columns, {"text"}),
      text_in(messages->columns, {"text_in"}), is_error(messages->columns, {"is_error"});
  size_t nth = 0;
  for (size_t i = 0; i < messages->rows(); ++i) {
    const std::span<const Cell> message = messages->row(i);
    const std::string_view elsewhere = text_of(text_in.in(message));
    if (elsewhere != "tool_uses")
      add(title_of_kind(text_of(kind.in(message)), truth_of(is_error.in(message))),
          elsewhere == "prompt"   ? text_of(roles.in(row, Role::prompt))
          : elsewhere == "answer" ? text_of(roles.in(row, Role::reply))
                                  : text_of(text.in(message)));
    else if (nth < uses.size())
      passages.push_back(uses[nth++]);
  }
  add("error", text_of(CellKey(columns, {"error_text"}).in(row)));
  return passages;
}

}  // namespace xtrace
