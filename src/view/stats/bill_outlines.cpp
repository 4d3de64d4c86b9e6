#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "view/calls/call_words.h"
#include "view/calls/costs.h"
#include "view/common/shown_targets.h"
#include "view/common/words.h"
#include "view/stats/bill_sections.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

namespace {

/// The first carried results are the most expensive ones; more rows would hide them.
constexpr size_t kMostCarried = 10;

constexpr std::string_view kKindTitles[kPaidKinds] = {"new input", "cache write", "cache read",
                                                      "output", "fees"};
constexpr std::string_view kReasons[] = {"cache rebuilt", "new context", "long context", "output",
                                         "cost stated by the log"};

std::string about(const std::string& text) {
  return text.empty() ? text : "~" + text;
}

class BillOutlines {
 public:
  BillOutlines(const Stats& stats, Document& document)
      : stats_(stats), document_(document), all_(bill_of(stats)) {}

  void kinds() {
    if (all_.usage.cost < 0) return;
    Outline outline;
    std::string paid =
        fmt::format("paid {} for {}", cost_words(all_.usage), plural(all_.calls, "model call"));
    if (const int64_t unplaced = all_of(stats_).models.unplaced.cost; unplaced > 0)
      paid +=
          fmt::format(", including {} that belongs to no recorded call", show_dollars({unplaced}));
    outline.head.push_back(say(std::move(paid)));
    if (Text time = time_sum_line(stats_); !time.empty()) outline.head.push_back(time);
    if (all_.usage.unrecorded > 0)
      outline.head.push_back(say("not included: " + unrecorded_words(all_.usage.unrecorded)));
    if (all_.usage.low > 0) outline.head.push_back(say(low_words()));
    outline.columns = {
        {"paid for", false, true}, {"tokens", Role::tokens}, {"cost", Role::cost}, {"share", true}};
    for (const BillLine& line : bill_lines(stats_))
      outline.lines.push_back(
          {0,
           Tone::plain,
           {Door::own(line.words), known(line.tokens),
            line.cost == kNoCount ? Cell() : Dollars{line.cost},
            line.cost < 0 ? Cell() : say(percent(part_of(line.cost, all_.usage.cost)))}});
    if (all_.missing_output > 0)
      outline.lines.push_back({0,
                               Tone::quiet,
                               {Text("output missing from the log (estimated)"),
                                say(about(show_count(all_.missing_output))),
                                Dollars{all_.missing_cost, Dollars::Bound::estimated}}});
    document_.add(std::move(outline));
  }

  void turns() {
    const std::vector<TurnSum>& turns = stats_.account->turns;
    if (turns.size() < 2) return;
    Outline outline = sums("turn", "");
    std::vector<int64_t> costs;
    for (const TurnSum& turn : turns) {
      add_sum(stats_.turn(turn.turn), {}, turn.sum, turn.first, outline);
      costs.push_back(turn.sum.usage.cost);
    }
    spare_all_but(kMostRows, outline, costs);
    outline.choice = say(fmt::format("the {} most expensive, in order of time", kMostRows));
    document_.add(std::move(outline));
  }

  void subagents() {
    const std::vector<SubagentSum>& subagents = stats_.account->subagents;
    if (subagents.empty()) return;
    Outline outline = sums("subagent", "turn");
    const CallScene& scene = *stats_.calls;
    std::vector<int64_t> costs;
    for (const SubagentSum& one : subagents) {
      add_sum(scene.names.agent(scene.graph.agents()[one.agent]), stats_.turn(one.turn), one.sum,
              one.first, outline);
      costs.push_back(one.sum.usage.cost);
    }
    spare_all_but(kMostRows, outline, costs);
    outline.choice = say(fmt::format("the {} most expensive, in order of time", kMostRows));
    document_.add(std::move(outline));
  }

  void expensive() {
    if (stats_.account->expensive.size() < 2) return;
    Outline outline;
    outline.columns = {{"most expensive calls", false, true},
                       {"agent", false, false, 3},
                       {"why", false},
                       {"", false},
                       {"in", Role::input, 2},
                       {"out", Role::output, 2},
                       {"cost", Role::cost},
                       stats_.places->column()};
    const CallScene& scene = *stats_.calls;
    for (const ExpensiveCall& one : stats_.account->expensive) {
      const CallSum sum = stats_.account->of(one.call);
      outline.lines.push_back(
          {0,
           Tone::plain,
           {stats_.turn(stats_.account->turn_of[one.call.index]),
            scene.names.agent(scene.graph.agent_of(one.call)), say(why(one, sum)),
            say(tool_error_words(scene.graph.activities().failed_tools_of(one.call))),
            known(tokens_sent(sum.usage.tokens)), known(sum.usage.tokens.output),
            cost_cell(sum.usage), stats_.places->of(one.call)}});
    }
    document_.add(std::move(outline));
  }

