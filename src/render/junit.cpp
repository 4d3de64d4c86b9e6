#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "render/verdicts.h"
#include "render/xml_text.h"

namespace xtrace {

namespace {

std::string xml(std::string_view text) {
  std::string out;
  append_xml(out, text);
  return out;
}

double seconds(const Verdicts::Subject& subject) {
  return std::chrono::duration<double>(subject.took.value_or(Duration{0})).count();
}

/// All that is to be said, in the body: some readers show nothing else.
std::string body_of(const Verdicts::Subject& subject) {
  std::string body;
  if (subject.tried) body += fmt::format("{}\n", subject.tried->words.view());
  for (const Verdicts::Subject& trial : subject.trials)
    if (trial.status != Judged::passed)
      body += fmt::format("{} {} {}\n{}", subject.tried->each.view(), trial.id.view(),
                          word(trial.status), body_of(trial));
  if (!subject.message.empty()) body += fmt::format("{}\n", subject.message.view());
  for (const Verdicts::Finding& finding : subject.findings) {
    if (finding.severity == Verdicts::Severity::none) continue;
    body += fmt::format("{} {}: {}\n", finding.rule.view(), word(finding.status),
                        finding.message.view());
    if (!finding.expected_at.empty())
      body += fmt::format("  expected at {}\n", finding.expected_at.view());
    for (const Verdicts::Evidence& evidence : finding.evidence)
      body += fmt::format("  {}: {} ({})\n", evidence.at.view(), evidence.what.view(),
                          evidence.id.view());
  }
  return body;
}

/// The first thing that is wrong.
std::string_view first_message(const Verdicts::Subject& subject) {
  for (const Verdicts::Finding& finding : subject.findings)
    if (finding.status == subject.status) return finding.message.view();
  for (const Verdicts::Subject& trial : subject.trials)
    if (trial.status == subject.status) return first_message(trial);
  return subject.message.view();
}

/// What could not be judged is an error, not a failure: something is missing from the suite or the
/// log.
void write_junit(const Document& document, const Paper&, std::ostream& out) {
  const Verdicts& verdicts = verdicts_of(document);
  size_t failures = 0, errors = 0;
  double time = 0;
  for (const Verdicts::Subject& subject : verdicts.subjects) {
    failures += subject.status == Judged::failed;
    errors += subject.status == Judged::insufficient;
    time += seconds(subject);
  }
  const std::vector<Verdicts::Change> broken = broken_bounds(verdicts);
  failures += broken.size();
  std::string suite = xml(verdicts.suite.view());
  if (suite.empty()) suite = document.view();
  std::string counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"0\" time=\"{:.3f}\"",
      suite, verdicts.subjects.size() + broken.size(), failures, errors, time);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " << counts << ">\n  <testsuite "
      << counts << ">\n";
  for (const Verdicts::Subject& subject : verdicts.subjects) {
    out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", suite,
                       xml(name_of(subject)), seconds(subject));
    if (subject.status == Judged::passed && subject.tried) {
      out << fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                         xml(body_of(subject)));
      continue;
    }
    if (subject.status == Judged::passed) {
      out << "/>\n";
      continue;
    }
    std::string_view tag = subject.status == Judged::failed ? "failure" : "error";
    out << fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                       tag, word(subject.status), xml(first_message(subject)),
                       xml(body_of(subject)));
  }
  for (const Verdicts::Change& one : broken)
    out << fmt::format(
        "    <testcase classname=\"{0}\" name=\"{1}: {2}\" time=\"0.000\">\n      <failure "
        "type=\"regression\" message=\"{3}\">{2} {3}</failure>\n    </testcase>\n",
        suite, xml(one.subject.view()), xml(one.what.view()), xml(one.words.view()));
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace

extern constinit const Renderer kJunitRenderer = {
    .name = "junit",
    .summary = "verdicts, for CI (JUnit XML)",
    .face = Face::tables,
    .write = write_junit,
    .holds_verdicts = true,
};

}  // namespace xtrace
