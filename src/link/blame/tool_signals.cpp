#include <algorithm>
#include <map>
#include <utility>

#include "facts/tool_status.h"
#include "facts/tool_targets.h"
#include "link/blame/likeness.h"
#include "link/blame/search.h"
#include "link/graph/queries.h"
#include "link/waste/command_words.h"
#include "link/waste/tool_steps.h"

namespace xtrace {

namespace {

/// Twice may be an accident.
constexpr uint32_t kStorm = 3;
/// Successes harm less: in 2 of 112 good runs a file is read three times.
constexpr uint32_t kStormOfSuccesses = 5;
/// A failure is mended soon or not at all.
constexpr size_t kMostCompared = 20;

class ToolReader {
 public:
  explicit ToolReader(BlameSearch& search)
      : search_(search), steps_(search.graph, search.from.payloads) {}

  void find() {
    note_answering_tools();
    for (const std::vector<uint32_t>& conversation : steps_.by_conversation()) {
      find_failures(conversation);
      find_storms(conversation);
    }
    find_failed_calls();
  }

 private:
  uint32_t step_of(uint32_t i) const { return search_.of(*steps_[i].done); }

  /// Tools whose results this log has: others, as one that ends the run, never have one.
  void note_answering_tools() {
    for (const ToolStep& step : steps_.all())
      if (step.is_told || is_known(step.done->outcome)) answering_.insert(step.use().name.index);
  }

  /// Is its result not in the log, though it should be? What a conversation ends with has none.
  bool misses_result(uint32_t i) const {
    const ToolStep& step = steps_[i];
    const Trace& trace = search_.graph.trace();
    if (!records_tool_status(trace.sources[trace[step.call()].source.file].format)) return false;
    const Conversation& own = search_.graph.conversation_of(step.call());
    return !step.done->reader && !is_known(step.done->outcome) &&
           answering_.contains(step.use().name.index) && step.call() != own.calls.back();
  }

  void find_failures(const std::vector<uint32_t>& conversation) {
    Successes later;  // by the name of the tool, the last one first
    for (size_t n = conversation.size(); n-- > 0;) {
      const uint32_t i = conversation[n];
      if (steps_[i].went_well()) later[group_of(i)].push_back(i);
      const uint32_t at = step_of(i);
      if (at == kNoStep) continue;
      search_.missing_results += misses_result(i);
      if (steps_[i].was_stopped())
        search_.add({BlameSignal::declined, at});
      else if (steps_[i].failed())
        add_failure(i, later[group_of(i)]);
    }
  }

  /// A failure that nothing mended counts much, unless the step only looked for something and the
  /// tool succeeded with something else: then the agent found another way.
  void add_failure(uint32_t i, const std::vector<uint32_t>& successes) {
    FoundSignal signal{BlameSignal::error_unmended, step_of(i)};
    size_t compared = 0;
    for (auto later = successes.rbegin(); later != successes.rend(); ++later) {
      if (steps_[*later].call() == steps_[i].call()) continue;  // nobody knew of the failure yet
      signal.goes_on = true;
      if (++compared > kMostCompared) break;
      if (!reaches_same(i, *later)) continue;
      signal.signal = BlameSignal::error;
      signal.other = step_of(*later);
      break;
    }
    if (signal.goes_on && signal.other == kNoStep && only_looks(i))
      signal.signal = BlameSignal::error;
    search_.add(std::move(signal));
  }

  /// All tools that write to a file are one: what one of them failed to write another one wrote.
  uint32_t group_of(uint32_t i) const {
    return steps_[i].named.edits && steps_[i].use().target ? kNoStep : steps_[i].use().name.index;
  }

  /// Does the tool view files as well as edit them, as an argument states?
  bool is_viewer(uint32_t i) const { return steps_[i].named.edits && steps_[i].named.reads_files; }

  /// ToolSteps says of what failed that it changed nothing; here it counts what it was to do.
  bool only_looks(uint32_t i) const {
    if (!steps_[i].use().command && !is_viewer(i)) return !steps_[i].named.changes;
    if (search_.from.payloads == nullptr) return !is_viewer(i);  // nobody knows
    return !classify_command(given_to(i)).changes;
  }

