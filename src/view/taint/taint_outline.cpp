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

/// `WebFetch ovens.example`; of a flow from a subagent `Explore#1 WebFetch ovens.example`.
std::string source_words(const TaintReport& report, const TaintStep& source) {
  const CallScene& scene = report.scene;
  std::string words(report.tool(source).view());
  const ToolUse& use = report.trace().tool_uses[source.use.index];
  for (const StringId target : targets_of(report.trace(), use))
    if (const std::string_view host = host_of(report.trace()[target]); !host.empty()) {
      words += fmt::format(" {}", scene.names.text(host).view());
      break;
    }
  return words;
}

std::string source_words(const TaintReport& report, const TaintFlow& flow) {
  const CallScene& scene = report.scene;
  std::string source = source_words(report, flow.source);
  if (flow.crosses != TaintCrosses::agent) return source;
  return fmt::format("{} {}", scene.names.agent(scene.graph.agent_of(flow.source.call)).view(),
                     source);
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
      return "exposed: untrusted text was read before a sink was used; no reuse was found";
    case TaintVerdict::none: break;
  }
  return report.found.sinks == 0
             ? "none: no sink was used"
             : "none: no text of a source in the rules was read before a sink was used";
}

/// Of a run in which nothing was reused, the untrusted results.
void add_sources(const TaintReport& report, const CallPlaces& places, Outline& outline) {
  constexpr size_t kMost = 5;
  outline.columns = {{"untrusted result", false, true}, {"source"}, places.column()};
  for (const TaintSource& source : report.found.sources)
    outline.lines.push_back(
        {0,
         Tone::plain,
         {report.door().say(
              "{}: {}",
              report.scene.names.agent(report.scene.graph.agent_of(source.step.call)).view(),
              source_words(report, source.step)),
          report.scene.names.text(source.kind), places.of(source.reader)},
         false,
         outline.lines.size() >= kMost});
}

/// The folder of the project where the log does not state it.
void add_project(const TaintReport& report, Outline& outline) {
  size_t guessed = 0;
  const ProjectFolder* last = nullptr;
  for (const TaintSession& session : report.found.sessions)
    if (const ProjectFolder& one = report.tools.project(session.session);
        one.from == ProjectFrom::files)
      ++guessed, last = &one;
  if (guessed == 1)
    outline.foot.push_back(report.door().say("project: {} (guessed from the files that were read)",
                                             report.door().path(last->folder).view()));
  else if (guessed > 1)
    outline.foot.push_back(report.door().say(
        "the project folders of {} sessions were guessed from the files that were read", guessed));
}

}  // namespace

Outline taint_outline(const TaintReport& report) {
  Door& door = report.door();
  Outline outline;
  outline.head = head_lines(report.scene);
  outline.head.push_back(door.composed(verdict_words(report)));
  const CallPlaces places(report.scene);
  outline.columns = {{"sink", false, true},
                     {"argument"},
                     {"from"},
                     {"what"},
                     {"confidence", Role::confidence},
                     {"asi", false, false, 1},
                     places.column()};
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
  if (report.found.verdict == TaintVerdict::exposed) add_sources(report, places, outline);
  const bool has_risks = std::ranges::any_of(
      report.found.flows, [&](const TaintFlow& flow) { return !report.risks(flow).empty(); });
  if (has_risks)
    outline.foot.push_back(
        Door::own("asi: entries of the OWASP Top 10 for Agentic Applications (ASI01 to ASI10)"));
  std::string read = fmt::format(
      "read: {}, {}", plural(static_cast<int64_t>(report.found.sources.size()), "untrusted result"),
      plural(static_cast<int64_t>(report.found.sinks), "sink"));
  if (const std::string lost = lost_words(report.found.lost); !lost.empty())
    read += fmt::format("; not searched: {}", lost);
  outline.foot.push_back(door.composed(std::move(read)));
  add_project(report, outline);
  outline.foot.push_back(door.say("not detectable: {}", not_seen_words(report.options)));
  return outline;
}

}  // namespace xtrace
