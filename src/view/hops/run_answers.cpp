#include "view/hops/run_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/nearest_rank.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"
#include "view/hops/run_pictures.h"

namespace xtrace {

namespace {

/// Runs whose answers say the same but for their ids, places and times.
class RunGroups {
 public:
  struct Group {
    std::vector<const Run*> runs;     ///< in order
    std::vector<Duration> durations;  ///< of those of which it is known

    bool is_several() const { return runs.size() > 1; }
    Duration at(double share) const;  ///< nearest rank; unknown if no duration is
  };

  /// `answer`: what the answer about the run says; empty: it is like no other, as a run is that
  /// failed or that is unsure. Returns the group's index.
  size_t add(const HopScene& scene, const Run& run, const std::string& answer);
  const std::vector<Group>& all() const { return all_; }

 private:
  std::vector<Group> all_;
  std::map<std::string, size_t> known_;
};

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

/// In JSON, those of several runs each, as far as they are known when it is written.
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

/// `1000 runs with the same output (r1, r2, r3 and 997 more): median 1.2s, p95 3s; the first:`
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

/// Of a picture: `run r1 and 999 like it, median 1.2s`
Text title_of(const HopScene& scene, const RunGroups::Group& group) {
  std::string text =
      fmt::format("run {} and {} like it", scene.names.text(group.runs.front()->id).view(),
                  group.runs.size() - 1);
  if (!group.durations.empty()) text += fmt::format(", median {}", format_span(group.at(0.5)));
  return scene.question.door.composed(std::move(text));
}

struct RunHead {
  Text id;
  Cell principal{}, principals{};
};
constexpr Field<RunHead> kRun[] = {
    {{"run_id", "run id, or the trace id if there is none", CellKind::text, true},
     member<&RunHead::id>},
    {{"principal", "principal of the run; absent: not recorded, or several", CellKind::text},
     member<&RunHead::principal>},
    {{"principals", "principals of the run, if there are several", CellKind::texts},
     member<&RunHead::principals>},
};

}  // namespace

std::span<const Column> run_columns() {
  return columns_of<kRun>();
}

Record run_record(const HopScene& scene, const Run& run, CellArena& arena) {
  return record_of<kRun>({}, {.id = scene.names.text(run.id),
                              .principal = known(scene.actor(run.principal)),
                              .principals = some(names_of(scene, run.principals), arena)});
}

Record run_record(const HopScene& scene, const Run& run) {
  return record_of<kRun>(
      {}, {.id = scene.names.text(run.id), .principal = known(scene.actor(run.principal))});
}

Record run_record(Text id) {
  return record_of<kRun>({}, {id});
}

Text run_title(const HopScene& scene, const Run& run) {
  if (scene.hops.runs.size() == 1) return {};
  return scene.question.door.say("run {}", scene.names.text(run.id).view());
}

Text run_scope(const HopScene& scene, const Run& run, Text about) {
  std::string scope(scene.names.text(run.id).view());
  for (HopId id : run.hops)
    if (Time start = scene.hops[id].start; start != kNoTime) {
      scope += ' ' + format_time({start, 6});
      break;
    }
  if (!about.empty()) scope += fmt::format(" {}", about.view());
  return scene.question.door.composed(std::move(scope));
}

std::string on_behalf_of(const HopScene& scene, const Run& run) {
  if (run.principal) return std::string(scene.actor(run.principal).view());
  constexpr size_t kNamed = 3;  // more than that is a crowd
  size_t all = run.principals.size();
  Texts names = names_of(scene, std::span(run.principals).first(all > kNamed + 1 ? kNamed : all));
  Text last;
  if (names.size() < all)
    last = scene.question.door.say("{} more", all - names.size());
  else if (!names.empty())
    last = names.back(), names.pop_back();
  return names.empty() ? std::string(last.view())
                       : fmt::format("{} and {}", joined(names, ", "), last.view());
}

std::string run_heading(const HopScene& scene, const Run& run) {
  std::string heading = fmt::format("run {}", scene.names.text(run.id).view());
  if (std::string who = on_behalf_of(scene, run); !who.empty())
    heading += fmt::format(", on behalf of {}", who);
  return heading;
}

Text more_runs(const HopScene& scene, size_t left_out) {
  return scene.question.door.say("{}; --unfold shows all, --run ID shows one",
                                 plural(static_cast<int64_t>(left_out), "more run"));
}

Texts names_of(const HopScene& scene, std::span<const ActorId> actors) {
  Texts names;
  for (ActorId actor : actors) names.push_back(scene.actor(actor));
  return names;
}

namespace {

/// A run in which nobody calls anybody has no place in an answer about calls, unless there is
/// nothing else, or just that was asked for.
std::vector<const Run*> shown_runs(const HopScene& scene) {
  std::vector<const Run*> shown, all;
  for (const Run& run : scene.hops.runs) {
    auto is_shown = [&](HopId id) { return scene.selection.shows(id); };
    auto is_shown_call = [&](HopId id) { return is_shown(id) && scene.hops[id].is_call(); };
    if (!std::any_of(run.hops.begin(), run.hops.end(), is_shown)) continue;
    all.push_back(&run);
    if (std::any_of(run.hops.begin(), run.hops.end(), is_shown_call)) shown.push_back(&run);
  }
  return shown.empty() ? all : shown;
}

/// Outlines and drawings, one after another. Returns how many runs nothing tells of.
size_t show(const HopScene& scene, const std::vector<const Run*>& shown, bool unfold,
            const AddRun& add, Document& document) {
  RunGroups groups;
  std::vector<size_t> first;  // of each group that is shown: its first section
  const bool is_text = scene.question.face == Face::outline;
  const bool folds = !unfold && !scene.question.with_properties;  // whole graphs keep every run
  size_t left_out = 0;
  for (const Run* run : shown) {
    const size_t begin = document.sections().size();
    const size_t mark = scene.question.door.composed_so_far();
    std::string answer = add(scene, *run, document);
    const size_t known = groups.all().size();
    size_t place = groups.add(scene, *run, folds ? answer : std::string());
    bool is_new = place == known;
    if (is_new && (!is_text || !folds || place < kRunsShown)) {
      first.push_back(begin);
      continue;
    }
    document.cut(begin);
    scene.question.door.forget_composed(mark);
    left_out += is_new || place >= first.size();
  }
  for (size_t i = 0; i < first.size(); ++i) {
    const RunGroups::Group& group = groups.all()[i];
    if (!group.is_several()) continue;
    Section& section = document.section(first[i]);
    if (Outline* outline = std::get_if<Outline>(&section))
      outline->head.insert(outline->head.begin(), heading_of(scene, group));
    if (Drawing* drawing = std::get_if<Drawing>(&section)) drawing->title = title_of(scene, group);
  }
  return left_out;
}

/// As many as a page has room for.
void add_pictures(const HopScene& scene, const std::vector<const Run*>& shown, const AddRun& add,
                  Document& document) {
  Document all(document.view());
  const size_t untold = show(scene, shown, false, add, all);
  std::vector<Drawing> drawings;
  for (const Section& section : all.sections())
    if (const Drawing* drawing = std::get_if<Drawing>(&section)) drawings.push_back(*drawing);
  RunPictures pictures(std::move(drawings), scene.question.door);
  size_t left_out = untold + pictures.keep_page(kRunsShown, scene.question.direction);
  for (Drawing& drawing : pictures.drawings)
    if (!scene.question.in_order && !fits_page(blueprint_of(drawing), scene.question.direction))
      drawing = list_callees(drawing, scene.question.door);
  bool is_one = pictures.drawings.size() == 1;
  if (left_out > 0)
    pictures.drawings.back().note = more_runs(scene, left_out);
  else if (is_one && shown.size() > 1)  // its title would go unseen
    pictures.drawings.front().note = pictures.drawings.front().title;
  for (Drawing& drawing : pictures.drawings) document.add(std::move(drawing));
}

}  // namespace

/// Tables of one run stand at the top level, those of several in a list, so that a program sees
/// from the keys which it has. Pictures and trees follow one another.
Document answer_by_run(std::string_view view, std::string_view schema,
                       const std::shared_ptr<const HopScene>& scene, bool unfold,
                       const AddRun& add) {
  bool tables = scene->question.face == Face::tables;
  Document document(view);
  if (tables)
    add_preface(schema, scene->question, scene->names, scene->selection.hidden, document,
                Meanings::always, Covers::joined);
  std::vector<const Run*> shown = shown_runs(*scene);
  bool draws = scene->question.face == Face::drawing && !scene->question.with_properties;
  if (draws && !unfold) {
    add_pictures(*scene, shown, add, document);
    return document;
  }
  if (shown.size() == 1 || !tables) {
    const size_t left_out = show(*scene, shown, unfold, add, document);
    Outline last;
    if (left_out > 0) last.foot.push_back(more_runs(*scene, left_out));
    add_hidden(scene->selection.hidden, scene->row_word(), {}, scene->question.door, last.foot);
    if (scene->question.face == Face::outline && !last.foot.empty()) document.add(std::move(last));
    return document;
  }
  // One run after another, so that thousands need no more memory than one.
  auto groups = std::make_shared<RunGroups>();
  document.add(Group{"runs", [view, scene, add, shown, groups](const Group::Each& each) {
                       size_t mark = scene->question.door.composed_so_far();
                       RunGroups found;
                       for (const Run* run : shown) {
                         Document one(view);
                         found.add(*scene, *run, add(*scene, *run, one));
                         bool more = each(one);
                         scene->question.door.forget_composed(mark);
                         if (!more) return;  // somebody only looks at the first
                       }
                       *groups = std::move(found);
                     }});
  document.add(stream_of(scene, groups));
  return document;
}

Shape shape_of_runs() {
  static const std::vector<Section> kShape =
      shape_of_answer({Group{"runs", {}}, shape_of_groups()}, Meanings::always);
  return kShape;
}

}  // namespace xtrace
