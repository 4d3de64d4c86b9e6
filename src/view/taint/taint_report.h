#pragma once

#include <map>
#include <string>

#include "view/calls/call_fields.h"
#include "view/taint/taint_findings.h"

namespace xtrace {

/// What the faces of an answer of `taint` are made from.
struct TaintReport {
  const CallScene& scene;
  const ToolRules& tools;
  const TaintRules& rules;
  const TaintOptions& options;
  const TaintFindings& found;
  std::map<uint64_t, int64_t> numbers{};  ///< of things, by their keys: counted by kind

  TaintReport(const CallScene& of, const ToolRules& tool_rules, const TaintRules& given,
              const TaintOptions& chosen, const TaintFindings& findings);

  Door& door() const { return scene.question.door; }
  const Trace& trace() const { return scene.graph.trace(); }

  /// The id of a tool use, or of the call.
  Text id(const TaintStep& step) const;
  /// The name of the tool; empty: it is a call.
  Text tool(const TaintStep& step) const;
  /// `[url:1]`, by which equal things can be recognized; at level full the thing itself.
  Text value(const TaintEvidence& evidence) const;
  /// A name of a program, else `*`: a model can write anything as a name.
  Text argument(const TaintFlow& flow) const;
  /// Entries of OWASP's list for agents that are about such a flow: `ASI01`.
  Texts risks(const TaintFlow& flow) const;
};

/// `3 results not in the log`; empty: nothing is known to be missing.
std::string lost_words(const TaintLost& lost);

/// What no answer can find; every answer lists it.
std::string not_seen_words(const TaintOptions& options);

void add_tables(const TaintReport& report, Document& document);
std::vector<Section> taint_sections();
Outline taint_outline(const TaintReport& report);
Drawing taint_picture(const TaintReport& report);
std::shared_ptr<const Verdicts> taint_verdicts(const TaintReport& report);

}  // namespace xtrace
