#include "view/why/call_effects.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace xtrace {

namespace {

/// The direct effects of some calls, and through which of them later calls came.
class Followers {
 public:
  Followers(const Graph& graph, std::span<const CallId> from) : graph_(graph) {
    for (CallId id : from) through_.emplace(id.index, std::nullopt);
    for (CallId id : from) add_effects(id);
  }

  std::vector<CallEffect> find() && {
    std::vector<CallId> last;
    for (const CallEffect& effect : effects_) last.push_back(effect.link->to);
    // Everything that leads there is in the same session, or in one that was joined to it.
    for (CallId id : graph_.timeline().in_order()) {
      std::optional<size_t> through = effect_of(id);
      if (!through || effects_[*through].link->to == id) continue;
      ++effects_[*through].descendants;
      if (graph_.trace()[id].end() >= graph_.trace()[last[*through]].end()) last[*through] = id;
    }
    for (size_t i = 0; i < effects_.size(); ++i) {
      std::vector<CallId>& chain = effects_[i].chain;
      CallId first = chain.front();
      chain.clear();
      for (CallId at = last[i]; at != first; at = main_cause(graph_, at)->from) chain.push_back(at);
      chain.push_back(first);
      std::reverse(chain.begin(), chain.end());
    }
    std::stable_sort(effects_.begin(), effects_.end(),
                     [&](const CallEffect& a, const CallEffect& b) {
                       return graph_.trace()[a.link->to].start < graph_.trace()[b.link->to].start;
                     });
    return std::move(effects_);
  }

 private:
  void add_effects(CallId from) {
    for (uint32_t i : graph_.effects_of(from)) {
      const Link& link = graph_.links()[i];
      auto [place, is_new] = through_.emplace(link.to.index, effects_.size());
      if (is_new)
        effects_.push_back({&link, {link.to}, 0});
      else if (!place->second)
        continue;  // one of them
      else if (CallEffect& known = effects_[*place->second];
               confidence(link) > confidence(*known.link))
        known.link = &link;
    }
  }

  /// Its index; nothing: the call did not come from there.
  std::optional<size_t> effect_of(CallId id) {
    std::vector<CallId> way;
    std::optional<size_t> found;
    for (CallId at = id;;) {
      if (auto known = through_.find(at.index); known != through_.end()) {
        found = known->second;
        break;
      }
      way.push_back(at);
      const Link* cause = main_cause(graph_, at);
      if (cause == nullptr) break;
      at = cause->from;
    }
    for (CallId at : way) through_[at.index] = found;
    return found;
  }

  const Graph& graph_;
  std::vector<CallEffect> effects_;
  std::unordered_map<uint32_t, std::optional<size_t>> through_;
};

}  // namespace

const Link* main_cause(const Graph& graph, CallId call) {
  const Link* best = nullptr;
  for (uint32_t i : graph.causes_of(call)) {
    const Link& link = graph.links()[i];
    if (graph.against_the_clock(link)) continue;
    if (best == nullptr || confidence(link) > confidence(*best)) best = &link;
  }
  return best;
}

std::vector<CallEffect> effects_of(const Graph& graph, std::span<const CallId> calls) {
  return Followers(graph, calls).find();
}

}  // namespace xtrace
