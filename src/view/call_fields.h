#pragma once

#include "view/field.h"
#include "view/metrics.h"
#include "view/names.h"

namespace xtrace {

/// Everything that the parts of a `dag` answer are made from.
struct Scene {
  const Question& question;
  const Graph& graph;
  const Selection& selection;
  const Metrics& metrics;
  Names& names;
  Document& document;

  const Timeline& timeline() const { return graph.timeline(); }
  std::span<const Link> links() const { return graph.links(); }
};

struct CallRow {
  const Scene& scene;
  EventId id;
  const Event& event;
  const Call& call;
  Payloads::Of payload;
};

/// The fields of a model call, design 001's workflow node.
std::span<const Field<CallRow>> call_fields();
std::span<const Column> call_columns();

}  // namespace xtrace
