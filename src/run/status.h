#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "run/own_index.h"

namespace xtrace {

/// What Claude Code passes to a command of its status line, as far as it counts here. Empty or
/// absent: not stated.
struct StatusInput {
  std::string session, transcript, model, folder;
  std::optional<double> cost;  ///< in dollars, as the client estimates it
};

/// Reads it from the text of a JSON object. Exit::input: it is none.
Result<StatusInput> read_status_input(std::string_view text);

/// What a status is about.
struct StatusQuestion {
  const OwnIndex& index;
  std::string session;               ///< its number, or the beginning of its id; empty: the newest
  std::optional<StatusInput> input;  ///< a session that this names takes precedence
  Time now = kNoTime;
  Zone zone;  ///< of today
};

/// The status as one line: `claude-code kiln · working 12s on Bash · session ≥$0.42 · today
/// ≥$3.10`. Exit::no: there is no such session; Exit::input: there is none.
Result<std::string> status_line(const StatusQuestion& question, Door& door);
/// The same as JSON.
Result<std::string> status_json(const StatusQuestion& question, Door& door);
/// The JSON Schema of that.
std::string_view status_schema();

}  // namespace xtrace
