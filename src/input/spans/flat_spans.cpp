#include <algorithm>
#include <vector>

#include "input/common/format.h"
#include "input/common/record_pattern.h"
#include "input/spans/sdk_spans.h"
#include "input/spans/span_fields.h"
#include "input/spans/span_step.h"

namespace xtrace {

namespace {

/// A log record may name its span and its time, but not how long anything took.
template <class EachKey>
bool are_keys_of_flat_span(EachKey each_key) {
  bool has_name = false, has_id = false, has_start = false, has_moment = false, has_length = false;
  each_key([&](std::string_view key) {
    if (has_name && has_id && has_start) return;
    const KnownSpanField known = find_span_field(key);
    has_name |= known.field == SpanField::name;
    has_id |= known.field == SpanField::id && key != "id";
    has_start |= (known.field == SpanField::start && known.rank == 0) || key == "trace_id";
    has_moment |= known.field == SpanField::start;
    has_length |= known.field == SpanField::length || known.field == SpanField::end;
  });
  return has_name && has_id && (has_start || (has_moment && has_length));
}

bool is_flat_span(json::element record) {
  return are_keys_of_flat_span([&](auto add) {
    json::fields(record, [&](std::string_view key, json::element) { add(key); });
  });
}

bool is_flat_shape(const KeyShape* shape) {
  static constexpr char kTable = 0;  // of one row, without conditions
  const auto judge = [&] {
    const bool is_flat = are_keys_of_flat_span([&](auto add) {
      for (size_t nth = 0; nth < shape->size(); ++nth) add(shape->key(nth));
    });
    return std::vector<KeyShape::OpenRow>(is_flat ? 1 : 0);
  };
  return !shape->rows(&kTable, judge).empty();
}

/// One span, or a list of them in an object of any other content.
bool matches_flat_span(RecordMatcher& record) {
  json::element spans;
  if (is_flat_span(record)) return true;
  if (!record.find("spans", spans)) return false;
  if (const std::vector<const KeyShape*>* shapes = record.shapes_in(spans))
    return std::ranges::any_of(*shapes, is_flat_shape);
  bool any = false;
  json::items(spans, [&](json::element span) { any = any || is_flat_span(span); });
  return any;
}

}  // namespace

extern constinit const Format kFlatSpans = {
    .name = "flat-spans",
    .summary = "one span per object: name, span_id, trace_id, start_time; rows of tables",
    .matches = matches_flat_span,
    .needs =
        "name|span_name|spans span_id|context.span_id|trace.span_id|spans "
        "start_time|start_timestamp|start_time_unix_nano|timestamp|@timestamp|trace_id|spans",
    .read = read_sdk_spans,
    .step = read_span_step,
};

}  // namespace xtrace
