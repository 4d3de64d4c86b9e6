#include <fmt/format.h>

#include <ostream>
#include <string>

#include "render/verdicts.h"
#include "render/xml_text.h"

namespace xtrace {

namespace {

std::string xml(std::string_view text) {
  std::string out;
  append_xml(out, text);
  return out;
}

std::string seconds(const Subject& subject) {
  return fmt::format("{:.3f}",
                     std::chrono::duration<double>(subject.took.value_or(Duration{0})).count());
}

/// All that is to be said, in the body: some readers show nothing else.
std::string body_of(const Subject& subject) {
  std::string body;
  if (!subject.message.empty()) body += fmt::format("{}\n", subject.message);
  for (const Finding& finding : subject.findings) {
    body += fmt::format("{} {}: {}\n", finding.rule, finding.status, finding.message);
    if (!finding.expected_at.empty())
      body += fmt::format("  expected at {}\n", finding.expected_at);
    for (size_t k = 0; finding.evidence != nullptr && k < finding.evidence->rows(); ++k) {
      KeyedRow evidence_row(*finding.evidence, k);
      body += fmt::format("  {}: {} ({})\n", evidence_row.text("at"), evidence_row.text("what"),
                          evidence_row.text("id"));
    }
  }
  return body;
}

/// The first thing that is wrong.
std::string first_message(const Subject& subject) {
  for (const Finding& finding : subject.findings)
    if (finding.status == subject.status) return finding.message;
  return std::string(subject.message);
}

}  // namespace

/// What could not be judged is an error, not a failure: the suite or the log lacks something.
void write_junit(const Document& document, const Paper&, std::ostream& out) {
  const std::vector<Subject> subjects = subjects_of(document);
  size_t failures = 0, errors = 0;
  double time = 0;
  for (const Subject& subject : subjects) {
    failures += subject.status == "failed";
    errors += subject.status == "insufficient_evidence";
    time += std::chrono::duration<double>(subject.took.value_or(Duration{0})).count();
  }
  std::string suite = xml(top_text(document, "suite"));
  if (suite.empty()) suite = document.view();
  std::string counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"0\" time=\"{:.3f}\"",
      suite, subjects.size(), failures, errors, time);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " << counts << ">\n  <testsuite "
      << counts << ">\n";
  for (const Subject& subject : subjects) {
    out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"", suite,
                       xml(subject.id), seconds(subject));
    std::string_view status = subject.status;
    if (status == "passed") {
      out << "/>\n";
      continue;
    }
    std::string_view tag = status == "failed" ? "failure" : "error";
    out << fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                       tag, status, xml(first_message(subject)), xml(body_of(subject)));
  }
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace xtrace
