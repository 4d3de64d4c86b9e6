#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/overloaded.h"
#include "doc/traced_span.h"
#include "render/attributes.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// What Jaeger's API answers and its user interface opens. References say of nothing how sure they
// are; the tags of the span do.

/// Traces and spans each begin a line.
constexpr JsonLayout kLines = {.is_spaced = false, .on_lines = true};

/// Of a tag: the type, and the value as that type has it.
void write_typed(JsonWriter& json, const Cell& cell) {
  auto text = [&](std::string_view value) {
    json.field("type", "string");
    json.field("value", value);
  };
  std::visit(Overloaded{
                 [&](bool truth) {
                   json.field("type", "bool");
                   json.field("value", truth);
                 },
                 [&](int64_t number) {
                   bool exact = number <= kExactInteger && number >= -kExactInteger;
                   json.field("type", exact ? "int64" : "string");
                   json.field("value", number);
                 },
                 [&](double number) {
                   json.field("type", "float64");
                   json.field("value", number);
                 },
                 [&](Dollars amount) {
                   json.field("type", "float64");
                   json.key("value");
                   json.raw(format_dollars(amount));
                 },
                 [&](Text value) { text(value.view()); },
                 [&](const auto& other) { text(as_json_text(other)); },
             },
             cell);
}

constexpr std::string_view kKinds[] = {"internal", "server", "client", "producer", "consumer"};

/// Jaeger's own unit; it knows no moment before 1970.
int64_t microseconds(Duration time) {
  return std::chrono::floor<std::chrono::microseconds>(std::max(time, Duration{0})).count();
}

class Traces {
 public:
  explicit Traces(std::ostream& out) : out_(out) {
    json_.open_object(kTight);
    json_.open_list("data", kLines);
  }

  void add(const TracedSpan& span) {
    if (trace_ != span.trace.view()) {
      end_trace();
      trace_ = span.trace.view();
      ++traces_;
      json_.open_object(kTight);
      json_.field("traceID", span.trace.view());
      json_.open_list("spans", kLines);
    }
    write(span);
    constexpr size_t kMuch = 64 << 10;
    if (text_.size() > kMuch) send();
  }

  void end() {
    end_trace();
    // Of no traces at all, too, the list ends on a line of its own.
    if (traces_ == 0) text_ += '\n';
    json_.close();
    json_.field("total", traces_);
    json_.field("limit", 0);
    json_.field("offset", 0);
    json_.key("errors");
    json_.null();
    json_.close();
    text_ += '\n';
    send();
  }

 private:
  void send() {
    out_ << text_;
    text_.clear();
  }

  void end_trace() {
    if (trace_.empty()) return;
    json_.close();
    json_.open_object("processes", kTight);
    std::vector<std::string_view> services(processes_.size());
    for (const auto& [service, number] : processes_) services[number] = service;
    for (size_t i = 0; i < services.size(); ++i) {
      json_.open_object(process_id(i), kTight);
      json_.field("serviceName", services[i]);
      json_.open_list("tags", kTight);
      json_.close();
      json_.close();
    }
    json_.close();
    json_.key("warnings");
    json_.null();
    json_.close();
    processes_.clear();
    trace_.clear();
  }

  static std::string process_id(size_t process) { return fmt::format("p{}", process + 1); }

  void write(const TracedSpan& span) {
    size_t process =
        processes_.emplace(std::string(span.service.view()), processes_.size()).first->second;
    json_.open_object(kTight);
    json_.field("traceID", span.trace.view());
    json_.field("spanID", span.id.view());
    json_.field("flags", 1);
    json_.field("operationName", span.name.view());
    json_.open_list("references", kTight);
    if (!span.parent.empty()) write_reference("CHILD_OF", span.trace, span.parent);
    for (const TracedSpan::Link& link : span.links)
      write_reference("FOLLOWS_FROM", link.trace, link.span);
    json_.close();
    // Rounded apart, a child could end after its parent.
    Duration start = span.start.time_since_epoch();
    Duration end = plus(std::max(start, Duration{0}), std::max(span.duration, Duration{0}));
    int64_t begin = microseconds(start);
    json_.field("startTime", begin);
    json_.field("duration", microseconds(end) - begin);
    json_.open_list("tags", kTight);
    write_tags(span);
    json_.close();
    json_.open_list("logs", kTight);
    json_.close();
    json_.field("processID", process_id(process));
    json_.key("warnings");
    json_.null();
    json_.close();
  }

  void write_reference(std::string_view type, Text trace, Text span) {
    json_.open_object(kTight);
    json_.field("refType", type);
    json_.field("traceID", trace.view());
    json_.field("spanID", span.view());
    json_.close();
  }

  void write_tag(std::string_view key, const Cell& value) {
    json_.open_object(kTight);
    json_.field("key", key);
    write_typed(json_, value);
    json_.close();
  }

  void write_tags(const TracedSpan& span) {
    write_tag("span.kind", Door::own(kKinds[static_cast<size_t>(span.kind)]));
    if (span.failed) write_tag("error", true);
    if (span.failed && !span.error.empty()) write_tag("otel.status_description", span.error);
    each_attribute(span.attributes,
                   [&](Text key, const Cell& value) { write_tag(key.view(), value); });
  }

  std::ostream& out_;
  std::string text_, trace_;
  JsonWriter json_{text_};
  std::map<std::string, size_t> processes_;  ///< of the trace at hand: service -> number
  size_t traces_ = 0;
};

void write_jaeger(const Document& document, const Paper&, std::ostream& out) {
  Traces traces(out);
  for (const Section& section : document.sections())
    if (const SpanStream* stream = std::get_if<SpanStream>(&section))
      stream->spans([&](const TracedSpan& span) { traces.add(span); });
  traces.end();
}

}  // namespace

extern constinit const Renderer kJaegerRenderer = {
    .name = "jaeger",
    .summary = "traces for the Jaeger UI",
    .face = Face::spans,
    .write = write_jaeger,
};

}  // namespace xtrace
