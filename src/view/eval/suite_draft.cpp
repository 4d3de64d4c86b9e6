#include "view/eval/suite_draft.h"

#include <fmt/format.h>

#include <cmath>

#include "base/dollars.h"
#include "base/json_writer.h"
#include "settings/arguments.h"
#include "view/common/words.h"
#include "view/eval/figures.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// As YAML and JSON write it.
std::string in_quotes(std::string_view text) {
  std::string json;
  JsonWriter(json).value(text);
  return json;
}

class SuiteDraft {
 public:
  SuiteDraft(const Question& question, const Names& names)
      : question_(question),
        names_(names),
        paths_(question.graph.joined_hops()),
        readings_(question) {}

  std::vector<Text> write() {
    line(
        "# A suite that these runs pass. Remove what may differ, and raise the limits to what you");
    line(
        "# allow; then run: xtrace eval SUITE LOGS. For everything else that a suite can check, "
        "see");
    line("# xtrace eval --help, or the JSON Schema: xtrace schema suite.");
    line("name: Recorded runs");
    line("scenarios:");
    Scenario each;
    each.each = Each::session;
    std::vector<Trial> trials = trials_of(question_, each);
    for (Trial& trial : trials) write_scenario(trial, trials.size() == 1);
    return std::move(lines_);
  }

 private:
  void line(std::string passed) { lines_.push_back(question_.door.composed(std::move(passed))); }
  std::string shown(std::string_view name) const {
    return std::string(question_.door.name_once(std::string(name)).view());
  }

  void write_scenario(Trial& trial, bool is_only_one) {
    if (!trial.scope.missing.empty()) return;
    std::string name = shown(trial.name);
    if (name != trial.name && !is_only_one)
      return line(fmt::format("  # {} is omitted: a match needs its full name", name));
    AgentActions actions(question_, question_.graph.joined_hops(), paths_, readings_,
                         std::move(trial.scope));
    line("");
    line(fmt::format("  - id: {}", in_quotes(name.empty() ? "run" : name)));
    if (!is_only_one) line(fmt::format("    match: {{session: {}}}", in_quotes(name)));
    write_tools(actions);
    write_errors(actions);
    write_limits(actions);
  }

  void write_tools(const AgentActions& actions) {
    line("    tools:");
    line("      order: exact-order  # or contains-in-order, same-tools, contains-any-order");
    if (actions.tools().empty()) return line("      calls: []  # no tool is used");
    line("      calls:");
    for (const Action& used : actions.tools()) {
      std::string name = shown(used.name());
      bool is_hidden = name != used.name() || name.empty();
      std::string written = is_hidden ? R"("*")" : in_quotes(name);
      std::vector<std::string> arguments = arguments_of(actions, used);
      if (arguments.empty()) {
        line(fmt::format("        - {}{}", written, is_hidden ? "  # its name is hidden" : ""));
        continue;
      }
      line(fmt::format("        - name: {}", written));
      for (const std::string& one : arguments) line("          " + one);
    }
  }

  /// Lines below the name of a tool.
  std::vector<std::string> arguments_of(const AgentActions& actions, const Action& used) const {
    std::vector<std::string> lines;
    if (!question_.shows_payload()) return lines;
    std::optional<std::string> given = actions.arguments(used);
    if (!given) return lines;
    Arguments json(*given);
    if (!json.is_json()) return lines;
    std::vector<std::string> open, hidden;
    for (const auto& [path, value] : json.values()) {
      if (path.empty() || value.empty() || json.holds(path)) continue;
      std::string key = shown(path);
      std::string_view passed = question_.door.field(path, value).view();
      if (key != path || key == "schema")
        hidden.push_back(fmt::format("# {}", in_quotes(key)));
      else if (passed != value)
        hidden.push_back(fmt::format("# {}: {}", in_quotes(key), in_quotes(passed)));
      else
        open.push_back(fmt::format("  {}: {}", in_quotes(key), in_quotes(value)));
    }
    if (!open.empty()) lines.emplace_back("arguments:");
    lines.insert(lines.end(), open.begin(), open.end());
    lines.insert(lines.end(), hidden.begin(), hidden.end());
    return lines;
  }

  bool holds(const AgentActions& actions, const Expectation& expectation) const {
    Case scene{question_, names_, actions, nullptr};
    return judge(scene, expectation).status == Judged::passed;
  }

  void write_errors(const AgentActions& actions) {
    std::string keys;
    if (holds(actions, {Dimension::error_handling, 1, false, {}, FailuresHandled()}))
      keys = "handled: true";
    if (holds(actions, {Dimension::error_handling, 1, false, {}, NoRetryOf{{400, 401, 403, 404}}}))
      keys += keys.empty() ? "no_retry_of: true" : ", no_retry_of: true";
    if (!keys.empty()) line(fmt::format("    errors: {{{}}}", keys));
  }

  /// Those of which it is known that they hold.
  void write_limits(const AgentActions& actions) {
    Figures figures = figures_of(actions);
    auto figure = [&](Threshold::Of of) { return figures[static_cast<size_t>(of)]; };
    std::string keys;
    auto add = [&](Limit::Of of, double most, const std::string& written) {
      if (!holds(actions, {Dimension::limits, 1, false, {}, Limit{of, most}})) return;
      keys += fmt::format("{}{}: {}", keys.empty() ? "" : ", ", word(of), written);
    };
    auto count = [](double number) { return fmt::format("{:.0f}", number); };
    double calls = static_cast<double>(actions.models().size());
    double tools = static_cast<double>(actions.tools().size());
    add(Limit::Of::calls, calls, count(calls));
    add(Limit::Of::tool_calls, tools, count(tools));
    if (std::optional<double> tokens = figure(Threshold::Of::tokens))
      add(Limit::Of::tokens, *tokens, count(*tokens));
    if (std::optional<double> cost = figure(Threshold::Of::cost))
      add(Limit::Of::cost, *cost, format_dollars({std::llround(*cost * 1e9)}));
    if (std::optional<double> took = figure(Threshold::Of::duration)) {
      double seconds = std::ceil(*took * 1e3) / 1e3;
      add(Limit::Of::time, seconds, fmt::format("{:.3f}", seconds));
    }
    if (!keys.empty()) line(fmt::format("    limits: {{{}}}  # time in seconds", keys));
  }

  const Question& question_;
  const Names& names_;
  Paths paths_;
  Readings readings_;
  std::vector<Text> lines_;
};

}  // namespace

std::vector<Text> suite_draft(const Question& question, const Names& names) {
  return SuiteDraft(question, names).write();
}

}  // namespace xtrace
