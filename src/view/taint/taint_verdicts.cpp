#include <fmt/format.h>

#include <map>
#include <set>

#include "doc/verdicts.h"
#include "view/common/evidence.h"
#include "view/common/words.h"
#include "view/taint/taint_report.h"

namespace xtrace {

namespace {

std::string rule_of(const TaintFlow& flow) {
  return fmt::format("taint/{}-{}", flow.source_kind, flow.sink_kind);
}

Verdicts::Finding finding_of(const TaintReport& report, const TaintFlow& flow) {
  Door& door = report.door();
  Door::At at(door, report.scene.names.place(flow.sink.call));
  Verdicts::Finding finding;
  finding.rule = door.composed(rule_of(flow));
  finding.status = flow.label == TaintLabel::untrusted ? Judged::failed : Judged::passed;
  finding.severity =
      flow.label == TaintLabel::untrusted ? Verdicts::Severity::error : Verdicts::Severity::note;
  std::map<std::string_view, int64_t> kinds;
  for (const TaintEvidence& evidence : flow.evidence) ++kinds[word(evidence.kind)];
  std::string what;
  for (const auto& [kind, count] : kinds)
    what += fmt::format("{}{}", what.empty() ? "" : ", ", plural(count, kind));
  finding.message = door.say(
      "{} of {} text from {} reused in {} ({})", what, word(flow.label),
      report.tool(flow.source).view(),
      flow.sink.use ? report.tool(flow.sink).view() : std::string_view("the reply to the user"),
      report.argument(flow).view());
  for (size_t i = 0; i < flow.path.size(); ++i) {
    const TaintStep& step = flow.path[i];
    const Text role = i == 0                      ? Text("source")
                      : i + 1 == flow.path.size() ? Text("sink")
                                                  : Text("on the way");
    finding.evidence.push_back(
        evidence_of(report.scene.names, report.trace()[step.call].source, report.id(step), role));
  }
  return finding;
}

}  // namespace

std::shared_ptr<const Verdicts> taint_verdicts(const TaintReport& report) {
  std::shared_ptr<Verdicts> verdicts = std::make_shared<Verdicts>();
  verdicts->kind = "session";
  std::set<std::string> named;
  for (const TaintFlow& flow : report.found.flows) {
    if (!named.insert(rule_of(flow)).second) continue;
    Verdicts::Rule rule;
    rule.name = report.door().composed(rule_of(flow));
    rule.summary = report.door().say("text of a source of kind {} in a sink of kind {}",
                                     flow.source_kind, flow.sink_kind);
    for (const Text risk : report.risks(flow))
      rule.tags.push_back(report.door().say("OWASP-{}", risk.view()));
    verdicts->rules.push_back(std::move(rule));
  }
  const CallScene& scene = report.scene;
  for (const TaintSession& one : report.found.sessions) {
    const Session& session = scene.graph.sessions()[one.session];
    Verdicts::Subject subject;
    subject.id = scene.names.session(session);
    subject.at = scene.names.at(session.calls.front());
    const std::string lost = lost_words(one.lost);
    subject.status = one.verdict >= TaintVerdict::flow ? Judged::failed
                     : lost.empty()                    ? Judged::passed
                                                       : Judged::insufficient;
    if (subject.status == Judged::insufficient)
      subject.message = report.door().say("not searched: {}", lost);
    for (const TaintFlow& flow : report.found.flows)
      if (&scene.graph.session_of(flow.sink.call) == &session)
        subject.findings.push_back(finding_of(report, flow));
    verdicts->subjects.push_back(std::move(subject));
  }
  return verdicts;
}

}  // namespace xtrace
