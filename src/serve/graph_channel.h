#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "live/live_graph.h"
#include "live/missed.h"
#include "serve/message.h"

namespace xtrace::serve {

/// Limits of the past that is kept for readers that are slow or come back.
struct ChannelLimits {
  size_t most_updates = 100;
  size_t most_bytes = 8 << 20;  ///< some hundred updates of an ordinary log
};

/// The graph of one filter, with its latest updates, for all who subscribe to it. A reader has a
/// place in the list of updates and takes the next when it is ready for it, so that a slow one
/// costs no memory.
class GraphChannel {
 public:
  /// `request`, `generations` and `links` must live as long.
  GraphChannel(std::string name, const Request& request, const StoryOptions& story,
               const Generations& generations, ChannelLimits limits, SharedLinks& links);

  /// No other graph has it, of this or another run of the program.
  const std::string& name() const { return name_; }

  void add(const RecordAt& record, const RecordIds& ids) { graph_.add(record, ids); }
  void take_out(uint32_t generation);
  /// From the parts of the log that grew: adds an update if anything changed.
  Status update();
  /// The same from the whole log, as `dag` reads it.
  Status reread();
  /// Has the graph changed in a way that only reread() finds?
  bool is_stale() const { return is_stale_; }

  const StoryFilter& filter() const { return graph_.story().filter; }
  const std::vector<std::string>& expand() const { return graph_.story().expand; }
  GraphRows rows() const { return graph_.rows(); }
  Moment newest() const { return graph_.newest(); }

  /// The number of the latest update; the graph of the beginning is 0.
  uint64_t number() const { return number_; }
  /// Does the list hold every update after this one?
  bool holds_after(uint64_t number) const;
  /// The earliest graph from which the list leads to that of now.
  uint64_t oldest() const { return number_ - updates_.size(); }
  /// The update of that number. Requires: holds_after(number - 1), number <= number().
  SharedText update_of(uint64_t number) const;
  /// The whole graph as it is now.
  SharedText snapshot();

 private:
  Status note(const Result<GraphChange>& change);

  std::string name_;
  LiveGraph graph_;
  ChannelLimits limits_;
  std::deque<SharedText> updates_;  ///< for any subscription: see for_subscription()
  size_t bytes_ = 0;                ///< of updates_
  uint64_t number_ = 0;
  SharedText snapshot_;  ///< nullptr: not made, or no longer that of now
  bool is_begun_ = false, is_stale_ = true;
};

/// The message that one subscription is sent, of a text that all are sent: see update_line.h.
std::string for_subscription(const std::string& subscription, std::string_view text);

}  // namespace xtrace::serve
