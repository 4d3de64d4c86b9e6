#include "live/group_story.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "base/hash.h"
#include "view/story/story_filter.h"

namespace xtrace {

namespace {

/// The id of a summary, by that of the first of its members.
uint64_t summary_id(uint64_t first) {
  return chain(first, 1);
}

bool is_among(const std::vector<uint32_t>& parts, uint32_t part) {
  return std::ranges::binary_search(parts, part);
}

/// Of several with one id the last stays.
template <class One, class IdOf>
void sort_by_id(std::vector<One>& all, const IdOf& id_of) {
  std::ranges::stable_sort(all, {}, id_of);
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && id_of(all[i]) == id_of(all[i + 1])) continue;
    if (kept != i) all[kept] = std::move(all[i]);
    ++kept;
  }
  all.resize(kept);
}

}  // namespace

/// What steps are called, by their places in the story that is shown.
class GroupStory::Names final : public StoryNames {
 public:
  Names(const GroupStory& group, Door& door) : group_(group), door_(door) {}
  /// The story holds these of the steps only.
  void keep(const std::vector<bool>& kept) {
    is_filtered_ = true;
    for (uint32_t i = 0; i < kept.size(); ++i)
      if (kept[i]) kept_.push_back(i);
  }
  const Step& step(uint32_t node) const { return group_.steps_[place(node)]; }
  // As step() has them, side by side.
  uint64_t id(uint32_t node) const { return group_.made_.ids[place(node)]; }
  uint64_t facts(uint32_t node) const { return group_.made_.facts[place(node)]; }
  Text id_of(uint32_t node) const override { return door_.composed(step(node).said->id); }
  Text place_of(uint32_t node) const override { return door_.composed(step(node).said->place); }
  Moment start_of(uint32_t node) const override { return step(node).begun; }
  Text key_of(const StoryEdge& edge) const override { return door_.composed(key(edge)); }
  Cell notes_of(const StoryEdge& /*edge*/, CellArena& /*arena*/) const override { return {}; }

  /// Only the order of a task leads from one part to another.
  std::string key(const StoryEdge& edge) const {
    if (!edge.key) return {};
    const Step& to = step(edge.to);
    return edge.rule == Rule::task_order ? to.said->key
                                         : group_.slots_[to.slot].keys[edge.key.index];
  }

 private:
  uint32_t place(uint32_t node) const { return is_filtered_ ? kept_[node] : node; }

  const GroupStory& group_;
  Door& door_;
  bool is_filtered_ = false;
  std::vector<uint32_t> kept_;
};

/// From `first` on steps may be others than before.
void GroupStory::note_change(uint32_t first) {
  unmade_ = std::min(unmade_, first);
  written_ = std::min(written_, first);
}

void GroupStory::merge(GroupStory other) {
  if (!other.steps_.empty()) note_change(0);
  const auto slots = static_cast<uint32_t>(slots_.size());
  for (Step& step : other.steps_) step.slot += slots;
  std::ranges::move(other.slots_, std::back_inserter(slots_));
  const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
  std::ranges::move(other.steps_, std::back_inserter(steps_));
  std::inplace_merge(steps_.begin(), steps_.begin() + middle, steps_.end(),
                     [](const Step& a, const Step& b) { return a.before(b); });
  std::ranges::move(other.shown_, std::back_inserter(shown_));
  sort_by_id(shown_, [](const Shown& one) { return one.id; });
  std::ranges::move(other.edges_, std::back_inserter(edges_));
  sort_by_id(edges_, [](const ShownEdge& edge) { return std::pair(edge.from, edge.to); });
  summaries_.merge(other.summaries_);
  gone_.merge(other.gone_);
}

void GroupStory::rename(const std::function<uint32_t(uint32_t)>& find) {
  for (Step& step : steps_) step.part = find(step.part);
  for (Slot& slot : slots_) slot.part = find(slot.part);
}

