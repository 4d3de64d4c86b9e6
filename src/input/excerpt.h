#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "facts/payloads.h"
#include "facts/trace.h"
#include "input/calls/known_lines.h"
#include "input/common/parsers.h"
#include "input/read_again.h"

namespace xtrace {

/// Goes back to the record of a call. Empty texts when it cannot be read again: a pipe that was not
/// kept is gone once it was read, and a file may have changed since: what is there is recorded only
/// if it is what was read.
class Excerpts {
 public:
  explicit Excerpts(const Trace& trace) : trace_(&trace), again_(trace) {}
  Excerpt of(const Call& call);
  /// What was said since the last answer of the model, and the answer, in order.
  std::vector<Quote> quotes(const Call& call);
  /// The messages of its request before these, the last answer among them, in order.
  std::vector<Quote> history(const Call& call);
  /// What the span of a model's call tells was said.
  std::vector<Quote> quotes(const Span& span);
  /// Its system prompt, and the tools that its request declares.
  Instructions instructions(const Call& call);
  /// What the span there says as a step of a query.
  StepRecord step(const Span& span);
  /// What the span, its events and log records show that only evaluations ask for.
  Appraisal appraisal(const Span& span);
  /// Indices of the sources in which something else stands than when they were read.
  const std::set<uint32_t>& changed() const { return again_.changed(); }

 private:
  Excerpt of_places(const Call& call);
  Excerpt of_converted(const Call& call);
  /// What the span says that an answer of ours made of a call; calls `each` with every message.
  void read_messages(const Call& call, const std::function<void(const struct Draft&)>& each);
  /// The record of an call that is one exchange; false: it cannot be read again.
  bool read_exchange(const Call& call, json::element& record, struct Exchange& exchange);
  bool parse_exchange(const struct Format& format, std::string_view bytes, json::element& record,
                      struct Exchange& exchange);
  bool quote_known(const struct Format& format, std::string_view bytes, std::vector<Quote>& quotes);
  void quote_answer(const struct Exchange& exchange, std::vector<Quote>& quotes);
  /// The messages on the lines that tell of a call; calls `each` with one after another.
  void read_places(const Call& call, const std::function<void(const struct Draft&)>& each);
  void read_details(const Span& span, StepRecord& step);
  /// The record of a span, or of what tells of it; false: it cannot be read again.
  bool read_record(const Extent& at, json::element& record);
  void each_detail(const Span& span,
                   const std::function<void(const SpanDetail&, json::element)>& each);

  const Trace* trace_;
  ReadAgain again_;
  /// Indices into Trace::span_details by the id of the span, once somebody asks.
  std::optional<std::multimap<std::string_view, uint32_t>> details_;
  simdjson::dom::parser parser_;
  Parsers parsers_;
  KnownLines known_;
};

}  // namespace xtrace
