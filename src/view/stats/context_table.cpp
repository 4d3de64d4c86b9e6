#include "view/stats/context_table.h"

#include <fmt/format.h>

#include <cmath>

#include "base/count.h"
#include "base/text.h"
#include "view/common/selector.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

namespace {

using PartKind = ContextPart::Kind;

/// By Kind.
constexpr std::string_view kTitles[] = {"system prompt",
                                        "tool definitions",
                                        "system prompt and tool definitions (not in the log)",
                                        "memory files",
                                        "prompts and other messages to the model",
                                        "replies",
                                        "thinking",
                                        "results of",
                                        "images",
                                        "summary of what was said before",
                                        "not attributed"};
static_assert(std::size(kTitles) == std::size(kContextPartWords));

struct ContextRow {
  const Stats& stats;
  const ContextPart& part;

  int64_t sent() const { return tokens_sent(stats.question.graph.activities().of(call()).tokens); }
  CallId call() const { return stats.context_call; }
  double share() const { return part_of(part.tokens, sent()); }
};

constexpr Field<ContextRow> kContext[] = {
    {{"part",
      "system_prompt, tool_definitions (of one MCP server, or of all other tools), not_recorded "
      "(system prompt and tool definitions, if the log has neither), memory (files such as "
      "CLAUDE.md), prompts, replies, thinking, tool_results (of one tool), images, summary (after "
      "a compaction) or "
      "unattributed",
      CellKind::text, true},
     [](const ContextRow& row) { return Cell(Door::own(word(row.part.kind))); }},
    {{"name", "tool or MCP server", CellKind::text},
     [](const ContextRow& row) { return known(row.stats.names.text(row.part.name)); }},
    {{"tokens", "exact, as differences of recorded counts", Role::tokens},
     [](const ContextRow& row) { return row.part.is_estimated ? Cell() : Cell(row.part.tokens); }},
    {{"tokens_estimated", "recorded tokens, divided by the lengths of texts", CellKind::integer},
     [](const ContextRow& row) { return row.part.is_estimated ? Cell(row.part.tokens) : Cell(); }},
    {{"share", "part of all tokens that the call sent", CellKind::number},
     [](const ContextRow& row) { return Cell(std::round(row.share() * 1e4) / 1e4); }},
};

struct ContextCall {
  const Stats& stats;
  CallId call() const { return stats.context_call; }
  const Names& names() const { return stats.names; }
  const Activity& done() const { return stats.question.graph.activities().of(call()); }
  int64_t sent() const { return tokens_sent(done().tokens); }
};
/// Of a call, if there is one with a count.
template <auto kGet>
Cell if_counted(const ContextCall& of) {
  return of.call() ? kGet(of) : Cell();
}
constexpr Field<ContextCall> kContextCall[] = {
    {{"call", "the fullest call, or the one named with --context", Role::node},
     if_counted<[](const ContextCall& of) { return Cell(of.names().id(of.call())); }>},
    {{"at", "", CellKind::text},
     if_counted<[](const ContextCall& of) { return Cell(of.names().at(of.call())); }>},
    {{"sent", "tokens that it sent, cached ones included", CellKind::integer},
     if_counted<[](const ContextCall& of) { return known(of.sent()); }>},
    {{"limit", "context window of its model, in tokens", CellKind::integer},
     if_counted<[](const ContextCall& of) { return known(of.done().context_limit); }>},
};

std::string title_of(const ContextPart& part, const Names& names) {
  const std::string title(kTitles[static_cast<size_t>(part.kind)]);
  const Text name = names.text(part.name);
  if (part.kind == PartKind::tool_results)
    return fmt::format("{} {}", title, name.empty() ? "unnamed tools" : name.view());
  return name.empty() ? title : fmt::format("{} of {}", title, name.view());
}

}  // namespace

Result<CallId> choose_context(const Question& question, const Selection& shown,
                              const std::string& named) {
  const Graph& graph = question.graph;
  if (!named.empty()) {
    const std::vector<CallId> found = find_calls(graph, named, NameOf::calls);
    if (!found.empty()) return found.front();
    return fail(Exit::no, fmt::format("--context: there is no call '{}'{}", printable(named),
                                      other_calls(graph, named)));
  }
  CallId fullest;
  int64_t most = 0;
  for (CallId id : graph.timeline().in_order()) {
    const int64_t sent = tokens_sent(graph.activities().of(id).tokens);
    if (!shown.shows(id) || sent <= most) continue;
    most = sent;
    fullest = id;
  }
  return fullest;
}

void add_context_table(const Stats& stats, Document& document) {
  document.add(record_of<kContextCall>("context_call", ContextCall{stats}));
  Table table = table_of<kContext>("context");
  for (const ContextPart& part : stats.context) add_fields(kContext, {stats, part}, table);
  document.add(std::move(table));
}

void add_context_outline(const Stats& stats, Document& document) {
  if (stats.context.empty()) return;
  Door& door = stats.question.door;
  const ContextCall call{stats};
  Outline outline;
  outline.head.push_back(
      door.say("context of the {} call: {} tokens{}, at {}",
               stats.is_context_chosen ? "chosen" : "fullest", show_count(call.sent()),
               call.done().context_limit > 0
                   ? fmt::format(" ({} of the window)",
                                 percent(part_of(call.sent(), call.done().context_limit)))
                   : "",
               call.names().shown_at(stats.context_call).view()));
  outline.columns = {
      {"in the context", false, true}, {"tokens", true}, {"share", true}, {"", false}};
  for (const ContextPart& part : stats.context) {
    const double share = ContextRow{stats, part}.share();
    outline.lines.push_back(
        {0,
         Tone::plain,
         {door.composed(title_of(part, stats.names)),
          door.say("{}{}", part.is_estimated ? "~" : "", show_count(part.tokens)),
          door.composed(percent(share)), door.composed(share_bar(share))}});
  }
  document.add(std::move(outline));
}

std::vector<Section> context_sections() {
  return {Section(Record{table_of<kContextCall>("context_call")}),
          Section(table_of<kContext>("context"))};
}

}  // namespace xtrace
