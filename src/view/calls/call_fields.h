#pragma once

#include "link/activities/critical_path.h"
#include "link/activities/waited.h"
#include "view/calls/metrics.h"
#include "view/calls/spending.h"
#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/use_words.h"

namespace xtrace {

/// Everything that the parts of a `dag` answer are made from.
struct CallScene {
  Question question;
  const Graph& graph;
  Selection selection;
  Metrics metrics;
  Names names;
  CellArena& arena;  ///< for the tables of the answer; a row of a stream has its own
  Spending spending{};

  const Timeline& timeline() const { return graph.timeline(); }
  std::span<const Link> links() const { return graph.links(); }
  /// What is shown of the graph, as link/ takes it. The scene stays where it is meanwhile.
  ShownCalls shown_calls() const {
    return {[this](CallId id) { return selection.shows(id); }, selection.links};
  }
};

struct CallRow {
  const CallScene& scene;
  CallId id;
  const Call& call;
  Excerpt payload;
  CellArena& arena;
  Instructions instructions{};  ///< where they are not those of a call before
  Waited waited{};
  ErrorWords* errors = nullptr;  ///< nullptr: texts of errors are not asked for
  std::vector<Quote> added{};    ///< what it adds to the conversation; empty below level full

  RecordPlace place() const { return scene.names.place(call.source); }
  const Usage& in_all() const { return scene.spending.in_all(id); }
};

/// The fields of a model call, a node of the graph of calls.
std::span<const Field<CallRow>> call_fields();
std::span<const Column> call_columns();

}  // namespace xtrace
