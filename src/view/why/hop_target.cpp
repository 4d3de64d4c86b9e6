#include "view/why/hop_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/lower.h"
#include "base/nearest.h"
#include "base/text.h"
#include "view/common/hidden_names.h"
#include "view/common/selector.h"

namespace xtrace {

namespace {

constexpr size_t kNamed = 10;      // of what there is, where nothing is like the name
constexpr size_t kFilesNamed = 5;  // an error should fit on a screen

std::string quoted(std::string_view name) {
  return fmt::format("'{}'", printable(name));
}

/// What a person calls an actor: `budget.py` of `resource:file:src/budget.py`. A name in which
/// something is hidden stays whole.
std::string_view called(std::string_view actor) {
  return is_hidden(actor) ? actor : actor.substr(actor.find_last_of(":/") + 1);
}

/// The actors that are called nearly so; of what looks like a file, some files, those of its kind
/// first. Requires: the actors are named as they are shown, since a secret in a part of a name may
/// be recognized only by the words before it.
std::string like_it(std::string_view name, const std::vector<std::string_view>& actors) {
  std::string hint = did_you_mean(name, actors);
  if (!hint.empty()) return hint;
  std::vector<std::string_view> short_names;
  short_names.reserve(actors.size());
  for (std::string_view actor : actors) short_names.push_back(called(actor));
  hint = did_you_mean(called(name), short_names);
  const size_t dot = name.rfind('.');
  if (!hint.empty() || dot == std::string_view::npos) return hint;
  constexpr std::string_view kFile = "resource:file:";
  std::vector<std::string_view> files;
  for (std::string_view actor : actors)
    if (actor.starts_with(kFile)) files.push_back(actor.substr(kFile.size()));
  if (files.empty()) return {};
  std::sort(files.begin(), files.end());
  std::stable_partition(files.begin(), files.end(),
                        [&](std::string_view file) { return file.ends_with(name.substr(dot)); });
  return "; recorded files: " + name_some(files, kFilesNamed, quoted);
}

/// Could the actor be called so, if one knew what is hidden in it?
bool may_be_called(std::string_view actor, std::string_view name) {
  for (size_t colon = 0; is_hidden(actor); actor.remove_prefix(colon + 1)) {
    if (may_be_same(actor, name)) return true;
    colon = actor.find(':');
    if (colon == std::string_view::npos || is_hidden(actor.substr(0, colon))) return false;
  }
  return false;
}

/// Where the input hides names, as a part does: what it may be, and who knows. Empty: nothing of
/// that kind is hidden.
std::string hidden_actors(const HopScene& scene, std::string_view name) {
  std::vector<std::string_view> maybe;
  for (const Actor& actor : scene.hops.actors)
    if (may_be_called(actor.id, name)) maybe.push_back(scene.names.text(actor.id).view());
  if (maybe.empty()) return {};
  std::sort(maybe.begin(), maybe.end());
  return fmt::format(
      "; the input hides some names, as parts do; one of these may match, otherwise read the "
      "original log:{}",
      list_some(maybe, kNamed, printable));
}

/// A tool that is no actor itself, as those are that work on files: what it was used on. Empty: no
/// tool is called so.
std::string used_on(const HopScene& scene, std::string_view name) {
  const Trace& trace = scene.question.graph.trace();
  const std::string wanted = lower(name);
  std::string_view tool;
  std::set<size_t> seen;
  std::vector<ActorId> actors;  // in order of time
  for (const Hop& hop : scene.hops.all) {
    if (!hop.tool || !hop.to || lower(trace[hop.tool]) != wanted) continue;
    tool = trace[hop.tool];
    if (seen.insert(hop.to.index).second) actors.push_back(hop.to);
  }
  // A literal one is written nearly so, which is reported below.
  if (actors.empty() || called(scene.hops[actors.front()].id) == tool) return {};
  return fmt::format(
      "; '{}' is a tool; name one of its targets, or FILE:LINE of a use:{}", printable(tool),
      list_some(actors, kNamed, [&](ActorId id) { return printable(scene.actor(id).view()); }));
}

tl::unexpected<Error> fits_nothing(const HopScene& scene, const std::string& name) {
  std::vector<std::string_view> names;
  // A part of the log has other words where something is hidden.
  for (const Actor& actor : scene.hops.actors) names.push_back(scene.names.text(actor.id).view());
  std::string hint = hidden_actors(scene, name);
  if (hint.empty()) hint = other_calls(scene.question.graph, name);
  if (hint.empty()) hint = used_on(scene, name);
  if (hint.empty()) hint = like_it(name, names);
  if (hint.empty()) {  // nothing is near; what there is may be looked through
    std::sort(names.begin(), names.end());
    hint =
        names.empty() ? "; the input has none" : "; actors:" + list_some(names, kNamed, printable);
  }
  return fail(Exit::no, fmt::format("there is no actor{} '{}'{}",
                                    scene.row_word() == "span" ? " or span" : ", call or span",
                                    printable(name), hint));
}

/// Of spans that share names: a line a name, with the first span of it. Empty: they hardly do.
std::string names_of_several(const HopScene& scene, const std::vector<Meant>& found) {
  const Trace& trace = scene.question.graph.trace();
  struct Named {
    size_t spans = 0;
    const Meant* first = nullptr;
  };
  std::map<std::string_view, Named> names;
  for (const Meant& target : found) {
    if (target.actor) return {};
    const Hop& hop = scene.hops[target.hop];
    Named& named = names[trace[hop.tool ? hop.tool : scene.span(hop).operation]];
    if (named.spans++ == 0) named.first = &target;
  }
  if (names.size() > kNamed) return {};
  std::string list;
  for (const auto& [name, named] : names)
    list += fmt::format("\n  {}  {} spans, first: {}", printable(name), named.spans,
                        printable(scene.name(*named.first).view()));
  return list;
}

/// `2 calls, the first b100… run.json@920`: of an actor, to distinguish it from one that looks the
/// same because the difference of their names is hidden. Empty: nobody called it.
std::string calls_of(const HopScene& scene, ActorId actor) {
  int64_t calls = 0;
  const Hop* first = nullptr;
  HopId named;
  for (size_t i = 0; i < scene.hops.all.size(); ++i) {
    const Hop& hop = scene.hops.all[i];
    if (hop.to != actor) continue;
    if (calls++ == 0) first = &hop, named = HopId(i);
  }
  if (first == nullptr) return {};
  return fmt::format("{}, first: {}  {}", plural(calls, "call"),
                     printable(scene.name(named).view()), printable(scene.at(*first).view()));
}

tl::unexpected<Error> fits_several(const HopScene& scene, const std::string& name,
                                   const std::vector<Meant>& found) {
  const Trace& trace = scene.question.graph.trace();
  std::string list;
  if (found.size() > kNamed) list = names_of_several(scene, found);
  if (!list.empty())
    return fail(Exit::no, fmt::format("'{}' matches {} spans; use an id. Names among them, each "
                                      "with the id of its first span:{}",
                                      printable(name), found.size(), list));
  std::map<std::string_view, size_t> actors;  // how many look so
  for (const Meant& target : std::span(found).first(std::min(found.size(), kNamed)))
    if (target.actor) ++actors[scene.name(target).view()];
  bool are_alike = false;
  list = list_some(found, kNamed, [&](const Meant& target) {
    const std::string_view shown = scene.name(target).view();
    std::string more;
    if (!target.actor) {
      const Hop& hop = scene.hops[target.hop];
      more =
          fmt::format("{}  {}", printable(trace[hop.tool ? hop.tool : scene.span(hop).operation]),
                      printable(scene.at(hop).view()));
    } else if (actors[shown] > 1) {
      are_alike = true;
      more = calls_of(scene, target.actor);
    }
    return printable(shown) + (more.empty() ? "" : "  " + more);
  });
  if (are_alike)
    list += fmt::format("\nSome differ only in hidden parts: use the id of one of their calls{}",
                        scene.question.door.level() == Door::Level::full
                            ? ""
                            : ", or --level full to see the full names");
  return fail(Exit::no, fmt::format("'{}' matches {} names; use one of:{}", printable(name),
                                    found.size(), list));
}

}  // namespace

Result<Meant> find_target(const HopScene& scene, const std::string& name) {
  std::vector<Meant> found =
      find_meant(scene.question.graph, name, NameOf::targets | NameOf::parts, &scene.names);
  if (found.size() == 1) return found.front();
  if (found.empty()) return fits_nothing(scene, name);
  return fits_several(scene, name, found);
}

tl::unexpected<Error> which_call(const HopScene& scene, const std::string& name,
                                 const std::vector<CallId>& calls) {
  const Graph& graph = scene.question.graph;
  const std::string list = list_some(calls, kNamed, [&](CallId id) {
    return fmt::format("{}  {}  {}", printable(scene.names.id(id).view()),
                       printable(scene.names.session(graph.session_of(id)).view()),
                       printable(scene.names.at(id).view()));
  });
  return fail(Exit::no, fmt::format("'{}' matches {} calls; use one of:{}", printable(name),
                                    calls.size(), list));
}

}  // namespace xtrace
