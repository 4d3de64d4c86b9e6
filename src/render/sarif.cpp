#include <fmt/format.h>

#include <charconv>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/sha256.h"
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
  // In a document that is one long line, the place in words says more.
  bool tells_line =
      evidence.line && evidence.at.view().ends_with(fmt::format(":{}", *evidence.line));
  if (!tells_line) what += fmt::format(" at {}", evidence.at.view());
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
  const Verdicts::Subject* scenario = nullptr;  ///< of whose trials the subject is one

  /// `never_deploys`, or `never_deploys, session low-risk`.
  std::string about() const {
    if (scenario == nullptr) return std::string(name_of(*subject));
    return fmt::format("{}, {} {}", name_of(*scenario), scenario->tried->each.view(),
                       subject->id.view());
  }
};

/// The last part of a path, with what follows it.
std::string_view file_of(std::string_view place) {
  return place.substr(place.rfind('/') + 1);
}

/// The same for the same finding in another run, on another machine: what is expected, of what,
/// and where a suite says so; where none does, by its record.
std::string fingerprint_of(const FindingOf& of) {
  const Verdicts::Finding& finding = of.finding;
  std::string_view place = finding.expected_at.view();
  if (place.empty() && !finding.evidence.empty()) place = finding.evidence.back().id.view();
  std::string_view part =
      of.scenario == nullptr ? std::string_view() : file_of(of.subject->id.view());
  return sha256_of(fmt::format("{}\n{}\n{}\n{}", finding.rule.view(),
                               name_of(of.scenario == nullptr ? *of.subject : *of.scenario), part,
                               file_of(place)));
}

std::vector<FindingOf> findings_of(const Verdicts& verdicts) {
  std::vector<FindingOf> findings;
  auto add = [&](const Verdicts::Subject& subject, const Verdicts::Subject* scenario) {
    for (const Verdicts::Finding& finding : subject.findings) {
      if (finding.severity == Verdicts::Severity::none) continue;
      findings.push_back({&subject, finding, scenario});
      // A trial that may fail, as enough others pass.
      if (scenario != nullptr && scenario->status == Judged::passed)
        findings.back().finding.severity = Verdicts::Severity::note;
    }
    if (subject.message.empty()) return;
    Verdicts::Finding& finding = findings.emplace_back(FindingOf{&subject, {}, scenario}).finding;
    finding.rule = Door::own(verdicts.kind);
    finding.severity =
        subject.status == Judged::failed ? Verdicts::Severity::error : Verdicts::Severity::warning;
    finding.message = subject.message;
    finding.expected_at = subject.written_at;
  };
  for (const Verdicts::Subject& subject : verdicts.subjects) {
    add(subject, nullptr);
    for (const Verdicts::Subject& trial : subject.trials) add(trial, &subject);
  }
  for (const Verdicts::Change& broken : broken_bounds(verdicts))
    for (const Verdicts::Subject& subject : verdicts.subjects) {
      if (subject.id != broken.subject) continue;
      Verdicts::Finding& finding = findings.emplace_back(FindingOf{&subject, {}}).finding;
      finding.rule = broken.what;
      finding.severity = Verdicts::Severity::error;
      finding.message = broken.words;
      finding.expected_at = subject.written_at;
    }
  return findings;
}

/// The expectation of a suite is first (a baseline's line is not), so that everything that breaks
/// it is reported at one line of a file which is under version control; the log's own line is
/// beside it, and at the end of the flow.
void write_result(JsonWriter& json, const FindingOf& of, bool is_of_suite, size_t nth) {
  constexpr std::string_view kLevels[] = {"none", "note", "warning", "error"};
  constexpr std::string_view kExpected = "expectation";
  const Verdicts::Finding& finding = of.finding;
  const std::string_view expected_at = finding.expected_at.view();
  json.open_object(JsonLayout::lines(10));
  json.field("ruleId", finding.rule.view());
  json.field("level", kLevels[static_cast<size_t>(finding.severity)]);
  write_message(json, fmt::format("{}: {}", of.about(), finding.message.view()));
  bool has_both = !expected_at.empty() && !finding.evidence.empty();
  bool expected_first = !expected_at.empty() && (is_of_suite || !has_both);
  auto write_expected = [&] { write_location_at(json, expected_at, kExpected); };
  // The last one is the effect; those before it led there.
  auto write_effect = [&] { write_location(json, finding.evidence.back()); };
  json.open_list("locations");
  if (expected_first)
    write_expected();
  else if (!finding.evidence.empty())
    write_effect();
  else
    write_location_at(json, of.subject->at.view(), "");
  json.close();
  if (has_both || (!expected_at.empty() && !is_of_suite)) {
    json.open_list("relatedLocations");
    if (expected_first && has_both)
      write_effect();
    else
      write_expected();
    json.close();
  }
  json.open_object("partialFingerprints");
  json.field("expectation/v1", fmt::format("{}:{}", fingerprint_of(of), nth));
  json.close();
  if (!finding.evidence.empty()) write_code_flow(json, finding.evidence);
  json.close();
}

void write_driver(JsonWriter& json, const Verdicts& verdicts,
                  const std::vector<FindingOf>& results) {
  std::set<std::string_view> rules;
  for (const FindingOf& result : results) rules.insert(result.finding.rule.view());
  json.open_object("tool");
  json.open_object("driver");
  json.field("name", "xtrace");
  json.open_list("rules");
  for (std::string_view rule : rules) {
    json.open_object();
    json.field("id", rule);
    for (const Verdicts::Rule& one : verdicts.rules) {
      if (one.name.view() != rule) continue;
      json.open_object("shortDescription");
      json.field("text", one.summary.view());
      json.close();
      if (one.tags.empty()) continue;
      json.open_object("properties");
      json.open_list("tags");
      for (Text tag : one.tags) json.value(tag.view());
      json.close();
      json.close();
    }
    json.close();
  }
  for (int level = 0; level < 3; ++level) json.close();
}

void write_sarif(const Document& document, const Paper&, std::ostream& out) {
  const Verdicts& verdicts = verdicts_of(document);
  const std::vector<FindingOf> results = findings_of(verdicts);
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::lines(2));
  json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.field("version", "2.1.0");
  json.open_list("runs", JsonLayout::lines(4));
  json.open_object(JsonLayout::lines(6));
  write_driver(json, verdicts, results);
  json.open_list("results", JsonLayout::lines(8));
  std::map<std::string, size_t> met;  // a line of a suite may expect several things of a kind
  for (const FindingOf& result : results)
    write_result(json, result, !verdicts.suite.empty(), ++met[fingerprint_of(result)]);
  for (int level = 0; level < 4; ++level) json.close();
  out << text << '\n';
}

}  // namespace

extern constinit const Renderer kSarifRenderer = {
    .name = "sarif",
    .summary = "verdicts, for code scanning (SARIF 2.1.0)",
    .face = Face::tables,
    .write = write_sarif,
    .holds_verdicts = true,
};

}  // namespace xtrace
