#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// What a field of a span that is one object holds, whatever its writer calls it.
enum class SpanField : uint8_t {
  other,
  context,  ///< an object with both ids
  id,
  trace,
  parent,
  parent_context,
  name,
  kind,
  start,
  end,
  length,
  status,
  has_error,
  failure,
  tags,
  resource,
  scope,
  tag,  ///< a column that is a tag
  links,
  events,
  // Lists of the same length, as tables store links and events:
  link_spans,
  link_traces,
  event_names,
  event_tags,
};

struct KnownSpanField {
  SpanField field = SpanField::other;
  uint8_t rank = 0;        ///< of several fields that hold the same, the lower one counts
  double unit = 0;         ///< of a moment or a length, in nanoseconds; 0: not by its name
  std::string_view tag{};  ///< of SpanField::tag
};

/// `parentSpanId`, `parent_span_id` and `ParentSpanID` are one name.
KnownSpanField find_span_field(std::string_view key);

/// The name of the tag that a column of its own holds: `llm.model_name` of
/// `attributes.llm.model_name`, `http.url` of `span.attributes.http@url`; empty: it holds none.
std::string tag_of_column(std::string_view key);

}  // namespace xtrace
