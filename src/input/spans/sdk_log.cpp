#include "input/spans/sdk_log.h"

#include "base/one_of.h"
#include "input/common/moments.h"
#include "input/common/shard.h"
#include "input/spans/agent_telemetry.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_tags.h"

namespace xtrace {

Time read_sdk_time(json::element value) {
  constexpr int64_t kSecond = 1'000'000'000;
  Duration seconds = kNoDuration, rest = kNoDuration;
  if (json::is_array(value)) {
    json::items(value, [&](json::element part) {
      if (seconds == kNoDuration)
        read_units(part, kSecond, seconds);
      else
        read_units(part, 1, rest);
    });
    bool whole = seconds > Duration{0} && rest >= Duration{0};
    return whole ? Time(plus(seconds, rest)) : kNoTime;
  }
  if (value.is_null()) return kNoTime;
  return instant_of(value);
}

void read_sdk_resource(json::element resource, SpanTags& tags) {
  bool is_wrapped = false;
  json::fields(resource, [&](std::string_view key, json::element value) {
    if (!is_one_of(key, {"attributes", "_attributes", "_syncAttributes", "_rawAttributes"})) return;
    is_wrapped = true;
    tags.read(value);
  });
  if (!is_wrapped) tags.read(resource);
}

bool is_sdk_log(json::element record) {
  bool has_time = false, has_ids = false, has_attributes = false, has_body = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_time |= key == "hrTime";
    has_ids |= (key == "spanId" || key == "span_id") && json::is_string(value);
    has_attributes |= key == "attributes" && json::is_object(value);
    has_body |= key == "body" || key == "_body";
  });
  return has_attributes && (has_time || (has_ids && has_body));
}

void read_sdk_log(json::element record, const Extent& at, Shard& shard) {
  SpanTags resource;
  AgentRecord told;
  told.at = at;
  told.resource = &resource;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "hrTime" || (key == "timestamp" && told.time == kNoTime))
      told.time = read_sdk_time(value);
    else if (key == "spanId" || key == "span_id")
      told.span = intern_span_id(json::text(value), shard);
    else if (key == "traceId" || key == "trace_id")
      told.trace = intern_span_id(json::text(value), shard);
    else if (key == "eventName" || key == "event_name")
      told.names[0] = json::text(value);
    else if (key == "body" || key == "_body")
      told.names[2] = json::text(value);
    else if (key == "instrumentationScope")
      told.scope = json::text_at(value, "name");
    else if (key == "resource")
      read_sdk_resource(value, resource);
    else if (key == "attributes")
      told.attributes = value, told.has_attributes = true,
      told.names[1] = json::text_at(value, "event.name");
  });
  if (!is_of_agent(told))
    return shard.complain(Complaint::Kind::unknown_record, at,
                          "a log record that is neither a model call nor a tool execution");
  if (!add_agent_record(told, shard)) shard.count_records(1);
}

}  // namespace xtrace
