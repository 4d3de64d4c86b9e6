#pragma once

#include <vector>

#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/common/utterance.h"
#include "input/transcripts/part.h"

namespace xtrace {

class Shard;

// The conversations of OpenHands since its version 1; part of the format `openhands`.

void read_openhands_state(const RecordMatcher& state, const Part& whole, Utterance&,
                          RecordContext& context);
void read_openhands_event(const RecordMatcher& event, const Part& whole, Utterance&,
                          RecordContext& context);
void say_openhands_event(json::element record, Draft& said);

/// Adds the usage of each response that `metrics` name, and to `totals` what they state that the
/// conversation used up so far, by model. `purpose`: the agent's own calls, or a helper.
void read_openhands_metrics(std::string_view purpose, json::element metrics, const Part& part,
                            const Utterance& common, std::vector<Utterance>& totals, Shard& shard);

}  // namespace xtrace
