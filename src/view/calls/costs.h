#pragma once

#include <span>

#include "view/calls/call_fields.h"
#include "view/calls/unplaced.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// Where the costs of an answer come from, and of what they are not known.
Record costs_record(const CallScene& scene);
/// The same for spans; `unplaced`: what they state that no call accounts for.
Record costs_record(const HopScene& scene, std::span<const UnplacedRow> unplaced, CellArena& arena);
std::span<const Column> costs_columns();
/// `built-in 2026-10-24`
Text table_name(const PriceTable& prices, Door& door);

/// For people: `$0.0123`, `≥$0.0123` where something is missing from the sum, or the log has no
/// last count of the output, `?` where nothing but that is known; empty where there is nothing to
/// pay.
std::string cost_words(const Usage& usage);
/// The same for a column, by which rows can be ordered.
Cell cost_cell(const Usage& usage);
/// `output tokens are incomplete for 3 calls (the log kept only the count from the start of each
/// reply), so the true cost is higher`
std::string low_output_words(int64_t calls);
/// `only part of the cost is known for 2 calls`
std::string partly_words(int64_t calls);
/// `3 subagents without logs`: a reason why a sum is incomplete.
std::string unrecorded_words(int64_t agents);
/// Says so below a table of such; empty where it tells of no cost.
Text costs_line(const CallScene& scene);
Text costs_line(const HopScene& scene, std::span<const UnplacedRow> unplaced, CellArena& arena);

}  // namespace xtrace
