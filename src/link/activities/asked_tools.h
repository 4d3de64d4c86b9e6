#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "facts/payloads.h"
#include "link/activities/distinct_spans.h"

namespace xtrace {

/// Which of the pieces that a span records (Payloads::quotes).
struct QuotePlace {
  SpanId span;
  size_t piece = 0;
};

/// A tool that the answer of a model's span asks for, and of which no span of a tool tells: many
/// traces have spans of models alone. It is a use like any other.
struct AskedTool {
  QuotePlace asked;
  std::string name, id;  ///< as the answer has them; the id may be empty
  /// What it brought, where a model's span behind that one shows it; with texts alone.
  std::optional<QuotePlace> result;
};

/// Reads again what a span records. What it returns is not looked at once the next one is read.
using QuotesOf = std::function<const std::vector<Quote>&(SpanId)>;

/// Of these spans, in order of time. A call that several spans record asks once. Names of one tool
/// may differ in form (`mcp__github__search`, `github.search`), and ids may come again.
std::vector<AskedTool> find_asked_tools(const Graph& graph, const DistinctSpans& spans,
                                        const QuotesOf& quotes_of);

/// The same for all spans that no call covers. Reads those of models again and keeps none.
std::vector<AskedTool> find_asked_tools(const Graph& graph, const Payloads& payloads);

}  // namespace xtrace
