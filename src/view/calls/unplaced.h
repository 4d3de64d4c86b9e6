#pragma once

#include <span>
#include <string>
#include <vector>

#include "view/calls/spending.h"
#include "view/common/field.h"
#include "view/common/names.h"

namespace xtrace {

struct HopScene;

/// The rows of an answer about calls: those of sessions, agents and turns that are shown whole,
/// and, unless a filter hides anything, what spans state of calls that are in no log.
std::vector<UnplacedRow> unplaced_in(const Graph& graph, const Selection& selection);
/// Those of the spans that are shown, and of statements unless a filter hides anything.
std::vector<UnplacedRow> unplaced_in(const HopScene& scene);

/// Is it usage of a run of spans that no call covers?
bool is_of_uncovered_run(const UnplacedUsage& usage, const Graph& graph);

/// The table `unplaced`.
Table unplaced_table(std::span<const UnplacedRow> rows, const Graph& graph, const Names& names);
std::span<const Column> unplaced_columns();

/// The same in a clause: `outside the recorded calls: 3.0k input tokens, 400 output tokens, $0.0050
/// (from session totals)`; empty: nothing is.
std::string unplaced_words(std::span<const UnplacedRow> rows);

}  // namespace xtrace
