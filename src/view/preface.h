#pragma once

#include <string>

#include "view/names.h"

namespace xtrace {

/// What every answer begins with: the schema, who made it, from which inputs, and what was wrong
/// with them.
void add_preface(std::string_view schema, const Question& question, const Names& names,
                 Document& document);

/// The shape of the preface, for the JSON Schema.
std::span<const Column> preface_columns();
std::span<const Column> input_columns();
std::span<const Column> warning_columns();

}  // namespace xtrace
