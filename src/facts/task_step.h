#pragma once

#include "base/id.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

// What records say of themselves in the words of ExplanationGraph, beside what every span or call
// has. The words of ExplanationGraph: nodes have a `type` (`LLM_CALL`, `TEST_RUN`, …), a `status`
// and `details` (`ruleId`, `coverage`, …), edges have a `relation` (`NEXT_STEP`, `TRIGGERED`, …).
// Clients draw the graph by these words, so none of them is renamed.

/// Something that is said of a step under a key of `details`: `ruleId`, `coverage`.
struct Remark {
  enum class Kind : uint8_t { name, payload, number };
  std::string_view key;  ///< a word of ours
  StringId text;         ///< of a name, or of payload
  double number = 0;
  Kind kind = Kind::name;
};

/// What a span, an event or a model call is in the story of a task. nowhere: not given.
struct TaskStep {
  /// In the order of kStepTypeWords (link/story/story.h).
  enum class Type : uint8_t {
    llm_call,
    static_analysis,
    test_run,
    model_switch,
    reflexion_action,
    user_query,
    other
  };
  Type type = Type::other;
  StringId request;    ///< the model call that it is, or records
  StringId span;       ///< of a call: the span that observed it
  StringId parent;     ///< of a call: the span it was made in
  StringId trace;      ///< of a call: that span's
  StringId task;       ///< which belongs to
  StringId trigger;    ///< what set it off: the id of a span, a call or an event
  StringId component;  ///< that did it: `coder-agent`
  StringId status;     ///< its own word for how it ended: `FOUND_VULNERABILITY`
  uint32_t first_remark = 0, remarks = 0;  ///< in Trace::remarks
  bool is_event = false;                   ///< a moment, recorded by a stream of events
  bool is_graph_node = false;  ///< a node of an input that is a graph (facts/graph_edge.h)
  bool is_adapter = false;     ///< asks a model for others, and logs what it asks
};

}  // namespace xtrace
