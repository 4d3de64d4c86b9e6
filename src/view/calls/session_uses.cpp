#include "view/calls/session_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/count.h"
#include "facts/token_sums.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

struct SessionUseRow {
  const CallScene& scene;
  const Session& session;
  Tokens beyond;  ///< its calls

  const Tokens& stated() const { return session.use.tokens; }
};

Cell models_of(const SessionUseRow& row) {
  Texts models;
  for (StringId model : row.session.use.models) models.push_back(row.scene.names.text(model));
  return some(std::move(models), row.scene.arena);
}

constexpr Field<SessionUseRow> kUseOfSession[] = {
    {{"session", "session whose records state its own totals", CellKind::text, true},
     [](const SessionUseRow& row) { return Cell(row.scene.names.session(row.session)); }},
    {{"models", "models that the session names for these totals", CellKind::texts}, models_of},
    {{"calls", "number of calls that the session says it made, including calls not in the log",
      CellKind::integer},
     [](const SessionUseRow& row) { return known(row.session.use.calls); }},
};
constexpr Field<SessionUseRow> kUseBeyondCalls[] = {
    {{"cost_usd", "", Role::cost},
     [](const SessionUseRow& row) { return dollars(row.session.use.cost); }},
    {{"beyond_calls.input",
      "input tokens not covered by any call; equal to the sum of the session's rows in `unplaced`",
      CellKind::integer},
     [](const SessionUseRow& row) { return known(row.beyond.input); }},
    {{"beyond_calls.output", "", CellKind::integer},
     [](const SessionUseRow& row) { return known(row.beyond.output); }},
    {{"beyond_calls.total", "", CellKind::integer},
     [](const SessionUseRow& row) { return known(total_of(row.beyond)); }},
    {{"beyond_calls.cache_read", "", CellKind::integer},
     [](const SessionUseRow& row) { return known(row.beyond.cache_read); }},
    {{"beyond_calls.cache_creation", "", CellKind::integer},
     [](const SessionUseRow& row) { return known(row.beyond.cache_creation); }},
};
constexpr auto kSessionUses =
    joined_fields(kUseOfSession, fields_in<&SessionUseRow::stated, kTokens>, kUseBeyondCalls);

/// Totals are of whole sessions: is no call of it hidden?
bool is_shown(const Session& session, const CallScene& scene) {
  return session.use.is_told() &&
         std::all_of(session.calls.begin(), session.calls.end(), [&](CallId call) {
           return scene.selection.shows(call) ||
                  scene.timeline()[call].outcome == Outcome::unrecorded;
         });
}

std::string words_of(const Tokens& tokens) {
  std::string words;
  if (const int64_t sent = tokens_sent(tokens); sent >= 0) words = show_count(sent) + " in";
  return tokens.output < 0 ? words : join_notes(words, show_count(tokens.output) + " out");
}

/// What the ledger has of a session beyond its calls, by Session::number.
std::unordered_map<uint32_t, Tokens> tokens_beyond_calls(const CallScene& scene) {
  std::unordered_map<uint32_t, Tokens> sums;
  for (const UnplacedRow& row : scene.spending.unplaced())
    if (row.usage.session > 0) add_tokens(sums[row.usage.session], row.usage.tokens);
  return sums;
}

/// Zero of all that the session states, and what is beyond its calls.
Tokens beyond_of(const SessionUse& use, const Tokens& unplaced) {
  Tokens beyond;
  for (int64_t Tokens::*kind : kTokenKinds) beyond.*kind = use.tokens.*kind < 0 ? kNoCount : 0;
  add_tokens(beyond, unplaced);
  return beyond;
}

}  // namespace

std::span<const Column> session_use_columns() {
  return columns_of<kSessionUses>();
}

Table session_uses(const CallScene& scene) {
  Table table = table_of<kSessionUses>("session_totals");
  std::unordered_map<uint32_t, Tokens> unplaced = tokens_beyond_calls(scene);
  for (const Session& session : scene.graph.sessions()) {
    if (!is_shown(session, scene)) continue;
    add_fields(kSessionUses, {scene, session, beyond_of(session.use, unplaced[session.number])},
               table);
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
  std::string line = sessions == 1 ? "total reported by the session: "
                                   : fmt::format("totals reported by {} sessions: ", sessions);
  std::string used = words_of(all.tokens);
  if (all.calls >= 0) used = join_notes(plural(all.calls, "call"), used);
  if (all.cost >= 0) used = join_notes(used, show_dollars({all.cost}));
  line += used;
  return scene.question.door.composed(std::move(line));
}

}  // namespace xtrace
