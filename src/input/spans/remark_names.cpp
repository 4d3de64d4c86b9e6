#include "input/spans/remark_names.h"

#include <algorithm>
#include <array>

namespace xtrace {

namespace {

using Kind = Remark::Kind;

/// By name, so that they can be searched.
constexpr auto kRemarkNames = [] {
  using Name = RemarkName;
  std::array names = {
      Name{"ruleId", "ruleId"},
      Name{"rule_id", "ruleId"},
      Name{"rule.id", "ruleId"},
      Name{"rule", "ruleId"},
      Name{"severity", "severity"},
      Name{"issue.severity", "severity"},
      Name{"finding.severity", "severity"},
      Name{"file", "file"},
      Name{"file.path", "file"},
      Name{"code.filepath", "file"},
      Name{"code.file.path", "file"},
      Name{"line", "line", Kind::number},
      Name{"code.lineno", "line", Kind::number},
      Name{"code.line.number", "line", Kind::number},
      Name{"issues.count", "issuesCount", Kind::number},
      Name{"issuesCount", "issuesCount", Kind::number},
      Name{"testSuite", "testSuite"},
      Name{"test_suite", "testSuite"},
      Name{"test.suite", "testSuite"},
      Name{"test.suite.name", "testSuite"},
      Name{"testName", "testName"},
      Name{"test.name", "testName"},
      Name{"test.case.name", "testName"},
      Name{"tests.passed", "testsPassed", Kind::number},
      Name{"test.passed", "testsPassed", Kind::number},
      Name{"testsPassed", "testsPassed", Kind::number},
      Name{"tests.failed", "testsFailed", Kind::number},
      Name{"test.failed", "testsFailed", Kind::number},
      Name{"testsFailed", "testsFailed", Kind::number},
      Name{"coverage", "coverage", Kind::number},
      Name{"test.coverage", "coverage", Kind::number},
      Name{"oldModel", "oldModel"},
      Name{"old_model", "oldModel"},
      Name{"model.old", "oldModel"},
      Name{"newModel", "newModel"},
      Name{"new_model", "newModel"},
      Name{"model.new", "newModel"},
      Name{"reason", "reason", Kind::payload},
      Name{"errorReason", "reason", Kind::payload},
      Name{"switch.reason", "reason", Kind::payload},
      Name{"diffSummary", "diffSummary", Kind::payload},
      Name{"diff.summary", "diffSummary", Kind::payload},
      Name{"message", "message", Kind::payload},
      Name{"why", "why", Kind::payload},
      Name{"how", "how", Kind::payload},
      Name{"alternatives", "alternatives", Kind::payload},
      Name{"attempt", "attempt", Kind::number},
      Name{"retry.count", "attempt", Kind::number},
      Name{"retry.attempt", "attempt", Kind::number},
      Name{"retry.backoff_ms", "backoffMs", Kind::number},
      Name{"retry.reason", "reason", Kind::payload},
      Name{"message.count", "messageCount", Kind::number},
      Name{"context.strategy", "contextStrategy"},
      Name{"context.messages_pruned", "messagesPruned", Kind::number},
      Name{"cpu.utilization", "cpuUtilization", Kind::number},
      Name{"system.cpu.utilization", "cpuUtilization", Kind::number},
      Name{"process.cpu.utilization", "cpuUtilization", Kind::number},
      Name{"gpu.utilization", "gpuUtilization", Kind::number},
      Name{"hw.gpu.utilization", "gpuUtilization", Kind::number},
      Name{"memory.pressure", "memoryPressure", Kind::number},
      Name{"memory.usage", "memoryBytes", Kind::number},
      Name{"process.memory.usage", "memoryBytes", Kind::number},
      Name{"queue.wait_ms", "queueWaitMs", Kind::number},
      Name{"queue.wait.ms", "queueWaitMs", Kind::number},
      Name{"queueWaitMs", "queueWaitMs", Kind::number},
      Name{"queue.wait_time", "queueWaitMs", Kind::number},
      Name{"queue.wait.time", "queueWaitMs", Kind::number},
      Name{"queue.wait.duration", "queueWaitMs", Kind::number},
      Name{"queue_wait_ms", "queueWaitMs", Kind::number},
      Name{"cpu_utilization", "cpuUtilization", Kind::number},
      Name{"cpuUtilization", "cpuUtilization", Kind::number},
      Name{"gpu_utilization", "gpuUtilization", Kind::number},
      Name{"gpuUtilization", "gpuUtilization", Kind::number},
      Name{"memory_pressure", "memoryPressure", Kind::number},
      Name{"memoryPressure", "memoryPressure", Kind::number},
      Name{"system.memory.utilization", "memoryPressure", Kind::number},
      Name{"memoryBytes", "memoryBytes", Kind::number},
      // As `convert` writes what it read, beside those above that are spelled like their keys:
      Name{"backoffMs", "backoffMs", Kind::number},
      Name{"messageCount", "messageCount", Kind::number},
      Name{"contextStrategy", "contextStrategy"},
      Name{"messagesPruned", "messagesPruned", Kind::number},
  };
  std::sort(names.begin(), names.end(),
            [](const Name& a, const Name& b) { return a.name < b.name; });
  return names;
}();

}  // namespace

const RemarkName* find_remark_name(std::string_view name) {
  auto found = std::lower_bound(kRemarkNames.begin(), kRemarkNames.end(), name,
                                [](const RemarkName& a, std::string_view b) { return a.name < b; });
  return found != kRemarkNames.end() && found->name == name ? &*found : nullptr;
}

}  // namespace xtrace
