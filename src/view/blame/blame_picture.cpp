#include <fmt/format.h>

#include <unordered_map>

#include "view/blame/blame_answer.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// A picture is to fit a page.
constexpr size_t kBoxes = 12;

Drawing::Edge explained_by(uint32_t from, uint32_t to) {
  Drawing::Edge edge;
  edge.from = from;
  edge.to = to;
  edge.label = "explains";
  edge.relation = "EXPLAINS";
  return edge;
}

}  // namespace

Drawing drawing_of(const Blame& blame) {
  const ImpactScene& scene = blame.of();
  Door& door = scene.door();
  Drawing drawing;
  drawing.title =
      door.say("Candidates for {}; none is known to be the cause", blame.words_of_symptom());
  Drawing::Node symptom{scene.id(blame.found.symptom),
                        {scene.words(blame.found.symptom), blame.at(blame.found.symptom)},
                        Text("symptom")};
  symptom.type = "Symptom";
  symptom.error = scene.has_failed(blame.found.symptom);
  drawing.nodes.push_back(std::move(symptom));
  std::unordered_map<uint32_t, uint32_t> box_of;
  box_of[blame.found.symptom] = 0;
  size_t shown = 0;
  for (const BlameCandidate& one : blame.found.candidates) {
    if (++shown > kBoxes) break;
    if (box_of.contains(one.step)) continue;
    box_of[one.step] = static_cast<uint32_t>(drawing.nodes.size());
    Drawing::Node box{scene.id(one.step),
                      {door.say("{}. {}", shown, blame.step_words(one.step).view()),
                       door.composed(blame.words(one)), blame.at(one.step)},
                      Door::own(word(one.strength))};
    box.type = "Candidate";
    box.tone = one.strength == Strength::weak ? Tone::quiet : Tone::plain;
    box.properties.add("rank", static_cast<int64_t>(shown));
    box.properties.add("strength", Door::own(word(one.strength)));
    drawing.nodes.push_back(std::move(box));
  }
  for (const BlameCandidate& one : blame.found.candidates) {
    const auto own = box_of.find(one.step);
    if (own == box_of.end() || own->second == 0) continue;
    for (uint32_t later : one.explains)
      if (const auto other = box_of.find(later); other != box_of.end())
        drawing.edges.push_back(explained_by(own->second, other->second));
    if (one.path.empty() || one.explained_by != kNoStep) continue;
    const size_t between = one.path.size() > 2 ? one.path.size() - 2 : 0;
    Drawing::Edge edge;
    edge.from = own->second;
    if (between > 0)
      edge.label = door.composed(plural(static_cast<int64_t>(between), "step") + " between");
    edge.stroke = is_sure(one.confidence) ? Drawing::Stroke::dashed : Drawing::Stroke::dotted;
    edge.relation = "LEADS_TO";
    drawing.edges.push_back(std::move(edge));
  }
  if (shown > kBoxes)
    drawing.note = door.say("the first {} of {} candidates", kBoxes,
                            blame.found.candidates.size() + blame.omitted);
  return drawing;
}

}  // namespace xtrace
