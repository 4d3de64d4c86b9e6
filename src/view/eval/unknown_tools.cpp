#include "view/eval/unknown_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/overloaded.h"

namespace xtrace {

namespace {

/// A tool that a suite names, and whether it is one that must not be used.
struct NamedTool {
  SuitePlace at;
  std::string_view name;
  bool is_forbidden = false;
};

std::vector<NamedTool> named_tools(const Suite& suite) {
  std::vector<NamedTool> named;
  for (const Scenario& scenario : suite.scenarios)
    for (const Expectation& expectation : scenario.expectations) {
      auto add = [&](std::string_view name, bool is_forbidden = false) {
        named.push_back({expectation.at, name, is_forbidden});
      };
      std::visit(Overloaded{[&](const ToolsExpected& it) {
                              for (const ExpectedTool& tool : it.tools)
                                named.push_back({tool.at, tool.name, false});
                            },
                            [&](const ToolForbidden& it) { add(it.name, true); },
                            [&](const CallForbidden& it) { add(it.call.name, true); },
                            [&](const Preceded& it) {
                              add(it.tool.name);
                              if (it.by.size() == 1) add(it.by.front().name);
                            },
                            [&](const Confirmed& it) {
                              for (const std::string& tool : it.tools) add(tool, true);
                            },
                            [&](const DecisionExpected& it) { add(it.from.tool); },
                            [&](const Grounded& it) { add(it.from.tool); }, [](const auto&) {}},
                 expectation.what);
    }
  return named;
}

}  // namespace

std::vector<UnknownTool> unknown_tools(const Suite& suite, const AgentActions& all) {
  std::set<std::string> names;
  for (const Action& tool : all.tools()) names.emplace(tool.name());
  const std::vector<NamedTool> named = named_tools(suite);
  // To know what requests declare, all of them are read again.
  bool all_used = std::all_of(named.begin(), named.end(), [&](const NamedTool& one) {
    return one.name.empty() || one.name.find('*') != std::string_view::npos ||
           names.contains(std::string(one.name));
  });
  if (all_used) return {};
  const std::set<std::string> declared = all.declared_names();
  names.insert(declared.begin(), declared.end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<UnknownTool> unknown;
  std::set<std::string_view> told;
  for (const NamedTool& one : named) {
    bool is_name = !one.name.empty() && one.name.find('*') == std::string_view::npos;
    if (!is_name || names.contains(std::string(one.name)) || names.empty()) continue;
    std::string near = did_you_mean(one.name, known);
    if (one.is_forbidden && declared.empty() && near.empty()) continue;
    if (told.insert(one.name).second)
      unknown.push_back({one.at, std::string(one.name), std::move(near)});
  }
  return unknown;
}

namespace {

/// A name alone, without wildcards and without what sort of actor it is of.
bool is_plain_name(std::string_view step) {
  return step.find_first_of("*:") == step.npos &&
         !is_one_of(step, {"user", "principal", "agent", "resource"});
}

}  // namespace

std::vector<UnknownTool> unknown_actors(const Suite& suite, const AgentActions& all) {
  std::set<std::string_view> labels;
  for (const Actor& actor : all.all_hops().actors) labels.insert(actor.label());
  const std::vector<std::string_view> known(labels.begin(), labels.end());
  std::optional<std::set<std::string>> tools;
  std::vector<UnknownTool> unknown;
  std::set<std::string_view> told;
  for (const Scenario& scenario : suite.scenarios)
    for (const Expectation& expectation : scenario.expectations) {
      const PathForbidden* path = std::get_if<PathForbidden>(&expectation.what);
      if (path == nullptr) continue;
      for (const std::string& step : path->steps) {
        if (!is_plain_name(step) || labels.contains(step)) continue;
        if (!tools) {  // all requests are read again to know what they declare
          tools = all.declared_names();
          for (const Action& tool : all.tools()) tools->emplace(tool.name());
        }
        std::string near = tools->contains(step)
                               ? fmt::format("; did you mean 'resource:tool:{}'?", step)
                               : did_you_mean(step, known);
        if (!near.empty() && told.insert(step).second)
          unknown.push_back({expectation.at, step, std::move(near)});
      }
    }
  return unknown;
}

}  // namespace xtrace
