#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/step.h"
#include "input/common/json.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// What a span in any of the formats of spans says of it as a step of a query. Leaves `step` as it
/// is if it is none: a log record that tells of an event stands where a span would.
void read_span_step(json::element span, StepRecord& step);

/// All tags of a span by name, and those of its events that tell of the span as a whole. Of equal
/// names the last counts.
class AllTags {
 public:
  using Map = std::map<std::string_view, json::element, std::less<>>;

  explicit AllTags(json::element span);
  const Map& all() const { return tags_; }
  SpanTags known() const;

 private:
  void add_event(json::element event);
  void add(json::element tags);
  void add_tag(std::string_view key, json::element value);

  Map tags_;
  std::deque<std::string> names_;       ///< of tags in columns of their own
  std::vector<std::string_view> keys_;  ///< of the values that are rewritten
  std::string rewritten_ = "[";
  simdjson::dom::parser parser_;
};

}  // namespace xtrace
