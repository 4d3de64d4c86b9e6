#include <fmt/format.h>

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

/// A relative reference: a path from the root loses that, so that no answer tells where a checkout
/// stands, and what a URI has no room for is written by its number.
std::string uri_of(std::string_view path) {
  while (path.starts_with('/') || path.starts_with("./"))
    path.remove_prefix(path[0] == '/' ? 1 : 2);
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

std::string location(const KeyedRow& witness) {
  std::string what(witness.text("what"));
  if (std::string_view id = witness.text("id"); !id.empty()) what += fmt::format(" ({})", id);
  return location(witness.text("path"), witness.number("line"), what);
}

/// `suite.yaml:12`
std::string location_in_suite(std::string_view place) {
  size_t colon = place.rfind(':');
  int64_t line = 0;
  for (char digit : place.substr(colon + 1)) line = line * 10 + (digit - '0');
  return location(place.substr(0, colon), std::max<int64_t>(line, 1), "what is expected");
}

/// One verdict that is not good, or a scenario of which nothing could be judged.
std::string result(std::string_view rule, std::string_view scenario, std::string_view status,
                   std::string_view message, std::string_view expected_at, const Table* evidence) {
  std::string expected = location_in_suite(expected_at);
  size_t count = evidence == nullptr ? 0 : evidence->rows();
  // The last one is the effect; what stands before it led there.
  std::string place = count == 0 ? expected : location(KeyedRow(*evidence, count - 1));
  std::string flow;
  for (size_t i = 0; i < count; ++i)
    flow += fmt::format("{}\n                {{\"location\": {}}}", i > 0 ? "," : "",
                        location(KeyedRow(*evidence, i)));
  std::string flows =
      count == 0 ? std::string()
                 : fmt::format(
                       ",\n          \"codeFlows\": [{{\"threadFlows\": [{{\"locations\": [{}\n"
                       "          ]}}]}}]",
                       flow);
  return fmt::format(
      "        {{\n          \"ruleId\": {},\n          \"level\": \"{}\",\n"
      "          \"message\": {{\"text\": {}}},\n          \"locations\": [{}],\n"
      "          \"relatedLocations\": [{}]{}\n        }}",
      json(rule), status == "failed" ? "error" : "warning",
      json(fmt::format("{}: {}", scenario, message)), place, expected, flows);
}

}  // namespace

void write_sarif(const Document& document, const Paper&, std::ostream& out) {
  std::string results;
  std::set<std::string> rules;
  auto add = [&](std::string_view rule, std::string text) {
    rules.insert(std::string(rule));
    results += (results.empty() ? "\n" : ",\n") + std::move(text);
  };
  const Table* scenarios = find_table(document, "scenarios");
  for (size_t i = 0; scenarios != nullptr && i < scenarios->rows(); ++i) {
    KeyedRow scenario(*scenarios, i);
    const Table* verdicts = scenario.rows("verdicts");
    for (size_t k = 0; verdicts != nullptr && k < verdicts->rows(); ++k) {
      KeyedRow verdict(*verdicts, k);
      if (verdict.text("status") == "passed") continue;
      add(verdict.text("rule"),
          result(verdict.text("rule"), scenario.text("id"), verdict.text("status"),
                 verdict.text("message"), verdict.text("expected_at"), verdict.rows("evidence")));
    }
    if (std::string_view why = scenario.text("message"); !why.empty())
      add("scenario", result("scenario", scenario.text("id"), scenario.text("status"), why,
                             scenario.text("written_at"), nullptr));
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
