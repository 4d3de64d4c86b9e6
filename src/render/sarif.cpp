#include <fmt/format.h>

#include <charconv>
#include <ostream>
#include <set>
#include <string>

#include "render/json_text.h"
#include "render/verdicts.h"

namespace xtrace {

namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

/// A relative reference, or for a path from the root an URI of a file; what a URI has no room for
/// is written by its number.
std::string uri_of(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (char byte : path) {
    bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                    (byte >= 'A' && byte <= 'Z') || kPlain.find(byte) != std::string_view::npos;
    if (is_plain)
      uri += byte;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  if (uri.starts_with('/')) return "file://" + uri;
  return uri.empty() ? "-" : uri;
}

std::string location(std::string_view path, std::optional<int64_t> line, std::string_view what) {
  std::string region =
      line ? fmt::format(", \"region\": {{\"startLine\": {}}}", *line) : std::string();
  std::string message =
      what.empty() ? std::string() : fmt::format(", \"message\": {{\"text\": {}}}", json(what));
  return fmt::format("{{\"physicalLocation\": {{\"artifactLocation\": {{\"uri\": {}}}{}}}{}}}",
                     json(uri_of(path)), region, message);
}

std::string location(const KeyedRow& evidence_row) {
  std::string what(evidence_row.text("what"));
  if (std::string_view id = evidence_row.text("id"); !id.empty()) what += fmt::format(" ({})", id);
  // Where there is no line to jump to, the place in words is all there is.
  if (!evidence_row.number("line")) what += fmt::format(" at {}", evidence_row.text("at"));
  return location(evidence_row.text("path"), evidence_row.number("line"), what);
}

/// `suite.yaml:12`, or `log.json@204`, which has no line.
std::string location_at(std::string_view place, std::string_view what) {
  size_t colon = place.rfind(':');
  std::string_view digits = colon == place.npos ? std::string_view() : place.substr(colon + 1);
  int64_t line = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return location(place.substr(0, place.rfind('@')), std::nullopt, what);
  return location(place.substr(0, colon), std::max<int64_t>(line, 1), what);
}

/// One finding, or a subject of which nothing could be judged.
std::string result(const Subject& subject, const Finding& finding) {
  bool is_expected = !finding.expected_at.empty();
  std::string expected =
      is_expected ? location_at(finding.expected_at, "what is expected") : std::string();
  size_t count = finding.evidence == nullptr ? 0 : finding.evidence->rows();
  // The last one is the effect; what stands before it led there.
  std::string place = count > 0     ? location(KeyedRow(*finding.evidence, count - 1))
                      : is_expected ? expected
                                    : location_at(subject.at, "");
  std::string related =
      is_expected ? fmt::format(",\n          \"relatedLocations\": [{}]", expected) : "";
  std::string flow;
  for (size_t i = 0; i < count; ++i)
    flow += fmt::format("{}\n                {{\"location\": {}}}", i > 0 ? "," : "",
                        location(KeyedRow(*finding.evidence, i)));
  std::string flows =
      count == 0 ? std::string()
                 : fmt::format(
                       ",\n          \"codeFlows\": [{{\"threadFlows\": [{{\"locations\": [{}\n"
                       "          ]}}]}}]",
                       flow);
  return fmt::format(
      "        {{\n          \"ruleId\": {},\n          \"level\": \"{}\",\n"
      "          \"message\": {{\"text\": {}}},\n          \"locations\": [{}]{}{}\n        }}",
      json(finding.rule), finding.level, json(fmt::format("{}: {}", subject.id, finding.message)),
      place, related, flows);
}

}  // namespace

void write_sarif(const Document& document, const Paper&, std::ostream& out) {
  std::string results;
  std::set<std::string> rules;
  auto add = [&](const Subject& subject, const Finding& finding) {
    rules.insert(std::string(finding.rule));
    results += (results.empty() ? "\n" : ",\n") + result(subject, finding);
  };
  std::string_view kind = find_table(document, "scenarios") != nullptr ? "scenario" : "run";
  for (const Subject& subject : subjects_of(document)) {
    for (const Finding& finding : subject.findings) add(subject, finding);
    if (!subject.message.empty())
      add(subject, {kind, subject.status, subject.status == "failed" ? "error" : "warning",
                    std::string(subject.message), kind == "scenario" ? subject.at : "", nullptr});
  }
  std::string declared;
  for (const std::string& rule : rules)
    declared += fmt::format("{}{{\"id\": {}}}", declared.empty() ? "" : ", ", json(rule));
  out << fmt::format(
      "{{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
      "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {{\n      \"tool\": {{\"driver\": {{\"name\": "
      "\"xtrace\", \"rules\": [{}]}}}},\n      \"results\": [{}{}]\n    }}\n  ]\n}}\n",
      declared, results, results.empty() ? "" : "\n      ");
}

}  // namespace xtrace
