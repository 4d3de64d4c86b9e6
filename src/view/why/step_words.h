#pragma once

#include <string>

#include "view/story/explanation.h"

namespace xtrace {

/// What a step of a story did, as a sentence that names it:
/// `CriticAgent ran api, 3 failed (ERROR) [9b01]`. From a template for each type;
/// no model is asked.
std::string sentence_of(const ExplanationScene& scene, uint32_t node);

}  // namespace xtrace
