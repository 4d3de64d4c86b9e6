#include <fmt/format.h>

#include <charconv>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "render/verdicts.h"

namespace xtrace {

namespace {

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

void write_message(JsonWriter& json, std::string_view text) {
  json.open_object("message");
  json.field("text", text);
  json.close();
}

void write_location(JsonWriter& json, std::string_view path, std::optional<int64_t> line,
                    std::string_view what) {
  json.open_object();
  json.open_object("physicalLocation");
  json.open_object("artifactLocation");
  json.field("uri", uri_of(path));
  json.close();
  if (line) {
    json.open_object("region");
    json.field("startLine", *line);
    json.close();
  }
  json.close();
  if (!what.empty()) write_message(json, what);
  json.close();
}

void write_location(JsonWriter& json, const Verdicts::Evidence& evidence) {
  std::string what(evidence.what.view());
  if (!evidence.id.empty()) what += fmt::format(" ({})", evidence.id.view());
  // Where there is no line to jump to, the place in words is all there is.
  if (!evidence.line) what += fmt::format(" at {}", evidence.at.view());
  write_location(json, evidence.path.view(), evidence.line, what);
}

/// `suite.yaml:12`, or `log.json@204`, which has no line.
void write_location_at(JsonWriter& json, std::string_view place, std::string_view what) {
  size_t colon = place.rfind(':');
  std::string_view digits = colon == place.npos ? std::string_view() : place.substr(colon + 1);
  int64_t line = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return write_location(json, place.substr(0, place.rfind('@')), std::nullopt, what);
  write_location(json, place.substr(0, colon), std::max<int64_t>(line, 1), what);
}

/// The way through the evidence, step by step.
void write_code_flow(JsonWriter& json, const std::vector<Verdicts::Evidence>& evidence) {
  constexpr JsonLayout kSteps = {.on_lines = true, .indent = 16, .end = 10};
  json.open_list("codeFlows");
  json.open_object();
  json.open_list("threadFlows");
  json.open_object();
  json.open_list("locations", kSteps);
  for (const Verdicts::Evidence& one : evidence) {
    json.open_object();
    json.key("location");
    write_location(json, one);
    json.close();
  }
  for (int level = 0; level < 5; ++level) json.close();
}

/// One finding, or that nothing could be judged.
struct FindingOf {
  const Verdicts::Subject* subject;
  Verdicts::Finding finding;
};

std::vector<FindingOf> findings_of(const Verdicts& verdicts) {
  std::vector<FindingOf> findings;
  auto add = [&](const Verdicts::Subject& subject) {
    for (const Verdicts::Finding& finding : subject.findings)
      if (finding.severity != Verdicts::Severity::none) findings.push_back({&subject, finding});
    if (subject.message.empty()) return;
    Verdicts::Finding& finding = findings.emplace_back(FindingOf{&subject, {}}).finding;
    finding.rule = Door::own(verdicts.kind);
    finding.severity =
        subject.status == Judged::failed ? Verdicts::Severity::error : Verdicts::Severity::warning;
    finding.message = subject.message;
    finding.expected_at = subject.written_at;
  };
  for (const Verdicts::Subject& subject : verdicts.subjects) {
    add(subject);
    for (const Verdicts::Subject& trial : subject.trials) add(trial);
  }
  return findings;
}

void write_result(JsonWriter& json, const Verdicts::Subject& subject,
                  const Verdicts::Finding& finding) {
  constexpr std::string_view kLevels[] = {"none", "note", "warning", "error"};
  constexpr std::string_view kExpected = "what is expected";
  const std::string_view expected_at = finding.expected_at.view();
  json.open_object(JsonLayout::lines(10));
  json.field("ruleId", finding.rule.view());
  json.field("level", kLevels[static_cast<size_t>(finding.severity)]);
  write_message(json, fmt::format("{}: {}", name_of(subject), finding.message.view()));
  json.open_list("locations");
  if (!finding.evidence.empty())  // the last one is the effect; what stands before it led there
    write_location(json, finding.evidence.back());
  else if (!expected_at.empty())
    write_location_at(json, expected_at, kExpected);
  else
    write_location_at(json, subject.at.view(), "");
  json.close();
  if (!expected_at.empty()) {
    json.open_list("relatedLocations");
    write_location_at(json, expected_at, kExpected);
    json.close();
  }
  if (!finding.evidence.empty()) write_code_flow(json, finding.evidence);
  json.close();
}

void write_driver(JsonWriter& json, const std::vector<FindingOf>& results) {
  std::set<std::string_view> rules;
  for (const FindingOf& result : results) rules.insert(result.finding.rule.view());
  json.open_object("tool");
  json.open_object("driver");
  json.field("name", "xtrace");
  json.open_list("rules");
  for (std::string_view rule : rules) {
    json.open_object();
    json.field("id", rule);
    json.close();
  }
  for (int level = 0; level < 3; ++level) json.close();
}

void write_sarif(const Document& document, const Paper&, std::ostream& out) {
  const std::vector<FindingOf> results = findings_of(verdicts_of(document));
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::lines(2));
  json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.field("version", "2.1.0");
  json.open_list("runs", JsonLayout::lines(4));
  json.open_object(JsonLayout::lines(6));
  write_driver(json, results);
  json.open_list("results", JsonLayout::lines(8));
  for (const FindingOf& result : results) write_result(json, *result.subject, result.finding);
  for (int level = 0; level < 4; ++level) json.close();
  out << text << '\n';
}

}  // namespace

extern constinit const Renderer kSarifRenderer = {
    .name = "sarif",
    .summary = "verdicts as SARIF 2.1.0, for code scanning",
    .face = Face::tables,
    .write = write_sarif,
    .holds_verdicts = true,
};

}  // namespace xtrace
