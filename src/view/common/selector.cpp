#include "view/common/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <variant>

#include "base/lower.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/row_or_empty.h"
#include "link/calls/sessions.h"
#include "link/graph/queries.h"
#include "link/graph/subject.h"
#include "redact/redact.h"
#include "view/common/hidden_names.h"
#include "view/common/names.h"
#include "view/common/place.h"

namespace xtrace {

namespace {

/// All places of records of the call.
template <class Each>
void for_each_place(const Trace& trace, CallId id, Each each) {
  const Call& call = trace[id];
  each(call.source);
  for (const Extent& at : std::span(trace.places).subspan(call.first_place, call.places)) each(at);
  for (const OtherRecord& other : trace.other_records)
    if (other.call == id) each(other.at);
}

/// A turn's name without its session: `9`, `turn 9`, `main turn 9`.
struct TurnName {
  std::string_view agent;  ///< who was asked; empty: any
  uint32_t number = 0;
  bool is_bare = false;  ///< nothing but the number
};

std::optional<TurnName> read_turn(std::string_view name) {
  constexpr std::string_view kTurn = "turn ";
  const size_t word = name.rfind(kTurn);
  const bool is_bare = word == name.npos;
  const std::optional<uint32_t> number =
      number_of<uint32_t>(is_bare ? name : name.substr(word + kTurn.size()));
  if (!number) return {};
  if (is_bare || word == 0) return TurnName{{}, *number, is_bare};
  if (name[word - 1] != ' ') return {};
  return TurnName{name.substr(0, word - 1), *number, false};
}

bool is_in(const Graph& graph, CallId call, std::string_view session) {
  return session.empty() || session_name(graph.trace(), graph.session_of(call)) == session;
}

/// `Explore 3`, `subagent 3`.
struct InstanceName {
  std::string_view type;
  uint32_t number = 0;
};

std::optional<InstanceName> read_instance(std::string_view name) {
  const size_t space = name.rfind(' ');
  if (space == name.npos || space == 0) return {};
  const std::optional<uint32_t> number = number_of<uint32_t>(name.substr(space + 1));
  if (!number) return {};
  return InstanceName{name.substr(0, space), *number};
}

bool means_any_subagent(const InstanceName& instance) {
  return lower(instance.type) == "subagent";
}

/// The types of those that somebody started. `session`: in that one; empty: in any.
std::set<std::string_view> subagent_types(const Graph& graph, std::string_view session) {
  std::set<std::string_view> types;
  for (const Agent& agent : graph.agents())
    if (agent.spawned && is_in(graph, agent.calls.front(), session)) types.insert(agent.type);
  return types;
}

/// `Explore#3` of `Explore 3`, and of `subagent 3` where all are of that type: which of several
/// types were the third to start says nothing to who counts otherwise. Else empty.
std::string instance_meant(const Graph& graph, std::string_view session, std::string_view name) {
  const std::optional<InstanceName> instance = read_instance(name);
  if (!instance) return {};
  std::string_view type = instance->type;
  if (means_any_subagent(*instance)) {
    const std::set<std::string_view> types = subagent_types(graph, session);
    if (types.size() != 1) return {};
    type = *types.begin();
  }
  return fmt::format("{}#{}", type, instance->number);
}

/// `session`: only of that one; empty: of any.
std::vector<CallId> by_agent(const Graph& graph, std::string_view session, std::string_view name) {
  std::vector<CallId> found;
  const std::string meant = instance_meant(graph, session, name);
  for (const Conversation& conversation : graph.conversations()) {
    const CallId first = conversation.calls.front();
    if (!is_in(graph, first, session)) continue;
    const Agent& agent = graph.agents()[conversation.agent];
    const std::string whole = agent_name(agent);
    const bool is_only_one = agent.spawned && agent.nth == 0;
    const auto is = [&](std::string_view one) {
      return one == whole || (is_only_one && one == agent.type + "#1");
    };
    if (is(name) || (agent.spawned && is(meant)) || (agent.id && graph.trace()[agent.id] == name))
      found.push_back(first);
  }
  return found;
}

/// The calls with which such turns begin.
std::vector<CallId> by_turn(const Graph& graph, std::string_view session, std::string_view name) {
  const std::optional<TurnName> turn = read_turn(name);
  if (!turn) return {};
  std::vector<CallId> found, only;
  for (const Conversation& conversation : graph.conversations()) {
    const Agent& agent = graph.agents()[conversation.agent];
    if (agent.spawned || !is_in(graph, conversation.calls.front(), session)) continue;
    if (!turn->agent.empty() && agent_name(agent) != turn->agent) continue;
    const std::vector<uint32_t> turns = number_turns(graph, conversation);
    const auto at = std::find(turns.begin(), turns.end(), turn->number);
    if (at == turns.end()) continue;
    // A bare `1` hardly means a conversation of one turn where others have more.
    (turn->is_bare && turns.back() == 1 ? only : found)
        .push_back(conversation.calls[static_cast<size_t>(at - turns.begin())]);
  }
  return found.empty() ? only : found;
}

/// What one of `by` finds behind the name of a session, or before that without any.
template <class By>
std::vector<CallId> in_sessions(const Graph& graph, std::string_view name, By by) {
  std::vector<CallId> found = by(graph, {}, name);
  for (size_t slash = name.find('/'); found.empty() && slash != name.npos;
       slash = name.find('/', slash + 1))
    found = by(graph, name.substr(0, slash), name.substr(slash + 1));
  return found;
}

/// How a name is compared. What is hidden has one name in all answers but for its number.
enum class How : uint8_t { whole, alike, alike_part, part, long_part };

/// Does the name mean this row?
template <class Row>
using Test = bool (*)(const struct NameSearch&, Row);

/// A look for what a name means.
struct NameSearch {
  const Graph& graph;
  std::string_view name;
  const Names* names;
  const Trace& trace = graph.trace();
  std::optional<Place> place = Place::read(name, trace);
  How how = How::whole;
  std::vector<Meant> found{};

