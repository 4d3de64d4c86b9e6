#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

void append_value(std::string& out, const Cell& cell);

void append_texts(std::string& out, const Texts& texts) {
  out += "{\"arrayValue\":{\"values\":[";
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ',';
    append_value(out, texts[i]);
  }
  out += "]}}";
}

void append_text(std::string& out, std::string_view text) {
  out += "{\"stringValue\":";
  append_json(out, text);
  out += '}';
}

void append_value(std::string& out, const Cell& cell) {
  std::visit(
      Overloaded{
          [&](bool truth) { out += truth ? "{\"boolValue\":true}" : "{\"boolValue\":false}"; },
          [&](int64_t number) {
            fmt::format_to(std::back_inserter(out), "{{\"intValue\":\"{}\"}}", number);
          },
          [&](double number) {
            fmt::format_to(std::back_inserter(out), "{{\"doubleValue\":{}}}", number);
          },
          [&](Dollars amount) {
            fmt::format_to(std::back_inserter(out), "{{\"doubleValue\":{}}}",
                           format_dollars(amount));
          },
          [&](Text text) { append_text(out, text.view()); },
          [&](const Texts* texts) { append_texts(out, *texts); },
          [&](const auto& other) { append_text(out, as_json_text(other)); },
      },
      cell);
}

void append_attribute(std::string& out, std::string_view key, const Cell& value) {
  out += "{\"key\":";
  append_json(out, key);
  out += ",\"value\":";
  append_value(out, value);
  out += '}';
}

void append_attributes(std::string& out, const Entries& entries) {
  out += "\"attributes\":[";
  bool first = true;
  each_attribute(entries, [&](Text key, const Cell& value) {
    if (!first) out += ',';
    first = false;
    append_attribute(out, key.view(), value);
  });
  out += ']';
}

/// OTLP knows no moment before 1970.
uint64_t nanoseconds(Time time) {
  return static_cast<uint64_t>(std::max(time.time_since_epoch(), Duration{0}).count());
}

class Lines {
 public:
  explicit Lines(std::ostream& out) : out_(out) {}

  void add(const TracedSpan& span) {
    bool is_other_trace = !line_.empty() && trace_ != span.trace.view();
    if (is_other_trace || line_.size() > kLine) end_line();
    if (line_.empty() || service_ != span.service.view()) open(span);
    if (begun_) line_ += ',';
    begun_ = true;
    append(span);
  }

  void end_line() {
    if (line_.empty()) return;
    out_ << line_ << "]}]}]}\n";
    line_.clear();
  }

 private:
  void open(const TracedSpan& span) {
    line_ += line_.empty() ? "{\"resourceSpans\":[" : "]}]},";
    line_ += "{\"resource\":{\"attributes\":[";
    append_attribute(line_, "service.name", span.service);
    line_ += "]},\"scopeSpans\":[{\"scope\":{\"name\":\"xtrace\"},\"spans\":[";
    trace_ = span.trace.view();
    service_ = span.service.view();
    begun_ = false;
  }

  void append(const TracedSpan& span) {
    fmt::format_to(std::back_inserter(line_), "{{\"traceId\":\"{}\",\"spanId\":\"{}\",",
                   span.trace.view(), span.id.view());
    if (!span.parent.empty())
      fmt::format_to(std::back_inserter(line_), "\"parentSpanId\":\"{}\",", span.parent.view());
    line_ += "\"name\":";
    append_json(line_, span.name.view());
    uint64_t start = nanoseconds(span.start);
    fmt::format_to(std::back_inserter(line_),
                   ",\"kind\":{},\"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",",
                   static_cast<int>(span.kind) + 1, start,
                   start + static_cast<uint64_t>(std::max(span.duration, Duration{0}).count()));
    append_attributes(line_, span.attributes);
    if (!span.links.empty()) append_links(span);
    line_ += ",\"status\":{";
    if (span.failed) line_ += "\"code\":2";
    if (span.failed && !span.error.empty()) {
      line_ += ",\"message\":";
      append_json(line_, span.error.view());
    }
    line_ += "}}";
  }

  void append_links(const TracedSpan& span) {
    line_ += ",\"links\":[";
    for (size_t i = 0; i < span.links.size(); ++i) {
      const TracedSpan::Link& link = span.links[i];
      fmt::format_to(std::back_inserter(line_), "{}{{\"traceId\":\"{}\",\"spanId\":\"{}\",",
                     i > 0 ? "," : "", link.trace.view(), link.span.view());
      append_attributes(line_, link.attributes);
      line_ += '}';
    }
    line_ += ']';
  }

  std::ostream& out_;
  std::string line_, trace_, service_;
  bool begun_ = false;  ///< spans of that service stand at the end of the line
};

}  // namespace

void write_otlp(const Document& document, const Paper&, std::ostream& out) {
  for (const Section& section : document.sections()) {
    const SpanStream* stream = std::get_if<SpanStream>(&section);
    if (stream == nullptr) continue;
    Lines lines(out);
    stream->spans([&](const TracedSpan& span) { lines.add(span); });
    lines.end_line();
  }
}

}  // namespace xtrace
