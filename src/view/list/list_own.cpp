#include "view/list/list_own.h"

#include <fmt/format.h>

#include "link/calls/session_names.h"
#include "link/graph/queries.h"
#include "view/common/day.h"
#include "view/common/preface.h"
#include "view/list/named_row.h"
#include "view/list/title_words.h"

namespace xtrace {

namespace {

constexpr size_t kTitle = 60;

/// The beginning of an id that is as long as a UUID: enough to name it by.
Text short_id(const CallScene& scene, const Session& session) {
  constexpr size_t kUuid = 36, kFirst = 8;
  Text name = scene.names.session(session);
  const bool is_long = scene.question.shortens && name.view().size() == kUuid;
  return is_long ? scene.question.door.composed(std::string(name.view().substr(0, kFirst))) : name;
}

/// What its log calls it, else how its first prompt begins; nothing where these are not to be seen.
Text title_of(const CallScene& scene, const Session& session) {
  Door& door = scene.question.door;
  const Trace& trace = scene.graph.trace();
  if (!door.shows_first_words()) return {};
  if (const std::string title = title_words(trace[session.title]); !title.empty())
    return door.first_words(title, kTitle);
  constexpr int kTried = 4;  // clients warm up with calls that have no prompt
  int tried = 0;
  for (CallId id : session.calls) {
    if (scene.question.payloads == nullptr || tried == kTried) break;
    if (trace[id].in_subagent || cause_in_turn(scene.graph, id) != nullptr) continue;
    ++tried;
    Door::At at(door, scene.names.place(id));
    Text words =
        door.first_words(title_words(scene.question.payloads->read(trace[id]).prompt), kTitle);
    if (!words.empty()) return words;
  }
  return {};
}

}  // namespace

Outline own_sessions(const CallScene& scene) {
  Outline outline;
  outline.columns = {{"", true},
                     {"session", false, false, 3},
                     {"project", false, false, 4},
                     {"title", false, true},
                     {"last", false},
                     {"time", false, false, 2},
                     {"calls", true},
                     {"cost", Role::cost},
                     {"took", Role::duration, 1}};
  Door& door = scene.question.door;
  const std::vector<Session>& sessions = scene.graph.sessions();
  const std::vector<uint32_t> order = newest_first(sessions);
  Table table = session_table(scene);
  for (size_t i = 0; i < table.rows(); ++i) {
    NamedRow row{table, i};
    const Session& session = sessions[order[static_cast<size_t>(row.count("number")) - 1]];
    const bool is_known = session.end != kNoTime;
    Cell clock = is_known ? Cell(Moment{session.end, 0}) : Cell();
    outline.lines.push_back({0,
                             Tone::plain,
                             {row["number"], known(short_id(scene, session)), row["project"],
                              known(title_of(scene, session)), day_of(session.end, door), clock,
                              row["calls"], cost_cell(usage_in(row, {})), row["duration_ms"]}});
  }
  if (!outline.lines.empty())
    outline.foot.push_back("`xtrace dag 1` shows session 1, `xtrace dag last` the newest");
  if (Text line = costs_line(scene); !line.empty()) outline.foot.push_back(line);
  add_hidden(scene.selection.hidden, "call", {}, door, outline.foot);
  return outline;
}

}  // namespace xtrace
