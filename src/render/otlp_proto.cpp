#include <algorithm>
#include <ostream>

#include "base/digits.h"
#include "base/overloaded.h"
#include "base/protobuf.h"
#include "doc/traced_span.h"
#include "render/attributes.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// One ExportTraceServiceRequest, as collectors and Phoenix take it by HTTP
// (opentelemetry/proto/collector/trace/v1, trace/v1, common/v1, resource/v1). Fields that repeat
// may be written one after another, so that no more than the spans of one service are held at a
// time. Numbers of fields, by message:
namespace request {
constexpr uint32_t kResourceSpans = 1;
}
namespace resource_spans {
constexpr uint32_t kResource = 1, kScopeSpans = 2;
}
namespace resource {
constexpr uint32_t kAttributes = 1;
}
namespace scope_spans {
constexpr uint32_t kScope = 1, kSpans = 2;
}
namespace scope {
constexpr uint32_t kName = 1;
}
namespace span_field {
constexpr uint32_t kTrace = 1, kId = 2, kParent = 4, kName = 5, kKind = 6, kStart = 7, kEnd = 8,
                   kAttributes = 9, kLinks = 13, kStatus = 15;
}
namespace link_field {
constexpr uint32_t kTrace = 1, kSpan = 2, kAttributes = 4;
}
namespace status {
constexpr uint32_t kMessage = 2, kCode = 3;
constexpr uint64_t kError = 2;
}  // namespace status
namespace attribute {
constexpr uint32_t kKey = 1, kValue = 2;
}
namespace any_value {
constexpr uint32_t kString = 1, kBool = 2, kInt = 3, kDouble = 4, kArray = 5;
}
namespace array_value {
constexpr uint32_t kValues = 1;
}

/// As in an attribute: the type of a value is the number of its field.
ProtobufWriter value_of(const Cell& cell) {
  ProtobufWriter value;
  std::visit(
      Overloaded{
          [&](bool truth) { value.integer(any_value::kBool, truth ? 1 : 0); },
          [&](int64_t number) { value.integer(any_value::kInt, static_cast<uint64_t>(number)); },
          [&](double number) { value.real(any_value::kDouble, number); },
          [&](Dollars amount) {
            value.real(any_value::kDouble, static_cast<double>(amount.billionths) / 1e9);
          },
          [&](Text text) { value.bytes(any_value::kString, text.view()); },
          [&](const Texts* texts) {
            ProtobufWriter list;
            for (Text text : *texts) list.message(array_value::kValues, value_of(text));
            value.message(any_value::kArray, list);
          },
          [&](const auto& other) { value.bytes(any_value::kString, as_json_text(other)); }},
      cell);
  return value;
}

void add_attribute(ProtobufWriter& out, uint32_t field, std::string_view key,
                   const ProtobufWriter& value) {
  ProtobufWriter pair;
  pair.bytes(attribute::kKey, key);
  pair.message(attribute::kValue, value);
  out.message(field, pair);
}

void add_attributes(ProtobufWriter& out, uint32_t field, const Entries& entries) {
  each_attribute(entries, [&](Text key, const Cell& cell) {
    add_attribute(out, field, key.view(), value_of(cell));
  });
}

/// The bytes that the digits of an id encode.
std::string bytes_of(Text id) {
  std::string bytes;
  const std::string_view digits = id.view();
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(hex_digit(digits[i]) * 16 + hex_digit(digits[i + 1]));
  return bytes;
}

ProtobufWriter message_of(const TracedSpan::Link& link) {
  ProtobufWriter out;
  out.bytes(link_field::kTrace, bytes_of(link.trace));
  out.bytes(link_field::kSpan, bytes_of(link.span));
  add_attributes(out, link_field::kAttributes, link.attributes);
  return out;
}

ProtobufWriter message_of(const TracedSpan& span) {
  ProtobufWriter out;
  out.bytes(span_field::kTrace, bytes_of(span.trace));
  out.bytes(span_field::kId, bytes_of(span.id));
  if (!span.parent.empty()) out.bytes(span_field::kParent, bytes_of(span.parent));
  out.bytes(span_field::kName, span.name.view());
  out.integer(span_field::kKind, static_cast<uint64_t>(span.kind) + 1);
  const uint64_t start = nanoseconds(span.start);
  out.fixed64(span_field::kStart, start);
  out.fixed64(span_field::kEnd,
              start + static_cast<uint64_t>(std::max(span.duration, Duration{0}).count()));
  add_attributes(out, span_field::kAttributes, span.attributes);
  for (const TracedSpan::Link& link : span.links) out.message(span_field::kLinks, message_of(link));
  ProtobufWriter how;
  if (span.failed && !span.error.empty()) how.bytes(status::kMessage, span.error.view());
  if (span.failed) how.integer(status::kCode, status::kError);
  out.message(span_field::kStatus, how);
  return out;
}

/// Sends spans of one service together, a few at a time.
class Services {
 public:
  explicit Services(std::ostream& out) : out_(out) {}

  void add(const TracedSpan& span) {
    constexpr size_t kMuch = 256 << 10;
    if (service_ != span.service.view() || spans_.all().size() > kMuch) send();
    service_ = span.service.view();
    spans_.message(scope_spans::kSpans, message_of(span));
  }

  void send() {
    if (spans_.all().empty()) return;
    ProtobufWriter name, of, by, named, all;
    name.bytes(any_value::kString, service_);
    add_attribute(of, resource::kAttributes, "service.name", name);
    named.bytes(scope::kName, "xtrace");
    by.message(scope_spans::kScope, named);
    ProtobufWriter service;
    service.message(resource_spans::kResource, of);
    service.bytes(resource_spans::kScopeSpans, by.all() + spans_.all());
    all.message(request::kResourceSpans, service);
    out_ << all.all();
    spans_.clear();
  }

 private:
  std::ostream& out_;
  std::string service_;
  ProtobufWriter spans_;
};

void write_otlp_proto(const Document& document, const Paper&, std::ostream& out) {
  Services services(out);
  for (const Section& section : document.sections())
    if (const SpanStream* stream = std::get_if<SpanStream>(&section))
      stream->spans([&](const TracedSpan& span) { services.add(span); });
  services.send();
}

}  // namespace

extern constinit const Renderer kOtlpProtoRenderer = {
    .name = "otlp-proto",
    .summary = "OpenTelemetry Protocol Buffers (OTLP), one export request",
    .face = Face::spans,
    .write = write_otlp_proto,
    .needs_file = true,
    .is_binary = true,
};

}  // namespace xtrace
