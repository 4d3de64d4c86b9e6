#include "view/eval/rule_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "link/activities/deed.h"
#include "settings/permission_rule.h"
#include "view/eval/draft_words.h"

namespace xtrace {

namespace {

/// Where agents put a command among the arguments of the tool that runs it.
constexpr std::string_view kCommandArguments[] = {"command", "cmd", "script"};

/// A tool that runs commands, and the argument that has them; or one that changes files.
struct ActingTool {
  std::string name, argument;
};

class RuleScenario {
 public:
  RuleScenario(const Question& question, const Names& names, const std::deque<AgentActions>& runs)
      : question_(question), names_(names), runs_(runs) {
    collect_tools();
  }

  std::vector<std::string> write(const InstructionRules& rules) {
    if (!rules.rules.empty()) {
      line("");
      line("  # Rules that a log can decide. Confirm each: it may have been meant otherwise.");
      line("  - id: \"rules\"");
      line("    match: {session: \"*\"}");
      write_forbidden(rules);
      write_preceded(rules);
    }
    if (!rules.undecided.empty()) {
      std::string places;
      for (const SuitePlace& at : rules.undecided) {
        const std::string one = place(at);
        if (!places.ends_with(one)) places += (places.empty() ? "" : ", ") + one;
      }
      line(fmt::format("  # Not decided from a log: {}", places));
    }
    return std::move(lines_);
  }

 private:
  void line(std::string passed) { lines_.push_back(std::move(passed)); }
  std::string passed(std::string_view text) const {
    return std::string(question_.door.name_once(std::string(text)).view());
  }
  std::string place(const SuitePlace& at) const {
    return fmt::format("{}:{}", passed(at.path), at.line);
  }

  /// Those that the runs use, and where they use none, the commonest names.
  void collect_tools() {
    std::map<std::string, std::string> commands;
    std::set<std::string> changing;
    for (const AgentActions& run : runs_)
      for (const Action& used : run.tools()) {
        const std::string name(used.name());
        const Deed deed = deed_of(name);
        if (changes(deed) && passed(name) == name) changing.insert(name);
        if (deed != Deed::ran || passed(name) != name) continue;
        std::string& argument = commands[name];
        if (argument.empty()) argument = find_command_argument(run.arguments(used));
      }
    for (auto& [name, argument] : commands)
      if (!argument.empty()) running_.push_back({name, argument});
    // A later run may well write a file where these edited one.
    if (changing.empty() || changing.contains("Edit") || changing.contains("Write"))
      changing.insert({"Edit", "Write"});
    for (const std::string& name : changing) changing_.push_back({name, {}});
    if (running_.empty()) running_ = {{"Bash", std::string(kCommandArguments[0])}};
  }
  /// Of a command in the form of a list (`bash`, `-lc`, `git push`), its last word is it.
  static std::string find_command_argument(const std::optional<std::string>& given) {
    if (!given) return {};
    const Arguments arguments(*given);
    for (std::string_view name : kCommandArguments) {
      if (!arguments.value_at(name)) continue;
      if (!arguments.holds(name)) return std::string(name);
      size_t last = 0;
      while (arguments.value_at(fmt::format("{}.{}", name, last + 1))) ++last;
      return fmt::format("{}.{}", name, last);
    }
    return {};
  }

  const std::vector<ActingTool>& tools_for(const InstructedAct& act) const {
    return act.on == InstructedAct::On::command ? running_ : changing_;
  }
  static ExpectedTool tool_of(const ActingTool& acting, const std::string& pattern) {
    ExpectedTool tool = tool_named(acting.name);
    Result<Pattern> compiled = Pattern::compile(pattern);
    if (!compiled) return tool;
    if (acting.argument.empty()) {
      tool.target = *std::move(compiled);
    } else {
      ArgumentRequirement& argument = tool.arguments.emplace_back();
      argument.name = acting.argument;
      argument.must.matches = *std::move(compiled);
    }
    return tool;
  }
  /// `note`: shown in verdicts; empty: none.
  static std::string yaml_of(const ActingTool& acting, const std::string& pattern,
                             const std::string& note = {}) {
    const std::string what = acting.argument.empty()
                                 ? fmt::format("target: {}", in_quotes(pattern))
                                 : fmt::format("arguments: {{{}: {{matches: {}}}}}",
                                               in_quotes(acting.argument), in_quotes(pattern));
    return fmt::format("{{name: {}, {}{}{}}}", in_quotes(acting.name),
                       note.empty() ? "" : fmt::format("note: {}", in_quotes(note)),
                       note.empty() ? "" : ", ", what);
  }
  template <class Visit>
  void each_tool(const std::vector<InstructedAct>& acts, Visit visit) const {
    for (const InstructedAct& act : acts)
      for (const ActingTool& acting : tools_for(act)) visit(acting, act.pattern);
  }

