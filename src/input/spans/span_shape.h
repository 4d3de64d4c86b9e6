#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/call.h"
#include "facts/record.h"
#include "facts/span.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/spans/span_tags.h"

namespace xtrace {

// Libraries and services that have no words of OpenTelemetry keep the same of a span: ids, times,
// what kind of work it was and what it used up. A shape tells where each has it, and all functions
// of the format follow from it; only what no path can state is a function.

/// Where a span has what a tag of OpenTelemetry's conventions tells.
struct TagShape {
  /// Of which spans: `chat`, `execute_tool`, `invoke_agent`; empty: of all.
  std::string_view operation{};
  json::Path from{};
  std::string_view tag{};  ///< `gen_ai.request.model`
  /// What is there is JSON in a string, and the value is in that; `.` is all of it, and then the
  /// string may also be the value.
  json::Path inside{};
};

/// Which of OpenTelemetry's operations a kind of span is; others are work of the program's own.
struct OperationShape {
  std::string_view word{}, operation{};
};

/// What follows from several values of a span; kNoCount: nothing does.
struct DerivedCounts {
  int64_t input = kNoCount, output = kNoCount, total = kNoCount;
  int64_t cache_read = kNoCount, cache_creation = kNoCount;
  int64_t cost = kNoCount;  ///< in dollars
};

struct SpanShape {
  /// A record is of the format if it, or a span in it, matches one of these.
  std::span<const RecordPattern> when{};
  /// What a span in a list matches in place of `when`, if spans by themselves are another format's.
  std::span<const RecordPattern> listed{};
  json::Path inside{};  ///< where a record has what it is about; that or itself is a span, …
  json::Path list{};    ///< … or has a list of spans there
  std::span<const TagShape> common{};  ///< tags of what has the list, for all its spans
  DerivedCounts (*count)(json::element span, Parsers& parsers) = nullptr;
  json::Path id{}, trace{}, parent{}, name{};
  json::Path began{}, ended{};
  json::Path kind{};         ///< the word that tells the operation
  json::Path kind_inside{};  ///< as TagShape::inside
  std::span<const OperationShape> operations{};
  std::span<const TagShape> tags{};
  /// Places of objects that count tokens, or of JSON of one in a string. If several count the same,
  /// the first wins.
  std::span<const json::Path> usages{};
  std::string_view emitter{};  ///< how its tokens are counted (gen_ai.cpp)
  json::Path failure{};        ///< why it failed, in words
  json::Path result{};         ///< what came of it: what has that has ended
  json::Path length{};         ///< how long it took, where no end is recorded
  int64_t length_unit = 1;     ///< in nanoseconds
  json::Path status{};         ///< how it ended, where no field of the span itself states it
  /// Objects of tags.
  std::span<const json::Path> attributes{};
  /// The same, where `_` replaces the dots of names.
  std::span<const json::Path> labels{};
};

/// Reads spans of one record.
class ShapedSpans {
 public:
  ShapedSpans(const SpanShape& shape, RecordContext& context);

  /// Adds a span. `later` holds what was told of it afterwards, and counts before it, the last
  /// before all; `whole` is the document that it is part of, where tags of all its spans stand
  /// (`common`).
  void read(json::element span, const Extent& at);
  std::vector<json::element> later;
  /// Other records may tell of the same span. One that is no more than `more` shows what kind of
  /// span it is only where it says so: else all tags count that it may have.
  SpanPart part = SpanPart::whole;
  std::string_view kind;    ///< the word that tells the operation, where it does not stand in it
  Time end = kNoTime;       ///< when it ended, where that stands elsewhere
  std::string failure;      ///< why it failed, where that stands elsewhere
  std::string run;          ///< its trace, where it does not tell
  std::string made_id;      ///< its id, likewise
  std::string made_parent;  ///< its parent, likewise
  DerivedCounts counts;     ///< they win over the span's own
  json::element whole{};
  std::span<const TagShape> common{};

 private:
  bool follow(json::element span, json::Path path, json::element& value) const;
  bool follow_inside(json::element from, json::Path inside, json::element& value);
  std::string text_on(json::element span, json::Path path) const;
  Ending ending_of(json::element span) const;
  void read_counts(SpanTags& tags);
  std::string_view word_of(json::element span);
  std::string_view operation_of(std::string_view word) const;

  const SpanShape& shape_;
  RecordContext& context_;
  simdjson::dom::parser numbers_;
};

/// Does a record hold such spans, one or a list?
bool fits_shape(RecordMatcher& record, const SpanShape& shape);
void read_shaped(json::element record, std::string_view text, const Extent& at,
                 const SpanShape& shape, RecordContext& context);

/// The format whose records hold such spans. `read`: what reads them if the shape does not say all.
template <const SpanShape& kShape>
constexpr Format format_of_spans(std::string_view name, std::string_view summary,
                                 std::string_view needs, decltype(Format::read) read = nullptr) {
  const auto read_all = [](json::element record, std::string_view text, const Extent& at,
                           RecordContext& context) {
    read_shaped(record, text, at, kShape, context);
  };
  return {.name = name,
          .summary = summary,
          .matches = [](RecordMatcher& record) { return fits_shape(record, kShape); },
          .needs = needs,
          .read = read != nullptr ? read : read_all};
}

}  // namespace xtrace
