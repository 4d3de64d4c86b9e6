#pragma once

#include <string>
#include <vector>

#include "facts/record.h"
#include "facts/step.h"
#include "input/common/json.h"

namespace xtrace {

struct RecordContext;

/// Does the record tell a step of a query by itself (step_events.cpp)? Spans may, and are none
/// then.
bool fits_step_event(json::element record);

/// What is told around a step of it, where it does not tell it itself.
struct TraceHead {
  std::string query, trace, project;
  std::string step;  ///< its id
  std::vector<std::string> parents;
  bool is_answer = false;  ///< written by xtrace, which says more
  bool follows = false;    ///< the parents led to it, and it is no part of them
};
void read_step_of(json::element record, const Extent& at, TraceHead head, RecordContext& context);
/// What it says as a step, when somebody goes back to it.
void read_step_record(json::element record, StepRecord& step);

}  // namespace xtrace
