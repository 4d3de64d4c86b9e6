#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "live/task_steps.h"
#include "view/story/explanation.h"

namespace xtrace {

/// Names, and who did what, that the stories of all groups share.
struct StoryWords {
  std::shared_ptr<StringPool> pool = std::make_shared<StringPool>();
  StringId intern(std::string_view word);
  /// As much of it as rows of summaries ask for; it lives as long as this.
  const Activity* keep(const Activity* done);

 private:
  std::map<std::pair<StringId, bool>, Activity> done_;
};

/// The story of a group, put together from those of its parts. What folds, and what a filter hides,
/// depends on the steps beside it: so fold() and keep() see all of them, as in any other answer.
/// But an update reads, links and writes only the parts that grew.
class GroupStory {
 public:
  /// A step, with all that has to be known of it when its graph is gone.
  struct Step : TaskSteps::Step {
    StoryNode node;  ///< `above`: a place in its part; names: of StoryWords
    Moment begun;
    StringId session, own_status;
    uint64_t name = 0;   ///< a hash of its name in the log, before the Door
    uint64_t id = 0;     ///< a hash of Said::id
    uint64_t facts = 0;  ///< a hash of what the row of a summary sums up
    std::string row;     ///< until the next tell()
    uint64_t row_hash = 0;
    uint32_t slot = 0;
  };
  struct PartStory {
    uint32_t part = 0;
    std::vector<Step> steps;
    std::vector<StoryEdge> edges;   ///< between places in the part; `key`: an index into `keys`
    std::vector<std::string> keys;  ///< which passed the Door
  };
  /// Everything that decides what is shown of a story, and how.
  struct Telling {
    const StoryOptions& options;
    Door& door;
    const Graph& nothing;  ///< a graph without nodes
    const WriteRow& write;
    const StoryWords& words;
  };

  /// Takes in the parts of another group.
  void merge(GroupStory other);
  /// Parts that have become part of another one go by its name.
  void rename(const std::function<uint32_t(uint32_t)>& find);
  /// From now on these parts, named in order, have these steps instead of those that they had.
  void replace(const std::vector<uint32_t>& parts, std::vector<PartStory> stories);

  /// Adds what is shown from now on and was not to `delta`. Returns parts that have to be replaced
  /// by themselves first, as their rows are needed again; then nothing was added. `is_seen`: is
  /// `delta` read by anybody?
  Result<std::vector<uint32_t>> tell(const Telling& telling, bool is_seen, GraphDelta& delta);

 private:
  class Names;
  struct Slot {
    uint32_t part = 0;
    std::vector<uint32_t> places;  ///< in the story, by `nth` of its steps
    std::vector<StoryEdge> edges;
    std::vector<std::string> keys;
  };
  /// The story of all steps as it was made last. What came before the first step that changed since
  /// stays in it, as most steps of a long task do.
  struct Made {
    std::shared_ptr<Story> story = std::make_shared<Story>();
    size_t part_edges = 0;  ///< so many of its edges, the first, are those of parts
    std::vector<std::pair<uint32_t, uint32_t>>
        beside;                        ///< nodes that order moved, and their `above`
    std::vector<uint32_t> placed;      ///< nodes whose place counts
    std::vector<TaskPlace> places;     ///< theirs
    std::vector<uint64_t> ids, facts;  ///< by node, as Step has them
  };
  struct Shown {
    uint64_t id, row;
    std::string name;
  };
  struct ShownEdge {
    uint64_t from, to, row;
  };
  struct ShownSummary {
    std::string name;
    std::vector<uint64_t> members;  ///< ids, in the order of the story
  };
  /// A node or a summary that is to be shown.
  struct Now {
    uint64_t id, row;
    uint32_t node;  ///< of the story that is shown
  };

  void note_change(uint32_t first);
  void make_story(const Telling& telling);
  void add_steps();
  std::vector<bool> find_changed_slots() const;
  void add_part_edges(const std::vector<bool>& changed);
  void add_order();
  Result<std::vector<bool>> choose(const Telling& telling, const Story& story) const;
  Result<std::shared_ptr<const ExplanationScene>> make_scene(const Telling& telling, Names& names);
  std::vector<Now> find_shown(const ExplanationScene& scene, const Names& names) const;
  std::vector<uint32_t> find_lacking(const std::vector<Now>& changed, const ExplanationScene& scene,
                                     const Names& names) const;
  std::vector<Now> find_changed(const std::vector<Now>& now) const;
  void show_nodes(const std::vector<Now>& now, const ExplanationScene& scene, const Names& names,
                  GraphDelta& delta);
  void write_nodes(const std::vector<Now>& changed, const Telling& telling,
                   const ExplanationScene& scene, const Names& names, GraphDelta& delta);
  void show_edges(const Telling& telling, const ExplanationScene& scene, const Names& names,
                  bool is_seen, GraphDelta& delta);
  void show_members(const ExplanationScene& scene, const Names& names, GraphDelta& delta);
  std::vector<std::string> names_of(std::vector<uint64_t> ids) const;

  std::vector<Step> steps_;  ///< in the order of the story
  std::vector<Slot> slots_;
  Made made_;
  uint32_t unmade_ = 0;           ///< the first step that made_ does not have as it is
  uint32_t written_ = 0;          ///< the first step that may have a row
  std::vector<Shown> shown_;      ///< by id
  std::vector<ShownEdge> edges_;  ///< by ends
  std::map<uint64_t, ShownSummary> summaries_;
  std::unordered_map<uint64_t, std::string> gone_;  ///< names of steps that were replaced, by id
};

}  // namespace xtrace
