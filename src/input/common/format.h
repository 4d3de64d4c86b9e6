#pragma once

#include <span>
#include <string_view>

#include "facts/event.h"
#include "input/common/json.h"

namespace xtrace {

struct Draft;
struct Exchange;
struct StepDetail;
struct StepRecord;
class Reader;

/// A way in which programs write down what they did. To add one: a file with `fits` and `read`, and
/// a line in formats.cpp.
struct Format {
  std::string_view name;
  std::string_view summary;
  /// Is this record of the format? Asked of every record, so a log may change its shape half-way.
  bool (*fits)(json::element record);
  /// Of a record that is one model call: finds the request, the answer and what is known about
  /// them. nullptr: records of this format are something else, and read_spans reads them.
  void (*read_call)(json::element record, Exchange& exchange);
  /// Reads a record that holds spans; `text` is the record and begins at `at`.
  void (*read_spans)(json::element record, std::string_view text, const Extent& at,
                     Reader& reader) = nullptr;
  /// Of such formats: is this a span as it stands in a record, and what does it say as a step of a
  /// query?
  bool (*fits_step)(json::element span) = nullptr;
  void (*read_step)(json::element span, StepRecord& step) = nullptr;
  /// Of formats of transcripts: is this a part of one, as it stands in a record, and what does it
  /// say?
  bool (*fits_part)(json::element part) = nullptr;
  void (*read_part)(json::element part, Draft& said) = nullptr;
};

/// All formats, the more particular ones first: the first that fits reads a record.
std::span<const Format> formats();
/// The format of a record; nullptr: of no known shape.
const Format* format_of(json::element record);
const Format* find_format(std::string_view name);

bool fits_claude_trace(json::element record);
void read_claude_trace(json::element record, Exchange& exchange);
bool fits_call_log(json::element record);
void read_call_log(json::element record, Exchange& exchange);
bool fits_proxy_log(json::element record);
void read_proxy_log(json::element record, Exchange& exchange);
bool fits_claude_code(json::element record);
void read_claude_code(json::element record, std::string_view text, const Extent& at,
                      Reader& reader);
void read_claude_code_line(json::element line, Draft& said);
bool fits_codex(json::element record);
void read_codex(json::element record, std::string_view text, const Extent& at, Reader& reader);
void read_codex_line(json::element line, Draft& said);
bool fits_gemini_cli(json::element record);
void read_gemini_cli(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_gemini_cli_part(json::element part);
void read_gemini_cli_part(json::element part, Draft& said);
bool fits_pi(json::element record);
void read_pi(json::element record, std::string_view text, const Extent& at, Reader& reader);
void read_pi_line(json::element line, Draft& said);
bool fits_atif(json::element record);
void read_atif(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_atif_part(json::element part);
void read_atif_part(json::element part, Draft& said);
bool fits_jaeger(json::element record);
void read_jaeger(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_otlp(json::element record);
void read_otlp(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_otlp_thought(json::element record);
void read_otlp_thought(json::element record, Draft& said);
bool fits_sdk_spans(json::element record);
void read_sdk_spans(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_flat_span(json::element record);
void read_flat_span(json::element record, std::string_view text, const Extent& at, Reader& reader);
bool fits_zipkin(json::element record);
void read_zipkin(json::element record, std::string_view text, const Extent& at, Reader& reader);
/// What the log record or the metric there tells of a span.
void read_otlp_detail(json::element record, std::string_view span, StepDetail& detail);
/// A span in any of these formats.
bool fits_span(json::element span);
void read_span_step(json::element span, StepRecord& step);
bool fits_thought_log(json::element record);
void read_thought_log(json::element record, std::string_view text, const Extent& at,
                      Reader& reader);
void read_thought_part(json::element record, Draft& said);
bool fits_agent_event(json::element record);
void read_agent_event(json::element record, std::string_view text, const Extent& at,
                      Reader& reader);
bool fits_step_event(json::element record);
void read_step_event(json::element record, std::string_view text, const Extent& at, Reader& reader);
void read_step_record(json::element record, StepRecord& step);

}  // namespace xtrace
