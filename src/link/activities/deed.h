#pragma once

#include <string_view>

#include "facts/deed.h"

namespace xtrace {

/// By the names that agents give their own tools; `used` of any other.
Deed deed_of(std::string_view tool);

/// Does it put something to the person: a question, or a plan to be approved? Nobody works until
/// they answer.
bool asks_a_person(std::string_view tool);
/// The first of these, surely: the answer is a word of the user's on what was asked. A plan that is
/// approved says nothing of each step.
bool puts_a_question(std::string_view tool);

}  // namespace xtrace
