#pragma once

#include <string_view>

#include "facts/record.h"
#include "input/common/shard.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// A log record of OpenTelemetry, as far as a coding agent may tell in it what it did.
struct AgentRecord {
  std::string_view names[3];  ///< what may name its event: `eventName`, `event.name`, the body
  std::string_view scope;     ///< the library that wrote it
  const SpanTags* resource = nullptr;
  json::element attributes;
  bool has_attributes = false;
  Time time = kNoTime;
  StringId span, trace;  ///< in which it was written
  Extent at;
};

/// Is it an agent's?
bool is_of_agent(const AgentRecord& record);
/// Is it the name of a span that such a record became? Those of an agent's traces have others.
bool is_of_agent_log(std::string_view operation);
/// Reads such a record: a call of a model or a run of a tool becomes a span. False: it tells of
/// neither, or another record tells the same.
bool add_agent_record(const AgentRecord& record, Shard& shard);

}  // namespace xtrace
