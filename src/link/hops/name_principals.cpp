#include <fmt/format.h>

#include <map>
#include <set>

#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

/// Who is meant by the name of a principal that spans bear. Mostly the actor of that name; yet
/// where calls of one actor alone bear a name, and no other one, it is that actor's, as of an id
/// beside a login.
class PrincipalNames {
 public:
  PrincipalNames(const Trace& trace, Hops& hops) : trace_(trace), hops_(hops) {
    std::map<StringId, std::set<ActorId>> callers;
    std::map<ActorId, std::set<StringId>> names;
    for (const Hop& hop : hops.all) {
      StringId name = told(hop);
      if (!name || !is_principals(hop)) continue;
      callers[name].insert(hop.from);
      names[hop.from].insert(name);
    }
    for (const auto& [name, actors] : callers)
      if (actors.size() == 1 && names[*actors.begin()].size() == 1)
        actor_of_[name] = *actors.begin();
  }

  ActorId of(const Hop& hop) {
    StringId name = told(hop);
    if (!name) return is_principals(hop) ? hop.from : ActorId();
    auto [known, is_new] = actor_of_.try_emplace(name);
    if (is_new) known->second = hops_.principal(trace_[name]);
    return known->second;
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

void name_principals(const Trace& trace, Hops& hops) {
  PrincipalNames names(trace, hops);
  std::set<std::pair<uint32_t, ActorId>> seen;
  for (Hop& hop : hops.all) {
    hop.principal = names.of(hop);
    if (hop.principal && seen.emplace(hop.run, hop.principal).second)
      hops.runs[hop.run].principals.push_back(hop.principal);
  }
  for (Run& run : hops.runs) {
    if (run.principals.size() != 1) continue;
    run.principal = run.principals.front();
    run.principals.clear();
  }
}

}  // namespace xtrace
