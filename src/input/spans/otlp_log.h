#pragma once

#include <string_view>

#include "facts/record.h"
#include "input/spans/agent_telemetry.h"
#include "input/spans/span_tags.h"

namespace xtrace {

struct Draft;
struct RecordContext;
class Shard;

/// A log record of OTLP, as far as it may tell of an agent's machinery (agent_events.h) or of a
/// model's thinking (thought_log.cpp).
struct OtlpLog {
  std::string_view word;  ///< `eventName`, `event.name`, or a body of one word
  std::string_view text;  ///< the body
  Time time = kNoTime;
  StringId span, trace;
  SpanTags tags;
  AgentRecord agent;  ///< itself, as an agent may have written it

  OtlpLog(json::element record, const SpanTags* resource, std::string_view scope, Shard& shard);
  /// Does it name a request and say something of it?
  bool may_be_thought() const;
  /// Does it say that this is a request to a model? Servers name requests of other kinds.
  bool is_of_model() const;
};

/// A model's thinking, told by a log record.
void add_thought(const OtlpLog& log, const Extent& place, RecordContext& context);
/// What was thought there.
void read_otlp_thought(json::element record, Draft& said);

/// A key of OTLP as its JSON has it: `resourceSpans`, also where a library writes it as the
/// protocol's own files do, `resource_spans`.
std::string_view otlp_key(std::string_view key);

}  // namespace xtrace