  void rebuilds() {
    const std::vector<CacheRebuild>& rebuilds = stats_.account->rebuilds;
    if (rebuilds.empty()) return;
    Outline outline;
    int64_t cost = 0, unknown = 0;
    for (const CacheRebuild& one : rebuilds)
      one.cost < 0 ? ++unknown : cost = sum_of_known({cost, one.cost});
    outline.head.push_back(
        say(fmt::format("{} cost {}{} more than reading the cache would have",
                        plural(static_cast<int64_t>(rebuilds.size()), "cache rebuild"),
                        unknown > 0 ? "≥" : "", show_dollars({cost}))));
    outline.columns = {{"cache rebuilt in", false, true},
                       {"cause", false},
                       {"pause", true, false, 2},
                       {"tokens", Role::tokens},
                       {"paid", true, false, 3},
                       {"extra cost", true},
                       stats_.places->column()};
    std::vector<int64_t> costs;
    for (const CacheRebuild& one : rebuilds) {
      outline.lines.push_back(
          {0,
           Tone::plain,
           {stats_.turn(stats_.account->turn_of[one.call.index]), say(cause_words(one)),
            known(one.pause), one.tokens(), dollars(one.paid), dollars(one.cost),
            stats_.places->of(one.call)}});
      costs.push_back(one.cost);
    }
    spare_all_but(kMostRows, outline, costs);
    outline.choice = say(fmt::format("the {} most expensive, in order of time", kMostRows));
    document_.add(std::move(outline));
  }

