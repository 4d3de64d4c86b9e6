#pragma once

#include <string>
#include <vector>

#include "live/live_graph.h"

namespace xtrace {

/// A record that came, with what it belongs to.
struct Arrival {
  RecordAt record;
  RecordIds ids;
};

/// What a reader missed that had been told all before some moment, and comes back.
struct Missed {
  struct Update {
    GraphChange change;
    Moment newest;  ///< event there was by then
  };
  std::vector<Update> updates;
  std::string why_not;  ///< they cannot be told so; empty: they can
};

/// Adds `arrivals`, all there are, to a graph that nothing was added to, and says what of it
/// changed since `since`. When a record came is not on record: it is taken to have come as soon as
/// the newest of what it and those before it in its file record about was over, so that `since`
/// should be earlier than the reader's by as much as records may come late.
///
/// Each update names a node or an edge as a whole, so the last one to do so decides how the reader
/// has it: whoever was told some of them already, or more than that, ends with the same graph. More
/// than `most` updates are not reported.
Result<Missed> tell_missed(LiveGraph& graph, std::vector<Arrival> arrivals,
                           const Generations& generations, Time since, size_t most);

}  // namespace xtrace
