#include "live/update_line.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "render/json_text.h"

namespace xtrace {

namespace {

template <class List, class Append>
void append_list(std::string& out, std::string_view key, const List& list, Append append) {
  append_json(out, key);
  out += ": [";
  bool first = true;
  for (const auto& item : list) {
    if (!std::exchange(first, false)) out += ", ";
    append(item);
  }
  out += ']';
}

void append_texts(std::string& out, std::string_view key, const std::vector<std::string>& texts) {
  append_list(out, key, texts, [&](const std::string& text) { append_json(out, text); });
}

std::string begin(const std::string& subscription) {
  std::string out = "{\"subscriptionId\": ";
  append_json(out, std::string_view(subscription));
  return out;
}

void append_moment(std::string& out, std::string_view key, Moment moment) {
  if (moment.time == kNoTime) return;
  out += ", ";
  append_json(out, key);
  out += ": ";
  append_json(out, std::string_view(format_time(moment)));
}

template <class List>
void append_rows(std::string& out, std::string_view key, const List& list) {
  append_list(out, key, list, [&](const auto& item) { out += item.row; });
}

}  // namespace

std::string snapshot_line(const std::string& subscription, const GraphRows& rows) {
  std::string out = begin(subscription);
  out += ", ";
  append_rows(out, "nodes", rows.nodes);
  out += ", ";
  append_rows(out, "edges", rows.edges);
  out += ", ";
  append_list(out, "summaries", rows.summaries, [&](const GraphRows::Summary& summary) {
    out += "{\"id\": ";
    append_json(out, std::string_view(summary.id));
    out += ", ";
    append_texts(out, "members", summary.members);
    out += '}';
  });
  append_moment(out, "lastUpdated", rows.newest);
  return out + "}\n";
}

std::string update_line(const std::string& subscription, const GraphChange& change, Moment newest) {
  std::string out = begin(subscription);
  out += ", ";
  append_list(out, "removedEdgeIds", change.removed_edges, [&](const Ends& ends) {
    out += "{\"from\": ";
    append_json(out, std::string_view(ends.first));
    out += ", \"to\": ";
    append_json(out, std::string_view(ends.second));
    out += '}';
  });
  out += ", ";
  append_texts(out, "removedNodeIds", change.removed_nodes);
  out += ", ";
  append_rows(out, "addedNodes", change.added_nodes);
  out += ", ";
  append_rows(out, "addedEdges", change.added_edges);
  if (!change.summaries.empty()) {
    out += ", ";
    append_list(out, "summaries", change.summaries, [&](const GraphChange::Regrouped& summary) {
      out += "{\"id\": ";
      append_json(out, std::string_view(summary.id));
      out += ", ";
      append_texts(out, "added", summary.added);
      out += ", ";
      append_texts(out, "removed", summary.removed);
      out += '}';
    });
  }
  append_moment(out, "timestamp", newest);
  return out + "}\n";
}

std::string snapshot_needed_line(const std::string& subscription) {
  return begin(subscription) + ", \"event\": \"snapshotNeeded\"}\n";
}

std::string text_lines(const GraphRows& rows) {
  std::string out;
  for (const GraphRows::Node& node : rows.nodes) out += fmt::format("+ {}\n", node.row);
  return out;
}

/// Edges are lines of a picture, and no news by themselves.
std::string text_lines(const GraphChange& change) {
  std::string out;
  std::set<std::string_view> added,
      removed(change.removed_nodes.begin(), change.removed_nodes.end());
  for (const GraphRows::Node& node : change.added_nodes) added.insert(node.id);
  for (const std::string& id : change.removed_nodes)
    if (!added.contains(id)) out += fmt::format("- {}\n", printable(id));
  for (const GraphRows::Node& node : change.added_nodes)
    out += fmt::format("{} {}\n", removed.contains(node.id) ? '~' : '+', node.row);
  return out;
}

}  // namespace xtrace
