#pragma once

#include "view/field.h"
#include "view/query_trace.h"

namespace xtrace {

/// Everything that an answer about one query is made from.
struct TraceScene {
  const Question& question;
  const QueryTrace& trace;
  const TraceLimits& limits;
  const Names& names;
  Shelf& shelf;
  std::vector<bool> shown;         ///< by node of the subgraph
  std::set<std::string> cited;     ///< ids of evidence
  std::set<std::string> withheld;  ///< ids of evidence that is beyond the clearance

  TraceScene(const Question& asked, const QueryTrace& of, const TraceLimits& within,
             const Names& called, Shelf& on);

  bool withholds(std::string_view sensitivity) const {
    return is_beyond(sensitivity, limits.clearance);
  }
  Text text(const std::string& name) const { return names.text(std::string_view(name)); }
  /// As people count: from 1.
  static int64_t order(size_t step) { return static_cast<int64_t>(step) + 1; }
  /// The step's own id: of its span or call.
  Text id(const Step& step) const;
  /// Which references of a step are shown: those the answer cites first, then those that a shown
  /// part of the subgraph was drawn from, then the others, each as they stand.
  std::vector<const EvidenceRef*> evidence_of(const Step& step) const;
  /// The ids of it that may be shown.
  Cell units(const std::vector<std::string>& evidence) const;
};

/// What limits, level and clearance leave out of an answer.
struct LeftOut {
  int64_t nodes = 0, edges = 0, evidence = 0, texts = 0, withheld = 0;
};
LeftOut left_out(const TraceScene& scene);

Table step_table(const TraceScene& scene);
Record subgraph_record(const TraceScene& scene);
Table citation_table(const TraceScene& scene);

// For the schema.
std::span<const Column> step_columns();
std::span<const Column> subgraph_columns();
std::span<const Column> citation_columns();

/// `2. LocalGraph`, with the service that did it, and who called whom.
std::string step_words(const TraceScene& scene, size_t at);
/// The model that answered, behind the one that was asked if that was another.
std::string model_words(const TraceScene& scene, const StepRecord& step);
/// `document D10 U77 p. 4 Backup`
std::string evidence_words(const TraceScene& scene, const EvidenceRef& evidence);

}  // namespace xtrace