  /// Does the later one do what the failed one was to do: is it about the same file or address, or
  /// given the same or nearly the same command or arguments?
  bool reaches_same(uint32_t failed, uint32_t later) const {
    if (only_looks(later) && !only_looks(failed)) return false;
    // Some logs state only of an edit what it is.
    if (is_viewer(failed) && is_viewer(later) && has_command(failed) != has_command(later))
      return false;
    const ToolUse& a = steps_[failed].use();
    const ToolUse& b = steps_[later].use();
    if (a.target || b.target) {
      const std::vector<StringId> of = targets_of(search_.graph.trace(), a),
                                  to = targets_of(search_.graph.trace(), b);
      return std::ranges::find_first_of(of, to) != of.end();
    }
    if (a.name == b.name && a.arguments == b.arguments) return true;
    return are_alike(given_to(failed), given_to(later));
  }

  bool has_command(uint32_t i) const { return !command_in(steps_.arguments(steps_[i])).empty(); }

  std::string given_to(uint32_t i) const {
    std::string given = steps_.arguments(steps_[i]);
    if (std::string command = command_in(given); !command.empty()) return command;
    return given;
  }

  /// Did the tool succeed between two of its steps, whatever it was given?
  bool worked_between(const std::vector<uint32_t>& worked, uint32_t earlier, uint32_t later) const {
    const auto next = std::ranges::upper_bound(worked, earlier);
    return next != worked.end() && *next < later;
  }

  /// Does the later one repeat what the earlier one did, with nothing changed in between?
  bool repeats(const std::vector<uint32_t>& worked, uint32_t earlier, uint32_t later) const {
    const bool is_same =
        (steps_[earlier].failed() && steps_[later].failed() &&
         !worked_between(worked, earlier, later)) ||
        (steps_[earlier].went_well() && steps_[later].went_well() && steps_[earlier].said != 0 &&
         steps_[earlier].said == steps_[later].said && !steps_.is_polling(earlier));
    return is_same && !steps_.may_have_changed(earlier, later);
  }

  using Successes = std::unordered_map<uint32_t, std::vector<uint32_t>>;

  void find_storms(const std::vector<uint32_t>& conversation) {
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, std::vector<uint32_t>> same;
    for (uint32_t i : conversation)
      if (steps_[i].use().arguments != 0) same[steps_[i].asks()].push_back(i);
    std::unordered_map<uint32_t, std::vector<uint32_t>> worked;  // by name of the tool
    for (uint32_t i : conversation)
      if (steps_[i].went_well()) worked[steps_[i].use().name.index].push_back(i);
    for (const auto& one : same) {
      const std::vector<uint32_t>& uses = one.second;
      const std::vector<uint32_t>& successes = worked[std::get<1>(one.first)];
      uint32_t first = uses.front(), times = 1;
      const auto close = [&](uint32_t last) {
        if (times < (steps_[last].failed() ? kStorm : kStormOfSuccesses)) return;
        search_.add(
            {BlameSignal::retry_storm, step_of(first), step_of(last), {}, std::nullopt, times});
        for (uint32_t again : uses)
          if (again > first && again <= last)
            search_.repeats.emplace(step_of(again), step_of(first));
      };
      for (size_t i = 1; i < uses.size(); ++i) {
        if (repeats(successes, uses[i - 1], uses[i])) {
          ++times;
          continue;
        }
        close(uses[i - 1]);
        first = uses[i];
        times = 1;
      }
      close(uses.back());
    }
  }

  /// A call that failed is mended by a later one of its conversation that did not. One that was
  /// aborted, and after which the user spoke, the user stopped.
  void find_failed_calls() {
    const Trace& trace = search_.graph.trace();
    for (const Conversation& conversation : search_.graph.conversations()) {
      CallId succeeded, next;
      for (auto call = conversation.calls.rbegin(); call != conversation.calls.rend(); ++call) {
        const CallId after = std::exchange(next, *call);
        if (trace[*call].outcome == Outcome::ok) succeeded = *call;
        const uint32_t at = search_.of(*call);
        if (trace[*call].outcome != Outcome::error || at == kNoStep) continue;
        const bool was_aborted =
            tool_error_named(trace[trace[*call].error]) == ToolError::cancelled;
        if (was_aborted && after && answers_a_user(search_.graph, after))
          search_.add({BlameSignal::interrupted, at});
        else
          search_.add({succeeded ? BlameSignal::error : BlameSignal::error_unmended, at,
                       succeeded ? search_.of(succeeded) : kNoStep});
      }
    }
  }

  BlameSearch& search_;
  const ToolSteps steps_;
  std::unordered_set<uint32_t> answering_;  ///< names of tools
};

}  // namespace

void find_tool_signals(BlameSearch& search) {
  ToolReader(search).find();
}

}  // namespace xtrace
