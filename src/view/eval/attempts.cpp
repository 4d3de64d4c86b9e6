#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "view/eval/agent_actions.h"
#include "view/eval/judge.h"

namespace xtrace {

// Logs have many thousands of attempts, so that none is held against all others.

namespace {

/// Actions that may be another attempt, by what they would be one at.
template <class Key>
class Candidates {
 public:
  void add(const Key& key, size_t at) { waiting_[key].insert(at); }
  /// The first behind that one, which nothing else gets then.
  std::optional<size_t> take(const Key& key, size_t behind) {
    auto found = waiting_.find(key);
    if (found == waiting_.end()) return std::nullopt;
    auto at = found->second.upper_bound(behind);
    if (at == found->second.end()) return std::nullopt;
    const size_t taken = *at;
    found->second.erase(at);
    return taken;
  }

 private:
  std::map<Key, std::set<size_t>> waiting_;
};

/// Adds the chains of what `offered` says is another attempt at what `sought` says of the one
/// before. Both may say nothing.
template <class Key, class Sought, class Offered>
void follow(const std::vector<Action>& actions, Sought sought, Offered offered,
            std::vector<std::vector<Action>>& chains) {
  Candidates<Key> candidates;
  for (size_t i = 0; i < actions.size(); ++i)
    if (std::optional<Key> key = offered(i)) candidates.add(*key, i);
  std::vector<bool> taken(actions.size());
  for (size_t i = 0; i < actions.size(); ++i) {
    if (taken[i]) continue;
    std::vector<Action> chain;
    for (size_t at = i;;) {
      const std::optional<Key> key = sought(at);
      const std::optional<size_t> next = key ? candidates.take(*key, at) : std::nullopt;
      if (!next) break;
      if (chain.empty()) chain.push_back(actions[at]);
      chain.push_back(actions[*next]);
      taken[*next] = true;
      at = *next;
    }
    if (!chain.empty()) chains.push_back(std::move(chain));
  }
}

using Uses = std::vector<size_t>;

}  // namespace

/// Uses of a tool by one agent on one target, where one failed before the last.
std::vector<Uses> AgentActions::perhaps_repeated() const {
  std::map<std::tuple<Doer, std::string_view, std::string_view>, Uses> all;
  for (size_t i = 0; i < tools_.size(); ++i) {
    const Action& tool = tools_[i];
    const bool is_span_of_tool = tool.span && tool.asked == nullptr;  // read again for its target
    const std::string_view target = is_span_of_tool ? "" : targets(tool).front();
    all[{doer_of(tool), tool.name(), target}].push_back(i);
  }
  std::vector<Uses> repeated;
  for (auto& [key, uses] : all) {
    const bool has_failed = std::any_of(uses.begin(), uses.end() - 1, [&](size_t at) {
      return tools_[at].done->outcome == Outcome::error;
    });
    if (has_failed) repeated.push_back(std::move(uses));
  }
  return repeated;
}

const Action* AgentActions::perhaps_again() const {
  std::optional<size_t> first;
  const auto is_whole = [&](const Action& tool) {
    const std::optional<std::string> given = arguments(tool);
    return given && !is_cut(*given);
  };
  for (const Uses& uses : perhaps_repeated()) {
    std::optional<size_t> unreadable;  // the last
    for (size_t at : uses)
      if (!is_whole(tools_[at])) unreadable = at;
    for (size_t at : uses) {
      if (!unreadable || at == uses.back()) break;
      const bool may_be = *unreadable > at || !is_whole(tools_[at]);
      if (tools_[at].done->outcome != Outcome::error || !may_be) continue;
      first = std::min(at, first.value_or(at));
      break;
    }
  }
  return first ? &tools_[*first] : nullptr;
}

/// Chains of attempts at the same, of two or more. For calls the links say what repeats what; spans
/// say less, so the next request of an agent that failed is taken to be its next attempt. Tools:
/// the same use, with the same arguments.
std::vector<std::vector<Action>> AgentActions::attempts() const {
  std::vector<std::vector<Action>> chains;
  const Activities& activities = graph_.activities();
  for (const std::vector<Action>* actions : {&models_, &attempts_}) {
    using Failed = const Activity*;
    auto failed = [&](size_t at) {
      const Action& one = (*actions)[at];
      return one.done->outcome == Outcome::ok ? std::nullopt : std::optional<Failed>(one.done);
    };
    auto repeats = [&](size_t at) {
      const ActivityId before = (*actions)[at].done->retry_of;
      return before ? std::optional<Failed>(&activities[before]) : std::nullopt;
    };
    follow<Failed>(*actions, failed, repeats, chains);
  }
  // Equal uses have one number.
  std::vector<std::optional<size_t>> same(tools_.size());
  size_t count = 0;
  for (const Uses& uses : perhaps_repeated()) {
    std::map<std::string, size_t> numbers;
    for (size_t at : uses) {
      std::optional<std::string> given = arguments(tools_[at]);
      if (!given || is_cut(*given)) continue;
      auto [number, is_new] = numbers.try_emplace(*std::move(given), count);
      count += is_new;
      same[at] = number->second;
    }
  }
  auto failed = [&](size_t at) {
    return tools_[at].done->outcome == Outcome::error ? same[at] : std::nullopt;
  };
  follow<size_t>(
      tools_, failed, [&](size_t at) { return same[at]; }, chains);
  return chains;
}

}  // namespace xtrace
