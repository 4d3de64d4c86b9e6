#include "view/calls/session_uses.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr Column kUses[] = {
    {"session", "that says of itself what it used up altogether", CellKind::text, true},
    {"models", "that it names for this", CellKind::texts},
    {"calls", "that it counts, whether or not there is a record of each", CellKind::integer},
    {"tokens.input", "without cached ones", CellKind::integer},
    {"tokens.output", "", CellKind::integer},
    {"tokens.total", "the sum of all four counters", CellKind::integer},
    {"tokens.cache_read", "", CellKind::integer},
    {"tokens.cache_creation", "", CellKind::integer},
    {"cost_usd", "", CellKind::number},
    {"beyond_calls.input", "of these, what no call tells of: it is in no other sum",
     CellKind::integer},
    {"beyond_calls.output", "", CellKind::integer},
    {"beyond_calls.total", "", CellKind::integer},
    {"beyond_calls.cache_read", "", CellKind::integer},
    {"beyond_calls.cache_creation", "", CellKind::integer},
};

/// Of a part of a session nobody said anything.
bool is_shown(const Session& session, const CallScene& scene) {
  return session.use.is_told() &&
         std::all_of(session.calls.begin(), session.calls.end(), [&](CallId call) {
           return scene.selection.shows(call) ||
                  scene.timeline()[call].outcome == Outcome::unrecorded;
         });
}

std::string words_of(const Tokens& tokens, int64_t least) {
  std::string words;
  if (const int64_t sent = tokens_sent(tokens); sent >= least) words = show_count(sent) + " in";
  return tokens.output < least ? words : join_notes(words, show_count(tokens.output) + " out");
}

void add_counts(const Tokens& tokens, Table& table) {
  for (const Cell& cell : {known(tokens.input), known(tokens.output), known(total_of(tokens)),
                           known(tokens.cache_read), known(tokens.cache_creation)})
    table.cells.push_back(cell);
}

}  // namespace

std::span<const Column> session_use_columns() {
  return kUses;
}

Table session_uses(const CallScene& scene) {
  Table table{"session_totals", kUses};
  for (const Session& session : scene.graph.sessions()) {
    if (!is_shown(session, scene)) continue;
    const SessionUse& use = session.use;
    Texts models;
    for (StringId model : use.models) models.push_back(scene.names.text(model));
    table.cells.insert(table.cells.end(), {scene.names.session(session),
                                           some(std::move(models), scene.arena), known(use.calls)});
    add_counts(use.tokens, table);
    table.cells.push_back(dollars(use.cost));
    add_counts(use.beyond_calls, table);
  }
  return table;
}

Text session_uses_line(const CallScene& scene) {
  SessionUse all;
  int64_t sessions = 0;
  for (const Session& session : scene.graph.sessions()) {
    if (!is_shown(session, scene)) continue;
    all.add(session.use);
    ++sessions;
  }
  if (sessions == 0) return {};
  std::string line = sessions == 1
                         ? "as the session itself says, in total: "
                         : fmt::format("as {} sessions themselves say, in total: ", sessions);
  std::string told = words_of(all.tokens, 0);
  if (all.calls >= 0) told = join_notes(plural(all.calls, "call"), told);
  if (all.cost >= 0) told = join_notes(told, show_dollars({all.cost}));
  line += told;
  if (total_of(all.beyond_calls) > 0)
    line += fmt::format("; of that {} no call tells of", words_of(all.beyond_calls, 1));
  return scene.question.door.composed(std::move(line));
}

}  // namespace xtrace
