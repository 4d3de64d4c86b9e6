#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "base/time_range.h"
#include "facts/row_or_empty.h"
#include "link/activities/hop_path.h"
#include "view/common/filter.h"
#include "view/common/names.h"
#include "view/common/selection.h"
#include "view/common/selector.h"
#include "view/common/words.h"

namespace xtrace {

/// Everything that an answer about hops is made from.
struct HopScene {
  Question question;
  const Hops& hops;
  HopSelection selection;
  Names names;

  HopScene(const Question& asked, const Hops& of, HopSelection selected)
      : question(asked),
        hops(of),
        selection(std::move(selected)),
        names(asked.graph, asked.door),
        is_clean_(of.all.size()) {
    // In this order whatever is asked, so that replacements bear the same numbers in all answers.
    for (const Actor& one : hops.actors) names.text(one.id);
  }

  /// Is this row of Hops::edges shown?
  bool shows(const HopEdge& edge) const {
    return selection.edges[static_cast<size_t>(&edge - hops.edges.data())];
  }
  /// The causes of a hop, beside the first, to which an edge is shown.
  std::vector<HopId> more_causes_of(HopId hop) const {
    std::vector<HopId> causes;
    for (const HopEdge& edge : hops.more_edges_into(hop))
      if (shows(edge)) causes.push_back(edge.from);
    return causes;
  }
  /// The observation that stands for a hop; of one that a model call tells of, an empty one.
  const Span& span(const Hop& hop) const { return row_or_empty(question.graph.trace(), hop.span); }
  /// A name that stands in one row alone, such as an id.
  Text once(std::string_view name) const { return question.door.name_once(std::string(name)); }
  /// Unique among hops.
  Text name(HopId hop) const {
    return question.door.name_once(hops.name_of(question.graph.trace(), hop), is_clean_[hop.index]);
  }
  Text actor(ActorId actor) const { return actor ? names.text(hops[actor].id) : Text(); }
  Text name(const Meant& one) const { return one.actor ? actor(one.actor) : name(one.hop); }
  /// Returns the word for a row: span if every row is one, else hop.
  std::string_view row_word() const {
    const auto is_span = [](const Hop& hop) { return static_cast<bool>(hop.span); };
    return std::ranges::all_of(hops.all, is_span) ? "span" : "hop";
  }
  /// In words for people; whoever calls may not be on record.
  Text caller(ActorId from) const { return from ? actor(from) : Text(kNotOnRecord); }
  /// From the first start to the last end of all observations of what is shown of a run.
  TimeRange stretch_of(const Run& run) const;
  /// How many of these hops tried again what had failed; of what model calls tell: 0, as those are
  /// hops of an agent's run, not of its attempts.
  int64_t retries_among(std::span<const HopId> of) const;
  Text kind(StringId word) const { return names.text(hops.words[word]); }
  Text at(const Hop& hop) const { return names.at(hop.at); }

 private:
  mutable std::vector<uint8_t> is_clean_;  ///< by hop: see Door::name_once()
};

/// All of the runs of which any hop is shown: nothing else shows what it waited for. The scene has
/// to outlive it.
ShownHops whole_runs(const HopScene& scene);

/// The hops that each led to, those shown whose cause is shown.
using Effects = EdgeIndex<HopId>;
Effects effects_in(const HopScene& scene);

/// The scene of a question: the hops of model calls and of the spans that no call covers, and what
/// of them a filter shows. Streams of the answer go on looking at it.
Result<std::shared_ptr<HopScene>> hop_scene(const Question& question, const Filter& filter,
                                            HopLinks links);
/// The same of other hops of the graph.
Result<std::shared_ptr<HopScene>> scene_of(const Hops& hops, const Question& question,
                                           const Filter& filter, HopLinks links);

}  // namespace xtrace
