#pragma once

#include <map>
#include <string>
#include <vector>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Runs whose answers say the same but for their ids, places and times.
class RunGroups {
 public:
  struct Group {
    std::vector<const Run*> runs;     ///< in order
    std::vector<Duration> durations;  ///< of those of which it is known

    bool is_several() const { return runs.size() > 1; }
    Duration at(double share) const;  ///< nearest rank; unknown if no duration is
  };

  /// `answer`: what the answer about the run says; empty: it is like no other, as a run is that
  /// failed or that is unsure. Returns the group's index.
  size_t add(const HopScene& scene, const Run& run, const std::string& answer);
  const std::vector<Group>& all() const { return all_; }

 private:
  std::vector<Group> all_;
  std::map<std::string, size_t> known_;
};

/// In JSON, those of several runs each, as far as they are known when it is written.
Stream stream_of(const std::shared_ptr<const HopScene>& scene,
                 const std::shared_ptr<const RunGroups>& groups);

Table shape_of_groups();

/// `1000 runs with the same output (r1, r2, r3 and 997 more): median 1.2s, p95 3s; the first:`
Text heading_of(const HopScene& scene, const RunGroups::Group& group);
/// Of a picture: `run r1 and 999 like it, median 1.2s`
Text title_of(const HopScene& scene, const RunGroups::Group& group);

}  // namespace xtrace
