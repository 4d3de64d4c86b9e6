#include "input/spans/span_detail.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/common/graph_parts.h"
#include "input/spans/plain_value.h"

namespace xtrace {

// OpenTelemetry's GenAI conventions have scores as events of the span that is judged; some
// exporters write them as attributes of the span, or of a span of the judge's own.

namespace {

constexpr std::string_view kEvaluation = "gen_ai.evaluation.";

bool is_of_session(std::string_view key) {
  return key == "gen_ai.conversation.id" || key == "session.id";
}

bool is_status(std::string_view key) {
  return key == "http.response.status_code" || key == "http.status_code";
}

}  // namespace

void read_evaluation(json::element tags, Evaluation& into) {
  each_tag(tags, [&](std::string_view key, json::element value) {
    if (!key.starts_with(kEvaluation)) return;
    key.remove_prefix(kEvaluation.size());
    if (key == "name") into.name = name_of(value);
    if (key == "score.value" || key == "score") into.score = number_in(value);
    if (key == "score.label") into.label = name_of(value);
  });
}

void read_appraisal(json::element span, const Extent& at, Appraisal& into) {
  auto judge = [&](json::element tags) {
    Evaluation told;
    told.at = at;
    read_evaluation(tags, told);
    bool is_known =
        std::find(into.evaluations.begin(), into.evaluations.end(), told) != into.evaluations.end();
    if (!told.name.empty() && !is_known) into.evaluations.push_back(std::move(told));
  };
  json::fields(span, [&](std::string_view field, json::element value) {
    if (field == "tags" || field == "attributes") {
      judge(value);
      each_tag(value, [&](std::string_view key, json::element tag) {
        if (is_of_session(key)) into.conversation = name_of(tag);
        if (is_status(key))
          if (std::optional<double> status = number_in(tag); status && *status >= 100)
            into.status = *status < 600 ? static_cast<int64_t>(*status) : kNoCount;
      });
    }
    if (field == "events" || field == "logs")
      json::items(value, [&](json::element event) {
        json::element tags;
        if (json::find(event, "attributes", tags) || json::find(event, "fields", tags)) judge(tags);
      });
  });
}

// What a log record of OTLP says, or a metric's exemplar, when somebody asks.

namespace {

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
          if (key == "asInt" || key == "asDouble") detail.value = number_in(value);
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
