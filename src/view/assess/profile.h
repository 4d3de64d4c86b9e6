#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "settings/standards.h"
#include "view/hops/hop_scene.h"
#include "view/hops/paths.h"

namespace xtrace {

// What runs look like, so that another run can be held against them: for edges, resources and paths
// that are new, and for more of anything than their 95th percentile (Bound).

/// What one run did, by the names that the log gives; they pass the Door where they are shown.
struct RunTraits {
  std::map<EdgeName, std::vector<HopId>> edges;
  std::map<std::string, std::vector<HopId>> resources;
  std::map<PathName, std::vector<HopId>> paths;
  std::map<std::string, std::set<std::string>> targets;  ///< by agent: whom it called
  std::vector<HopId> deepest;  ///< the hops at the end of the longest path
  size_t depth = 0;            ///< hops of that path
  /// By name: what is shown of those that redaction replaces, without the numbers, which may be
  /// others in the next answer: `user:[REDACTED:email]`.
  std::map<std::string, std::string> replaced;
  std::map<std::string, double, std::less<>> figures;  ///< those on record
  std::map<std::string, double> tools;                 ///< how often each was used, as it is shown
  std::map<std::string, HopId> first_uses;             ///< of each of them, if a hop records it
  bool cost_is_partial = false;                        ///< of some calls nobody knows it
};
/// `group_paths`: how many leading folders replace a file (group_path()); nothing: files are kept
/// as they are.
RunTraits traits_of(const HopScene& scene, const Paths& paths, const Run& run,
                    std::optional<int64_t> group_paths);
/// Adds the figures of its model calls and tools. A call with several records counts once.
void add_figures(const HopScene& scene, const Run& run, RunTraits& traits);

/// The same run by other names of its actors. What then bears one name is one.
RunTraits renamed(const RunTraits& run, const std::map<std::string, std::string>& names);

/// The names of actors in it.
std::set<std::string> names_in(const Profile& profile);
/// Names that redaction replaces are learned without their numbers.
Profile learn(const std::vector<RunTraits>& runs);

Figure figure_of(const std::vector<double>& values);

/// The value that so large a share of them does not exceed, between two by linear interpolation; 0
/// of none.
double percentile(std::vector<double> values, double share);

}  // namespace xtrace
