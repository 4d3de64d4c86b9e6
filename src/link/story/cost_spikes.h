#pragma once

#include "link/story/story.h"

namespace xtrace {

/// Fills StoryNode::cost_spike: how many times the median of what its task's other priced steps
/// cost a step did, if that is thrice or more and it made up a twentieth of the task's costs; else
/// 0. Of one priced step nobody can say that it stands out.
void find_cost_spikes(Story& story);

}  // namespace xtrace
