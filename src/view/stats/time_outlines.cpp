#include <fmt/format.h>

#include "view/common/words.h"
#include "view/stats/bill_sections.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

namespace {

constexpr std::string_view kParts[kPathParts] = {
    "model",           "tools",           "permission prompts", "retry waits",
    "background work", "waiting for you", "unexplained"};
/// In the order of the answer: what takes people longest first.
constexpr PathPart kOrder[] = {PathPart::person,     PathPart::model,      PathPart::tool,
                               PathPart::background, PathPart::permission, PathPart::retry_wait,
                               PathPart::unexplained};

class TimeOutlines {
 public:
  TimeOutlines(const Stats& stats, Document& document)
      : stats_(stats), document_(document), time_(stats.account->time) {}

  void parts() {
    if (time_.total <= Duration{0}) return;
    Outline outline;
    if (bill_of(stats_).usage.cost < 0)
      outline.head.push_back(time_sum_line(stats_));  // else the bill has it
    if (of(PathPart::permission) > Duration{0})
      outline.head.push_back("permission prompts are inferred; -f json lists the evidence");
    Duration undecided{0};
    for (const TimeAccount::Stretch& stretch : time_.stretches)
      if (time_.may_be_permission(stretch)) undecided = plus(undecided, stretch.took());
    if (undecided > Duration{0})
      outline.head.push_back(
          say(fmt::format("{} of tool time may have been spent waiting at a permission prompt; the "
                          "log does not show which",
                          format_span(undecided))));
    if (time_.undated > 0)
      outline.head.push_back(say(fmt::format("not included: {} without a recorded time or duration",
                                             plural(time_.undated, "call"))));
    if (!outline.head.empty()) document_.add(std::move(outline));
  }

  void turns() {
    const std::vector<TurnSum>& turns = stats_.account->turns;
    if (turns.size() < 2 || time_.total <= Duration{0}) return;
    Outline outline;
    outline.columns = {{"time by turn", false, true},
                       {"took", Role::duration},
                       {"wait before", true},
                       {"model", true},
                       {"tools", true},
                       {"permission", true, false, 2},
                       {"retry waits", true, false, 3},
                       {"background", true, false, 3},
                       {"unexplained", true, false, 3},
                       {"total", true},
                       stats_.places->column()};
    std::vector<int64_t> totals;
    for (const TurnSum& turn : turns) {
      auto part = [&](PathPart of) {
        const Duration took = turn.parts[static_cast<size_t>(of)];
        return took > Duration{0} ? Cell(took) : Cell();
      };
      outline.lines.push_back(
          {0,
           Tone::plain,
           {stats_.turn(turn.turn), known(turn.took), part(PathPart::person), part(PathPart::model),
            part(PathPart::tool), part(PathPart::permission), part(PathPart::retry_wait),
            part(PathPart::background), part(PathPart::unexplained), known(turn.total),
            stats_.places->of(turn.first)}});
      totals.push_back(turn.total.count());
    }
    spare_all_but(kMostRows, outline, totals);
    outline.choice = say(fmt::format("the {} longest, in order of time", kMostRows));
    document_.add(std::move(outline));
  }

  void waits() {
    if (stats_.account->waits.empty()) return;
    Outline outline;
    outline.columns = {{"longest waits", false, true}, {"took", Role::duration},
                       {"start", false, false, 3},     {"turn", false, false, 2},
                       {"evidence", false, false, 2},  stats_.places->column()};
    for (const TimeAccount::Stretch* wait : stats_.account->waits) {
      const PermissionWait* permission = time_.permission_of(*wait);
      const CallId call = wait->call ? wait->call : wait->next;
      outline.lines.push_back(
          {0,
           Tone::plain,
           {say(what(*wait)), wait->took(), Moment{wait->from, 0}, stats_.turn(wait->turn),
            permission != nullptr            ? Cell(say(rule_words(permission->rule)))
            : time_.may_be_permission(*wait) ? Cell(Text("possibly a permission prompt"))
                                             : Cell(),
            call ? Cell(stats_.places->of(call)) : Cell()}});
    }
    document_.add(std::move(outline));
  }

 private:
  Text say(std::string text) { return stats_.question.door.composed(std::move(text)); }
  Duration of(PathPart part) const { return time_.parts[static_cast<size_t>(part)]; }

  std::string what(const TimeAccount::Stretch& wait) const {
    std::string tool;
    if (wait.tool) tool = stats_.name(stats_.question.graph.activities()[wait.tool].tool).view();
    if (const Agent* agent = agent_of(wait); agent != nullptr && !tool.empty())
      tool += fmt::format(" of {}", stats_.names.agent(*agent).view());
    switch (wait.part) {
      case PathPart::person: return tool.empty() ? "for you" : "for you, asked by " + tool;
      case PathPart::permission: return "for your approval of " + tool;
      case PathPart::tool: return tool.empty() ? "for a tool" : "for " + tool;
      case PathPart::retry_wait: return "before a retry";
      case PathPart::background: return "for background work";
      default: return "unexplained";
    }
  }

  /// The subagent that asked for a tool; nullptr: the user's own agent did.
  const Agent* agent_of(const TimeAccount::Stretch& wait) const {
    if (!wait.call) return nullptr;
    const Agent& agent = stats_.question.graph.agent_of(wait.call);
    return agent.spawned ? &agent : nullptr;
  }

  static std::string rule_words(PermissionRule rule) {
    std::string words(word(rule));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
  }

  const Stats& stats_;
  Document& document_;
  const TimeAccount& time_;
};

}  // namespace

void add_time_outlines(const Stats& stats, Document& document) {
  if (stats.account == nullptr) return;
  TimeOutlines outlines(stats, document);
  outlines.parts();
  outlines.turns();
  outlines.waits();
}

Text time_sum_line(const Stats& stats) {
  if (stats.account == nullptr || stats.account->time.total <= Duration{0}) return {};
  const TimeAccount& time = stats.account->time;
  std::string parts;
  for (PathPart part : kOrder)
    if (Duration took = time.parts[static_cast<size_t>(part)]; took > Duration{0})
      parts += fmt::format("{}{} {}", parts.empty() ? "" : " + ", format_span(took),
                           kParts[static_cast<size_t>(part)]);
  const bool is_part = stats.calls->selection.hidden.nodes > 0;
  return stats.question.door.say("{} = {}{}", format_span(time.total), parts,
                                 is_part ? " (shown calls only)" : "");
}

}  // namespace xtrace
