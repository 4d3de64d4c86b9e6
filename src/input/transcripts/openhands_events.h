#pragma once

#include "input/common/format.h"
#include "input/common/utterance.h"
#include "input/transcripts/part.h"

namespace xtrace {

class Shard;

// The conversations of OpenHands since its version 1; part of the format `openhands`.

bool fits_openhands_events(json::element record);
void read_openhands_events(json::element record, std::string_view text, const Extent& at,
                           RecordContext& context);
void say_openhands_event(json::element record, Draft& said);

/// Adds a bill for each response that `metrics` name, if they count what it used up; `usage` tells
/// for what the model was asked: the agent's own calls, or a helper's.
void bill_openhands_responses(std::string_view usage, json::element metrics, const Part& part,
                              StringId session, Shard& shard);

/// Adds what a run's `metrics` tell that it used up, for one purpose or all; false: nothing. Where
/// that cost nothing, no price was known.
bool add_openhands_metrics(json::element metrics, Utterance& total);

}  // namespace xtrace
