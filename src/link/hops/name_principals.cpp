#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/walk_up.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

/// Who is meant by the name of a principal that spans bear. Mostly the actor of that name; yet
/// where calls of one actor alone bear a name, and no other one, it is that actor's, as of an id
/// beside a login.
class PrincipalNames {
 public:
  PrincipalNames(const Trace& trace, Hops& hops) : trace_(trace), hops_(hops) {
    // By name the only caller, and by caller the only name; nowhere: there are several.
    std::map<StringId, ActorId> callers;
    std::map<ActorId, StringId> names;
    StringId last_name;
    ActorId last_caller;
    for (const Hop& hop : hops.all) {
      StringId name = told(hop);
      bool is_new = name != last_name || hop.from != last_caller;
      if (!is_new || !name || !is_principals(hop)) continue;
      last_name = name;
      last_caller = hop.from;
      if (auto [one, first] = callers.emplace(name, hop.from); !first && one->second != hop.from)
        one->second = {};
      if (auto [one, first] = names.emplace(hop.from, name); !first && one->second != name)
        one->second = {};
    }
    for (const auto& [name, actor] : callers)
      if (actor && names[actor] == name) actor_of_[name] = actor;
  }

  ActorId of(const Hop& hop) {
    StringId name = told(hop);
    if (!name) return is_principals(hop) ? hop.from : ActorId();
    if (name == last_name_) return last_;
    auto [known, is_new] = actor_of_.try_emplace(name);
    if (is_new) known->second = hops_.principal(trace_[name]);
    last_name_ = name;
    return last_ = known->second;
  }

 private:
  StringId told(const Hop& hop) const {
    for (SpanId id : hops_.observations_of(hop))
      if (StringId name = trace_[id].principal) return name;
    return {};
  }
  bool is_principals(const Hop& hop) const {
    return hop.from && hops_[hop.from].type == Actor::Type::principal;
  }

  const Trace& trace_;
  Hops& hops_;
  std::map<StringId, ActorId> actor_of_;
  StringId last_name_;  ///< many hops in a row are of one principal
  ActorId last_;
};

}  // namespace

ActorId Hops::principal(std::string_view name) {
  auto known = [&](std::string_view id) {
    StringId word = words.find(id);
    ActorId found =
        word && word.index < actor_of_word_.size() ? actor_of_word_[word.index] : ActorId();
    return found && (*this)[found].type == Actor::Type::principal ? found : ActorId();
  };
  if (ActorId same = known(name)) return same;
  if (ActorId other = known(fmt::format("principal:{}", name))) return other;
  bool has_prefix = name.starts_with("user:") || name.starts_with("principal:");
  return actor(has_prefix ? std::string(name) : fmt::format("user:{}", name));
}

namespace {

/// Adds the principal to the run's, which has one, several or none.
void add_principal(ActorId principal, Run& run) {
  if (run.principal == principal ||
      std::ranges::find(run.principals, principal) != run.principals.end())
    return;
  if (!run.principal && run.principals.empty()) {
    run.principal = principal;
    return;
  }
  if (run.principal) run.principals.push_back(std::exchange(run.principal, {}));
  run.principals.push_back(principal);
}

}  // namespace

void name_principals_of_causes(Hops& hops) {
  const auto joins_runs = [&](const HopEdge& edge) {
    return hops[edge.from].run != hops[edge.to].run;
  };
  if (std::ranges::none_of(hops.edges, joins_runs)) return;
  // By hop: the principal that its chain begins with; chains are followed once.
  std::vector<ActorId> first_of(hops.all.size());
  visit_top_down(
      hops.all.size(), [&](size_t i) { return hops.all[i].cause.index; },
      [&](size_t i) {
        const Hop& hop = hops.all[i];
        if (hop.cause)
          first_of[i] = first_of[hop.cause.index];
        else if (hop.from && hops[hop.from].type == Actor::Type::principal)
          first_of[i] = hop.from;
      });
  for (const HopEdge& edge : hops.edges)
    if (const ActorId first = first_of[edge.from.index]; first && joins_runs(edge))
      add_principal(first, hops.runs[hops[edge.to].run]);
}

void name_principals(const Trace& trace, Hops& hops) {
  PrincipalNames names(trace, hops);
  std::vector<uint32_t> seen_in;  // by actor: the run in which it was seen last, from 1
  for (Hop& hop : hops.all) {     // run by run
    hop.principal = names.of(hop);
    if (!hop.principal) continue;
    seen_in.resize(hops.actors.size());
    uint32_t& seen = seen_in[hop.principal.index];
    if (seen != hop.run + 1) hops.runs[hop.run].principals.push_back(hop.principal);
    seen = hop.run + 1;
  }
  for (Run& run : hops.runs) {
    if (run.principals.size() != 1) continue;
    run.principal = run.principals.front();
    run.principals.clear();
  }
}

}  // namespace xtrace
