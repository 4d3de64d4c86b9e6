#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "link/graph/queries.h"
#include "link/reach/step_graph.h"
#include "view/calls/call_fields.h"
#include "view/common/filter.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// What of the input `impact` looks at, which is what `dag --view calls` shows: calls with their
/// tool uses, or hops.
class ImpactScene {
 public:
  /// Streams of the answer go on looking at it, and at the arena of the document. `query`: only
  /// what is of it; nullptr: everything.
  static Result<std::shared_ptr<const ImpactScene>> make(const Question& question,
                                                         const Filter& filter, CellArena& arena,
                                                         const Query* query = nullptr);

  const Question& question() const { return question_; }
  const Graph& graph() const { return question_.graph; }
  const Trace& trace() const { return question_.graph.trace(); }
  Door& door() const { return question_.door; }
  /// One of the two is there.
  const CallScene* calls() const { return calls_.get(); }
  const HopScene* hops() const { return hops_.get(); }
  const Names& names() const { return calls_ ? calls_->names : hops_->names; }
  const Hidden& hidden() const {
    return calls_ ? calls_->selection.hidden : hops_->selection.hidden;
  }
  /// Only what is of it is in the graph; nullptr: everything is.
  const Query* query() const { return query_; }
  const StepGraph& graph_of_steps() const { return steps_; }
  const CauseGraph& causes() const { return steps_.causes; }
  std::span<const GraphStep> steps() const { return steps_.steps; }
  const GraphStep& step(uint32_t node) const { return steps_.steps[node]; }

  /// Unique: the id of a call, a hop or a tool use; behind its call's, where several calls have
  /// that tool use.
  Text id(uint32_t node) const;
  /// The same as the log has it.
  std::string recorded_id(uint32_t node) const;
  /// The id of the call that asked for a tool; of all others its own.
  Text owner(uint32_t node) const;
  /// call, tool_use, hop or span.
  std::string_view kind(uint32_t node) const;
  const Extent& place(uint32_t node) const;
  Text at(uint32_t node) const { return names().at(place(node)); }
  Text shown_at(uint32_t node) const { return names().shown_at(place(node)); }
  Text agent(uint32_t node) const;
  /// The tool, the tools that a call asks for, or the operation of a span; empty: none.
  Text name(uint32_t node) const;
  /// `main: Read src/a.cpp`, for people.
  Text words(uint32_t node) const;
  /// The reply of a call or span, or the arguments of a tool, at level full; empty at basic.
  Text text(uint32_t node) const;
  Moment start(uint32_t node) const;
  bool has_failed(uint32_t node) const;
  /// The session or the run, as a number that distinguishes it from others.
  uint32_t session(uint32_t node) const;

 private:
  ImpactScene(const Question& question, const Query* query) : question_(question), query_(query) {}
  void count_owners();
  /// `Read src/a.cpp`
  Text used(const GraphStep& step) const;

  Question question_;
  const Query* query_;
  std::shared_ptr<const CallScene> calls_;
  std::shared_ptr<const HopScene> hops_;
  StepGraph steps_;
  std::unordered_map<uint32_t, uint32_t> owners_;  ///< by the id of a tool use: calls that have it
};

}  // namespace xtrace
