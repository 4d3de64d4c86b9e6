#pragma once

#include "view/hops/hop_scene.h"
#include "view/why/listing.h"

namespace xtrace {

/// Why did a step of a story happen: what led to it, step by step, what else was done in its task
/// before and after it, and what came of it. `id`: the one that `dag --view explanation` shows, or
/// that of the step's span. Exit::no where no step has it.
Result<Document> explain_step(const Question& question, const std::string& id,
                              const Listing& listing);

/// The same of a step that is asked for by another name (view/story/step_names.h): the test suite
/// it ran, the rule it checked, the file it is about. Of several steps the last one that failed is
/// explained, else the last one with a warning, else the last one; the answer lists the others.
Result<Document> explain_named_step(const Question& question, const std::string& name,
                                    const Listing& listing);

}  // namespace xtrace
