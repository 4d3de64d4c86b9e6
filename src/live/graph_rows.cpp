#include "live/graph_rows.h"

#include <fmt/format.h>

#include "base/overloaded.h"
#include "base/text.h"

namespace xtrace {

namespace {

void add_stream(const Stream& stream, const WriteRow& write, GraphRows& rows) {
  const RoleColumns columns(stream.columns);
  if (stream.name == "nodes") {
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Node& node = rows.nodes.emplace_back();
      node.id = text_of(columns.in(cells, Role::id));
      node.place = text_of(columns.in(cells, Role::place));
      if (const Moment* at = std::get_if<Moment>(&columns.in(cells, Role::start)))
        node.start = at->time;
      write(node.row, stream.columns, cells);
    });
  } else if (stream.name == "edges") {
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Edge& edge = rows.edges.emplace_back();
      edge.ends =
          Ends(text_of(columns.in(cells, Role::source)), text_of(columns.in(cells, Role::target)));
      write(edge.row, stream.columns, cells);
    });
  } else if (stream.name == "summaries") {
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Summary& summary = rows.summaries.emplace_back();
      summary.id = text_of(columns.in(cells, Role::id));
      for (Text text : *std::get<const Texts*>(columns.in(cells, Role::members)))
        summary.members.emplace_back(text.view());
    });
  }
}

std::string words_of(const Cell& cell, const Zone& zone) {
  return std::visit(Overloaded{[](Text text) { return printable(text.view()); },
                               [&](Moment moment) { return zone.clock(moment.time); },
                               [](Duration length) { return format_span(length); },
                               [](Dollars amount) { return show_dollars(amount); },
                               [](int64_t number) { return fmt::format("{}", number); },
                               [](const auto&) { return std::string(); }},
                    cell);
}

/// As many characters of a session's id as `list` shows.
constexpr size_t kShownId = 8;

/// The cell of a column; an empty one: there is none of that name.
Cell cell_of(std::string_view key, std::span<const Column> columns, std::span<const Cell> cells) {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].key == key) return cells[i];
  return {};
}

}  // namespace

GraphRows rows_of(const Document& document, const WriteRow& write, bool with_edges) {
  GraphRows rows;
  for (const Section& section : document.sections())
    if (const Stream* stream = std::get_if<Stream>(&section);
        stream != nullptr && (with_edges || stream->name != "edges"))
      add_stream(*stream, write, rows);
  return rows;
}

WriteRow text_rows(Zone zone, bool names_sessions) {
  return [zone, names_sessions](std::string& out, std::span<const Column> columns,
                                std::span<const Cell> cells) {
    const RoleColumns by_role(columns);
    if (by_role.has(Role::source)) {
      out += fmt::format("{} -> {}", printable(text_of(by_role.in(cells, Role::source))),
                         printable(text_of(by_role.in(cells, Role::target))));
      return;
    }
    const auto add = [&](std::string_view words) {
      if (words.empty()) return;
      if (!out.empty()) out += ' ';
      out += words;
    };
    add(words_of(by_role.in(cells, Role::start), zone));
    if (names_sessions)  // which are the tasks of calls
      add(head(words_of(by_role.in(cells, Role::task), zone), kShownId));
    if (const std::string turn = words_of(cell_of("turn", columns, cells), zone); !turn.empty())
      add("turn " + turn);
    const std::string name = words_of(by_role.in(cells, Role::name), zone);
    for (Role role : {Role::agent, Role::name, Role::status, Role::duration, Role::cost}) {
      const std::string words = words_of(by_role.in(cells, role), zone);
      if (role == Role::agent && name.starts_with(words + ' ')) continue;  // `user message`
      if (role == Role::status && words == "OK") continue;  // worth a word only where it is not
      add(words);
    }
  };
}

}  // namespace xtrace
