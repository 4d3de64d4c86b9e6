#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/overloaded.h"
#include "doc/traced_span.h"
#include "render/attributes.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// One ExportTraceServiceRequest a line, as the collector's file exporter writes them and its file
// receiver, Jaeger's user interface and most others read them. The receiver takes no line of more
// than a mebibyte, so a long trace goes over several lines.
constexpr size_t kLine = 256 << 10;

/// An attribute's value: an object whose only key is its type.
void write_value(JsonWriter& json, const Cell& cell) {
  json.open_object(kTight);
  std::visit(Overloaded{
                 [&](bool truth) { json.field("boolValue", truth); },
                 [&](int64_t number) { json.field("intValue", fmt::format("{}", number)); },
                 [&](double number) { json.field("doubleValue", number); },
                 [&](Dollars amount) {
                   json.key("doubleValue");
                   json.raw(format_dollars(amount));
                 },
                 [&](Text text) { json.field("stringValue", text.view()); },
                 [&](const Texts* texts) {
                   json.open_object("arrayValue", kTight);
                   json.open_list("values", kTight);
                   for (Text text : *texts) write_value(json, text);
                   json.close();
                   json.close();
                 },
                 [&](const auto& other) { json.field("stringValue", as_json_text(other)); },
             },
             cell);
  json.close();
}

void write_attribute(JsonWriter& json, std::string_view key, const Cell& value) {
  json.open_object(kTight);
  json.field("key", key);
  json.key("value");
  write_value(json, value);
  json.close();
}

void write_attributes(JsonWriter& json, const Entries& entries) {
  json.open_list("attributes", kTight);
  each_attribute(entries,
                 [&](Text key, const Cell& value) { write_attribute(json, key.view(), value); });
  json.close();
}

class Lines {
 public:
  explicit Lines(std::ostream& out) : out_(out) {}

  void add(const TracedSpan& span) {
    bool is_other_trace = !line_.empty() && trace_ != span.trace.view();
    if (is_other_trace || line_.size() > kLine) end_line();
    if (line_.empty() || service_ != span.service.view()) open(span);
    write(span);
  }

  void end_line() {
    if (line_.empty()) return;
    close_service();
    json_.close();
    json_.close();
    out_ << line_ << '\n';
    line_.clear();
  }

 private:
  void open(const TracedSpan& span) {
    if (line_.empty()) {
      json_.open_object(kTight);
      json_.open_list("resourceSpans", kTight);
    } else {
      close_service();
    }
    json_.open_object(kTight);
    json_.open_object("resource", kTight);
    json_.open_list("attributes", kTight);
    write_attribute(json_, "service.name", span.service);
    json_.close();
    json_.close();
    json_.open_list("scopeSpans", kTight);
    json_.open_object(kTight);
    json_.open_object("scope", kTight);
    json_.field("name", "xtrace");
    json_.close();
    json_.open_list("spans", kTight);
    trace_ = span.trace.view();
    service_ = span.service.view();
  }
  /// The spans, their scope, the list of scopes and the resource.
  void close_service() {
    for (int level = 0; level < 4; ++level) json_.close();
  }

  void write(const TracedSpan& span) {
    uint64_t start = nanoseconds(span.start);
    uint64_t end = start + static_cast<uint64_t>(std::max(span.duration, Duration{0}).count());
    json_.open_object(kTight);
    json_.field("traceId", span.trace.view());
    json_.field("spanId", span.id.view());
    if (!span.parent.empty()) json_.field("parentSpanId", span.parent.view());
    json_.field("name", span.name.view());
    json_.field("kind", static_cast<int>(span.kind) + 1);
    json_.field("startTimeUnixNano", fmt::format("{}", start));
    json_.field("endTimeUnixNano", fmt::format("{}", end));
    write_attributes(json_, span.attributes);
    if (!span.links.empty()) write_links(span);
    json_.open_object("status", kTight);
    if (span.failed) json_.field("code", 2);
    if (span.failed && !span.error.empty()) json_.field("message", span.error.view());
    json_.close();
    json_.close();
  }

  void write_links(const TracedSpan& span) {
    json_.open_list("links", kTight);
    for (const TracedSpan::Link& link : span.links) {
      json_.open_object(kTight);
      json_.field("traceId", link.trace.view());
      json_.field("spanId", link.span.view());
      write_attributes(json_, link.attributes);
      json_.close();
    }
    json_.close();
  }

  std::ostream& out_;
  std::string line_, trace_, service_;
  JsonWriter json_{line_};
};

void write_otlp(const Document& document, const Paper&, std::ostream& out) {
  for (const Section& section : document.sections()) {
    const SpanStream* stream = std::get_if<SpanStream>(&section);
    if (stream == nullptr) continue;
    Lines lines(out);
    stream->spans([&](const TracedSpan& span) { lines.add(span); });
    lines.end_line();
  }
}

}  // namespace

extern constinit const Renderer kOtlpRenderer = {
    .name = "otlp",
    .summary = "OpenTelemetry JSON (OTLP), one object per line",
    .face = Face::spans,
    .write = write_otlp,
};

}  // namespace xtrace
