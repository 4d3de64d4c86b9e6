#pragma once

#include <string>

#include "view/names.h"

namespace xtrace {

/// What every answer begins with: the schema, who made it, from which inputs, and what was wrong
/// with them.
void add_preface(std::string_view schema, const Question& question, const Names& names,
                 Document& document);

/// The shape of an answer, for the JSON Schema: the preface, and behind it the view's own sections.
std::vector<Section> shape_of_answer(const std::vector<Section>& own);

}  // namespace xtrace
