#include "view/hops/actor_nodes.h"

#include "view/common/short_names.h"
#include "view/hops/run_answers.h"

namespace xtrace {

ActorNodes::ActorNodes(const HopScene& scene, const Run& run, Drawing& drawing, Text about)
    : scene_(scene),
      drawing_(drawing),
      run_(scene.names.text(run.id)),
      scope_(run_scope(scene, run, about)) {}

uint32_t ActorNodes::of(ActorId id) {
  auto [place, is_new] = places_.emplace(id, static_cast<uint32_t>(drawing_.nodes.size()));
  if (!is_new) return place->second;
  Drawing::Node node{"unknown", {Text(kNotOnRecord)}, "unknown"};
  if (id) {
    const Actor& actor = scene_.hops[id];
    node = {scene_.actor(id), {scene_.names.text(actor.label())}, Door::own(word(actor.type))};
  }
  node.scope = scope_;
  node.properties.add("run", run_);
  drawing_.nodes.push_back(std::move(node));
  return place->second;
}

void ActorNodes::label() {
  std::vector<std::string_view> names;
  for (const Drawing::Node& node : drawing_.nodes) names.push_back(node.lines.front().view());
  std::vector<std::string> labels = short_names(names);
  for (size_t i = 0; i < labels.size(); ++i)
    drawing_.nodes[i].lines.front() = scene_.question.door.composed(std::move(labels[i]));
}

}  // namespace xtrace