  /// Could the rule have been broken, or was it kept by what it asks for?
  bool is_tried(const InstructionRule& rule, const Case& scene) const {
    std::vector<ExpectedTool> telling;
    each_tool(rule.instead, [&](const ActingTool& acting, const std::string& pattern) {
      telling.push_back(tool_of(acting, pattern));
    });
    for (const InstructedAct& act : rule.acts)
      for (const ActingTool& acting : tools_for(act)) {
        if (act.on == InstructedAct::On::file)
          telling.push_back(tool_named(acting.name));
        else if (!act.topic.empty() && rule.instead.empty())
          telling.push_back(tool_of(acting, command_begins(act.topic)));
      }
    return std::ranges::any_of(scene.actions.tools(), [&](const Action& used) {
      return std::ranges::any_of(
          telling, [&](const ExpectedTool& tool) { return fit(scene, tool, used) == Fit::yes; });
    });
  }

  /// What became of the rule, judged by these expectations.
  std::string status_of(const InstructionRule& rule,
                        const std::vector<Expectation>& expectations) const {
    size_t violated = 0, unknown = 0, tried = 0;
    std::string first;
    for (const AgentActions& run : runs_) {
      const Case scene{question_, names_, run, nullptr};
      bool is_unknown = false, is_violated = false;
      for (const Expectation& expectation : expectations) {
        const Verdict verdict = judge(scene, expectation);
        is_unknown |= verdict.status == Judged::insufficient;
        if (verdict.status != Judged::failed) continue;
        is_violated = true;
        if (first.empty() && !verdict.evidence.empty())
          first = names_.at(verdict.evidence.front().at).view();
      }
      violated += is_violated;
      unknown += is_unknown && !is_violated;
      tried += is_tried(rule, scene);
    }
    if (violated > 0)
      return fmt::format("violated in {} of {} sessions, first at {}", violated, runs_.size(),
                         first);
    if (unknown > 0) return fmt::format("not recorded in {} of {} sessions", unknown, runs_.size());
    return tried > 0 ? fmt::format("observed in {} of {} sessions", tried, runs_.size())
                     : "never tried";
  }

  void write_sentence(const InstructionRule& rule, std::string_view indent,
                      const std::vector<Expectation>& expectations) {
    line(fmt::format("{}# {}: {}", indent, place(rule.at), passed(rule.text)));
    line(fmt::format("{}# {}", indent, status_of(rule, expectations)));
  }

  void write_forbidden(const InstructionRules& rules) {
    bool is_begun = false;
    for (const InstructionRule& rule : rules.rules) {
      if (!rule.first.empty()) continue;
      std::vector<Expectation> expectations;
      std::vector<std::string> items;
      each_tool(rule.acts, [&](const ActingTool& acting, const std::string& pattern) {
        expectations.push_back(
            {Dimension::tool_usage, 1, true, rule.at, CallForbidden{tool_of(acting, pattern)}});
        items.push_back(yaml_of(acting, pattern, passed(rule.text)));
      });
      if (!is_begun) {
        line("    forbidden:");
        line("      calls:");
      }
      is_begun = true;
      write_sentence(rule, "        ", expectations);
      for (const std::string& item : items) line(fmt::format("        - {}", item));
    }
  }

  void write_preceded(const InstructionRules& rules) {
    bool is_begun = false;
    for (const InstructionRule& rule : rules.rules) {
      if (rule.first.empty()) continue;
      std::vector<Expectation> expectations;
      std::vector<std::string> items;
      std::vector<ExpectedTool> by;
      std::string by_yaml;
      each_tool(rule.first, [&](const ActingTool& acting, const std::string& pattern) {
        by.push_back(tool_of(acting, pattern));
        // A verdict names both, and the sentence is the other one's note.
        by_yaml += (by_yaml.empty() ? "" : ", ") + yaml_of(acting, pattern, "as the rule demands");
      });
      each_tool(rule.acts, [&](const ActingTool& acting, const std::string& pattern) {
        expectations.push_back({Dimension::tool_usage, 1, false, rule.at,
                                Preceded{tool_of(acting, pattern), by, false}});
        items.push_back(fmt::format("{{tool: {}, by: [{}]}}",
                                    yaml_of(acting, pattern, passed(rule.text)), by_yaml));
      });
      if (!is_begun) line("    preceded:");
      is_begun = true;
      write_sentence(rule, "      ", expectations);
      for (const std::string& item : items) line(fmt::format("      - {}", item));
    }
  }

  const Question& question_;
  const Names& names_;
  const std::deque<AgentActions>& runs_;
  std::vector<ActingTool> running_, changing_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> write_rule_scenario(const Question& question, const Names& names,
                                             const std::deque<AgentActions>& runs,
                                             const InstructionRules& rules) {
  return RuleScenario(question, names, runs).write(rules);
}

}  // namespace xtrace
