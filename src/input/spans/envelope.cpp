#include "input/spans/envelope.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/one_of.h"
#include "input/common/format.h"
#include "input/transcripts/part.h"

namespace xtrace {

namespace {

/// What is around records: an object or a list of them under a key, which may hold others in turn.
struct WrappingKey {
  std::string_view key;
  /// The records are JSON in strings, or objects where somebody has parsed them already.
  bool is_text = false;
};
constexpr WrappingKey kWrappings[] = {
    {"_source"},         // Elasticsearch and OpenSearch: a document, also as elasticdump writes it
    {"hits"},            // …, in an answer, twice
    {"responses"},       // …, in an answer to several searches
    {"data"},            // ClickHouse (FORMAT JSON), SigNoz
    {"rows"},            // Logfire
    {"content"},         // Opik: a page
    {"traces"},          // of one's own
    {"Traces"},          // X-Ray (BatchGetTraces)
    {"Segments"},        // …, in a trace
    {"Document", true},  // …, in a segment
    {"results"},         // CloudWatch Logs Insights, where a row is a list of fields
    {"events"},          // CloudWatch Logs (FilterLogEvents)
    {"logEvents"},       // …, of a subscription
    {"@message", true}, {"message", true}, {"log", true},  // a line that a container printed
    {"jsonPayload"},                                       // Google Cloud Logging
};

/// The formats whose records are wrapped so: others have such keys that hold parts of a record.
constexpr std::string_view kWrapped[] = {"otlp",        "otel-sdk",    "langsmith",    "langfuse",
                                         "mlflow",      "opik",        "x-ray",        "flat-spans",
                                         "elastic-apm", "zipkin",      "jaeger",       "weave",
                                         "braintrust",  "datadog-llm", "azure-monitor"};

bool is_of_spans(json::element record) {
  const Format* format = json::is_object(record) ? format_of(record) : nullptr;
  return format != nullptr && is_one_of(format->name, kWrapped);
}

class Unwrapping {
 public:
  explicit Unwrapping(const ReadWrapped& read) : read_(read) {}

  bool unwrap(json::element record, const Part& part, int depth) {
    constexpr int kDeepest = 6;
    if (depth > kDeepest) return false;
    json::element found;
    for (const WrappingKey& wrapping : kWrappings)
      if (json::find(record, wrapping.key, found) &&
          (wrapping.is_text ? read_text(found, part, wrapping.key, depth)
                            : read_any(found, part.field(wrapping.key), part, depth)))
        return true;
    return false;
  }

 private:
  /// `around`: where it is if its own place is not known.
  bool read_any(json::element value, Part part, const Part& around, int depth) {
    if (part.text.empty()) part.at = around.at;
    if (json::is_object(value)) return read_one(value, part, depth);
    if (!json::is_array(value)) return false;
    bool any = false;
    const std::vector<Part> parts = part.items();
    std::vector<std::pair<json::element, Part>> others;
    size_t nth = 0;
    json::items(value, [&](json::element item) {
      const Part place = nth < parts.size() ? parts[nth] : Part{{}, part.at};
      ++nth;
      const bool is_read =
          json::is_array(item) ? read_fields(item, place, depth) : read_one(item, place, depth);
      any |= is_read;
      if (!is_read && json::is_object(item)) others.emplace_back(item, place);
    });
    if (any)
      for (const auto& [item, place] : others) read_(item, place.text, place.at);  // and reports it
    return any;
  }

  bool read_one(json::element value, const Part& part, int depth) {
    if (!json::is_object(value)) return false;
    if (!is_of_spans(value)) return unwrap(value, part, depth + 1);
    read_(value, part.text, part.at);
    return true;
  }

  bool read_text(json::element value, const Part& part, std::string_view key, int depth) {
    if (!json::is_string(value)) return read_any(value, part.field(key), part, depth);
    return read_json(json::text(value), part, depth);
  }

  /// A row of Logs Insights: `[{"field": "@message", "value": "…"}, …]`, or the fields of a span.
  bool read_fields(json::element row, const Part& part, int depth) {
    std::string object;
    bool any = false;
    json::items(row, [&](json::element field) {
      json::element key, value;
      if (!json::find(field, "field", key) || !json::find(field, "value", value)) return;
      if (json::text(key) == "@message") any |= read_text(value, {{}, part.at}, {}, depth);
      object +=
          (object.empty() ? '{' : ',') + simdjson::minify(key) + ':' + simdjson::minify(value);
    });
    return any || read_json(object + '}', part, depth);
  }

  /// What is in a string has no place of its own in the file.
  bool read_json(std::string_view text, const Part& part, int depth) {
    json::element inner;
    const bool is_read = text.starts_with('{') &&
                         !parsers_.emplace_back().parse(text.data(), text.size()).get(inner) &&
                         read_one(inner, {{}, part.at}, depth);
    if (text.starts_with('{')) parsers_.pop_back();
    return is_read;
  }

  const ReadWrapped& read_;
  std::deque<simdjson::dom::parser> parsers_;
};

}  // namespace

bool each_wrapped(json::element answer, std::string_view text, const Extent& at,
                  const ReadWrapped& read) {
  return Unwrapping(read).unwrap(answer, {text, at}, 0);
}

}  // namespace xtrace
