#pragma once

#include "view/field.h"
#include "view/filter.h"
#include "view/names.h"

namespace xtrace {

/// The hops that an answer is about: those of the spans, or where there are model calls, theirs.
std::shared_ptr<const Hops> hops_of(const Graph& graph);

/// Everything that an answer about hops is made from.
struct HopScene {
  Question question;
  std::shared_ptr<const Hops> all;
  const Hops& hops;
  HopSelection selection;
  Names names;

  HopScene(const Question& asked, std::shared_ptr<const Hops> of, HopSelection selected)
      : question(asked),
        all(std::move(of)),
        hops(*all),
        selection(std::move(selected)),
        names(asked.graph, asked.door) {}

  /// The observation that stands for a hop; of one that a model call tells of, an empty one.
  const Span& span(const Hop& hop) const {
    static const Span kNone;
    return hop.span ? question.graph.trace()[hop.span] : kNone;
  }
  /// Unique among hops.
  Text name(HopId hop) const {
    return question.door.name_once(hops.name_of(question.graph.trace(), hop));
  }
  Text actor(ActorId actor) const { return actor ? names.text(hops[actor].id) : Text(); }
  Text at(const Hop& hop) const { return hop.span ? names.at_offset(hop.at) : names.at(hop.at); }
};

struct HopRow {
  const HopScene& scene;
  HopId id;
  const Hop& hop;
  std::span<const HopId> effects;
  Shelf& shelf;
};

/// The fields of a span or hop as a node of `dag --view calls`.
std::span<const Field<HopRow>> hop_fields();
std::span<const Column> hop_columns();
/// The fields of the edge from its cause to it.
std::span<const Field<HopRow>> cause_fields();
std::span<const Column> cause_columns();

}  // namespace xtrace
