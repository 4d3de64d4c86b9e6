#include "live/parts.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace xtrace {

namespace {

uint64_t hash_of_members(const std::vector<std::string>& members) {
  uint64_t hash = members.size();
  for (const std::string& member : members) hash = chain(hash, hash_of(member));
  return hash;
}

uint32_t find_in(std::vector<uint32_t>& parent, uint32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

}  // namespace

void KnownRows::merge(KnownRows& other) {
  // Both graphs as they were are the graph of both: nothing joined them before.
  is_known &= other.is_known;
  nodes.merge(other.nodes);
  edges.merge(other.edges);
  summaries.merge(other.summaries);
}

void KnownRows::forget() {
  is_known = false;
  nodes.clear();
  edges.clear();
  summaries.clear();
}

void KnownRows::become(GraphRows rows, GraphDelta& delta, const WriteEdge& write_edge) {
  KnownRows before = std::exchange(*this, {});
  // Of what is in both, the hash of before goes.
  const auto is_new = [](auto& known, const auto& key, uint64_t hash) {
    const auto found = known.find(key);
    const bool changed = found == known.end() || found->second != hash;
    if (found != known.end()) known.erase(found);
    return changed;
  };
  for (const GraphRows::Node& node : rows.nodes) nodes[node.id] = hash_of(node.row);
  for (const GraphRows::Edge& edge : rows.edges)
    edges[edge.ends] = write_edge ? edge.hash : hash_of(edge.row);
  for (const GraphRows::Summary& summary : rows.summaries)
    summaries[summary.id] = hash_of_members(summary.members);
  for (GraphRows::Node& node : rows.nodes)
    if (is_new(before.nodes, node.id, nodes[node.id])) delta.nodes.push_back(std::move(node));
  for (size_t i = 0; i < rows.edges.size(); ++i) {
    GraphRows::Edge& edge = rows.edges[i];
    if (!is_new(before.edges, edge.ends, edges[edge.ends])) continue;
    if (write_edge) edge.row = write_edge(i);
    delta.edges.push_back(std::move(edge));
  }
  for (GraphRows::Summary& summary : rows.summaries)
    if (is_new(before.summaries, summary.id, summaries[summary.id]))
      delta.summaries.push_back(std::move(summary));
  for (const auto& [id, hash] : before.nodes) delta.gone.push_back(id);
  for (const auto& [ends, hash] : before.edges) delta.gone_edges.push_back(ends);
  for (const auto& [id, hash] : before.summaries) delta.gone_summaries.push_back(id);
}

void Parts::Counts::add(const RecordIds& ids) {
  thoughts += ids.has_thoughts;
  call_spans += ids.has_call_spans;
  calls += ids.has_calls;
  timed_spans += ids.has_timed_spans;
}

void Parts::Counts::add(const Counts& other) {
  thoughts += other.thoughts;
  call_spans += other.call_spans;
  calls += other.calls;
  timed_spans += other.timed_spans;
}

uint32_t Parts::find(uint32_t part) {
  return find_in(parent_, part);
}

uint32_t Parts::find_group(uint32_t part) {
  return find_in(group_parent_, part);
}

/// The larger one takes in the other.
uint32_t Parts::join(uint32_t a, uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return a;
  join_groups(a, b);
  if (parts_[a].records.size() < parts_[b].records.size()) std::swap(a, b);
  Part& into = parts_[a];
  Part from = std::exchange(parts_[b], Part{});
  parent_[b] = a;
  // What came before both graphs were made precedes what came since, on either side.
  size_t shown = into.shown + from.shown;
  into.records.insert(into.records.begin() + static_cast<std::ptrdiff_t>(into.shown),
                      from.records.begin(),
                      from.records.begin() + static_cast<std::ptrdiff_t>(from.shown));
  into.records.insert(into.records.end(),
                      from.records.begin() + static_cast<std::ptrdiff_t>(from.shown),
                      from.records.end());
  into.shown = shown;
  into.counts.add(from.counts);
  into.rows.merge(from.rows);
  groups_[find_group(a)].has_joined = true;
  if (touched_.erase(b) > 0) touched_.insert(a);
  return a;
}

void Parts::join_groups(uint32_t a, uint32_t b) {
  a = find_group(a);
  b = find_group(b);
  if (a == b) return;
  if (groups_[a].parts.size() < groups_[b].parts.size()) std::swap(a, b);
  Group& into = groups_[a];
  Group from = std::exchange(groups_[b], Group{});
  group_parent_[b] = a;
  into.parts.insert(into.parts.end(), from.parts.begin(), from.parts.end());
  into.counts.add(from.counts);
  into.rows.merge(from.rows);
  into.steps.merge(std::move(from.steps));
  into.story.merge(std::move(from.story));
  into.has_joined |= from.has_joined;
}

void Parts::add(const RecordAt& record, const RecordIds& ids) {
  if (!ids.tells()) return;
  uint32_t part = static_cast<uint32_t>(parts_.size());
  bool is_new = true;
  for (uint64_t id : ids.ids) {
    auto [known, added] = part_of_.try_emplace(id, part);
    if (added) continue;
    part = is_new ? find(known->second) : join(part, known->second);
    is_new = false;
  }
  if (is_new) {
    parts_.emplace_back();
    parent_.push_back(part);
    groups_.emplace_back().parts.push_back(part);
    group_parent_.push_back(part);
  }
  for (uint64_t id : ids.ids) part_of_[id] = part;
  for (uint64_t task : ids.tasks)
    if (auto [known, added] = part_of_task_.try_emplace(task, part); !added)
      join_groups(known->second, part);
  Part& of = parts_[part];
  of.records.push_back(record);
  of.counts.add(ids);
  groups_[find_group(part)].counts.add(ids);
  const Counts before = counts_;
  counts_.add(ids);
  touched_.insert(part);
  // From the first on, every part is shown as beside some.
  const bool is_first = (before.thoughts == 0 && counts_.thoughts > 0) ||
                        (before.call_spans == 0 && counts_.call_spans > 0);
  if (is_first) touch_all();
}

void Parts::take_out(uint32_t generation) {
  for (uint32_t i = 0; i < parts_.size(); ++i) {
    const bool any = std::erase_if(parts_[i].records, [&](const RecordAt& record) {
                       return record.generation == generation;
                     }) > 0;
    if (any) touched_.insert(find(i));
  }
}

std::vector<Parts::Touched> Parts::touched() {
  std::map<uint32_t, Touched> by_group;
  for (uint32_t part : std::exchange(touched_, {})) {
    const uint32_t group = find_group(part);
    by_group.try_emplace(group, Touched{&groups_[group], {}}).first->second.parts.push_back(part);
  }
  std::vector<Touched> all;
  for (auto& [group, touched] : by_group) {
    std::vector<uint32_t>& parts = touched.group->parts;
    std::erase_if(parts, [&](uint32_t part) { return parent_[part] != part; });
    all.push_back(std::move(touched));
  }
  return all;
}

void Parts::touch_all() {
  for (uint32_t i = 0; i < parent_.size(); ++i)
    if (parent_[i] == i) touched_.insert(i);
}

void Parts::note_all_shown() {
  for (uint32_t part : std::exchange(touched_, {})) {
    parts_[part].shown = parts_[part].records.size();
    parts_[part].rows.forget();
    groups_[find_group(part)].rows.forget();
  }
}

void Parts::forget() {
  for (uint32_t i = 0; i < parts_.size(); ++i) {
    parts_[i].rows.forget();
    groups_[i].rows.forget();
    groups_[i].steps = {};
    groups_[i].story = {};
  }
}

size_t Parts::size() const {
  size_t size = 0;
  for (uint32_t i = 0; i < parent_.size(); ++i) size += parent_[i] == i;
  return size;
}

}  // namespace xtrace
