#include "live/graph_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"

namespace xtrace {

namespace {

constexpr size_t kNone = SIZE_MAX;

size_t index_of(std::span<const Column> columns, std::string_view key) {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].key == key) return i;
  return kNone;
}

std::string text_at(std::span<const Cell> cells, size_t index) {
  const Text* text = index == kNone ? nullptr : std::get_if<Text>(&cells[index]);
  return text == nullptr ? std::string() : std::string(text->view());
}

void add_stream(const Stream& stream, WriteRow write, GraphRows& rows) {
  if (stream.name == "nodes") {
    size_t id = index_of(stream.columns, "id"), start = index_of(stream.columns, "timestamp");
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Node& node = rows.nodes.emplace_back();
      node.id = text_at(cells, id);
      if (const Moment* at = start == kNone ? nullptr : std::get_if<Moment>(&cells[start]))
        node.start = at->time;
      write(node.row, stream.columns, cells);
    });
  } else if (stream.name == "edges") {
    size_t from = index_of(stream.columns, "from"), to = index_of(stream.columns, "to");
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Edge& edge = rows.edges.emplace_back();
      edge.ends = {text_at(cells, from), text_at(cells, to)};
      write(edge.row, stream.columns, cells);
    });
  } else if (stream.name == "summaries") {
    size_t id = index_of(stream.columns, "id"), members = index_of(stream.columns, "members");
    stream.rows([&](std::span<const Cell> cells) {
      GraphRows::Summary& summary = rows.summaries.emplace_back();
      summary.id = text_at(cells, id);
      for (Text text : *std::get<const Texts*>(cells[members]))
        summary.members.emplace_back(text.view());
    });
  }
}

std::string words_of(const Cell& cell) {
  return std::visit(Overloaded{[](Text text) { return printable(text.view()); },
                               [](Moment moment) { return format_clock(moment.time); },
                               [](Duration length) { return format_span(length); },
                               [](Dollars amount) { return show_dollars(amount); },
                               [](int64_t number) { return fmt::format("{}", number); },
                               [](const auto&) { return std::string(); }},
                    cell);
}

}  // namespace

GraphRows rows_of(const Document& document, WriteRow write) {
  GraphRows rows;
  for (const Section& section : document.sections())
    if (const Stream* stream = std::get_if<Stream>(&section)) add_stream(*stream, write, rows);
  return rows;
}

void append_text_row(std::string& out, std::span<const Column> columns,
                     std::span<const Cell> cells) {
  if (size_t from = index_of(columns, "from"); from != kNone) {
    out += fmt::format("{} -> {}", printable(text_at(cells, from)),
                       printable(text_at(cells, index_of(columns, "to"))));
    return;
  }
  for (std::string_view key :
       {"timestamp", "agent", "type", "id", "model", "status", "latencyMs", "costUsd", "label"}) {
    size_t at = index_of(columns, key);
    std::string words = at == kNone ? std::string() : words_of(cells[at]);
    if (key == "status" && words == "OK") continue;  // worth a word only where it is not
    if (words.empty()) continue;
    if (!out.empty()) out += ' ';
    out += words;
  }
}

}  // namespace xtrace
