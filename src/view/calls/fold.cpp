#include "view/calls/fold.h"

#include <algorithm>

namespace xtrace {

namespace {

/// Below this many calls everything is shown: they fit on a screen. Above, runs of calls with
/// nothing remarkable fold.
constexpr size_t kShownWhole = 40;
/// Of fewer, the line that says how many there were saves nothing worth the loss.
constexpr size_t kShortestFold = 4;
/// So many of those that cost most, and of those that took longest, have a line of their own.
constexpr size_t kLargest = 5;
/// And above this many, some screens of them, a subagent that spawned nothing is one line.
constexpr size_t kAgentsShownWhole = 120;

}  // namespace

Fold::Fold(const CallScene& scene, Folding folding) : scene_(scene) {
  size_t shown = static_cast<size_t>(
      std::count(scene.selection.calls.begin(), scene.selection.calls.end(), true));
  fewest_singles_ = folding >= Folding::runs ? 2 : kShortestFold;
  bool by_length = folding != Folding::none;
  calls_ = folding >= Folding::runs || (by_length && shown > kShownWhole);
  agents_ = folding >= Folding::agents || (by_length && shown > kAgentsShownWhole);
  if (folding != Folding::by_length || !calls_) return;
  std::vector<std::pair<int64_t, CallId>> costs, lengths;
  for (size_t i = 0; i < scene.selection.calls.size(); ++i) {
    const CallId id(i);
    if (!scene.selection.shows(id)) continue;
    costs.emplace_back(scene.spending.own(id).cost, id);
    lengths.emplace_back(scene.timeline()[id].duration.count(), id);
  }
  largest_.resize(scene.selection.calls.size());
  note_largest(std::move(costs));
  note_largest(std::move(lengths));
}

/// Only those that stand out: of many equal ones none does.
void Fold::note_largest(std::vector<std::pair<int64_t, CallId>> figures) {
  if (figures.size() <= kLargest) return;
  const auto is_larger = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.index < b.second.index;
  };
  std::nth_element(figures.begin(), figures.begin() + kLargest, figures.end(), is_larger);
  const int64_t next = figures[kLargest].first;
  for (size_t i = 0; i < kLargest; ++i)
    if (figures[i].first > 0 && figures[i].first > next) largest_[figures[i].second.index] = true;
}

bool Fold::failed(CallId id) const {
  const Outcome outcome = scene_.timeline()[id].outcome;
  return outcome == Outcome::error || outcome == Outcome::unanswered ||
         outcome == Outcome::unfinished || scene_.graph.activities().failed_tools_of(id) > 0;
}

bool Fold::spawns(CallId id) const {
  std::span<const uint32_t> effects = scene_.graph.effects_of(id);
  return std::any_of(effects.begin(), effects.end(), [&](uint32_t i) {
    return scene_.links()[i].kind == LinkKind::subagent_spawn &&
           scene_.selection.shows(scene_.links()[i].to);
  });
}

bool Fold::is_routine(CallId id) const {
  if (scene_.timeline()[id].outcome != Outcome::ok || failed(id) || spawns(id)) return false;
  std::span<const uint32_t> causes = scene_.graph.causes_of(id);
  return !is_largest(id) && std::none_of(causes.begin(), causes.end(), [&](uint32_t i) {
    return scene_.links()[i].kind == LinkKind::retry;
  });
}

size_t Fold::run(std::span<const CallId> calls) const {
  size_t run = 0;
  // The last call of a turn is its answer and stays.
  while (calls_ && run + 1 < calls.size() && is_routine(calls[run])) ++run;
  return run >= kShortestFold ? run : 0;
}

bool Fold::takes_agent(std::span<const CallId> calls) const {
  // In text, what failed and what is large is seen; a picture has less room.
  return agents_ && std::none_of(calls.begin(), calls.end(), [&](CallId id) {
           return spawns(id) || (!largest_.empty() && (largest_[id.index] || failed(id)));
         });
}

std::map<std::string_view, std::vector<CallId>> Fold::singles(
    std::span<const uint32_t> roots) const {
  std::map<std::string_view, std::vector<CallId>> single;
  if (!calls_) return single;
  for (uint32_t number : roots) {
    const Conversation& conversation = scene_.graph.conversations()[number - 1];
    std::vector<CallId> calls = scene_.selection.shown(conversation.calls);
    if (calls.size() == 1 && is_routine(calls.front()))
      single[scene_.graph.agents()[conversation.agent].type].push_back(calls.front());
  }
  std::erase_if(single, [&](const auto& alike) { return alike.second.size() < fewest_singles_; });
  return single;
}

}  // namespace xtrace
