#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "input/growing/record_ids.h"
#include "live/graph_rows.h"
#include "live/group_story.h"
#include "live/task_steps.h"

namespace xtrace {

/// The graph of some records as it was shown, by a hash of each row.
struct KnownRows {
  bool is_known = true;  ///< is it the graph of them?
  std::unordered_map<std::string, uint64_t> nodes;
  std::map<Ends, uint64_t> edges;
  std::map<std::string, uint64_t> summaries;

  void merge(KnownRows& other);
  void forget();
  /// From now on it is this one; adds to `delta` what is new in it. `write_edge` writes the row of
  /// an edge, by its place among them, that has none.
  using WriteEdge = std::function<std::string(size_t edge)>;
  void become(GraphRows rows, GraphDelta& delta, const WriteEdge& write_edge = {});
};

/// Shares records out into parts that have nothing to do with one another, as far as ids show, but
/// that steps of several may be of one task: when a record comes, only the graph of its part can
/// change, and the order of the steps of its tasks.
class Parts {
 public:
  /// How many records hold what others may have to be linked with.
  struct Counts {
    size_t thoughts = 0, call_spans = 0, calls = 0, timed_spans = 0;  ///< as RecordIds has them
    void add(const RecordIds& ids);
    void add(const Counts& other);
  };
  struct Part {
    std::vector<RecordAt> records;
    size_t shown = 0;  ///< so many of them, the first, are in what was shown last
    Counts counts;
    KnownRows rows;
  };
  /// Parts of which steps are of the same tasks, directly or by others.
  struct Group {
    std::vector<uint32_t> parts;
    Counts counts;
    KnownRows rows;           ///< where it is linked as one
    TaskSteps steps;          ///< where each part is linked alone
    GroupStory story;         ///< the same where steps fold or a filter hides some
    bool has_joined = false;  ///< parts of it, since the steps were named by them

    /// Does nothing but the order of steps join its parts?
    bool is_joined_by_order() const {
      return counts.calls == 0 && (counts.timed_spans == 0 || counts.thoughts == 0);
    }
  };
  /// A group that records came to, and its parts that they came to.
  struct Touched {
    Group* group;
    std::vector<uint32_t> parts;
  };

  /// Adds a record; the parts that it joins become one.
  void add(const RecordAt& record, const RecordIds& ids);
  /// Takes out the records of a generation; note_all_shown() must follow.
  void take_out(uint32_t generation);

  Part& operator[](uint32_t part) { return parts_[part]; }
  /// The part that it has become part of.
  uint32_t find(uint32_t part);

  /// Those that records came to since the last time.
  std::vector<Touched> touched();
  /// All are, as if records had come to each.
  void touch_all();
  bool any_touched() const { return !touched_.empty(); }
  /// All that is there was shown, in whatever way: no part is touched. What came since the graph of
  /// a part was made makes that unknown.
  void note_all_shown();
  /// What the graphs of all parts were is not known any more.
  void forget();
  bool has_thoughts_beside(const Counts& part) const { return counts_.thoughts > part.thoughts; }
  bool has_call_spans_beside(const Counts& part) const {
    return counts_.call_spans > part.call_spans;
  }
  size_t size() const;

 private:
  uint32_t find_group(uint32_t part);
  uint32_t join(uint32_t a, uint32_t b);
  void join_groups(uint32_t a, uint32_t b);

  std::vector<Part> parts_;
  std::vector<Group> groups_;                       ///< by the index of one of their parts
  std::vector<uint32_t> parent_;                    ///< of parts that became one
  std::vector<uint32_t> group_parent_;              ///< of groups that became one
  std::unordered_map<uint64_t, uint32_t> part_of_;  ///< by id
  std::unordered_map<uint64_t, uint32_t> part_of_task_;
  std::set<uint32_t> touched_;
  Counts counts_;
};

}  // namespace xtrace
