#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/address.h"
#include "facts/tool_targets.h"
#include "view/calls/tree_frame.h"
#include "view/common/words.h"
#include "view/taint/taint_report.h"

namespace xtrace {

namespace {

/// More flows than this are for programs.
constexpr size_t kMostRows = 20;

/// `WebFetch ovens.example`, of a subagent `Explore#1 WebFetch ovens.example`.
std::string source_words(const TaintReport& report, const TaintFlow& flow) {
  const CallScene& scene = report.scene;
  std::string words;
  if (flow.crosses == TaintCrosses::agent)
    words = fmt::format("{} ", scene.names.agent(scene.graph.agent_of(flow.source.call)).view());
  words += report.tool(flow.source).view();
  const ToolUse& use = report.trace().tool_uses[flow.source.use.index];
  for (const StringId target : targets_of(report.trace(), use))
    if (const std::string_view host = host_of(report.trace()[target]); !host.empty()) {
      words += fmt::format(" {}", scene.names.text(host).view());
      break;
    }
  return words;
}

/// `[url:1], [mail:1]`
std::string values_words(const TaintReport& report, const TaintFlow& flow) {
  constexpr size_t kMost = 3;
  std::string words;
  const size_t shown = std::min(flow.evidence.size(), kMost);
  for (size_t i = 0; i < shown; ++i)
    words += fmt::format("{}{}", i == 0 ? "" : ", ", report.value(flow.evidence[i]).view());
  if (flow.evidence.size() > shown) words += fmt::format(" +{}", flow.evidence.size() - shown);
  return words;
}

std::string place_words(const CallPlaces& places, const TaintFlow& flow) {
  constexpr std::string_view kBy[] = {"", ", by another agent", ", across sessions"};
  return fmt::format("{} ← {}{}", places.of(flow.sink.call).view(), places.of(flow.reader).view(),
                     kBy[static_cast<size_t>(flow.crosses)]);
}

std::string verdict_words(const TaintReport& report) {
  std::set<uint64_t> values;
  std::set<std::pair<CallId, ToolUseId>> sinks;
  for (const TaintFlow& flow : report.found.flows) {
    if (flow.label != TaintLabel::untrusted) continue;
    sinks.insert({flow.sink.call, flow.sink.use});
    for (const TaintEvidence& evidence : flow.evidence) values.insert(evidence.key);
  }
  const std::string reuse = fmt::format("{} from untrusted text in {}",
                                        plural(static_cast<int64_t>(values.size()), "value"),
                                        plural(static_cast<int64_t>(sinks.size()), "sink"));
  switch (report.found.verdict) {
    case TaintVerdict::trifecta:
      return fmt::format("trifecta: {}; private text leaves by one of them", reuse);
    case TaintVerdict::flow: return fmt::format("flow: {}", reuse);
    case TaintVerdict::exposed:
      return "exposed: untrusted text was read before a sink was used; no reuse found";
    case TaintVerdict::none: break;
  }
  return report.found.sinks == 0 ? "none: no sink was used"
                                 : "none: no untrusted text was read before a sink was used";
}

}  // namespace

Outline taint_outline(const TaintReport& report) {
  Door& door = report.door();
  Outline outline;
  outline.head = head_lines(report.scene);
  outline.head.push_back(door.composed(verdict_words(report)));
  const CallPlaces places(report.scene);
  outline.columns = {{"sink", false, true},    {"argument"},   {"from"}, {"what"}, {"conf", true},
                     {"asi", false, false, 1}, places.column()};
  for (const TaintFlow& flow : report.found.flows) {
    Door::At at(door, report.scene.names.place(flow.sink.call));
    std::string risks;
    for (const Text risk : report.risks(flow))
      risks += fmt::format("{}{}", risks.empty() ? "" : " ", risk.view().substr(3));
    const bool is_secret = flow.label == TaintLabel::secret;
    const Text sink = flow.sink.use ? report.tool(flow.sink) : Text("reply to the user");
    outline.lines.push_back(
        {0,
         is_secret ? Tone::quiet : Tone::error,
         {door.say("{}{}", sink.view(), is_secret ? " (private)" : ""), report.argument(flow),
          door.composed(source_words(report, flow)), door.composed(values_words(report, flow)),
          door.say("{:.2f}", flow.confidence), door.composed(std::move(risks)),
          door.composed(place_words(places, flow))},
         false,
         outline.lines.size() >= kMostRows});
  }
  if (outline.lines.empty()) outline.columns.clear();
  std::string read = fmt::format(
      "read: {}, {}", plural(static_cast<int64_t>(report.found.untrusted), "untrusted result"),
      plural(static_cast<int64_t>(report.found.sinks), "sink"));
  if (const std::string lost = lost_words(report.found.lost); !lost.empty())
    read += fmt::format("; not searched: {}", lost);
  outline.foot.push_back(door.composed(std::move(read)));
  outline.foot.push_back(door.say("not detectable: {}", not_seen_words(report.options)));
  return outline;
}

}  // namespace xtrace
