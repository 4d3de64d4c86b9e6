#include <algorithm>

#include "link/calls/linkers.h"

namespace xtrace {

namespace {

template <class Enum, size_t count>
bool find_word(const std::string_view (&words)[count], std::string_view word, Enum& value) {
  for (size_t i = 0; i < count; ++i)
    if (words[i] == word) {
      value = static_cast<Enum>(i);
      return true;
    }
  return false;
}

ToolUseId use_of(const Timeline& timeline, EventId call, StringId id) {
  MessageId answer = timeline.call(call).answer;
  if (!answer || !id) return {};
  for (const ToolUse& use : timeline.uses_in(answer))
    if (use.id == id) return timeline.id_of(use);
  return {};
}

/// The link that is told; false where what it says makes none.
bool read_link(const Timeline& timeline, const ToldLink& told, Link& link) {
  const Trace& trace = timeline.trace();
  if (!told.from || told.from == told.to) return false;
  if (!find_word(kLinkWords, trace[told.kind], link.kind) ||
      !find_word(kRuleWords, trace[told.method], link.rule))
    return false;
  link.tool_use = use_of(timeline, told.from, told.tool_use);
  bool is_about_a_tool =
      link.kind == LinkKind::tool_result || link.kind == LinkKind::subagent_spawn;
  if (is_about_a_tool && !link.tool_use) return false;
  link.from = told.from;
  link.to = told.to;
  link.told = std::clamp(told.confidence, 0.0, 1.0);
  link.key = told.key;
  link.is_error = told.is_error;
  link.error = told.error;
  link.resumed = told.resumed;
  link.rivals = told.rivals;
  link.attempt = told.attempt;
  link.shared = told.shared;
  link.repeats = told.repeats;
  link.gap = timeline.gap(link.from, link.to);
  return true;
}

}  // namespace

void link_told(const Timeline& timeline, const Linking&, Findings& out) {
  bool goes_on = false;  // the link at hand is the last of `out`
  for (const ToldLink& told : timeline.trace().told_links) {
    if (told.is_orphan) {
      out.orphans.push_back({told.to, told.tool_use});
    } else if (told.is_alternative) {
      if (!goes_on || !told.from) continue;
      Link& link = out.links.back();
      if (link.alternatives == 0)
        link.first_alternative = static_cast<uint32_t>(out.alternatives.size());
      out.alternatives.push_back(
          {told.from, use_of(timeline, told.from, told.tool_use), told.confidence});
      ++link.alternatives;
    } else {
      Link link;
      goes_on = read_link(timeline, told, link);
      if (goes_on) out.links.push_back(link);
    }
  }
}

}  // namespace xtrace
