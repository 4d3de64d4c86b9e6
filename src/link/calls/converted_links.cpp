#include <algorithm>

#include "link/calls/linkers.h"

namespace xtrace {

namespace {

template <class Enum>
bool find_word(std::span<const std::string_view> words, std::string_view word, Enum& value) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return false;
  value = static_cast<Enum>(found - words.begin());
  return true;
}

ToolUseId use_of(const Timeline& timeline, const ConvertedLink& converted) {
  MessageId answer = timeline[converted.from].answer;
  if (!answer) return {};
  const std::span<const ToolUse> uses = timeline.uses_in(answer);
  const size_t number = converted.tool_use_number;
  if (!converted.tool_use)
    return number > 0 && number <= uses.size() ? timeline.id_of(uses[number - 1]) : ToolUseId{};
  for (const ToolUse& use : uses)
    if (use.id == converted.tool_use) return timeline.id_of(use);
  return {};
}

/// How long the tool ran, as far as that was converted.
ToolTime time_of(const Timeline& timeline, CallId call, StringId use, CallId reader) {
  if (MessageId answer = timeline[call].answer; answer && use)
    for (const ToolResult& result : timeline.results_in(answer))
      if (result.tool_use == use) return tool_time(timeline[call], result, &timeline[reader]);
  return tool_time(timeline[call], {}, &timeline[reader]);
}

/// The link as it was converted; false where what it says makes none.
bool read_link(const Timeline& timeline, const ConvertedLink& converted, Link& link) {
  const Trace& trace = timeline.trace();
  if (!converted.from || converted.from == converted.to) return false;
  if (!find_word(kLinkWords, trace[converted.kind], link.kind) ||
      !find_word(kRuleWords, trace[converted.method], link.rule))
    return false;
  // What a report is about, its spawner asked for.
  bool is_report = link.kind == LinkKind::subagent_report;
  if (!is_report) link.tool_use = use_of(timeline, converted);
  bool is_about_a_tool =
      link.kind == LinkKind::tool_result || link.kind == LinkKind::subagent_spawn;
  if (is_about_a_tool && !link.tool_use) return false;
  link.from = converted.from;
  link.to = converted.to;
  link.given_confidence = std::clamp(converted.confidence, 0.0, 1.0);
  link.key = converted.key;
  link.is_error = converted.is_error;
  link.is_open = converted.is_open;
  link.error = converted.error;
  link.is_again = converted.is_again;
  link.resumed = converted.resumed;
  link.rivals = converted.rivals;
  link.attempt = converted.attempt;
  link.shared = converted.shared;
  link.repeats = converted.repeats;
  link.dropped = converted.dropped;
  link.gap = timeline.gap(link.from, link.to);
  if (link.kind == LinkKind::tool_result)
    link.ran = time_of(timeline, link.from, link.key, link.to);
  return true;
}

void link_converted(const Timeline& timeline, const LinkOptions&, Findings& out) {
  bool goes_on = false;  // the link at hand is the last of `out`
  for (const ConvertedLink& converted : timeline.trace().converted_links) {
    if (converted.is_orphan) {
      out.orphans.push_back({converted.to, converted.tool_use});
    } else if (converted.is_alternative) {
      if (!goes_on || !converted.from) continue;
      Link& link = out.links.back();
      if (link.alternatives == 0)
        link.first_alternative = static_cast<uint32_t>(out.alternatives.size());
      out.alternatives.push_back(
          {{converted.from, converted.confidence}, use_of(timeline, converted)});
      ++link.alternatives;
    } else {
      Link link;
      goes_on = read_link(timeline, converted, link);
      if (goes_on) out.links.push_back(link);
    }
  }
}

}  // namespace

extern constinit const Linker kToldLinker = {
    .name = "told",
    .summary = "links stated by the xtrace output that the log was converted from",
    .find = link_converted,
};

}  // namespace xtrace
