#include "view/hop_scene.h"

namespace xtrace {

namespace {

std::shared_ptr<const Hops> hops_of(const Graph& graph) {
  if (graph.trace().calls.empty())  // the graph owns them and outlives the answer
    return {std::shared_ptr<void>(), &graph.hops()};
  return std::make_shared<const Hops>(hops_of_calls(graph));
}

}  // namespace

Result<std::shared_ptr<HopScene>> hop_scene(const Question& question, const Filter& filter,
                                            HopLinks links) {
  std::shared_ptr<const Hops> hops = hops_of(question.graph);
  Result<HopSelection> selection = filter.select_hops(question.graph.trace(), *hops, links);
  if (!selection) return tl::unexpected(selection.error());
  return std::make_shared<HopScene>(question, std::move(hops), *std::move(selection));
}

}  // namespace xtrace
