#include "view/eval/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/sha256.h"
#include "base/text.h"
#include "view/eval/baseline_file.h"

namespace xtrace {

Result<std::vector<Baseline>> read_history(const std::string& folder, const Suite& suite,
                                           bool may_begin) {
  std::vector<Baseline> history;
  std::error_code error;
  const bool exists = std::filesystem::exists(folder, error);
  if (!exists && may_begin) return history;
  if (!exists)
    return fail(Exit::usage,
                fmt::format("--history: there is no folder '{}'; --save-baseline creates it",
                            printable(folder)));
  if (!std::filesystem::is_directory(folder, error))
    return fail(Exit::usage,
                fmt::format("--history: '{}' is a file; use a folder", printable(folder)));
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  if (error)
    return fail(Exit::usage,
                fmt::format("--history: cannot read '{}': {}", printable(folder), error.message()));
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    Result<Baseline> one = read_baseline(path, suite);
    if (!one) return tl::unexpected(one.error());
    one->digest = std::filesystem::path(path).stem().string();
    history.push_back(*std::move(one));
  }
  std::stable_sort(history.begin(), history.end(),
                   [](const Baseline& a, const Baseline& b) { return a.newest < b.newest; });
  return history;
}

std::vector<Baseline> runs_before(const std::vector<Baseline>& history, std::string_view digest,
                                  std::string_view newest) {
  std::vector<Baseline> before;
  for (const Baseline& one : history)
    if (one.digest != digest && one.newest <= newest) before.push_back(one);
  return before;
}

std::vector<FirstBad> first_bad_runs(const std::vector<ScenarioResult>& now,
                                     const std::vector<Baseline>& history) {
  std::vector<FirstBad> list;
  for (const ScenarioResult& result : now) {
    if (result.status == Judged::passed) continue;
    FirstBad& first = list.emplace_back(FirstBad{result.of->id, {}, {}});
    for (auto run = history.rbegin(); run != history.rend(); ++run) {
      auto before =
          std::find_if(run->scenarios.begin(), run->scenarios.end(),
                       [&](const BaselineScenario& one) { return one.id == result.of->id; });
      if (before == run->scenarios.end()) continue;
      if (before->status == word(Judged::passed)) break;
      first.run = run->id;
      first.newest = run->newest;
    }
  }
  return list;
}

std::string digest_of(const Suite& suite, const Graph& graph, const Names& names) {
  const Trace& trace = graph.trace();
  Sha256 digest;
  digest.add(suite.digest);
  auto add = [&](std::string_view id, Time start) {
    digest.add(fmt::format("\n{} {}", id, start.time_since_epoch().count()));
  };
  for (CallId id : graph.timeline().in_order()) add(names.id(id).view(), trace[id].start);
  // Files come in any order.
  std::vector<std::pair<std::string_view, Time>> spans;
  for (const Span& span : trace.spans) spans.emplace_back(trace[span.shown_id()], span.start);
  std::sort(spans.begin(), spans.end());
  for (const auto& [id, start] : spans) add(id, start);
  return digest.hex();
}

std::string newest_of(const Graph& graph) {
  const Trace& trace = graph.trace();
  Time newest = kNoTime;
  for (CallId id : graph.timeline().in_order())
    newest = std::max(newest, graph.activities().of(id).end());
  for (const Span& span : trace.spans) newest = std::max(newest, after(span.start, span.duration));
  constexpr uint8_t kDecimals = 3;  // of all alike: texts are compared
  return newest == kNoTime ? std::string() : format_time({newest, kDecimals});
}

}  // namespace xtrace