  void carried() {
    const std::vector<CarriedResult>& carried = stats_.account->carried;
    if (carried.empty()) return;
    Outline outline;
    outline.columns = {{"tool results kept in context", false, true},
                       {"turn", false, false, 3},
                       {"tokens", true},
                       {"times resent", true},
                       {"initial cost", true, false, 2},
                       {"resend cost", true},
                       stats_.places->column()};
    std::vector<const CarriedResult*> rows;
    rows.reserve(carried.size());
    for (const CarriedResult& one : carried) rows.push_back(&one);
    auto weight = [](const CarriedResult* one) {
      return one->first_cost < 0 || one->again_cost < 0 ? one->tokens
                                                        : one->first_cost + one->again_cost;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
    for (const CarriedResult* one : rows) outline.lines.push_back(line_of(*one));
    spare_all_but(kMostCarried, outline);
    document_.add(std::move(outline));
  }

  void brought() {
    if (stats_.account->brought.empty()) return;
    Outline outline;
    int64_t left_out = 0;
    for (const BroughtSum& sum : stats_.account->brought) left_out += sum.left_out;
    if (left_out > 0)
      outline.head.push_back(
          say(fmt::format("{} {} no token count", plural(left_out, "tool result"),
                          left_out == 1 ? "has" : "have")));
    outline.columns = {{"tool results by tool", false, true},
                       {"results", true, false, 1},
                       {"tokens", Role::tokens},
                       {"~tokens", true, false, 0, false, true},
                       {"initial cost", true, false, 2},
                       {"~initial cost", true, false, 2, false, true},
                       {"resend cost", true},
                       {"~resend cost", true}};
    for (const BroughtSum& sum : stats_.account->brought) {
      const bool exact = sum.exact.tokens > 0, guessed = sum.about.tokens > 0;
      auto cost = [&](bool is, const BroughtSum::Of& of, int64_t amount) {
        if (!is || of.unpriced > 0) return Cell();
        std::string text = show_dollars({amount});
        return Cell(say(&of == &sum.about ? about(text) : std::move(text)));
      };
      outline.lines.push_back(
          {0,
           Tone::plain,
           {stats_.name(sum.tool), results_of(sum), exact ? Cell(sum.exact.tokens) : Cell(),
            guessed ? Cell(say(about(show_count(sum.about.tokens)))) : Cell(),
            cost(exact, sum.exact, sum.exact.cost), cost(guessed, sum.about, sum.about.cost),
            cost(exact, sum.exact, sum.exact.again_cost),
            cost(guessed, sum.about, sum.about.again_cost)}});
    }
    spare_all_but(kMostRows, outline);
    document_.add(std::move(outline));
  }

 private:
  Cell results_of(const BroughtSum& sum) {
    if (sum.left_out == 0) return Cell(sum.results);
    return Cell(say(fmt::format("{} of {}", sum.results, sum.results + sum.left_out)));
  }
  Text say(std::string text) { return stats_.question.door.composed(std::move(text)); }
  std::string low_words() const {
    if (all_.missing_cost <= 0 && all_.missing_output <= 0)  // how much more is not known
      return low_output_words(all_.usage.low);
    return fmt::format(
        "output tokens are incomplete for {} (the log kept only the count from the start of each "
        "reply); estimated: +{}, not included",
        plural(all_.usage.low, "call"),
        all_.missing_cost > 0 ? show_dollars({all_.missing_cost})
                              : show_count(all_.missing_output) + " tokens");
  }

  /// A table of what was paid for what; `note` is the title of a second column.
  Outline sums(std::string_view what, std::string_view note) const {
    Outline outline;
    outline.columns = {{Door::own(what), false, true},  {Door::own(note), false, false, 3},
                       {"calls", true, false, 4},       {"new input", true, false, 2},
                       {"cache write", true, false, 5}, {"cache read", true, false, 5},
                       {"output", true, false, 2},      {"cost", Role::cost},
                       {"share", true, false, 4},       stats_.places->column()};
    return outline;
  }

  void add_sum(Text what, Cell note, const CallSum& sum, CallId first, Outline& outline) {
    auto part = [&](PaidKind kind) {
      return sum.usage.cost >= 0 && sum.paid[kind] > 0 ? dollars(sum.paid[kind]) : Cell();
    };
    outline.lines.push_back(
        {0,
         Tone::plain,
         {what, note, sum.calls, part(PaidKind::input), part(PaidKind::cache_write),
          part(PaidKind::cache_read), part(PaidKind::output), cost_cell(sum.usage),
          sum.usage.cost >= 0 && all_.usage.cost > 0
              ? Cell(say(percent(part_of(sum.usage.cost, all_.usage.cost))))
              : Cell(),
          stats_.places->of(first)}});
  }

  std::string why(const ExpensiveCall& one, const CallSum& sum) const {
    std::string why(kReasons[static_cast<size_t>(one.reason)]);
    const Tokens& tokens = sum.usage.tokens;
    switch (one.reason) {
      case CostReason::cache_rebuilt:
        for (const CacheRebuild& rebuild : stats_.account->rebuilds)
          if (rebuild.call == one.call && !rebuild.causes.empty())
            why += ": " + cause_words(rebuild);
        break;
      case CostReason::new_context:
        why += " of " + show_count(sum_of_known({tokens.input, tokens.cache_creation}));
        break;
      case CostReason::long_context: why += " of " + show_count(tokens.cache_read); break;
      case CostReason::long_output: why += " of " + show_count(tokens.output); break;
      case CostReason::unknown: break;
    }
    return why;
  }

  static std::string cause_words(const CacheRebuild& one) {
    if (one.causes.empty()) return "no known cause";
    std::string words;
    for (RebuildCause cause : one.causes) {
      std::string text(word(cause));
      std::replace(text.begin(), text.end(), '_', ' ');
      words += (words.empty() ? "" : ", ") + text;
    }
    return words;
  }

  Outline::Line line_of(const CarriedResult& one) {
    const Trace& trace = stats_.question.graph.trace();
    const ToolUse& use = trace.tool_uses[one.use.index];
    std::string what(use.name ? stats_.name(trace[use.name]).view() : "(unknown tool)");
    if (has_target(use)) what += ' ' + short_targets(trace, stats_.calls->names, use);
    auto marked = [&](std::string text) {
      return say(one.is_estimated ? about(text) : std::move(text));
    };
    auto cost = [&](int64_t amount) {
      return amount < 0 ? Cell() : Cell(marked(show_dollars({amount})));
    };
    return {0,
            Tone::plain,
            {say(std::move(what)), stats_.turn(stats_.account->turn_of[one.reader.index]),
             marked(show_count(one.tokens)), say(fmt::format("{}×", one.again)),
             cost(one.first_cost), cost(one.again_cost), stats_.places->of(one.reader)}};
  }

  const Stats& stats_;
  Document& document_;
  CallSum all_;
};

}  // namespace

CallSum bill_of(const Stats& stats) {
  return all_of(stats).models.sum;
}

std::vector<BillLine> bill_lines(const Stats& stats) {
  const CallSum all = bill_of(stats);
  const Tokens& tokens = all.usage.tokens;
  const int64_t counts[kPaidKinds] = {tokens.input, tokens.cache_creation, tokens.cache_read,
                                      tokens.output, kNoCount};
  std::vector<BillLine> lines;
  if (all.usage.cost < 0) return lines;
  for (size_t i = 0; i < kPaidKinds; ++i)
    if (const int64_t cost = all.paid.parts[i]; counts[i] > 0 || cost > 0)
      lines.push_back({kPaidKindWords[i], kKindTitles[i], counts[i],
                       cost == 0 && all.paid.unsplit > 0 ? kNoCount : cost});
  if (all.paid.unsplit > 0)
    lines.push_back({"unsplit", "not itemized", kNoCount, all.paid.unsplit});
  if (all.paid.uncharged > 0)
    lines.push_back({"uncharged", "not charged", kNoCount, -all.paid.uncharged});
  return lines;
}

void add_bill_outlines(const Stats& stats, Document& document) {
  BillOutlines outlines(stats, document);
  outlines.kinds();
  if (stats.account == nullptr) return;
  outlines.turns();
  outlines.subagents();
  outlines.expensive();
  outlines.rebuilds();
  outlines.carried();
  outlines.brought();
}

}  // namespace xtrace
