#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

/// The tools that have spans. Each tells of one use, which one of those takes that ask for tools.
/// Whoever asks comes in order of time.
class ToolSpans {
 public:
  explicit ToolSpans(const Trace& trace) : trace_(trace) {}

  /// In order of time.
  void add(const Span& span);

  /// Of the tools that are asked for, those with an id that a span has take that. Ids come again in
  /// some logs, so that each takes one; but of two models' spans that overlap in time, which tell
  /// of one call, the second takes what the first has.
  bool take_by_id(const Span& model, std::string_view id);
  /// Others take the next of their name that nobody asked for by its id.
  bool take_by_name(const Span& model, std::string_view name);
  /// Likewise where one of the names has more before it.
  bool take_by_ending(const Span& model, std::string_view name);

 private:
  struct ToolSpan {
    const Span* span;
    bool is_taken = false;
  };
  using Queue = std::deque<size_t>;
  struct Asked {
    Queue spans, early;          ///< nobody asked for; and began before whoever asks next
    const Span* last = nullptr;  ///< that asked for one of them
  };
  using Queues = std::map<std::pair<StringId, std::string>, Queue>;  // by trace and name

  static Queue* queue(Queues& queues, const Span& model, const std::string& name);
  bool take_first(const Span& model, const std::vector<Queue*>& queues);

  const Trace& trace_;
  std::vector<ToolSpan> spans_;
  std::map<std::pair<StringId, std::string_view>, Asked> by_id_;
  Queues by_name_, by_ending_;
};

}  // namespace xtrace
