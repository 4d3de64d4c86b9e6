#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "keep/health.h"
#include "live/follow_command.h"
#include "live/line_output.h"
#include "live/live_answer.h"
#include "live/live_graph.h"
#include "live/live_input.h"
#include "live/live_screen.h"
#include "live/missed.h"
#include "live/pace.h"
#include "live/reorder_buffer.h"
#include "live/request_lines.h"

namespace xtrace {

/// One run of `follow`: what it waits for, and what it does then.
class FollowLoop {
 public:
  FollowLoop(const Request& request, const FollowOptions& options, const FollowSettings& settings,
             Health& health);

  Result<Exit> run();

 private:
  using Clock = ReorderBuffer::Clock;

  // What comes in.
  Status begin();
  Status look();
  Status take_in(Growth growth, bool at_once);
  Result<std::vector<Arrival>> arrivals_in(Growth growth);
  Status resume(std::vector<Arrival> arrivals);
  void let_go(const std::vector<ReorderBuffer::Event>& events);
  Status serve(const std::string& request);

  // What goes out.
  Status tell();
  Status tell_rest();
  Status keep_files() const;
  Status tell_answer();
  void send_snapshot(const GraphRows& rows);
  void send(const GraphChange& change);
  void draw();
  Status reread();
  Result<Exit> end(Exit exit);
  Result<Exit> end_of_inputs();

  // When.
  Status step();
  void wait(int interrupts);
  bool is_paused() const { return Clock::now() < paused_until_; }
  Clock::time_point next_moment() const;
  bool is_at_rest() const;

  bool tells_trace() const { return answer_.has_value(); }

  const Request& request_;
  const FollowOptions& options_;
  FollowSettings settings_;
  Health& health_;
  LiveInput input_;
  ReorderBuffer reorder_buffer_;
  LiveGraph graph_;
  std::optional<LiveAnswer> answer_;
  std::optional<LiveScreen> screen_;
  LineOutput output_;
  RequestLines requests_;
  std::string subscription_ = "sub-1";
  bool as_text_;
  size_t gathered_ = 0;        ///< changes that nobody was ready to read
  bool needs_reread_ = false;  ///< documents were written anew
  bool is_empty_ = true;       ///< nothing came in
  bool is_used_ = false;       ///< there was a record of a known shape
  bool is_stale_ = false;      ///< something came since all was read as one
  bool to_draw_ = false;
  Clock::time_point came_ = Clock::now();  ///< the last record
  Clock::time_point drawn_{}, answered_{};
  Clock::duration reading_took_{};  ///< all of it as one, the last time
  Pace pace_;
  Clock::time_point stepped_ = Clock::now(), paused_until_{};
};

}  // namespace xtrace