void GroupStory::replace(const std::vector<uint32_t>& parts, std::vector<PartStory> stories) {
  std::vector<uint32_t> free;
  auto first = static_cast<uint32_t>(steps_.size());
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.places.empty() && !is_among(parts, slot.part)) continue;
    for (const uint32_t place : slot.places) first = std::min({first, place, unmade_});
    slot = {};
    free.push_back(i);
  }
  note_change(first);
  const auto gone = std::remove_if(steps_.begin() + first, steps_.end(), [&](Step& step) {
    if (!is_among(parts, step.part)) return false;
    gone_.insert_or_assign(step.id, std::move(step.said->id));
    return true;
  });
  steps_.erase(gone, steps_.end());
  const auto is_before = [](const Step& a, const Step& b) { return a.before(b); };
  const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
  for (PartStory& story : stories) {
    if (free.empty()) {
      free.push_back(static_cast<uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    const uint32_t at = free.back();
    free.pop_back();
    slots_[at] = {story.part, std::vector<uint32_t>(story.steps.size()), std::move(story.edges),
                  std::move(story.keys)};
    for (Step& step : story.steps) {
      step.slot = at;
      gone_.erase(step.id);
      steps_.push_back(std::move(step));
    }
  }
  std::sort(steps_.begin() + middle, steps_.end(), is_before);
  if (steps_.begin() + middle == steps_.end()) return;
  // Mostly the newest, so that little of what was there has to move.
  const auto begin = std::upper_bound(steps_.begin(), steps_.begin() + middle,
                                      steps_[static_cast<size_t>(middle)], is_before);
  note_change(static_cast<uint32_t>(begin - steps_.begin()));
  if (middle > 0) std::inplace_merge(begin, steps_.begin() + middle, steps_.end(), is_before);
}

Result<std::vector<bool>> GroupStory::choose(const Telling& telling, const Story& story) const {
  const StringPool& words = *telling.words.pool;
  const auto step_of = [&](const Step& step) {
    return FilteredStep{words[step.node.agent], words[step.node.task], words[step.session],
                        words[step.own_status], step.node.type,        step.node.status};
  };
  StoryNameSets names;
  std::vector<bool> is_known(words.size());
  for (const Step& step : steps_) {
    bool is_new = false;
    for (const StringId word : {step.node.agent, step.node.task, step.session})
      if (word && !is_known[word.index]) is_new = is_known[word.index] = true;
    if (is_new) names.add(step_of(step));
  }
  std::vector<PartOfNames> unseen;
  Result<StoryFilter> meant = find_meant(telling.options.filter, names, true, unseen);
  if (!meant) return tl::unexpected(meant.error());
  Result<StoryBounds> bounds =
      read_bounds(telling.options.filter, story.nodes, telling.door.zone());
  if (!bounds) return tl::unexpected(bounds.error());
  std::vector<bool> chosen;
  chosen.reserve(steps_.size());
  for (const Step& step : steps_)
    chosen.push_back(bounds->hold(step.node) && fits(*meant, step_of(step)));
  return chosen;
}

Result<std::shared_ptr<const ExplanationScene>> GroupStory::make_scene(const Telling& telling,
                                                                       Names& names) {
  const StoryOptions& options = telling.options;
  Result<StoryLimits> limits = options.limits();
  if (!limits) return tl::unexpected(limits.error());
  make_story(telling);
  std::shared_ptr<Story> story = made_.story;
  const size_t all = story->nodes.size();
  Hidden hidden;
  if (options.filter.any()) {
    Result<std::vector<bool>> chosen = choose(telling, *story);
    if (!chosen) return tl::unexpected(chosen.error());
    names.keep(*chosen);
    story = std::make_shared<Story>(*story);
    // Of two ways over what is not kept the first counts.
    std::ranges::sort(story->edges, {},
                      [](const StoryEdge& edge) { return std::pair(edge.from, edge.to); });
    *story = keep(*story, *chosen, options.filter.min_confidence, hidden);
  }
  std::vector<uint64_t> expanded;
  for (const std::string& id : options.expand) expanded.push_back(hash_of(id));
  const uint64_t everything = hash_of("all");
  const auto is_expanded = [&](const Summary& summary) {
    return std::ranges::any_of(expanded, [&](uint64_t id) {
      return id == everything || id == names.step(summary.first).name;
    });
  };
  FoldedStory folded =
      options.show == "raw" ? unfolded(*story) : fold(*story, *limits, is_expanded);
  const Question question{telling.nothing, telling.door, Face::tables, nullptr};
  return std::make_shared<const ExplanationScene>(question, std::move(story), std::move(folded),
                                                  std::move(hidden), options, all, &names);
}

std::vector<GroupStory::Now> GroupStory::find_shown(const ExplanationScene& scene,
                                                    const Names& names) const {
  std::vector<Now> now;
  for (const ExplanationScene::Shown& shown : scene.shown()) {
    const Step& step = names.step(shown.node);
    if (shown.summary == nullptr) {
      now.push_back({step.id, step.row_hash, shown.node});
      continue;
    }
    uint64_t row = chain(step.said_hash, static_cast<uint64_t>(shown.summary->why));
    for (const uint32_t member : shown.summary->members) row = chain(row, names.facts(member));
    now.push_back({summary_id(step.id), row, shown.node});
  }
  return now;
}

/// Those that are not shown, or otherwise, in the order of the story.
std::vector<GroupStory::Now> GroupStory::find_changed(const std::vector<Now>& now) const {
  std::vector<Now> changed;
  for (const Now& one : now) {
    const auto known = std::ranges::lower_bound(shown_, one.id, {}, &Shown::id);
    if (known == shown_.end() || known->id != one.id || known->row != one.row)
      changed.push_back(one);
  }
  return changed;
}

std::vector<uint32_t> GroupStory::find_lacking(const std::vector<Now>& changed,
                                               const ExplanationScene& scene,
                                               const Names& names) const {
  std::vector<uint32_t> parts;
  for (const Now& one : changed)
    if (scene.folded.summary_of[one.node] == FoldedStory::kNone && names.step(one.node).row.empty())
      parts.push_back(names.step(one.node).part);
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

void GroupStory::write_nodes(const std::vector<Now>& changed, const Telling& telling,
                             const ExplanationScene& scene, const Names& names, GraphDelta& delta) {
  for (const Now& one : changed) {
    const ExplanationScene::Shown shown = scene.shown_at(one.node);
    const Step& step = names.step(one.node);
    GraphRows::Node& node = delta.nodes.emplace_back();
    node.start = step.node.start;
    if (shown.summary == nullptr) {
      node.id = step.said->id;
      node.row = step.row;
      continue;
    }
    const size_t mark = telling.door.composed_so_far();
    node.id = scene.id(shown).view();
    const Stream::Write write = [&](std::span<const Cell> cells) {
      telling.write(node.row, explanation_columns(), cells);
    };
    Rows<ExplanationRow> rows(explanation_fields(), telling.door, write);
    rows.write(ExplanationRow(scene, shown, rows.arena()));
    telling.door.forget_composed(mark);
  }
}

/// From now on these are shown. Requires: show_edges() came before.
void GroupStory::show_nodes(const std::vector<Now>& now, const ExplanationScene& scene,
                            const Names& names, GraphDelta& delta) {
  std::vector<Shown> shown;
  shown.reserve(now.size());
  for (const Now& one : now) {
    const bool is_summary = scene.folded.summary_of[one.node] != FoldedStory::kNone;
    const std::string& id = names.step(one.node).said->id;
    shown.push_back({one.id, one.row, is_summary ? "summary-" + id : id});
  }
  sort_by_id(shown, [](const Shown& one) { return one.id; });
  for (Shown& before : shown_)
    if (!std::ranges::binary_search(shown, before.id, {}, &Shown::id))
      delta.gone.push_back(std::move(before.name));
  shown_ = std::move(shown);
}

void GroupStory::show_edges(const Telling& telling, const ExplanationScene& scene,
                            const Names& names, bool is_seen, GraphDelta& delta) {
  const auto is_summary = [&](uint32_t node) {
    return scene.folded.summary_of[node] != FoldedStory::kNone;
  };
  const auto id_of = [&](uint32_t node) {
    const uint64_t id = names.id(node);
    return is_summary(node) ? summary_id(id) : id;
  };
  std::vector<ShownEdge> now;
  std::vector<const StoryEdge*> changed;
  const auto ends_of = [](const ShownEdge& edge) { return std::pair(edge.from, edge.to); };
  for (const StoryEdge& edge : scene.folded.edges) {
    ShownEdge one{id_of(edge.from), id_of(edge.to), static_cast<uint64_t>(edge.relation)};
    one.row = chain(one.row, static_cast<uint64_t>(edge.rule));
    one.row = chain(one.row, std::bit_cast<uint64_t>(edge.confidence));
    one.row = chain(one.row, edge.hidden);
    one.row = chain(one.row, chain(names.step(edge.from).said_hash, names.step(edge.to).said_hash));
    if (edge.key) one.row = chain(one.row, hash_of(names.key(edge)));
    for (const Rival<uint32_t>& rival : edge.rivals)
      one.row = chain(one.row, chain(id_of(rival.from), std::bit_cast<uint64_t>(rival.confidence)));
    now.push_back(one);
    const auto known = std::ranges::lower_bound(edges_, ends_of(one), {}, ends_of);
    const bool is_known =
        known != edges_.end() && ends_of(*known) == ends_of(one) && known->row == one.row;
    if (!is_known && is_seen) changed.push_back(&edge);
  }
  for (const StoryEdge* edge : changed) {
    const size_t mark = telling.door.composed_so_far();
    GraphRows::Edge& added = delta.edges.emplace_back();
    added.ends = {std::string(scene.id_of(edge->from).view()),
                  std::string(scene.id_of(edge->to).view())};
    const Stream::Write write = [&](std::span<const Cell> cells) {
      telling.write(added.row, story_edge_columns(), cells);
    };
    Rows<StoryEdgeRow> rows(story_edge_fields(), telling.door, write);
    rows.write({scene, *edge, rows.arena()});
    telling.door.forget_composed(mark);
  }
  sort_by_id(now, ends_of);
  const auto name_of = [&](uint64_t id) {
    return std::ranges::lower_bound(shown_, id, {}, &Shown::id)->name;
  };
  for (const ShownEdge& before : edges_)
    if (!std::ranges::binary_search(now, ends_of(before), {}, ends_of))
      delta.gone_edges.emplace_back(name_of(before.from), name_of(before.to));
  edges_ = std::move(now);
}

std::vector<std::string> GroupStory::names_of(std::vector<uint64_t> ids) const {
  std::vector<std::string> names;
  if (ids.empty()) return names;
  std::ranges::sort(ids);
  for (size_t i = 0; i < steps_.size(); ++i)
    if (std::ranges::binary_search(ids, made_.ids[i])) names.push_back(steps_[i].said->id);
  for (const auto& [id, name] : gone_)
    if (std::ranges::binary_search(ids, id)) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

/// Of most summaries nothing changes but the end.
void GroupStory::show_members(const ExplanationScene& scene, const Names& names,
                              GraphDelta& delta) {
  std::map<uint64_t, ShownSummary> before = std::exchange(summaries_, {});
  const auto add_change = [&](const std::string& name, std::span<const uint64_t> was,
                              std::span<const uint64_t> is, std::span<const uint32_t> nodes) {
    while (!was.empty() && !is.empty() && was.front() == is.front()) {
      was = was.subspan(1);
      is = is.subspan(1);
      nodes = nodes.subspan(1);
    }
    if (was.empty() && is.empty()) return;
    std::vector<uint64_t> old(was.begin(), was.end()), now(is.begin(), is.end()), removed;
    std::ranges::sort(old);
    std::ranges::sort(now);
    std::ranges::set_difference(old, now, std::back_inserter(removed));
    std::vector<std::string> added;
    for (size_t i = 0; i < is.size(); ++i)
      if (!std::ranges::binary_search(old, is[i])) added.push_back(names.step(nodes[i]).said->id);
    std::ranges::sort(added);
    delta.regrouped.push_back({name, std::move(added), names_of(std::move(removed))});
  };
  for (const Summary& summary : scene.folded.summaries) {
    const Step& first = names.step(summary.first);
    ShownSummary now{"summary-" + first.said->id, {}};
    now.members.reserve(summary.members.size());
    for (const uint32_t member : summary.members) now.members.push_back(names.id(member));
    const auto known = before.find(summary_id(first.id));
    if (known == before.end()) {
      add_change(now.name, {}, now.members, summary.members);
    } else {
      add_change(now.name, known->second.members, now.members, summary.members);
      before.erase(known);
    }
    summaries_.insert_or_assign(summary_id(first.id), std::move(now));
  }
  for (const auto& [id, summary] : before) add_change(summary.name, summary.members, {}, {});
}

Result<std::vector<uint32_t>> GroupStory::tell(const Telling& telling, bool is_seen,
                                               GraphDelta& delta) {
  Names names(*this, telling.door);
  Result<std::shared_ptr<const ExplanationScene>> scene = make_scene(telling, names);
  if (!scene) return tl::unexpected(scene.error());
  const std::vector<Now> now = find_shown(**scene, names);
  if (is_seen) {
    const std::vector<Now> changed = find_changed(now);
    if (std::vector<uint32_t> lacking = find_lacking(changed, **scene, names); !lacking.empty())
      return lacking;
    write_nodes(changed, telling, **scene, names, delta);
  }
  show_edges(telling, **scene, names, is_seen, delta);
  show_nodes(now, **scene, names, delta);
  show_members(**scene, names, delta);
  gone_.clear();
  for (; written_ < steps_.size(); ++written_) std::exchange(steps_[written_].row, {});
  return std::vector<uint32_t>();
}

}  // namespace xtrace
