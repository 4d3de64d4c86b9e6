#include "view/graph_behind.h"

#include "link/graph/subject.h"
#include "view/calls/call_graph.h"
#include "view/hops/hop_graph.h"
#include "view/story/explanation.h"

namespace xtrace {

Result<Document> graph_behind(const Question& question, const Filter& filter) {
  const Graph& graph = question.graph;
  if (subject_of(graph.trace()) == Subject::spans) return graph_of_hops(question, filter, false);
  if (graph.partners().cover_all_runs()) return graph_of_calls(question, filter, false);
  Result<StoryFilter> of_story = story_filter_of(filter);
  if (!of_story) return tl::unexpected(of_story.error());
  StoryOptions options;
  options.filter = *std::move(of_story);
  return explanation(question, options);
}

}  // namespace xtrace
