#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reading.h"
#include "render/renderer.h"
#include "reread.h"
#include "set.h"
#include "story.h"
#include "view/common/view.h"

namespace xtrace {

using Json = nlohmann::json;

/// What `--clearance` and `--unlabelled` let through; the log is read with it.
inline std::shared_ptr<ClearedTexts> cleared_by(
    const std::multimap<std::string, std::string>& options) {
  Clearance clearance;
  if (auto given = options.find("--clearance"); given != options.end())
    clearance.label = given->second;
  if (clearance.label.empty()) return nullptr;
  const auto given = options.find("--unlabelled");
  clearance.unlabelled = given == options.end() ? "secret" : given->second;
  return std::make_shared<ClearedTexts>(clearance);
}

inline RedactPolicy policy_of(const std::shared_ptr<ClearedTexts>& cleared) {
  RedactPolicy policy(Redaction::all);
  if (cleared == nullptr) return policy;
  policy.clearance = cleared->clearance();
  policy.cleared = cleared;
  return policy;
}

/// The trace that `xtrace trace` makes of a log.
inline Json trace_of(std::string_view log, std::multimap<std::string, std::string> options = {},
                     Door::Level level = Door::Level::basic) {
  Folder folder;
  Progress progress;
  LoadOptions loading;
  loading.cleared = cleared_by(options);
  Graph graph = link(load({folder.write("log.jsonl", log)}, loading, progress).value(), {});
  Reread payloads(graph.trace());
  Door door(policy_of(loading.cleared), level, 200);
  std::unique_ptr<View> view = find_view("trace")->make();
  Set set(std::move(options));
  view->declare(set);
  Result<Document> document = view->answer({graph, door, Face::tables, &payloads});
  if (!document) return document.error().what;
  std::ostringstream out;
  write_json(*document, Paper{}, out);
  return Json::parse(out.str());
}

inline std::string step(const std::string& id, const std::string& node, double second,
                        double latency_ms, const std::string& more = "") {
  return fmt::format(
      R"({{"queryId":"q","stepId":"{}","node":"{}","timestamp":"2026-01-01T10:00:{:06.3f}Z",)"
      R"("metrics":{{"latency_ms":{},"tokens_in":100,"tokens_out":10,"cost_usd":0.1}}{}}})"
      "\n",
      id, node, second, latency_ms, more);
}

/// Sums a metric over the steps that count it: what an auditor would do with the answer alone.
inline double sum_of(const Json& trace, const std::string& metric) {
  double sum = 0;
  for (const Json& one : trace["steps"]) {
    double counts = one["metrics"].value(metric, 0.0);
    for (const Json& not_counted : one.value("not_counted", Json::array()))
      if (not_counted["metric"] == metric) counts = not_counted.value("counts", 0.0);
    sum += counts;
  }
  return sum;
}

inline void check_totals(const Json& trace) {
  for (const char* metric : {"latency_ms", "tokens_in", "tokens_out", "cost_usd"}) {
    INFO(metric);
    CHECK(trace["metrics"].value(std::string("total_") + metric, 0.0) ==
          Approx(sum_of(trace, metric)));
  }
}

inline std::vector<std::string> ids(const Json& list, const char* key = "id") {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(item.value(key, "-"));
  return texts;
}

using Words = std::vector<std::string>;

}  // namespace xtrace
