#include "view/hops/run_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_rank.h"
#include "view/common/field.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

struct RunGroupRow {
  const HopScene& scene;
  const RunGroups::Group& group;
  CellArena& arena;
};
constexpr Field<RunGroupRow> kRunGroups[] = {
    {{"count", "number of runs with the same results, apart from ids, locations and times",
      CellKind::integer, true},
     [](const RunGroupRow& row) -> Cell { return static_cast<int64_t>(row.group.runs.size()); }},
    {{"run_ids", "ids of these runs", CellKind::texts, true},
     [](const RunGroupRow& row) -> Cell {
       Texts ids;
       for (const Run* run : row.group.runs) ids.push_back(row.scene.names.text(run->id));
       return row.arena.keep(std::move(ids));
     }},
    {{"median_duration_us",
      "median duration of these runs, from the first start to the last end of the spans shown",
      CellKind::integer},
     [](const RunGroupRow& row) { return microseconds(row.group.at(0.5)); }},
    {{"p95_duration_us", "95th percentile (nearest rank)", CellKind::integer},
     [](const RunGroupRow& row) { return microseconds(row.group.at(0.95)); }},
};

}  // namespace

Duration RunGroups::Group::at(double share) const {
  std::vector<Duration> sorted = durations;
  std::sort(sorted.begin(), sorted.end());
  return nearest_rank(sorted, share, kNoDuration);
}

size_t RunGroups::add(const HopScene& scene, const Run& run, const std::string& answer) {
  size_t place = all_.size();
  if (!answer.empty()) place = known_.emplace(answer, place).first->second;
  if (place == all_.size()) all_.emplace_back();
  Group& group = all_[place];
  group.runs.push_back(&run);
  TimeRange stretch = scene.stretch_of(run);
  if (stretch.start != kNoTime) group.durations.push_back(elapsed(stretch.start, stretch.end));
  return place;
}

Stream stream_of(const std::shared_ptr<const HopScene>& scene,
                 const std::shared_ptr<const RunGroups>& groups) {
  return {"run_groups", columns_of<kRunGroups>(), [scene, groups](const Stream::Write& write) {
            Rows<RunGroupRow> rows(kRunGroups, scene->question.door, write);
            for (const RunGroups::Group& group : groups->all())
              if (group.is_several()) rows.write({*scene, group, rows.arena()});
          }};
}

Table shape_of_groups() {
  return table_of<kRunGroups>("run_groups");
}

Text heading_of(const HopScene& scene, const RunGroups::Group& group) {
  constexpr size_t kNamed = 3;  // more make a line that nobody reads
  Texts names;
  for (const Run* run : std::span(group.runs).first(std::min(group.runs.size(), kNamed)))
    names.push_back(scene.names.text(run->id));
  std::string text =
      fmt::format("{} with the same output ({}",
                  plural(static_cast<int64_t>(group.runs.size()), "run"), joined(names, ", "));
  if (group.runs.size() > kNamed) text += fmt::format(" and {} more", group.runs.size() - kNamed);
  text += ')';
  if (!group.durations.empty())
    text +=
        fmt::format(": median {}, p95 {}", format_span(group.at(0.5)), format_span(group.at(0.95)));
  return scene.question.door.composed(text + "; the first:");
}

Text title_of(const HopScene& scene, const RunGroups::Group& group) {
  std::string text =
      fmt::format("run {} and {} like it", scene.names.text(group.runs.front()->id).view(),
                  group.runs.size() - 1);
  if (!group.durations.empty()) text += fmt::format(", median {}", format_span(group.at(0.5)));
  return scene.question.door.composed(std::move(text));
}

}  // namespace xtrace
