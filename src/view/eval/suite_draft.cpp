#include "view/eval/suite_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "base/dollars.h"
#include "link/activities/deed.h"
#include "settings/arguments.h"
#include "view/common/words.h"
#include "view/eval/draft_words.h"
#include "view/eval/judge.h"
#include "view/eval/rule_draft.h"

namespace xtrace {

namespace {

/// How much more than the largest session a limit allows: runs of the same agent rarely differ by
/// more than half, and one that loops differs by a multiple.
constexpr double kRoom = 1.5;
/// Limits are rounded up to so many digits: more would claim to be exact.
constexpr int kDigits = 2;
/// Tools that most sessions use, but not all, are named up to this number.
constexpr size_t kMostNearly = 5;

double rounded_up(double amount) {
  if (amount <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(amount)) - (kDigits - 1));
  return std::ceil(amount / unit - 1e-9) * unit;
}

/// The uses of a tool in a session.
struct ToolUses {
  size_t first = 0;  ///< the place of the first one
  std::vector<const Action*> all;
};
using ToolsOfRun = std::map<std::string_view, ToolUses>;

class SuiteDraft {
 public:
  SuiteDraft(const Question& question, const Names& names)
      : question_(question),
        names_(names),
        paths_(question.graph.joined_hops()),
        readings_(question) {}

  std::vector<Text> write(const InstructionRules& rules) {
    collect_runs();
    const auto count = static_cast<int64_t>(runs_.size());
    line(fmt::format(
        "# A suite that {} passed: what {}, and limits for the largest",
        count == 1 ? "one recorded session" : fmt::format("{} recorded sessions", count),
        count == 1 ? "it did" : "they had in common"));
    line("# session plus 50 %. Remove what may differ; then run: xtrace eval SUITE LOGS.");
    line("# All keys, with examples: man/eval.md, or the JSON Schema: xtrace schema suite.");
    line("name: Recorded sessions");
    line("scenarios:");
    line("");
    line("  - id: \"every_session\"");
    line("    match: {session: \"*\"}  # each session is a trial");
    line("    # pass_rate: 0.9       # if not every session has to pass");
    write_tools();
    write_order();
    write_errors();
    write_claims();
    write_limits();
    // A scenario has to expect something.
    if (!expects_)
      expect(
          "tools: {order: contains-any-order, calls: []}  # nothing is recorded in all sessions");
    for (std::string& one : write_rule_scenario(question_, names_, runs_, rules))
      line(std::move(one));
    return std::move(lines_);
  }

 private:
  void line(std::string passed) { lines_.push_back(question_.door.composed(std::move(passed))); }
  /// The first line of an expectation.
  void expect(std::string_view passed) {
    expects_ = true;
    line(fmt::format("    {}", passed));
  }
  std::string shown(std::string_view name) const {
    return std::string(question_.door.name_once(std::string(name)).view());
  }
  /// Can the suite name it?
  bool is_shown(std::string_view name) const { return !name.empty() && shown(name) == name; }

  void collect_runs() {
    Scenario each;
    each.each = Each::session;
    for (Trial& trial : ScopeFinder(question_).find_trials(each)) {
      if (!trial.scope.missing.empty()) continue;
      const AgentActions& actions = runs_.emplace_back(question_, question_.graph.joined_hops(),
                                                       paths_, readings_, std::move(trial.scope));
      ToolsOfRun& tools = tools_.emplace_back();
      for (size_t i = 0; i < actions.tools().size(); ++i) {
        const Action& used = actions.tools()[i];
        auto [at, is_new] = tools.try_emplace(used.name());
        if (is_new) at->second.first = i;
        at->second.all.push_back(&used);
      }
    }
    std::map<std::string_view, size_t> users;
    for (const ToolsOfRun& tools : tools_)
      for (const auto& [name, uses] : tools) ++users[name];
    for (const auto& [name, count] : users) {
      if (!is_shown(name)) continue;
      if (count == runs_.size())
        always_.push_back(name);
      else if (2 * count > runs_.size())
        nearly_.emplace_back(count, name);
    }
    if (!runs_.empty())
      std::ranges::sort(always_, {}, [&](auto name) { return tools_.front().at(name).first; });
    std::ranges::sort(nearly_, std::greater());
  }

  bool holds(const Expectation& expectation) const {
    return std::ranges::all_of(runs_, [&](const AgentActions& actions) {
      return judge({question_, names_, actions, nullptr}, expectation).status == Judged::passed;
    });
  }
  bool holds_tools(ToolsExpected::Order order) const {
    ToolsExpected expected;
    expected.order = order;
    for (std::string_view name : always_) expected.tools.push_back(tool_named(name));
    return holds({Dimension::tool_usage, 1, false, {}, std::move(expected)});
  }

