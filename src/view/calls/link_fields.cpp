#include "view/calls/link_fields.h"

#include <algorithm>
#include <array>

namespace xtrace {

namespace {

using LinkRef = const LinkRow&;

bool is(LinkRef r, LinkKind kind) {
  return r.link.kind == kind;
}
bool is_turn(LinkRef r) {
  return row_of(r.link.kind).goes_on;
}
const ToolUse* use_of(LinkRef r) {
  return r.link.tool_use ? &r.scene.graph.trace().tool_uses[r.link.tool_use.index] : nullptr;
}
Cell known_name(LinkRef r, StringId id) {
  return known(r.scene.names.text(id));
}

struct AlternativeRow {
  LinkRef link;
  const Alternative& other;
};
constexpr Field<AlternativeRow> kAlternatives[] = {
    {{"source", "alternative source: another call that would have fitted", Role::source, true},
     [](const AlternativeRow& row) { return Cell(row.link.scene.names.id(row.other.from)); }},
    {{"confidence", "", Role::confidence, true},
     [](const AlternativeRow& row) { return Cell(thousandths(row.other.confidence)); }},
    {{"task_tool_id", "tool use of that alternative", CellKind::text},
     [](const AlternativeRow& row) {
       const ToolUseId use = row.other.tool_use;
       return use ? known_name(row.link, row.link.scene.graph.trace().tool_uses[use.index].id)
                  : Cell();
     }},
};

Cell alternatives(LinkRef r) {
  if (r.link.alternatives == 0) return {};
  Table table = table_of<kAlternatives>({});
  for (const Alternative& other : r.scene.graph.alternatives(r.link))
    add_fields(kAlternatives, {r, other}, table);
  return r.arena.keep(std::move(table));
}

Cell places(LinkRef r) {
  return r.arena.keep(Texts{r.scene.names.at(r.link.from), r.scene.names.at(r.link.to)});
}

/// How many messages the later request took over from the earlier one.
Cell shared_messages(LinkRef r) {
  for (Rule rule : {Rule::truncated, Rule::rewritten, Rule::adjusted})
    if (r.link.rule == rule) return {};
  if (!is_turn(r)) return {};
  const Call& from = r.scene.timeline()[r.link.from];
  bool with_answer = r.link.rule == Rule::messages_and_answer;
  MessageId last = with_answer ? from.answer : from.request;
  return last ? Cell(static_cast<int64_t>(r.scene.timeline()[last].depth)) : Cell();
}

/// Calls `each` with the pieces of `tool_result: the target reads …; subagent_spawn: …`.
constexpr void for_each_type(auto each) {
  for (const LinkKindRow& kind : kLinkKinds)
    for (std::string_view piece : {std::string_view(&kind == kLinkKinds ? "" : "; "), kind.word,
                                   std::string_view(": "), kind.meaning})
      each(piece);
}
constexpr size_t kTypeHelpLength = [] {
  size_t length = 0;
  for_each_type([&](std::string_view piece) { length += piece.size(); });
  return length;
}();
constexpr std::array kTypeHelpText = [] {
  std::array<char, kTypeHelpLength> text{};
  char* end = text.data();
  for_each_type([&](std::string_view piece) { end = std::copy(piece.begin(), piece.end(), end); });
  return text;
}();
constexpr std::string_view kTypeHelp(kTypeHelpText.data(), kTypeHelpText.size());

constexpr Field<LinkRow> kLinkFields[] = {
    {{"source", "the earlier call", Role::source, true},
     [](LinkRef r) -> Cell { return r.scene.names.id(r.link.from); }},
    {{"target", "the later call", Role::target, true},
     [](LinkRef r) -> Cell { return r.scene.names.id(r.link.to); }},
    {{"type", kTypeHelp, Role::type, true},
     [](LinkRef r) -> Cell { return Door::own(word(r.link.kind)); }},
    {{"confidence", "share of links with this evidence that are right, 0 to 1", Role::confidence,
      true},
     [](LinkRef r) -> Cell { return confidence(r.link); }},
    {{"method", "rule by which the link was found", Role::method, true},
     [](LinkRef r) -> Cell { return Door::own(word(r.link.rule)); }},
    {{"evidence.id", "id that both ends share", Role::evidence},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::file_handoff) ? Cell() : known_name(r, r.link.key);
     }},
    {{"evidence.messages", "number of messages that both ends share", CellKind::integer},
     shared_messages},
    {{"evidence.characters", "length of the longest passage that both ends share, in characters",
      CellKind::integer},
     [](LinkRef r) -> Cell { return some(static_cast<int64_t>(r.link.shared)); }},
    {{"evidence.at", "locations of both ends", CellKind::texts, true}, places},
    {{"alternatives", "other sources that would have fitted", CellKind::rows, false,
      columns_of<kAlternatives>(), Role::alternatives},
     alternatives},
    {{"tool_use_id", "", CellKind::text},
     [](LinkRef r) -> Cell {
       const LinkKindRow& row = row_of(r.link.kind);
       return row.through_use && !row.of_subagent ? known_name(r, r.link.key) : Cell();
     }},
    {{"tool_name", "", CellKind::text},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::tool_result) && use_of(r) ? known_name(r, use_of(r)->name) : Cell();
     }},
    {{"is_error",
      "whether the tool reported an error; absent: it continued in the background, and no end is "
      "recorded",
      Role::is_error},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::tool_result) && !r.link.is_open ? Cell(r.link.is_error) : Cell();
     }},
    {{"latency_ms",
      "duration of the tool as recorded; otherwise, time until its result was available",
      Role::duration},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::tool_result) ? known(r.scene.graph.activities().tool_duration(r.link))
                                           : Cell();
     }},
    {{"repeats", "number of later requests that contain the same result in their history",
      CellKind::integer},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::tool_result) ? Cell(static_cast<int64_t>(r.link.repeats)) : Cell();
     }},
    {{"subagent_type", "", CellKind::text},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::subagent_spawn) && use_of(r) ? known_name(r, use_of(r)->subagent_type)
                                                           : Cell();
     }},
    {{"spawn_time", "start of the subagent's first call", CellKind::moment},
     [](LinkRef r) -> Cell {
       const Call& call = r.scene.timeline()[r.link.to];
       return is(r, LinkKind::subagent_spawn) ? known(Moment{call.start, call.decimals}) : Cell();
     }},
    {{"model", "model of the subagent", CellKind::text},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::subagent_spawn) ? known_name(r, r.scene.timeline()[r.link.to].model)
                                              : Cell();
     }},
    {{"task_tool_id", "tool use that started the subagent", CellKind::text},
     [](LinkRef r) -> Cell {
       return row_of(r.link.kind).of_subagent ? known_name(r, r.link.key) : Cell();
     }},
    {{"dropped_messages",
      "messages of the earlier request and its reply that the later request omits",
      CellKind::integer},
     [](LinkRef r) { return some(static_cast<int64_t>(r.link.dropped)); }},
    {{"resumed", "true if the subagent had run before", CellKind::boolean},
     [](LinkRef r) -> Cell { return if_true(r.link.resumed); }},
    {{"attempt", "number of the attempt; 2 is the first retry", CellKind::integer},
     [](LinkRef r) -> Cell {
       return is(r, LinkKind::retry) ? Cell(static_cast<int64_t>(r.link.attempt)) : Cell();
     }},
    {{"time_gap_ms", "from the end of the source to the start of the target",
      CellKind::milliseconds},
     [](LinkRef r) -> Cell { return is(r, LinkKind::tool_result) ? Cell() : known(r.link.gap); }},
    {{"same_agent_type", "", CellKind::boolean},
     [](LinkRef r) -> Cell {
       if (!is_turn(r) && !is(r, LinkKind::sequential)) return {};
       return r.scene.graph.agent_of(r.link.from).type == r.scene.graph.agent_of(r.link.to).type;
     }},
};

}  // namespace

std::span<const Field<LinkRow>> link_fields() {
  return kLinkFields;
}

std::span<const Column> link_columns() {
  return columns_of<kLinkFields>();
}

}  // namespace xtrace
