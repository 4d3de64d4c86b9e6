#pragma once

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

struct RecordContext;

/// Adds a call for each time that another model gave advice while this answer was written
/// (`usage.iterations` of the type `advisor_message`): the vendor asks it by itself, and counts
/// what it used up apart from the answer. `said`: the answer.
void add_advice(json::element message, const Utterance& said, RecordContext& context);

}  // namespace xtrace