  void write_tools() {
    const bool is_any = std::ranges::any_of(tools_, [](const auto& one) { return !one.empty(); });
    if (!is_any) {
      expect("tools: {order: exact-order, calls: []}  # no tool is used");
      return;
    }
    if (always_.empty()) {
      line("    # tools: […]  # no tool was used in every session");
    } else {
      is_ordered_ = holds_tools(ToolsExpected::Order::in_order);
      expect("tools:");
      line(is_ordered_
               ? "      order: contains-in-order   # first uses; others may come between them"
               : "      order: contains-any-order  # their order differed");
      line("      calls:");
      for (std::string_view name : always_) write_tool(name);
    }
    std::string words;
    for (size_t i = 0; i < std::min(nearly_.size(), kMostNearly); ++i)
      words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", shown(nearly_[i].second),
                           nearly_[i].first);
    if (!words.empty())
      line(fmt::format("    # used in most of the {} sessions: {}", runs_.size(), words));
  }

  void write_tool(std::string_view name) {
    const std::vector<std::string> arguments = arguments_of(name);
    if (arguments.empty()) return line(fmt::format("        - {}", in_quotes(name)));
    line(fmt::format("        - name: {}", in_quotes(name)));
    for (const std::string& one : arguments) line("          " + one);
  }

  /// What every use of the tool was given alike, as lines below its name.
  std::vector<std::string> arguments_of(std::string_view name) const {
    if (!question_.shows_payload()) return {};
    std::optional<std::map<std::string, std::string>> same;
    for (size_t i = 0; i < runs_.size(); ++i)
      for (const Action* used : tools_[i].at(name).all) {
        const std::optional<std::string> given = runs_[i].arguments(*used);
        const Arguments json(given.value_or(""));
        if (!given || !json.is_json()) return {};
        std::map<std::string, std::string> values;
        for (const auto& [path, value] : json.values())
          if (!path.empty() && !value.empty() && !json.holds(path)) values.emplace(path, value);
        if (!same)
          same = std::move(values);
        else
          std::erase_if(*same, [&](const auto& one) {
            const auto found = values.find(one.first);
            return found == values.end() || found->second != one.second;
          });
      }
    std::vector<std::string> lines, hidden;
    for (const auto& [path, value] : same.value_or(std::map<std::string, std::string>())) {
      const std::string key = shown(path);
      const std::string_view passed = question_.door.field(path, value).view();
      if (key != path || key == "schema")
        hidden.push_back(fmt::format("# {}", in_quotes(key)));
      else if (passed != value)
        hidden.push_back(fmt::format("# {}: {}", in_quotes(key), in_quotes(passed)));
      else
        lines.push_back(fmt::format("  {}: {}", in_quotes(key), in_quotes(value)));
    }
    if (!lines.empty()) lines.insert(lines.begin(), "arguments:");
    lines.insert(lines.end(), hidden.begin(), hidden.end());
    return lines;
  }

  /// Which tool always came after which: of files, a change after a read; of tools without one
  /// order for all, each pair that has one.
  void write_order() {
    std::vector<std::string> rules;
    auto add = [&](std::string_view tool, std::string_view by, bool same_target) {
      if (!holds({Dimension::tool_usage,
                  1,
                  false,
                  {},
                  Preceded{tool_named(tool), {tool_named(by)}, same_target}}))
        return false;
      rules.push_back(fmt::format("{{tool: {}, by: {}{}}}", in_quotes(tool), in_quotes(by),
                                  same_target ? ", same_target: true" : ""));
      return true;
    };
    std::set<std::string_view> names;
    for (const ToolsOfRun& tools : tools_)
      for (const auto& [name, uses] : tools)
        if (is_shown(name)) names.insert(name);
    std::map<std::string_view, std::string_view> read_by;
    for (std::string_view tool : names)
      for (std::string_view by : names)
        if (deed_of(tool) == Deed::edited && deed_of(by) == Deed::read && add(tool, by, true))
          read_by[tool] = by;
    // Pairs that a chain of others implies are left out.
    if (!is_ordered_)
      for (size_t j = 1; j < always_.size(); ++j)
        for (size_t i = j; i-- > 0;)
          if (read_by[always_[j]] != always_[i] && add(always_[j], always_[i], false)) break;
    if (rules.empty()) return;
    expect("preceded:  # the order that always held; a file that the agent wrote counts as read");
    for (const std::string& rule : rules) line("      - " + rule);
  }

  void write_errors() {
    std::string keys;
    if (holds({Dimension::error_handling, 1, false, {}, FailuresHandled()})) keys = "handled: true";
    if (holds({Dimension::error_handling, 1, false, {}, NoRetryOf{{400, 401, 403, 404}}}))
      keys += keys.empty() ? "no_retry_of: true" : ", no_retry_of: true";
    if (!keys.empty()) expect(fmt::format("errors: {{{}}}", keys));
  }

