#include "view/why/hop_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/lower.h"
#include "base/nearest.h"
#include "base/text.h"
#include "link/calls/sessions.h"
#include "redact/redact.h"
#include "view/common/hidden_names.h"
#include "view/common/named_calls.h"
#include "view/common/place.h"

namespace xtrace {

namespace {

/// What a user may have meant by a name: everything that fits, by the first way that fits anything.
class TargetSearch {
 public:
  TargetSearch(const HopScene& scene, std::string_view name)
      : scene_(scene), trace_(scene.question.graph.trace()), hops_(scene.hops), name_(name) {}

  std::vector<HopTarget> find_whole() {
    by_id();
    if (found_.empty()) by_place();
    return std::move(found_);
  }

  std::vector<HopTarget> find() {
    found_ = find_whole();
    if (found_.empty() && name_.find(kHiddenMarker) != std::string_view::npos) by_shown_name();
    if (found_.empty() && !name_.empty()) by_part();
    return std::move(found_);
  }

 private:
  void take(ActorId actor) { found_.push_back({actor, {}}); }
  void take(HopId hop) { found_.push_back({{}, hop}); }

  template <class Wanted>
  void take_actors(Wanted wanted) {
    for (size_t i = 0; i < hops_.actors.size(); ++i)
      if (wanted(hops_.actors[i].id)) take(ActorId(i));
  }
  template <class Wanted>
  void take_hops(Wanted wanted) {
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (wanted(hops_.all[i])) take(HopId(i));
  }

  /// Those one of whose observations is wanted: each side of a call may have an id of its own.
  template <class Wanted>
  void take_observed(Wanted wanted) {
    take_hops([&](const Hop& hop) {
      std::span<const SpanId> seen = hops_.observations_of(hop);
      return std::any_of(seen.begin(), seen.end(), [&](SpanId id) { return wanted(trace_[id]); });
    });
  }

  void by_id() {
    take_actors([&](std::string_view id) { return id == name_; });
    if (!found_.empty()) return;
    if (HopId hop = hops_.find(trace_, name_)) return take(hop);
    take_observed([&](const Span& span) {
      return trace_[span.shown_id()] == name_ || trace_[span.id] == name_;
    });
    if (found_.empty())
      take_observed([&](const Span& span) { return trace_[span.trace] == name_; });
  }

  /// All hops one of whose observations stands there.
  void by_place() {
    std::optional<Place> place = Place::read(name_, trace_);
    if (!place) return;
    take_hops([&](const Hop& hop) {
      std::span<const SpanId> seen = hops_.observations_of(hop);
      return place->is(trace_, hop.at) || std::any_of(seen.begin(), seen.end(), [&](SpanId id) {
               return place->is(trace_, trace_[id].source);
             });
    });
  }

  /// As an answer shows it; the numbers of an answer that shows other things may differ.
  void by_shown_name() {
    take_actors([&](std::string_view id) { return scene_.names.text(id).view() == name_; });
    if (!found_.empty()) return;
    const std::string wanted = without_numbers(name_);
    auto shown = [&](std::string_view id) { return without_numbers(scene_.names.text(id).view()); };
    take_actors([&](std::string_view id) { return shown(id) == wanted; });
    if (!found_.empty()) return;
    take_actors([&](std::string_view id) { return shown(id).find(wanted) != std::string::npos; });
  }

  void by_part() {
    auto fits = [&](std::string_view text) { return text.find(name_) != std::string_view::npos; };
    take_actors(fits);
    if (found_.empty())
      take_hops([&](const Hop& hop) { return fits(trace_[scene_.span(hop).operation]); });
    if (found_.empty() && name_.size() >= kShortestId)
      take_hops([&](const Hop& hop) { return fits(trace_[hop.id]); });
    if (found_.empty() && name_.size() >= kShortestId)
      take_observed([&](const Span& span) { return fits(trace_[span.shown_id()]); });
  }

