#include "input/spans/otlp_detail.h"

#include <fmt/format.h>

#include "facts/step.h"
#include "input/common/graph_parts.h"
#include "input/spans/span_tags.h"
#include "input/spans/span_values.h"

namespace xtrace {

// What a log record of OTLP says, or a metric's exemplar, when somebody asks.

namespace {

void read_number(json::element value, StepDetail& detail) {
  double number = 0;
  Duration count = kNoDuration;
  if (!value.get_double().get(number))
    detail.value = number;
  else if (read_units(value, 1, count))
    detail.value = static_cast<double>(count.count());
}

/// The exemplar of a metric that was measured in the span.
void read_exemplar(json::element metric, std::string_view span, StepDetail& detail) {
  detail.name = json::text_at(metric, "name");
  json::element points, exemplars;
  json::fields(metric, [&](std::string_view, json::element values) {
    if (!json::find(values, "dataPoints", points)) return;
    json::items(points, [&](json::element point) {
      if (!json::find(point, "exemplars", exemplars)) return;
      json::items(exemplars, [&](json::element exemplar) {
        if (read_span_id(json::text_at(exemplar, "spanId")) != span) return;
        json::fields(exemplar, [&](std::string_view key, json::element value) {
          if (key == "asInt" || key == "asDouble") read_number(value, detail);
        });
      });
    });
  });
}

}  // namespace

void read_otlp_detail(json::element record, std::string_view span, StepDetail& detail) {
  if (detail.kind == "exemplar") return read_exemplar(record, span, detail);
  std::string attributes;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "severityText") detail.severity = json::text(value);
    if (key == "eventName") detail.name = json::text(value);
    if (key == "body") detail.text = written(plain_value(value));
    if (key == "attributes")
      each_tag(value, [&](std::string_view name, json::element tag) {
        attributes += attributes.empty() ? "" : " ";
        attributes += fmt::format("{}={}", name, written(tag));
      });
  });
  if (!attributes.empty()) detail.text += (detail.text.empty() ? "" : "  ") + attributes;
}

}  // namespace xtrace