  /// What held of all claims, if there are any.
  void write_claims() {
    size_t count = 0;
    for (const AgentActions& actions : runs_) count += actions.claims().size();
    if (count == 0) return;
    const std::string of = plural(static_cast<int64_t>(count), "claim");
    using Demand = ClaimsChecked::Demand;
    const auto all_are = [&](Demand demand) {
      return holds({Dimension::decision_quality, 1, false, {}, ClaimsChecked{demand, {}}});
    };
    if (all_are(Demand::supported))
      expect(fmt::format("claims: supported  # {} of replies, such as that tests pass", of));
    else if (all_are(Demand::not_contradicted))
      expect(
          fmt::format("claims: not_contradicted  # {} of replies, some not shown by results", of));
  }

  /// A line for each amount that is known, or can be estimated, of any session. Where it is not of
  /// all, the line is a comment: the others could not be judged.
  void write_limits() {
    std::vector<std::string> lines;
    bool has_any = false;
    for (size_t i = 0; i < std::size(kLimitWords); ++i) {
      const auto of = static_cast<Limit::Of>(i);
      if (of == Limit::Of::depth) continue;  // what names no actors has none
      UpperAmount most;
      size_t unknown = 0;
      for (const AgentActions& actions : runs_) {
        const std::optional<UpperAmount> one =
            upper_amount({question_, names_, actions, nullptr}, of);
        unknown += !one;
        most.amount = std::max(most.amount, one.value_or(UpperAmount()).amount);
        most.is_estimated |= one.value_or(UpperAmount()).is_estimated;
      }
      if (unknown == runs_.size() || (most.amount == 0 && of != Limit::Of::errors)) continue;
      const double limit = limit_for(of, most.amount);
      const bool is_kept =
          unknown == 0 && holds({Dimension::limits, 1, false, {}, Limit{of, limit}});
      if (unknown == 0 && !is_kept) continue;
      has_any |= is_kept;
      lines.push_back(fmt::format("      {}{:<{}}  # largest: {}{}", is_kept ? "" : "# ",
                                  fmt::format("{}: {}", word(of), written(of, limit)),
                                  is_kept ? 18 : 16, shown(of, most.amount),
                                  most.is_estimated ? ", estimated" : ""));
      if (!is_kept)
        lines.back() +=
            fmt::format("; not fully recorded in {} of {} sessions", unknown, runs_.size());
    }
    constexpr std::string_view kHead =
        "limits:  # for each session: the largest plus 50 %, rounded up";
    if (has_any)
      expect(kHead);
    else if (!lines.empty())
      line(fmt::format("    # {}", kHead));
    for (std::string& one : lines) line(std::move(one));
  }

  static bool is_count(Limit::Of of) { return of != Limit::Of::cost && of != Limit::Of::time; }
  /// Of things that are counted, one more at least.
  static double limit_for(Limit::Of of, double most) {
    const double limit = rounded_up(most * kRoom);
    return is_count(of) ? std::max(std::ceil(limit), most + 1) : limit;
  }
  static std::string shown(Limit::Of of, double amount) {
    const Dollars billionths{std::llround(amount * 1e9)};
    if (of == Limit::Of::cost) return show_dollars(billionths);
    if (of == Limit::Of::time) return format_span(Duration(billionths.billionths));
    return written(of, amount);
  }
  static std::string written(Limit::Of of, double amount) {
    if (of == Limit::Of::time && std::trunc(amount) != amount)
      return fmt::format("{:.0f}ms", std::ceil(amount * 1e3));
    if (of == Limit::Of::time) return fmt::format("{:.0f}s", amount);
    if (of == Limit::Of::cost) return format_dollars({std::llround(amount * 1e9)});
    return fmt::format("{:.0f}", amount);
  }

  const Question& question_;
  const Names& names_;
  Paths paths_;
  Readings readings_;
  std::deque<AgentActions> runs_;         ///< a session each
  std::vector<ToolsOfRun> tools_;         ///< of each of them
  std::vector<std::string_view> always_;  ///< tools of all, in the order of the first session
  std::vector<std::pair<size_t, std::string_view>> nearly_;  ///< of most: how many, and its name
  bool is_ordered_ = false;  ///< `always_` came in this order in all sessions
  bool expects_ = false;     ///< an expectation is written
  std::vector<Text> lines_;
};

}  // namespace

std::vector<Text> suite_draft(const Question& question, const Names& names,
                              const InstructionRules& rules) {
  return SuiteDraft(question, names).write(rules);
}

}  // namespace xtrace
