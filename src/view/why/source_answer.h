#pragma once

#include <map>
#include <vector>

#include "view/hops/hop_scene.h"
#include "view/why/line_writers.h"

namespace xtrace {

/// Lines in a row that the same edit wrote, or that nothing explains.
struct SourceRange {
  size_t first, last;     ///< from 0
  LineWriter writer;      ///< of its lines; the evidence is that of the least sure one
  double confidence = 0;  ///< the mean over its lines that are not blank: the share that it wrote
};

struct SourceCounts {
  int64_t lines = 0, explained = 0, blank = 0, unexplained = 0, context = 0;
  int64_t edits = 0;  ///< that wrote lines which are still there
};

/// What an answer about a file is made of.
class SourceAnswer {
 public:
  SourceAnswer(const HopScene& scene, const SourceFile& file, const AgentTraces* traces,
               LineWriters writers);

  const SourceCounts& counts() const { return counts_; }
  const LineWriters& writers() const { return writers_; }
  const AgentTraces* traces() const { return traces_; }
  const std::vector<SourceRange>& ranges() const { return ranges_; }
  const HopScene& scene() const { return scene_; }

  Text path() const { return door_.name(file_.path); }
  Text question() const { return door_.say("Which edits wrote {}?", path().view()); }
  const RecordedEdit* edit_of(const LineWriter& writer) const {
    return writer.edit == LineWriter::kNone ? nullptr : &writers_.edits[writer.edit];
  }
  const TraceClaim* claim_of(const LineWriter& writer) const {
    return writer.claim == LineWriter::kNone ? nullptr : &writers_.claims[writer.claim];
  }
  /// Of the edit, else of the record; empty: it is not known.
  Text session(const LineWriter& writer) const;
  Text agent(const RecordedEdit& edit) const { return names_.agent(graph_.agent_of(edit.call)); }
  bool is_subagent(const RecordedEdit& edit) const { return graph_.agent_of(edit.call).spawned; }
  uint32_t turn(const RecordedEdit& edit) const {
    return graph_.call_turns()[edit.call.index].number;
  }
  /// What the user said in the turn of an edit: all of it at level full, else as many first words
  /// as `most` where these may be seen. Empty where the log has no words by a user.
  Text prompt(const RecordedEdit& edit, size_t most) const;
  /// Where the record of a claim is.
  Text record(const TraceClaim& claim) const;

 private:
  CallId beginning_of_turn(CallId call) const;

  const HopScene& scene_;
  const Graph& graph_;
  Door& door_;
  const Names& names_;
  const SourceFile& file_;
  const AgentTraces* traces_;
  LineWriters writers_;
  std::vector<SourceRange> ranges_;
  SourceCounts counts_;
  /// By conversation, the call that each turn begins with.
  mutable std::map<uint32_t, std::map<uint32_t, CallId>> beginnings_;
};

/// The sections of the answer.
void add_source_tables(const SourceAnswer& answer, Document& document);
std::vector<Section> shape_of_source_tables();

}  // namespace xtrace
