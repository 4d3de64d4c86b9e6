#pragma once

#include <map>
#include <optional>
#include <string>

#include "facts/step.h"
#include "facts/trace.h"
#include "input/parsers.h"

namespace xtrace {

/// What was said in one call, read again from the file. Nothing of it has passed the Door yet.
struct Excerpt {
  std::string prompt;  ///< the last message of the request
  std::string answer;  ///< the texts of the answer
  std::string error;   ///< what the vendor said went wrong
};

/// Goes back to the record of an event. Empty texts when it cannot be read again: a pipe that was
/// not kept is gone once it was read, and a file may have changed since.
class Excerpts {
 public:
  explicit Excerpts(const Trace& trace) : trace_(&trace) {}
  Excerpt of(const Event& event);
  /// What the span there says as a step of a query.
  StepRecord step(const Span& span);

 private:
  bool read_bytes(const Extent& extent);
  Excerpt of_places(const Call& call);
  void read_details(const Span& span, StepRecord& step);

  const Trace* trace_;
  std::string bytes_;
  /// Indices into Trace::span_details by the id of the span, once somebody asks.
  std::optional<std::multimap<std::string_view, uint32_t>> details_;
  simdjson::dom::parser parser_;
  Parsers parsers_;
};

}  // namespace xtrace
