#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Why did a step of a story happen: what led to it, step by step, what else was done in its task
/// before and after it, and what came of it. `name`: the id that `dag --view explanation` shows, or
/// that of the step's span. `unfold`: all steps of a long task. Exit::no where no step bears it.
Result<Document> explain_step(const Question& question, const std::string& name, bool unfold);

}  // namespace xtrace
