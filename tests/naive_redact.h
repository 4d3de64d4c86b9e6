#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

namespace xtrace {

/// A match: number of the rule, begin and end.
using RuleSpan = std::tuple<size_t, size_t, size_t>;

/// The built-in rules one after another over all of the text, as they are defined, without any
/// prefilter.
std::vector<RuleSpan> naive_spans(std::string_view text);
/// What the program finds, in the same order.
std::vector<RuleSpan> fast_spans(std::string_view text);

}  // namespace xtrace
