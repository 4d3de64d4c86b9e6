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

std::string seconds(const KeyedRow& row) {
  return fmt::format(
      "{:.3f}",
      std::chrono::duration<double>(row.duration("duration_ms").value_or(Duration{0})).count());
}

/// All that is to be said, in the body: some readers show nothing else.
std::string body_of(const KeyedRow& scenario) {
  std::string body;
  if (std::string_view message = scenario.text("message"); !message.empty())
    body += fmt::format("{}\n", message);
  const Table* verdicts = scenario.rows("verdicts");
  for (size_t i = 0; verdicts != nullptr && i < verdicts->rows(); ++i) {
    KeyedRow verdict(*verdicts, i);
    if (verdict.text("status") == "passed") continue;
    body +=
        fmt::format("{} {}: {}\n  expected at {}\n", verdict.text("rule"), verdict.text("status"),
                    verdict.text("message"), verdict.text("expected_at"));
    const Table* evidence = verdict.rows("evidence");
    for (size_t k = 0; evidence != nullptr && k < evidence->rows(); ++k) {
      KeyedRow witness(*evidence, k);
      body += fmt::format("  {}: {} ({})\n", witness.text("at"), witness.text("what"),
                          witness.text("id"));
    }
  }
  return body;
}

/// The first thing that is wrong.
std::string first_message(const KeyedRow& scenario) {
  const Table* verdicts = scenario.rows("verdicts");
  for (size_t i = 0; verdicts != nullptr && i < verdicts->rows(); ++i)
    if (KeyedRow verdict(*verdicts, i); verdict.text("status") == scenario.text("status"))
      return std::string(verdict.text("message"));
  return std::string(scenario.text("message"));
}

}  // namespace

/// What could not be judged is an error, not a failure: the suite or the log lacks something.
void write_junit(const Document& document, const Paper&, std::ostream& out) {
  const Table* scenarios = find_table(document, "scenarios");
  const size_t total = scenarios == nullptr ? 0 : scenarios->rows();
  size_t failures = 0, errors = 0;
  double time = 0;
  for (size_t i = 0; i < total; ++i) {
    KeyedRow scenario(*scenarios, i);
    failures += scenario.text("status") == "failed";
    errors += scenario.text("status") == "insufficient_evidence";
    time += std::chrono::duration<double>(scenario.duration("duration_ms").value_or(Duration{0}))
                .count();
  }
  std::string suite = xml(top_text(document, "suite"));
  std::string counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"0\" time=\"{:.3f}\"",
      suite, total, failures, errors, time);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " << counts << ">\n  <testsuite "
      << counts << ">\n";
  for (size_t i = 0; i < total; ++i) {
    KeyedRow scenario(*scenarios, i);
    out << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"", suite,
                       xml(scenario.text("id")), seconds(scenario));
    std::string_view status = scenario.text("status");
    if (status == "passed") {
      out << "/>\n";
      continue;
    }
    std::string_view tag = status == "failed" ? "failure" : "error";
    out << fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                       tag, status, xml(first_message(scenario)), xml(body_of(scenario)));
  }
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace xtrace
