#pragma once

#include "base/id.h"
#include "base/time.h"
#include "facts/call.h"
#include "facts/converted.h"
#include "facts/record.h"
#include "facts/token_rule.h"
#include "facts/tool_error.h"

namespace xtrace {

enum class SpanKind : uint8_t { unknown, internal, client, server, producer, consumer };

/// Which part of a piece of work a record states if there are several, each with what was known
/// then. All are `whole` once everything is read (spans/join_span_parts.h).
enum class SpanPart : uint8_t {
  whole,
  begun,  ///< that it is there, and what it is
  more,   ///< what was known later; with a start it may be all of it
  ended,  ///< likewise, but without a beginning: its start is when it ended
};

/// What a span records about an agent, a tool or a model, in the words of OpenTelemetry's GenAI
/// conventions and of others like them. nowhere: not given.
struct GenAi {
  enum class Role : uint8_t {
    other,
    agent,      ///< it is the run of an agent
    tool,       ///< it is the run of a tool
    model,      ///< it asks a model
    retrieval,  ///< it looks something up
  };
  StringId agent;      ///< that is run, or by which this is done
  StringId caller;     ///< the agent that handed over to it
  StringId tool;       ///< its name
  StringId tool_call;  ///< the id that the model gave to this use of it
  StringId hands_to;   ///< the agent to which this use of a tool hands the conversation over
  StringId model;      ///< that answered; else that was asked
  StringId provider;   ///< who the log says sells it
  StringId searched;   ///< where it is looked up
  Tokens tokens;
  int64_t cost = kNoCount;           ///< in billionths of a dollar
  int64_t context_limit = kNoCount;  ///< how many tokens the log says fit into the model's window
  Role role = Role::other;
  uint16_t retries = 0;  ///< earlier attempts that failed, of which it records nothing else
  TokenRule token_rule = TokenRule::none;  ///< by which its tokens were counted
  bool output_is_low = false;  ///< it says that it put out and cost more (Call::output_is_low)
  // Of one that failed:
  ToolError tool_error = ToolError::none;  ///< of a tool, by what is said of it
  StringId error;  ///< the class of the error, never its text: `rate_limit_error`, `http_429`
};

struct SpanParent;

/// One observation of a piece of work, as a tracing system or a proxy beside a service made it. All
/// names are as the log has them; nowhere: not given.
struct Span {
  Time start = kNoTime;
  Duration duration = kNoDuration;
  Extent source;
  StringId id;     ///< as the record names itself; leading zeros do not count
  StringId trace;  ///< the trace it was reported in, likewise
  StringId service;
  StringId operation;
  // Who called whom, in the words of the Trust DAG (`trust.*` tags; link/hops/hops.h):
  StringId from, to;
  StringId hop_kind;
  StringId run;
  StringId session;  ///< the conversation that it says it is part of
  StringId principal;
  StringId route;  ///< which operation of the target was called, if that distinguishes calls
  StringId peer;   ///< what a client span talks to: a service, a database, a host
  // Of the question it helps to answer (facts/step.h), where the log names that:
  StringId query;
  StringId project;
  uint32_t first_parent = 0, parents = 0;  ///< in Trace::span_parents
  GenAiId gen_ai;                          ///< if it records any such thing
  TaskStepId task_step;                    ///< likewise
  ConvertedHopId converted;                ///< if the log was made of an answer of ours
  StringId own_id;                         ///< then, what its own log called it; nowhere: `id`
  SpanKind kind = SpanKind::unknown;
  Outcome outcome = Outcome::unknown;
  bool inbound = false;      ///< seen by the side that was called
  bool is_of_query = false;  ///< the record describes a query as a whole, and no work
  SpanPart part = SpanPart::whole;

  /// The id that users know.
  StringId shown_id() const { return own_id ? own_id : id; }
};

/// A span that another one says it belongs to.
struct SpanParent {
  StringId span;
  StringId trace;
  bool follows = false;  ///< it only comes after it (FOLLOWS_FROM)
  // Of a converted hop:
  bool is_alternative = false;  ///< it could have been this one
  float confidence = 1;
};

/// What a log or a measurement records about a span, in addition to the span itself.
struct SpanDetail {
  enum class Kind : uint8_t { log_record, exemplar };
  Extent source;
  StringId span;
  StringId trace;
  Time time = kNoTime;
  Kind kind = Kind::log_record;
};

}  // namespace xtrace