  const HopScene& scene_;
  const Trace& trace_;
  const Hops& hops_;
  std::string_view name_;
  std::vector<HopTarget> found_;
};

constexpr size_t kNamed = 10;  // of what there is, where nothing is like the name
constexpr size_t kFilesNamed = 5;

/// What a person calls an actor: `budget.py` of `resource:file:src/budget.py`.
std::string_view called(std::string_view actor) {
  return actor.substr(actor.find_last_of(":/") + 1);
}

/// The actors that are called nearly so; of what looks like a file, some files, those of its kind
/// first.
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
  const size_t count = files.size();
  files.resize(std::min(count, kFilesNamed));
  for (std::string_view file : files)
    hint += fmt::format("{}'{}'", hint.empty() ? "" : ", ", printable(file));
  return fmt::format("; recorded files: {}{}", hint,
                     count > kFilesNamed ? fmt::format(" and {} more", count - kFilesNamed) : "");
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
  std::string list;
  for (size_t i = 0; i < std::min(maybe.size(), kNamed); ++i)
    list += fmt::format("\n  {}", printable(maybe[i]));
  return fmt::format(
      "; the input hides some names, as parts do; one of these may match, otherwise read the "
      "original log:{}{}",
      list, maybe.size() > kNamed ? "\n  …" : "");
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
  // One that stands for itself is written nearly so, which is told below.
  if (actors.empty() || called(scene.hops[actors.front()].id) == tool) return {};
  std::string list;
  for (size_t i = 0; i < std::min(actors.size(), kNamed); ++i)
    list += fmt::format("\n  {}", printable(scene.actor(actors[i]).view()));
  return fmt::format("; '{}' is a tool; name one of its targets, or FILE:LINE of a use:{}{}",
                     printable(tool), list, actors.size() > kNamed ? "\n  …" : "");
}

tl::unexpected<Error> fits_nothing(const HopScene& scene, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Actor& actor : scene.hops.actors) names.push_back(actor.id);
  std::string hint = hidden_actors(scene, name);
  if (hint.empty()) hint = other_calls(scene.question.graph, name);
  if (hint.empty()) hint = used_on(scene, name);
  if (hint.empty()) hint = like_it(name, names);
  if (hint.empty()) {  // nothing is near; what there is may be looked through
    // As they are shown: a part of the log has other words where some of them is hidden.
    for (std::string_view& id : names) id = scene.names.text(id).view();
    std::sort(names.begin(), names.end());
    for (size_t i = 0; i < std::min(names.size(), kNamed); ++i)
      hint += fmt::format("\n  {}", printable(names[i]));
    hint = names.empty() ? "; the input has none"
                         : fmt::format("; actors:{}{}", hint, names.size() > kNamed ? "\n  …" : "");
  }
  return fail(Exit::no, fmt::format("there is no actor{} '{}'{}",
                                    scene.question.graph.trace().calls.empty() ? " or span"
                                                                               : ", call or span",
                                    printable(name), hint));
}

/// Of spans that share names: a line a name, with the first span of it. Empty: they hardly do.
std::string names_of_several(const HopScene& scene, const std::vector<HopTarget>& found) {
  const Trace& trace = scene.question.graph.trace();
  struct Named {
    size_t spans = 0;
    const HopTarget* first = nullptr;
  };
  std::map<std::string_view, Named> names;
  for (const HopTarget& target : found) {
    if (target.actor) return {};
    const Hop& hop = scene.hops[target.hop];
    Named& named = names[trace[hop.tool ? hop.tool : scene.span(hop).operation]];
    if (named.spans++ == 0) named.first = &target;
  }
  if (names.size() > kNamed) return {};
  std::string list;
  for (const auto& [name, named] : names)
    list += fmt::format("\n  {}  {} spans, first: {}", printable(name), named.spans,
                        printable(named.first->name(scene).view()));
  return list;
}

/// `2 calls, the first b100…  run.json@920`: of an actor, by which it is told from one that looks
/// the same, as where their names differ is not shown. Empty: nobody called it.
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
                                   const std::vector<HopTarget>& found) {
  const Trace& trace = scene.question.graph.trace();
  std::string list;
  if (found.size() > kNamed) list = names_of_several(scene, found);
  if (!list.empty())
    return fail(Exit::no, fmt::format("'{}' matches {} spans; use an id. Names among them, each "
                                      "with the id of its first span:{}",
                                      printable(name), found.size(), list));
  const std::span<const HopTarget> listed = std::span(found).first(std::min(found.size(), kNamed));
  std::map<std::string_view, size_t> actors;  // how many look so
  for (const HopTarget& target : listed)
    if (target.actor) ++actors[target.name(scene).view()];
  bool are_alike = false;
  for (const HopTarget& target : listed) {
    const std::string_view shown = target.name(scene).view();
    list += fmt::format("\n  {}", printable(shown));
    if (target.actor) {
      if (actors[shown] == 1) continue;
      are_alike = true;
      if (const std::string calls = calls_of(scene, target.actor); !calls.empty())
        list += fmt::format("  {}", calls);
      continue;
    }
    const Hop& hop = scene.hops[target.hop];
    list +=
        fmt::format("  {}  {}", printable(trace[hop.tool ? hop.tool : scene.span(hop).operation]),
                    printable(scene.at(hop).view()));
  }
  if (found.size() > kNamed) list += "\n  …";
  if (are_alike)
    list += fmt::format("\nSome differ only in hidden parts: use the id of one of their calls{}",
                        scene.question.door.level() == Door::Level::full
                            ? ""
                            : ", or --level full to see the full names");
  return fail(Exit::no, fmt::format("'{}' matches {} names; use one of:{}", printable(name),
                                    found.size(), list));
}

}  // namespace

Result<HopTarget> find_target(const HopScene& scene, const std::string& name) {
  std::vector<HopTarget> found = TargetSearch(scene, name).find();
  if (found.size() == 1) return found.front();
  if (found.empty()) return fits_nothing(scene, name);
  return fits_several(scene, name, found);
}

bool is_whole_target(const HopScene& scene, const std::string& name) {
  return !TargetSearch(scene, name).find_whole().empty();
}

}  // namespace xtrace
