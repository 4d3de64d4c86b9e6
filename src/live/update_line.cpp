#include "live/update_line.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/text.h"

namespace xtrace {

namespace {

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.open_list(key);
  for (const std::string& text : texts) json.value(text);
  json.close();
}

void write_moment(JsonWriter& json, std::string_view key, Moment moment) {
  if (moment.time != kNoTime) json.field(key, format_time(moment));
}

template <class List>
void write_rows(JsonWriter& json, std::string_view key, const List& list) {
  json.open_list(key);
  for (const auto& item : list) json.raw(item.row);
  json.close();
}

/// An object of the subscription, with the fields that `write` adds.
template <class Write>
std::string line(const std::string& subscription, Write write) {
  std::string out;
  JsonWriter json(out);
  json.open_object();
  json.field("subscriptionId", subscription);
  write(json);
  json.close();
  return out += '\n';
}

}  // namespace

std::string snapshot_line(const std::string& subscription, const GraphRows& rows) {
  return line(subscription, [&](JsonWriter& json) {
    write_rows(json, "nodes", rows.nodes);
    write_rows(json, "edges", rows.edges);
    json.open_list("summaries");
    for (const GraphRows::Summary& summary : rows.summaries) {
      json.open_object();
      json.field("id", summary.id);
      write_texts(json, "members", summary.members);
      json.close();
    }
    json.close();
    write_moment(json, "lastUpdated", rows.newest);
  });
}

std::string update_line(const std::string& subscription, const GraphChange& change, Moment newest) {
  return line(subscription, [&](JsonWriter& json) {
    json.open_list("removedEdgeIds");
    for (const Ends& ends : change.removed_edges) {
      json.open_object();
      json.field("from", ends.first);
      json.field("to", ends.second);
      json.close();
    }
    json.close();
    write_texts(json, "removedNodeIds", change.removed_nodes);
    write_rows(json, "addedNodes", change.added_nodes);
    write_rows(json, "addedEdges", change.added_edges);
    if (!change.summaries.empty()) {
      json.open_list("summaries");
      for (const GraphChange::Regrouped& summary : change.summaries) {
        json.open_object();
        json.field("id", summary.id);
        write_texts(json, "added", summary.added);
        write_texts(json, "removed", summary.removed);
        json.close();
      }
      json.close();
    }
    // Whoever reads it relies on a time, also where no record has one.
    json.field("timestamp", format_time(newest.time == kNoTime ? Moment{Time{}, 0} : newest));
  });
}

std::string snapshot_needed_line(const std::string& subscription) {
  return line(subscription, [](JsonWriter& json) { json.field("event", "snapshotNeeded"); });
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
