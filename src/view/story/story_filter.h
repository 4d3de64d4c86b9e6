#pragma once

#include "base/zone.h"
#include "link/story/story.h"
#include "view/common/selection.h"
#include "view/story/story_options.h"

namespace xtrace {

/// Which nodes of a story the filters and the focus choose. Exit::no where nothing has a name that
/// is asked for; of a story that goes on (`is_live`) it may come. `part_names`: parts of names that
/// are found.
Result<std::vector<bool>> choose(const Graph& graph, const Story& story,
                                 const StoryOptions& options, std::vector<PartOfNames>& part_names,
                                 const Zone& zone);

/// The story of these nodes alone. Where one led to another over some that are not kept, an edge
/// says so and how many they are; so what was reached from where stays as it was. Less sure edges
/// than `min_confidence` are left out.
Story keep(const Story& story, const std::vector<bool>& kept, double min_confidence,
           Hidden& hidden);

}  // namespace xtrace
