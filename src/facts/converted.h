#pragma once

#include "base/id.h"
#include "facts/tool_error.h"

namespace xtrace {

// What an earlier answer of ours found out, as recorded in a log made of that answer (`convert`).
// It is believed: the linkers that would find it out leave it alone.

/// Of a hop. nowhere: there is none.
struct ConvertedHop {
  StringId run;       ///< if it is not the trace that contains it
  StringId from, to;  ///< actors, where tags of the log do not name them
  StringId kind;
  StringId tool;
  StringId method;       ///< the rule that found its cause; nowhere: it is recorded
  float confidence = 1;  ///< in the cause; where there is none, that it was not seen
};

using ConvertedHopId = Id<ConvertedHop>;

/// Of a call: a link that leads to it, or a tool result without one.
struct ConvertedLink {
  CallId from;  ///< nowhere: it is not in the input
  CallId to;
  StringId from_id;  ///< the call as the log names it
  StringId kind, method;
  StringId key;       ///< the identifier both ends share
  StringId tool_use;  ///< the id of the one it is about
  ToolError error = ToolError::none;
  double confidence = 1;
  uint32_t shared = 0, repeats = 0, dropped = 0;
  uint16_t rivals = 0, attempt = 0;
  uint16_t tool_use_number =
      0;  ///< of one without an id: its place among those of its answer, from 1
  bool is_error = false, is_open = false, is_again = false, resumed = false;
  bool is_alternative = false;  ///< of the link before it
  bool is_orphan = false;       ///< a result of `tool_use`, which nobody asked for
};

}  // namespace xtrace
