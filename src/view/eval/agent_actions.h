#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "facts/payloads.h"
#include "link/activities/distinct_spans.h"
#include "settings/suite.h"
#include "view/calls/unplaced.h"
#include "view/common/view.h"
#include "view/eval/readings.h"
#include "view/eval/scope.h"
#include "view/hops/paths.h"

namespace xtrace {

/// A use of a tool, or a request to a model, and what of the input tells of it.
struct Action {
  const Activity* done = nullptr;   ///< where only an answer asks for the tool: made of that answer
  SpanId span{};                    ///< that tells of it; nowhere: `done->call` does
  const Quote* asked = nullptr;     ///< of a tool without a span, where the answer that `span`
                                    ///< tells asks for it
  const Quote* brought = nullptr;   ///< of such a tool, its result, where a later span tells it
  const Activity* whole = nullptr;  ///< of an attempt that a span below another one tells: what it
                                    ///< is an attempt at

  /// Of the tool, or of the model.
  std::string_view name() const {
    const Activity& one = whole != nullptr ? *whole : *done;
    return one.tool.empty() ? one.model : one.tool;
  }
};

/// What agents did in the part of the input that a scenario is about.
class AgentActions {
 public:
  /// What fits nothing says so in missing().
  AgentActions(const Question& question, const Hops& hops, const Paths& paths, Readings& readings,
               Scope scope);

  /// Why there is nothing to judge; empty: there is.
  const std::string& missing() const { return missing_; }
  const std::vector<Action>& tools() const { return tools_; }
  const std::vector<Action>& models() const { return models_; }
  /// What is used up in this part and no call accounts for.
  const std::vector<UnplacedRow>& unplaced() const { return unplaced_; }
  const std::vector<HopId>& hops() const { return hops_; }
  /// All of them, in order of time.
  const std::vector<SpanId>& spans() const { return spans_; }
  const Graph& graph() const { return graph_; }
  const Hops& all_hops() const { return all_hops_; }
  const Paths& paths() const { return paths_; }
  Duration took() const { return elapsed(start_, end_); }
  /// Did something begin of which no end is on record? Then it may have taken any time.
  bool has_unfinished() const;
  /// Does it end with a request of which no answer is on record? What would have come is not known
  /// then.
  const Action* torn() const;

  /// Attempts at the same, in order of time, two or more each.
  std::vector<std::vector<Action>> attempts() const;
  /// A tool that failed and was used again on the same target, with arguments that cannot be read:
  /// it may have been another attempt. Null: there is none.
  const Action* perhaps_again() const;
  /// The status of HTTP with which it failed; -1: not known.
  int status_of(const Action& action) const;
  /// Equal for what one agent does, one after the other: its conversation, or its trace and name.
  using Doer = std::tuple<uint32_t, StringId, std::string_view>;
  Doer doer_of(const Action& action) const;
  /// When it was over; of a tool that a call asks for, when its result was read. No reader, no end.
  Time end_of(const Action& action) const;
  /// The class of its error; empty: not known.
  std::string_view error_of(const Action& action) const;
  Extent source_of(const Action& action) const;

  /// Estimates what a request put out, if the log kept only the first count of it.
  OutputEstimate estimated_output(const Action& model) const {
    return model.done->call ? readings_.output(model.done->call) : OutputEstimate();
  }
  /// All that a tool worked on; where that is not told, one without a name.
  std::vector<std::string_view> targets(const Action& tool) const;
  /// A tool's arguments as JSON; nothing where they cannot be read.
  std::optional<std::string> arguments(const Action& tool) const;
  /// What a tool brought.
  std::optional<std::string> result(const Action& tool) const;
  /// Did the user consent to what each call of an agent asks for, by the last word before that says
  /// so: in its request, after the agent said something, or in the answer to a question that a tool
  /// put? Nothing: that cannot be read, or nobody can tell.
  std::map<CallId, std::optional<bool>> consents_to(const Doer& agent) const;
  /// The schema of its arguments that the request declares for the tool.
  std::optional<std::string> declared(const Action& tool) const;
  /// The names of all tools that requests declare.
  std::set<std::string> declared_names() const;
  /// What was told before an action: prompts, tool results.
  std::vector<std::string> told_before(const Action& action) const;
  /// The claims of its replies that end turns, in order of time.
  std::vector<const ReplyClaim*> claims() const;
  /// The scores that judges gave it, as the log has them, and the span of each.
  std::vector<std::pair<SpanId, Evaluation>> evaluations() const;
  /// The last answer, if there is one, and which request it is of.
  std::optional<std::string> answer(const Action*& of) const;

 private:
  const std::vector<Quote>& pieces(CallId call) const { return readings_.quotes(call); }
  const std::vector<Quote>& pieces(SpanId span) const { return readings_.quotes(span); }
  const StepRecord& record(SpanId span) const { return readings_.step(span); }
  void collect_calls(const std::vector<CallId>& calls);
  void collect_spans(const Scope& scope);
  void collect_attempts(const Scope& scope);
  void collect_asked_tools(const DistinctSpans& distinct);
  void collect_hops(const std::vector<CallId>& calls, const std::vector<SpanId>& spans);
  void collect_unplaced(const Scope& scope);
  void note_time(Time start, Time end);
  std::vector<std::vector<size_t>> perhaps_repeated() const;

  const Question& question_;
  const Graph& graph_;
  const Trace& trace_;
  const Hops& all_hops_;
  const Paths& paths_;
  Readings& readings_;
  std::string missing_;
  std::vector<Action> tools_, models_;
  std::vector<Action> attempts_;  ///< at these, that spans below theirs tell
  std::deque<Activity> asked_;    ///< those of tools that only answers ask for
  std::vector<UnplacedRow> unplaced_;
  std::vector<HopId> hops_;
  std::vector<SpanId> spans_;
  Time start_ = kNoTime, end_ = kNoTime;
};

}  // namespace xtrace
