#pragma once

#include <string>

#include "input/growing/generation.h"
#include "run/request.h"

namespace xtrace {

/// The whole trace of a query in an input that grows, again whenever it changes: as JSON on one
/// line, as text with an empty line behind it.
class LiveAnswer {
 public:
  /// `request` and `generations` must live as long.
  LiveAnswer(const Request& request, std::string query, const Generations& generations)
      : request_(request), query_(std::move(query)), generations_(generations) {}

  /// The answer as it is now; empty if it is what it was, or if what is asked for is not there yet.
  Result<std::string> next();
  /// Was there any?
  bool answered() const { return !last_.empty(); }
  /// Why there was none, the last time.
  const std::string& why_not() const { return why_not_; }

 private:
  const Request& request_;
  const std::string query_;
  const Generations& generations_;
  std::string last_, why_not_;
};

/// JSON without its line breaks.
std::string on_one_line(std::string_view json);

/// The audit trace of one query.
std::unique_ptr<View> trace_of(const std::string& query);

}  // namespace xtrace
