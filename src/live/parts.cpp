#include "live/parts.h"

#include <algorithm>
#include <utility>

namespace xtrace {

uint32_t Parts::find(uint32_t part) {
  while (parent_[part] != part) part = parent_[part] = parent_[parent_[part]];
  return part;
}

/// The larger one takes in the other.
uint32_t Parts::join(uint32_t a, uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return a;
  if (parts_[a].records.size() < parts_[b].records.size()) std::swap(a, b);
  Part& into = parts_[a];
  Part from = std::exchange(parts_[b], Part{});
  parent_[b] = a;
  // What came before both graphs were made stands before what came since, on either side.
  size_t told = into.told + from.told;
  into.records.insert(into.records.begin() + static_cast<std::ptrdiff_t>(into.told),
                      from.records.begin(),
                      from.records.begin() + static_cast<std::ptrdiff_t>(from.told));
  into.records.insert(into.records.end(),
                      from.records.begin() + static_cast<std::ptrdiff_t>(from.told),
                      from.records.end());
  into.told = told;
  into.thoughts += from.thoughts;
  into.call_spans += from.call_spans;
  // Both graphs as they were are the graph of both: nothing joined them before.
  into.is_known &= from.is_known;
  into.nodes.merge(from.nodes);
  into.edges.merge(from.edges);
  into.summaries.merge(from.summaries);
  if (touched_.erase(b) > 0) touched_.insert(a);
  return a;
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
  }
  for (uint64_t id : ids.ids) part_of_[id] = part;
  Part& of = parts_[part];
  of.records.push_back(record);
  of.thoughts += ids.has_thoughts;
  of.call_spans += ids.has_call_spans;
  thoughts_ += ids.has_thoughts;
  call_spans_ += ids.has_call_spans;
  touched_.insert(part);
}

void Parts::take_out(uint32_t generation) {
  for (Part& part : parts_)
    std::erase_if(part.records,
                  [&](const RecordAt& record) { return record.generation == generation; });
}

std::vector<Parts::Part*> Parts::touched() {
  std::vector<Part*> touched;
  for (uint32_t i : std::exchange(touched_, {})) touched.push_back(&parts_[i]);
  return touched;
}

void Parts::touch_all() {
  for (uint32_t i = 0; i < parent_.size(); ++i)
    if (parent_[i] == i) touched_.insert(i);
}

void Parts::note_all_shown() {
  touched_.clear();
  for (Part& part : parts_) {
    part.told = part.records.size();
    part.is_known = part.records.empty();
    part.nodes.clear();
    part.edges.clear();
    part.summaries.clear();
  }
}

size_t Parts::size() const {
  size_t size = 0;
  for (uint32_t i = 0; i < parent_.size(); ++i) size += parent_[i] == i;
  return size;
}

}  // namespace xtrace
