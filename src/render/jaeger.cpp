#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>

#include "base/overloaded.h"
#include "doc/traced_span.h"
#include "render/attributes.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// What Jaeger's API answers and its user interface opens. References say of nothing how sure they
// are; the tags of the span do.

struct Typed {
  std::string_view type;
  std::string value;
};

Typed typed(const Cell& cell) {
  auto text = [](std::string_view value) {
    Typed made{"string", {}};
    append_json(made.value, value);
    return made;
  };
  return std::visit(Overloaded{
                        [](bool truth) {
                          return Typed{"bool", truth ? "true" : "false"};
                        },
                        [&](int64_t number) {
                          bool exact = number <= kExactInteger && number >= -kExactInteger;
                          return exact ? Typed{"int64", fmt::format("{}", number)}
                                       : text(fmt::format("{}", number));
                        },
                        [](double number) {
                          return Typed{"float64", fmt::format("{}", number)};
                        },
                        [](Dollars amount) {
                          return Typed{"float64", format_dollars(amount)};
                        },
                        [&](Text value) { return text(value.view()); },
                        [&](const auto& other) { return text(as_json_text(other)); },
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
  explicit Traces(std::ostream& out) : out_(out) { out_ << "{\"data\":["; }

  void add(const TracedSpan& span) {
    bool is_other = trace_ != span.trace.view();
    if (is_other) end_trace();
    if (is_other) {
      text_ += fmt::format("{}\n{{\"traceID\":\"{}\",\"spans\":[", traces_++ > 0 ? "," : "",
                           span.trace.view());
      trace_ = span.trace.view();
    }
    text_ += begun_ ? ",\n" : "\n";
    begun_ = true;
    append(span);
    constexpr size_t kMuch = 64 << 10;
    if (text_.size() > kMuch) flush();
  }

  void end() {
    end_trace();
    text_ += fmt::format("\n],\"total\":{},\"limit\":0,\"offset\":0,\"errors\":null}}\n", traces_);
    flush();
  }

 private:
  void flush() {
    out_ << text_;
    text_.clear();
  }

  void end_trace() {
    if (trace_.empty()) return;
    text_ += "\n],\"processes\":{";
    std::vector<std::string_view> services(processes_.size());
    for (const auto& [service, number] : processes_) services[number] = service;
    for (size_t i = 0; i < services.size(); ++i) {
      text_ += fmt::format("{}\"p{}\":{{\"serviceName\":", i > 0 ? "," : "", i + 1);
      append_json(text_, services[i]);
      text_ += ",\"tags\":[]}";
    }
    text_ += "},\"warnings\":null}";
    processes_.clear();
    trace_.clear();
    begun_ = false;
  }

  void append(const TracedSpan& span) {
    size_t process =
        processes_.emplace(std::string(span.service.view()), processes_.size()).first->second;
    fmt::format_to(std::back_inserter(text_),
                   "{{\"traceID\":\"{}\",\"spanID\":\"{}\",\"flags\":1,\"operationName\":",
                   span.trace.view(), span.id.view());
    append_json(text_, span.name.view());
    text_ += ",\"references\":[";
    bool first = true;
    if (!span.parent.empty()) append_reference("CHILD_OF", span.trace, span.parent, first);
    for (const TracedSpan::Link& link : span.links)
      append_reference("FOLLOWS_FROM", link.trace, link.span, first);
    // Rounded apart, a child could end after its parent.
    Duration start = span.start.time_since_epoch();
    int64_t begin = microseconds(start);
    fmt::format_to(
        std::back_inserter(text_), "],\"startTime\":{},\"duration\":{},\"tags\":[", begin,
        microseconds(plus(std::max(start, Duration{0}), std::max(span.duration, Duration{0}))) -
            begin);
    append_tags(span);
    fmt::format_to(std::back_inserter(text_),
                   "],\"logs\":[],\"processID\":\"p{}\",\"warnings\":null}}", process + 1);
  }

  void append_reference(std::string_view type, Text trace, Text span, bool& first) {
    fmt::format_to(std::back_inserter(text_),
                   "{}{{\"refType\":\"{}\",\"traceID\":\"{}\",\"spanID\":\"{}\"}}",
                   first ? "" : ",", type, trace.view(), span.view());
    first = false;
  }

  void append_tag(std::string_view key, std::string_view type, std::string_view value) {
    if (text_.back() != '[') text_ += ',';
    text_ += "{\"key\":";
    append_json(text_, key);
    fmt::format_to(std::back_inserter(text_), ",\"type\":\"{}\",\"value\":{}}}", type, value);
  }

  void append_tags(const TracedSpan& span) {
    append_tag("span.kind", "string",
               '"' + std::string(kKinds[static_cast<size_t>(span.kind)]) + '"');
    if (span.failed) append_tag("error", "bool", "true");
    if (span.failed && !span.error.empty()) {
      Typed message = typed(span.error);
      append_tag("otel.status_description", message.type, message.value);
    }
    each_attribute(span.attributes, [&](Text key, const Cell& value) {
      Typed tag = typed(value);
      append_tag(key.view(), tag.type, tag.value);
    });
  }

  std::ostream& out_;
  std::string text_, trace_;
  std::map<std::string, size_t> processes_;  ///< of the trace at hand: service -> number
  size_t traces_ = 0;
  bool begun_ = false;  ///< the trace at hand has spans
};

}  // namespace

void write_jaeger(const Document& document, const Paper&, std::ostream& out) {
  Traces traces(out);
  for (const Section& section : document.sections())
    if (const SpanStream* stream = std::get_if<SpanStream>(&section))
      stream->spans([&](const TracedSpan& span) { traces.add(span); });
  traces.end();
}

}  // namespace xtrace
