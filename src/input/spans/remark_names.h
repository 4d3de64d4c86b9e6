#pragma once

#include <string_view>

#include "facts/task_step.h"

namespace xtrace {

/// A name under which records describe a step, and what ExplanationGraph (facts/task_step.h) calls
/// that.
struct RemarkName {
  std::string_view name;
  std::string_view key;
  Remark::Kind kind = Remark::Kind::name;
};

/// nullptr: it is none.
const RemarkName* find_remark_name(std::string_view name);

}  // namespace xtrace
