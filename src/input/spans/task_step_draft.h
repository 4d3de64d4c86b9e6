#pragma once

#include <string_view>
#include <vector>

#include "facts/task_step.h"
#include "input/common/json.h"

namespace xtrace {

class Shard;
class SpanTags;

/// A task step while its record is read: which details of ExplanationGraph (facts/task_step.h) the
/// fields of a record give, by whatever names they go (`ruleId`, `rule.id`).
class TaskStepDraft {
 public:
  TaskStep task_step;

  /// Takes a field if it is one that steps are described by; false: it is another one.
  bool read_remark(std::string_view key, json::element value, Shard& shard);
  /// What the tags of a span say. `operation` is its name.
  void read(const SpanTags& tags, std::string_view operation, Shard& shard);
  /// Does it say anything at all?
  bool any() const;
  TaskStepId add(Shard& shard) const;

 private:
  bool has(std::string_view key) const;
  TaskStep::Type type_by_remarks(std::string_view operation) const;

  std::vector<Remark> remarks_;
};

/// Is the span named so one of an agent that reasons about its own work: plans, votes, looks back?
/// With tokens of its own it is a model call, else an action.
bool is_reasoning(std::string_view operation);

/// One of ExplanationGraph's types, such as `TEST_RUN`; `other` for any other word.
TaskStep::Type read_step_type(std::string_view word);

}  // namespace xtrace
