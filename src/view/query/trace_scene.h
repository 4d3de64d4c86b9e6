#pragma once

#include "redact/clearance.h"
#include "redact/withheld_texts.h"
#include "view/common/field.h"
#include "view/common/names.h"
#include "view/query/query_trace.h"

namespace xtrace {

/// How much of a trace is shown, and to whom.
struct TraceLimits {
  size_t nodes = SIZE_MAX;     ///< of the subgraph
  size_t evidence = SIZE_MAX;  ///< of each step
};

/// Everything that an answer about one query is made from.
struct TraceScene {
  const Question& question;
  const QueryTrace& trace;
  const TraceLimits& limits;
  const Names& names;
  CellArena& arena;
  std::vector<bool> shown;  ///< by node of the subgraph
  // Ids of evidence:
  std::set<std::string> cited;
  std::set<std::string> withheld;       ///< beyond the clearance
  WithheldTexts withheld_texts;         ///< what they say
  std::vector<bool> withheld_nodes;     ///< by node of the subgraph
  std::set<std::string_view> drawn_on;  ///< that a shown node was drawn from, if that matters

  TraceScene(const Question& asked, const QueryTrace& of, const TraceLimits& within,
             const Names& called, CellArena& on);

  bool withholds(std::string_view sensitivity) const {
    return question.door.clearance().withholds(sensitivity);
  }
  /// For its label, or as the trace that it was read from withheld it.
  bool withholds(const StepRecord& record) const {
    return record.is_withheld || withholds(record.sensitivity);
  }
  /// For its own label, or for that of a reference with one of its ids.
  bool withholds(const EvidenceRef& ref) const;
  /// For its own label, or as it was drawn from what is withheld alone.
  bool withholds_node(size_t node) const { return withheld_nodes[node]; }
  /// At level basic, what something is called may say what its label hides.
  bool shows_name(std::string_view sensitivity) const;
  /// A text without what is withheld elsewhere.
  std::string shown_text(const std::string& said) const { return withheld_texts.show(said); }
  /// Does a text quote what is withheld?
  bool is_copy(const std::string& text) const;
  /// The id of a node, or a stand-in for one that is withheld.
  Text node_id(size_t node) const;
  /// Of the query; where none is named, the one that is called default.
  Text project() const;
  Text text(const std::string& name) const { return names.text(std::string_view(name)); }
  /// As people count: from 1.
  static int64_t order(size_t step) { return static_cast<int64_t>(step) + 1; }
  Cell orders(const std::vector<size_t>& steps) const;
  /// The step's own id: of its span or call.
  Text id(const Step& step) const;
  /// Which references of a step are shown: those the answer cites first, then those that a shown
  /// part of the subgraph was drawn from, then the others, each in recorded order.
  std::vector<const EvidenceRef*> evidence_of(const Step& step) const;
  /// How many of them are not.
  int64_t evidence_omitted(const Step& step) const {
    size_t all = step.record.evidence.size();
    return static_cast<int64_t>(all - std::min(all, limits.evidence)) +
           step.record.omitted.evidence;
  }
  /// The ids of it that may be shown.
  Cell units(const std::vector<std::string>& evidence) const;

 private:
  void find_withheld_nodes();
  void find_withheld_texts();
};

/// What limits, level and clearance leave out of an answer.
struct LeftOut {
  int64_t nodes = 0, edges = 0, evidence = 0, texts = 0, withheld = 0;
  int64_t copies = 0;  ///< texts with passages of what is withheld
};
LeftOut left_out(const TraceScene& scene);

/// `2. LocalGraph`; the service that did it, where the step around it was another's; which tools a
/// call asked for; who called whom.
std::vector<std::string> step_words(const TraceScene& scene, size_t at);
/// The model that answered, behind the one that was asked if that was another.
std::string model_words(const TraceScene& scene, const Step& step);
/// `document D10 U77 p. 4 Backup`
std::string evidence_words(const TraceScene& scene, const EvidenceRef& evidence);

}  // namespace xtrace
