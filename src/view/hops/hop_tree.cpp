#include "view/hops/hop_tree.h"

#include <fmt/format.h>

#include "view/calls/costs.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/hop_words.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

/// More of a run than this is more than anyone reads; the rest is counted.
constexpr size_t kHopsShown = 200;

class Tree {
 public:
  Tree(const HopScene& scene, bool unfold)
      : scene_(scene), unfold_(unfold), effects_(effects_in(scene)) {}

  Outline draw() {
    outline_.columns = {
        {"start", false, false, 2},  {"what", false, true},    {"model", false, false, 3},
        {"in", Role::input, 4},      {"out", Role::output, 5}, {"cost", Role::cost},
        {"took", Role::duration},    {"confidence", true},     {"", false},
        {"at", true, false, 1, true}};
    size_t runs = 0, left_out = 0;
    for (const Run& run : scene_.hops.runs) {
      size_t shown = 0;
      for (HopId id : run.hops) shown += scene_.selection.shows(id);
      if (shown == 0) continue;
      if (++runs > kRunsShown && !unfold_)
        ++left_out;
      else
        add_run(run, shown);
    }
    add_foot(left_out);
    return std::move(outline_);
  }

 private:
  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }

  void add_run(const Run& run, size_t shown) {
    TimeRange time = scene_.stretch_of(run);
    std::string title = fmt::format("run {}", scene_.names.text(run.id).view());
    if (time.start != kNoTime) title += " " + scene_.question.door.zone().day(time.start);
    title += "  " + plural(static_cast<int64_t>(shown), "span");
    add(0, Tone::heading, time.start, composed(std::move(title)), elapsed(time.start, time.end));
    left_ = unfold_ ? SIZE_MAX : kHopsShown;
    size_t before = outline_.lines.size();
    for (HopId id : run.hops)
      if (scene_.selection.shows(id) && !stands_below_cause(id)) add_hop(1, id);
    size_t drawn = outline_.lines.size() - before;
    if (drawn < shown)
      add(1, Tone::quiet, kNoTime,
          scene_.question.door.say("⋯ {} more; --unfold shows each",
                                   plural(static_cast<int64_t>(shown - drawn), "span")));
  }

  /// What led to it may belong to another run, as where a span only follows it.
  bool stands_below_cause(HopId id) const {
    const Hop& hop = scene_.hops[id];
    return scene_.selection.shows_cause_of(id) && scene_.hops[hop.cause].run == hop.run;
  }

  /// Depth first, without recursion: a chain may be as long as the input.
  void add_hop(uint32_t depth, HopId root) {
    std::vector<std::pair<HopId, uint32_t>> open = {{root, depth}};
    while (!open.empty()) {
      auto [id, level] = open.back();
      open.pop_back();
      if (left_ == 0) return;
      --left_;
      add_line(level, id);
      std::span<const HopId> effects = effects_.of(id.index);
      for (size_t i = effects.size(); i-- > 0;)
        if (stands_below_cause(effects[i])) open.emplace_back(effects[i], level + 1);
    }
  }

  void add_line(uint32_t depth, HopId id) {
    const Hop& hop = scene_.hops[id];
    Door::At at(scene_.question.door, scene_.names.place(hop.at));
    bool found = hop.cause && !is_recorded(hop);
    Text sure = found ? scene_.question.door.say("{:.2f}", hop.confidence) : Text();
    std::string note(note_of(hop.outcome));
    if (hop.observations > 1) note = join_notes(std::move(note), "observed twice");
    if (hop.cause && !scene_.selection.shows_cause_of(id))
      note = join_notes(std::move(note), hidden_cause(hop));
    else if (hop.missing_parent || (!hop.cause && scene_.span(hop).parents > 0))
      note = join_notes(std::move(note), "parent missing");
    else if (scene_.hops.lacks_cause(hop))
      note = join_notes(std::move(note), "cause unknown");
    Tone tone = hop.outcome == Outcome::error ? Tone::error : !hop.to ? Tone::quiet : Tone::plain;
    if (scene_.selection.shows_cause_of(id) && !stands_below_cause(id))
      note = join_notes(std::move(note), "cause in another run");
    if (const std::vector<HopId> more = scene_.more_causes_of(id); !more.empty())
      note = join_notes(std::move(note), also_after(more, scene_.at(hop)));
    if (starts_before_cause(scene_.hops, hop))
      note = join_notes(std::move(note), "starts before its cause");
    const Usage used = usage_at(scene_, id);
    add(depth, tone, hop.start, what_it_was(scene_, id), hop.duration, told_by(scene_, hop).model,
        used, sure, composed(std::move(note)), scene_.at(hop));
  }

  /// `also caused by @180, @376 and 3 more`: by the places in the last column, where `own` stands.
  std::string also_after(const std::vector<HopId>& causes, const Text& own) const {
    constexpr size_t kNamed = 2;
    const size_t named = causes.size() <= kNamed + 1 ? causes.size() : kNamed;
    const std::string_view file = own.view().substr(0, own.view().find_last_of("@:"));
    std::string note = "also caused by ";
    for (size_t i = 0; i < named; ++i) {
      const Text at = scene_.at(scene_.hops[causes[i]]);
      std::string_view place = at.view();
      if (place.substr(0, place.find_last_of("@:")) == file) place.remove_prefix(file.size());
      note += fmt::format("{}{}", i == 0 ? "" : ", ", place);
    }
    if (named < causes.size()) note += fmt::format(" and {} more", causes.size() - named);
    return note;
  }

  std::string hidden_cause(const Hop& hop) const {
    double least = scene_.selection.min_confidence;
    return scene_.selection.shows(hop.cause) && thousandths(hop.confidence) < least
               ? fmt::format("cause below confidence {}", least)
               : "cause hidden";
  }

  void add(uint32_t depth, Tone tone, Time start, Text what, Duration took = kNoDuration,
           StringId model = {}, const Usage& used = {}, Text sure = {}, Text note = {},
           Text at = {}) {
    Cell when = start == kNoTime ? Cell() : Cell(Moment{start, 6});
    outline_.lines.push_back({depth,
                              tone,
                              {when, what, known(scene_.names.text(model)),
                               known(tokens_sent(used.tokens)), known(used.tokens.output),
                               cost_cell(used), known(took), known(sure), known(note), known(at)}});
  }

  void add_foot(size_t left_out) {
    if (left_out > 0) outline_.foot.push_back(more_runs(scene_, left_out));
    CellArena arena;
    if (Text line = costs_line(scene_, unplaced_in(scene_), arena); !line.empty())
      outline_.foot.push_back(line);
    add_hidden(scene_.selection.hidden, "span", "cause", scene_.question.door, outline_.foot);
    int64_t found = 0;
    for (size_t i = 0; i < scene_.hops.all.size(); ++i)
      found += scene_.selection.shows_cause_of(HopId(i)) && !is_recorded(scene_.hops.all[i]);
    if (found > 0)
      outline_.foot.push_back(
          scene_.question.door.say("{} inferred from times, not recorded", plural(found, "cause")));
  }

  const HopScene& scene_;
  bool unfold_;
  Effects effects_;
  Outline outline_;
  size_t left_ = 0;
};

}  // namespace

Outline hop_tree(const HopScene& scene, bool unfold) {
  return Tree(scene, unfold).draw();
}

}  // namespace xtrace
