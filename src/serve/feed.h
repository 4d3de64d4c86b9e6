#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "live/follow_command.h"
#include "live/live_input.h"
#include "live/reorder_buffer.h"
#include "live/shared_links.h"
#include "serve/graph_channel.h"

namespace xtrace::serve {

/// Reads logs as they grow, each record once, and keeps a graph for each filter that has
/// subscribers. What came is linked once, however many filters there are.
class Feed {
 public:
  using Clock = ReorderBuffer::Clock;

  /// Graphs at once: each holds its nodes, and folds and filters them itself.
  static constexpr size_t kMostGraphs = 8;

  /// `run` names this run of the program; `request` must live as long.
  Feed(std::string run, const Request& request, const FollowSettings& settings,
       ChannelLimits limits);

  /// Reads what is there.
  Status begin();
  /// Reads what came since, and passes it on to the graphs that have readers.
  Status look();
  /// Nothing that came waits for earlier records any more.
  Status settle();
  /// Reads everything as one, for all graphs that have readers: what they show is then what `dag`
  /// shows. It happens by itself when nothing has come for a while.
  Status reread();

  /// The graph of a filter, as it is now; of the command's own one without a request. Refuses one
  /// graph too many.
  Answered<std::shared_ptr<GraphChannel>> channel(const StoryOptions& story);
  const StoryOptions& story() const { return story_; }

  /// Counts how often something came, from 0 on.
  uint64_t version() const { return version_; }
  const Generations& generations() const { return input_.generations(); }
  /// When to look again at the latest.
  Clock::time_point next_moment() const;
  void add_to(std::vector<int>& waiting) const { input_.growing().add_to(waiting); }

 private:
  Status take_in(Growth growth);
  void pass_on(const std::vector<ReorderBuffer::Event>& events);
  Status update();
  bool is_at_rest() const;
  bool has_stale() const;

  std::string run_;
  const Request& request_;
  StoryOptions story_;
  ChannelLimits limits_;
  LiveInput input_;
  SharedLinks links_;
  ReorderBuffer reorder_buffer_;
  std::vector<Arrival> arrivals_;  ///< all that were passed on, for graphs that begin later
  std::vector<std::shared_ptr<GraphChannel>> channels_;  ///< the one used latest is the last
  uint64_t version_ = 0, made_ = 0;
  Clock::time_point came_ = Clock::now();  ///< the last record
  Clock::duration reading_took_{};         ///< all of it as one, the last time
};

}  // namespace xtrace::serve
