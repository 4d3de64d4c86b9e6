#pragma once

#include <map>
#include <memory>
#include <string>

#include "live/part_story.h"
#include "live/parts.h"
#include "live/shared_links.h"
#include "live/shown_graph.h"
#include "run/request.h"
#include "view/calls/session_state.h"
#include "view/story/explanation.h"
#include "view/story/follow.h"

namespace xtrace {

/// A session of the input, as its last record leaves it.
struct LiveSession {
  std::string label;  ///< agent product, project and the beginning of its id
  std::string tool;
  SessionState state;  ///< its tool is in `tool`
};

/// The explanation of an input that grows. What is shown is a function of the facts, made anew from
/// those parts of the input alone that grew; and now and then of all of it, which finds what no
/// identifier told to belong together. Of a task whose steps need only be put in order each part is
/// linked alone, so that what a record costs to link does not grow with its task.
class LiveGraph {
 public:
  /// `request`, `generations` and `links`, if there are any, must live as long.
  LiveGraph(const Request& request, const StoryOptions& story, WriteRow write,
            const Generations& generations, SharedLinks* links = nullptr);

  void add(const RecordAt& record, const RecordIds& ids) { parts_.add(record, ids); }
  /// The records of a generation count no more; reread() must follow.
  void take_out(uint32_t generation) { parts_.take_out(generation); }

  /// Would update() look at anything?
  bool grew() const { return parts_.any_touched(); }
  /// From the parts that grew: what changes in what is shown.
  Result<GraphChange> update();
  /// The same of all parts; `alone`: as each is shown until what is beside it has come, so that no
  /// partner of a call is missed yet.
  Result<GraphChange> update_all(bool alone);
  /// From everything: the same. After it, what is shown is exactly what the view says of all.
  Result<GraphChange> reread() { return reread(generations_); }
  /// From what is in these, which may hold less than came.
  Result<GraphChange> reread(const Generations& generations);
  /// Shows what these options, changed ones of story(), say from now on. Exit::usage: they cannot
  /// be read, and nothing changes.
  Result<GraphChange> choose(StoryOptions story);

  const StoryOptions& story() const { return story_; }
  const ShownGraph& shown() const { return shown_; }
  /// All that is shown, with the newest event.
  GraphRows rows() const;
  Moment newest() const { return newest_; }
  /// The answer about everything, as JSON, when it was read last; empty unless snapshots are kept.
  const std::string& whole() const { return whole_; }
  size_t parts() const { return parts_.size(); }
  /// So many records were linked for update(), one for each time.
  size_t linked() const { return linked_records_; }
  /// By id.
  const std::map<std::string, LiveSession>& sessions() const { return sessions_; }

 private:
  Result<Linked> link_records(std::vector<RecordAt> records, const Parts::Counts& counts,
                              bool tasks_go_on);
  Result<Linked> read_and_link(const std::vector<RecordAt>& records, const LinkOptions& linking);
  Result<Linked> link_all(const Generations& generations);
  Result<GraphRows> rows_of_story(const Linked& linked, const std::shared_ptr<const Story>& story,
                                  const StoryOptions& options, bool with_edges);
  Result<GraphRows> rows_of_all(const Linked& all);

  Status add_changes(Parts::Touched& touched, GraphDelta& delta);
  Status tell_as_one(Parts::Group& group, bool before, GraphDelta& delta);
  Status tell_parts(Parts::Group& group, const std::vector<uint32_t>& parts, bool before,
                    GraphDelta& delta);
  Status link_part(uint32_t i, std::vector<Linked>& linked, std::vector<TaskSteps::Priced>& priced);
  Result<SaidPart> say_part(const Parts::Group& group, const Linked& linked);
  Status tell_part(const Parts::Group& group, const Linked& linked, bool is_new, GraphDelta& delta,
                   std::vector<TaskSteps::Step>& steps);
  Status replace_in_story(Parts::Group& group, const std::vector<uint32_t>& parts,
                          const std::vector<Linked>& linked, bool is_new);
  Status tell_story(Parts::Group& group, bool is_seen, GraphDelta& delta);
  std::string write_edge(const StoryNames& names, const StoryEdge& edge) const;
  std::string write_edge(const TaskSteps::SaidEdge& said) const;
  bool is_told_by_part(const Parts::Group& group) const;
  bool shows_all() const { return story_.show == "raw" && !story_.filter.any(); }
  void note_newest(Moment newest);
  void note_messages(const RawTrace& trace);
  void note_sessions(const Graph& graph);

  const Request& request_;
  StoryOptions story_;
  WriteRow write_;
  const Generations& generations_;
  SharedLinks* links_;
  Records records_;
  Parts parts_;
  ShownGraph shown_;
  Moment newest_;
  std::map<std::string, LiveSession> sessions_;
  /// By the session's id in the log: when the user's last message came. It is part of a call only
  /// when the reply begins.
  std::map<std::string, Time, std::less<>> asked_;
  bool is_alone_ = false;  ///< update_all() is at it
  size_t linked_records_ = 0;
  std::string whole_;
  std::unique_ptr<Door> door_;
  StoryWords words_;
  std::unique_ptr<const Graph> nothing_;
};

}  // namespace xtrace
