#pragma once

#include <cstdint>
#include <string>

#include "view/common/names.h"
#include "view/common/selection.h"
#include "view/common/view.h"

namespace xtrace {

/// When does an answer in JSON say what its fields mean?
enum class Meanings : uint8_t { on_request, always };

/// The subject of an answer: only calls; calls and the spans of runs that no call covers; or all of
/// both. Answers of the first two kinds report what they leave out.
enum class Covers : uint8_t { calls, joined, all };

/// What every answer begins with: the schema, who made it, from which inputs, what was wrong with
/// them, and how much of them filters hide. And what it ends with: what was redacted.
void add_preface(std::string_view schema, const Question& question, const Names& names,
                 const Hidden& hidden, Document& document, Meanings meanings = Meanings::on_request,
                 Covers covers = Covers::all);

/// Of how many sections that is.
inline constexpr size_t kPrefaceSections = 5;
/// Of how many the end.
inline constexpr size_t kClosingSections = 1;

/// What a text says of it instead: `3 spans and 1 cause hidden by filters`. Adds nothing where
/// nothing is hidden; without a word for edges, it counts no edges.
void add_hidden(const Hidden& hidden, std::string_view node, std::string_view edge, Door& door,
                std::vector<Text>& lines);

/// The shape of an answer, for the JSON Schema: the preface, the view's own sections, and the end.
std::vector<Section> shape_of_answer(const std::vector<Section>& own,
                                     Meanings meanings = Meanings::on_request);

}  // namespace xtrace