  bool fits(StringId text) const { return fits(trace[text]); }
  bool fits(std::string_view text) const {
    switch (how) {
      case How::whole: return text == name;
      case How::alike: return without_numbers(text) == without_numbers(name);
      case How::alike_part: return without_numbers(text).find(without_numbers(name)) != text.npos;
      case How::part: break;
      case How::long_part:
        if (name.size() < kShortestId) return false;
    }
    return text.find(name) != text.npos;
  }
  bool fits(const Extent& at) const { return place && place->is(trace, at); }
  /// Each span by which a hop was observed may have an id of its own.
  template <class Wanted>
  bool is_seen(const Hop& hop, Wanted wanted) const {
    return std::ranges::any_of(graph.joined_hops().observations_of(hop),
                               [&](SpanId id) { return wanted(trace[id]); });
  }

  void look(Test<CallId> wanted) {
    for (CallId id : graph.timeline().in_order())
      if (wanted(*this, id)) found.push_back({.call = id});
  }
  void look(std::vector<CallId> (*find)(const NameSearch&)) {
    for (CallId id : find(*this)) found.push_back({.call = id});
  }
  void look(HopId (*find)(const NameSearch&)) {
    if (HopId hop = find(*this)) found.push_back({.hop = hop});
  }
  void look(Test<const Actor&> test) { look(test, graph.joined_hops().actors, &Meant::actor); }
  void look(Test<const Hop&> test) { look(test, graph.joined_hops().all, &Meant::hop); }
  void look(Test<const Span&> test) { look(test, trace.spans, &Meant::span); }
  template <class Wanted, class Row, class Id>
  void look(Wanted wanted, const std::vector<Row>& rows, Id Meant::*member) {
    for (size_t i = 0; i < rows.size(); ++i)
      if (wanted(*this, rows[i])) found.emplace_back().*member = Id(i);
  }
};

/// The next call behind the place in each file: several have one name.
std::vector<CallId> calls_behind(const NameSearch& s) {
  if (!s.place) return {};
  std::map<uint32_t, std::pair<uint64_t, CallId>> nearest;  // by file
  for (CallId id : s.graph.timeline().in_order())
    for_each_place(s.trace, id, [&](const Extent& at) {
      std::optional<uint64_t> behind = s.place->until(s.trace, at);
      if (!behind) return;
      auto [of_file, is_new] = nearest.try_emplace(at.file, *behind, id);
      if (!is_new && *behind < of_file->second.first) of_file->second = {*behind, id};
    });
  std::vector<CallId> found;
  for (const auto& [file, call] : nearest)
    if (std::find(found.begin(), found.end(), call.second) == found.end())
      found.push_back(call.second);
  return found;
}

using S = const NameSearch;
constexpr auto kSpanId = [](S& s, const Span& span) { return s.fits(span.shown_id()); };
constexpr auto kSideId = [](S& s, const Hop& hop) {
  return s.is_seen(hop, [&](const Span& side) { return kSpanId(s, side); });
};
constexpr auto kCallLine = [](S& s, CallId id) { return s.fits(s.trace[id].source); };
constexpr auto kShownCall = [](S& s, CallId id) {
  return s.names != nullptr && s.fits(s.names->id(id).view());
};
constexpr auto kHiddenActor = [](S& s, const Actor& one) {
  return is_hidden(s.name) && s.fits(s.names->text(one.id).view());
};

/// The ways in which a name may mean something, in the order in which they are tried.
constexpr struct {
  unsigned meanings;
  std::variant<Test<CallId>, Test<const Actor&>, Test<const Hop&>, Test<const Span&>, HopId (*)(S&),
               std::vector<CallId> (*)(S&)>
      find;
  How how = How::whole;
  bool is_beside = false;  ///< tried though the way before it found something
} kWays[] = {
    {NameOf::calls, [](S& s, CallId id) { return s.found.empty() && s.fits(s.trace[id].id); }},
    {NameOf::calls, kCallLine},
    {NameOf::calls,
     [](S& s, CallId id) {
       bool is_told = false;
       if (s.place) for_each_place(s.trace, id, [&](const Extent& at) { is_told |= s.fits(at); });
       return is_told;
     }},
    {NameOf::calls | NameOf::records, kShownCall},
    {NameOf::targets | NameOf::records, [](S& s, const Actor& one) { return s.fits(one.id); }},
    {NameOf::records, kSpanId},
    {NameOf::records, kSideId, How::whole, true},
    {NameOf::targets | NameOf::records,
     [](S& s) { return s.graph.joined_hops().find(s.trace, s.name); }},
    {NameOf::targets,
     [](S& s, const Hop& hop) {
       return s.is_seen(hop, [&](const Span& side) { return kSpanId(s, side) || s.fits(side.id); });
     }},
    {NameOf::targets,
     [](S& s, const Hop& hop) {
       return s.is_seen(hop, [&](const Span& side) { return s.fits(side.trace); });
     }},
    {NameOf::targets,
     [](S& s, const Hop& hop) {
       return s.fits(hop.at) ||
              s.is_seen(hop, [&](const Span& side) { return s.fits(side.source); });
     }},
    {NameOf::records, kCallLine},
    {NameOf::records | NameOf::spans, [](S& s, const Span& span) { return s.fits(span.source); },
     How::whole, true},
    {NameOf::spans, kSpanId, How::whole, true},
    {NameOf::spans, [](S& s, const Span& span) { return s.fits(span.trace); }, How::whole, true},
    {NameOf::other_calls,  // that asked for a tool use
     [](S& s, CallId id) {
       return std::ranges::any_of(s.graph.tool_uses_of(id),
                                  [&](const ToolUse* use) { return use->id && s.fits(use->id); });
     }},
    {NameOf::other_calls, [](S& s) { return in_sessions(s.graph, s.name, by_agent); }},
    {NameOf::subagents,
     [](S& s) {
       std::vector<CallId> found = in_sessions(s.graph, s.name, by_agent);
       std::erase_if(found, [&](CallId id) {
         return !s.graph.agents()[s.graph.conversation_of(id).agent].spawned;
       });
       return found;
     }},
    {NameOf::other_calls,  // that started a subagent whose own calls are not on record
     [](S& s) {
       std::vector<CallId> found;
       for (const Activity& done : s.graph.activities().all)
         if (done.subagent && s.fits(done.subagent)) found.push_back(done.call);
       return found;
     }},
    {NameOf::other_calls,
     [](S& s) {
       for (const Session& session : s.graph.sessions())
         if (s.fits(session_name(s.trace, session))) return std::vector{session.calls.front()};
       return std::vector<CallId>();
     }},
    {NameOf::other_calls | NameOf::turns | NameOf::records,
     [](S& s) { return in_sessions(s.graph, s.name, by_turn); }},
    {NameOf::other_calls, calls_behind},
    {NameOf::hidden_records, kShownCall},
    {NameOf::hidden_records, kHiddenActor, How::whole, true},
    {NameOf::hidden_records, kShownCall, How::alike},
    {NameOf::hidden_records, kHiddenActor, How::alike, true},
    {NameOf::parts, kHiddenActor},
    {NameOf::parts, kHiddenActor, How::alike},
    {NameOf::parts, kHiddenActor, How::alike_part},
    {NameOf::parts, [](S& s, const Actor& one) { return s.fits(one.id); }, How::part},
    {NameOf::parts,
     [](S& s, const Hop& hop) { return s.fits(row_or_empty(s.trace, hop.span).operation); },
     How::part},
    {NameOf::parts, [](S& s, const Hop& hop) { return s.fits(hop.id); }, How::long_part},
    {NameOf::parts, kSideId, How::long_part},
};

std::string other_turns(const Graph& graph, std::string_view name) {
  uint32_t last = 0;
  for (const Conversation& conversation : graph.conversations())
    if (!graph.agents()[conversation.agent].spawned)
      last = std::max(last, number_turns(graph, conversation).back());
  std::string hint = last > 1 ? fmt::format("; turns are numbered from 1 to {}", last) : "";
  if (number_of<uint32_t>(name))
    hint += fmt::format("{} ':{}' means a line", hint.empty() ? ";" : ", and", printable(name));
  return hint;
}

/// `turn9`, `turn-9`, `Turn 9`.
std::string turn_written_together(const Graph& graph, std::string_view name) {
  constexpr std::string_view kTurn = "turn", kBetween = "-_# ";
  if (lower(name.substr(0, kTurn.size())) != kTurn) return {};
  std::string_view rest = name.substr(kTurn.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
  if (!number_of<uint32_t>(rest)) return {};
  const std::string turn = fmt::format("turn {}", rest);
  return turn == name || find_calls(graph, turn, NameOf::turns).empty()
             ? std::string()
             : fmt::format("; did you mean '{}'?", turn);
}

std::string other_agents(const Graph& graph, std::string_view name) {
  std::set<std::string> names;
  for (const Agent& agent : graph.agents()) names.insert(agent_name(agent));
  return did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

/// Those that somebody started, of which `subagent 3` names none alone.
std::string other_subagents(const Graph& graph, const InstanceName& instance) {
  constexpr size_t kNamed = 6;  // an error should fit on a screen
  std::set<std::string> seen;
  std::vector<std::string> all, same;  // in order of time
  for (const Agent& agent : graph.agents()) {
    if (!agent.spawned) continue;
    const std::string name = agent_name(agent);
    if (!seen.insert(name).second) continue;  // of another session
    all.push_back(name);
    if (std::max(agent.nth, 1u) == instance.number) same.push_back(name);
  }
  std::vector<std::string>& listed = same.empty() ? all : same;
  if (listed.empty()) return "; no subagent is recorded";
  const std::string list = name_some(
      listed, kNamed, [](const std::string& name) { return fmt::format("'{}'", printable(name)); },
      same.empty() ? ", " : " or ");
  return same.empty() ? "; subagents: " + list : fmt::format("; did you mean {}?", list);
}

/// Where the session begins that is called so, or whose id does; empty: none is.
std::string_view file_of_session(const Graph& graph, std::string_view name) {
  const Trace& trace = graph.trace();
  for (const Session& session : graph.sessions()) {
    const std::string known = session_name(trace, session);
    if (known == name || (name.size() >= kShortestId && known.starts_with(name)))
      return trace.sources[trace[session.calls.front()].source.file].path;
  }
  return {};
}

/// A place without a call at it or after it.
std::string other_places(const Graph& graph, std::string_view name, const Place& place) {
  const Trace& trace = graph.trace();
  const bool is_offset = name[name.find_last_of("@:")] == '@';
  std::optional<uint64_t> last;
  for (CallId id : graph.timeline().in_order())
    for_each_place(trace, id, [&](const Extent& at) {
      if (place.is_in_file(trace, at))
        last = std::max<uint64_t>(last.value_or(0), is_offset ? at.offset : at.line);
    });
  if (last)
    return fmt::format("; the last call in that file is at {}{}", is_offset ? '@' : ':', *last);
  std::vector<std::string_view> paths;
  for (const Source& source : trace.sources) paths.push_back(source.path);
  std::string file(name.substr(0, name.find_last_of("@:")));
  if (const std::string_view home = file_of_session(graph, file); !home.empty())
    return fmt::format("; '{}' is a session; places are written FILE:LINE, such as {}{}",
                       printable(file), printable(home), printable(name.substr(file.size())));
  return fmt::format("; no call in a file '{}'{}", printable(file), did_you_mean(file, paths));
}

}  // namespace

std::vector<Meant> find_meant(const Graph& graph, std::string_view name, unsigned meanings,
                              const Names* names) {
  NameSearch search{graph, name, names};
  for (const auto& way : kWays) {
    if ((way.meanings & meanings) == 0) continue;
    if (!search.found.empty() && !way.is_beside) break;
    search.how = way.how;
    std::visit([&](auto find) { search.look(find); }, way.find);
  }
  return std::move(search.found);
}

std::vector<CallId> find_calls(const Graph& graph, std::string_view name, unsigned meanings,
                               const Names* names) {
  std::vector<CallId> calls;
  for (const Meant& one : find_meant(graph, name, meanings, names)) calls.push_back(one.call);
  return calls;
}

std::string other_calls(const Graph& graph, std::string_view name) {
  if (subject_of(graph.trace()) == Subject::spans) return {};
  if (std::string turn = turn_written_together(graph, name); !turn.empty()) return turn;
  if (read_turn(name)) return other_turns(graph, name);
  if (const std::optional<InstanceName> instance = read_instance(name)) {
    if (means_any_subagent(*instance)) return other_subagents(graph, *instance);
    return other_agents(graph, fmt::format("{}#{}", instance->type, instance->number));
  }
  if (name.find('#') != std::string_view::npos) return other_agents(graph, name);
  if (std::optional<Place> place = Place::read(name, graph.trace()))
    return other_places(graph, name, *place);
  return {};
}

}  // namespace xtrace
