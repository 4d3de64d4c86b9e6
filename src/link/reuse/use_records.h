#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "facts/payloads.h"
#include "link/graph/graph.h"

namespace xtrace {

/// Finds the records of a tool use and of its result. A transcript has a line for each part of an
/// answer, and the place of a call is only the first. Reads the lines of a call again if there are
/// several; those of the last call are kept.
class UseRecords {
 public:
  /// Without payloads, only calls of one record have known places.
  UseRecords(const Trace& trace, const Payloads* payloads) : trace_(trace), payloads_(payloads) {}

  /// The record in which the call asks for the tool; that of the call if nothing shows it.
  Extent asked(CallId call, std::string_view use);
  /// The record with the tool's result among those that the call reads; nothing: none of its own.
  std::optional<Extent> answered(CallId reader, std::string_view use);

 private:
  struct Said {
    Quote::Kind kind = Quote::Kind::text;
    std::string use;
    Extent at;
  };
  const std::vector<Said>& said_in(CallId call);

  const Trace& trace_;
  const Payloads* payloads_;
  CallId read_;
  std::vector<Said> said_;
};

}  // namespace xtrace
