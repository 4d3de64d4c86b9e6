#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

// What a step of a query left on record. The words of a query trace: a question (`queryId`) is
// answered in steps, each run by a `node` of a pipeline with `params`, `metrics`, the
// `evidenceRefs` it used and the `subgraph` it visited.
//
// A step is read again from its place when a trace is made of its query; nothing of it is kept
// while logs are read, and nothing of it has passed the Door.

/// `"k": 8`. A text, a list or an object is kept as it was written: it is payload.
struct Parameter {
  std::string name;
  std::variant<bool, int64_t, double, std::string> value;

  bool operator==(const Parameter&) const = default;
};

/// What a tool is given by the answer that asks for it: payload.
struct ToolArguments {
  std::string tool_use;  ///< the id of the use; empty: it has none
  std::string json;

  bool operator==(const ToolArguments&) const = default;
};
/// Of the nth use of the answer, if it has this id or there is none; else of the first that has it;
/// empty: not on record.
std::string_view arguments_of(const std::vector<ToolArguments>& given, std::string_view tool_use,
                              size_t nth);

/// A passage, document, recording or community that a step rests on, or that an answer cites.
struct EvidenceRef {
  std::string id;  ///< the mark in the text that cites it, if there is one
  std::string type, doc_id, unit_id, community_id, heading, time_range, url;
  std::string tool;         ///< that brought it
  std::string text;         ///< what it says: payload
  std::string sensitivity;  ///< its label
  std::string stated;       ///< its label by all that states one, which only a clearance heeds
  int64_t page = kNoCount;
  std::optional<double> score;
  bool is_error = false;     ///< what came was an error
  bool is_open = false;      ///< the tool went on in the background, and no end is on record
  bool is_withheld = false;  ///< by the trace that it was read from

  bool operator==(const EvidenceRef&) const = default;
};

/// A node of the graph that was queried, as a step visited it.
struct VisitedNode {
  std::string id, label, type, name;
  std::string text;  ///< payload
  std::string sensitivity, stated;
  bool is_withheld = false;           ///< by the trace that it was read from
  std::vector<std::string> evidence;  ///< units it was drawn from
  std::vector<int64_t>
      steps;  ///< that visited it, if a document around them records it: their order

  bool operator==(const VisitedNode&) const = default;
};

struct VisitedEdge {
  std::string from, to, type;
  std::vector<std::string> evidence;
  std::vector<int64_t> steps;

  bool operator==(const VisitedEdge&) const = default;
};

/// What a log record or a measurement records about a step.
struct StepDetail {
  Moment time;
  std::string kind;      ///< log_record or exemplar
  std::string severity;  ///< as the log has it
  std::string name;      ///< of what was measured
  std::string text;      ///< what it says: payload
  std::optional<double> value;
  Extent at;

  bool operator==(const StepDetail& other) const {
    return text == other.text && name == other.name && time == other.time;
  }
};

/// How many things a stored trace left out of a step, or of the query as a whole.
struct Omitted {
  int64_t nodes = 0, edges = 0, evidence = 0, texts = 0;
  int64_t copies = 0;  ///< texts that quote what was withheld

  bool operator==(const Omitted&) const = default;
};

/// What a step states of itself beside what its Span and the GenAi row of that hold.
struct StepRecord {
  Moment start;  ///< as precise as it was written down
  std::string mode, graph_version, snapshot_ref;
  std::string kind;  ///< chat, retriever, execute_tool, …: the convention's own word
  std::string agent, tool, tool_call;  ///< of a step event; else those of the GenAi row
  std::string error, sensitivity, stated;
  std::string asked_model;     ///< another one may have answered
  int64_t order = kNoCount;    ///< place that the log itself gives it
  int64_t attempt = kNoCount;  ///< 1: the first
  std::vector<Parameter> params;
  std::string inputs, outputs;                ///< payload
  std::vector<std::string> targets;           ///< of a tool, what its inputs say it works on
  std::vector<ToolArguments> tool_arguments;  ///< of the tools that a call asks for
  std::vector<EvidenceRef> evidence, citations;
  std::vector<VisitedNode> nodes;
  std::vector<VisitedEdge> edges;
  std::vector<StepDetail> details;
  Omitted omitted;
  bool is_withheld = false;  ///< by the trace that it was read from
  bool is_retold = false;    ///< by a document about the query: its log may record it, too

  bool operator==(const StepRecord&) const = default;
};

}  // namespace xtrace
