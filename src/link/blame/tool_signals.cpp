#include <algorithm>
#include <map>

#include "link/blame/search.h"
#include "link/waste/tool_steps.h"

namespace xtrace {

namespace {

/// Twice may be an accident.
constexpr uint32_t kStorm = 3;
/// Successes harm less: in 2 of 112 good runs a file is read three times.
constexpr uint32_t kStormOfSuccesses = 5;

class ToolReader {
 public:
  explicit ToolReader(BlameSearch& search)
      : search_(search), steps_(search.graph, search.from.payloads) {}

  void find() {
    for (const std::vector<uint32_t>& conversation : steps_.by_conversation()) {
      find_failures(conversation);
      find_storms(conversation);
    }
    find_failed_calls();
  }

 private:
  uint32_t step_of(uint32_t i) const { return search_.of(*steps_[i].done); }

  void find_failures(const std::vector<uint32_t>& conversation) {
    std::unordered_map<uint32_t, uint32_t> succeeded;  // by name, the next step
    for (size_t n = conversation.size(); n-- > 0;) {
      const uint32_t i = conversation[n];
      const uint32_t name = steps_[i].use().name.index;
      if (steps_[i].went_well()) succeeded[name] = i;
      const uint32_t at = step_of(i);
      if (at == kNoStep) continue;
      search_.missing_results += !steps_[i].done->reader;
      if (steps_[i].was_stopped()) {
        search_.add({BlameSignal::declined, at});
      } else if (steps_[i].failed()) {
        const auto later = succeeded.find(name);
        const bool is_mended = later != succeeded.end();
        search_.add({is_mended ? BlameSignal::error : BlameSignal::error_unmended, at,
                     is_mended ? step_of(later->second) : kNoStep});
      }
    }
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

  void find_storms(const std::vector<uint32_t>& conversation) {
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, std::vector<uint32_t>> same;
    for (uint32_t i : conversation)
      if (steps_[i].use().arguments != 0) same[steps_[i].asks()].push_back(i);
    std::unordered_map<uint32_t, std::vector<uint32_t>> worked;  // by name of the tool
    for (uint32_t i : conversation)
      if (steps_[i].went_well()) worked[steps_[i].use().name.index].push_back(i);
    for (const auto& [asks, uses] : same) {
      const std::vector<uint32_t>& successes = worked[std::get<1>(asks)];
      uint32_t first = uses.front(), times = 1;
      const auto close = [&](uint32_t last) {
        if (times >= (steps_[last].failed() ? kStorm : kStormOfSuccesses))
          search_.add(
              {BlameSignal::retry_storm, step_of(first), step_of(last), {}, std::nullopt, times});
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

  /// A call that failed is mended by a later one of its conversation that did not.
  void find_failed_calls() {
    const Trace& trace = search_.graph.trace();
    for (const Conversation& conversation : search_.graph.conversations()) {
      CallId succeeded;
      for (auto call = conversation.calls.rbegin(); call != conversation.calls.rend(); ++call) {
        if (trace[*call].outcome == Outcome::ok) succeeded = *call;
        if (trace[*call].outcome != Outcome::error || search_.of(*call) == kNoStep) continue;
        search_.add({succeeded ? BlameSignal::error : BlameSignal::error_unmended,
                     search_.of(*call), succeeded ? search_.of(succeeded) : kNoStep});
      }
    }
  }

  BlameSearch& search_;
  const ToolSteps steps_;
};

}  // namespace

void find_tool_signals(BlameSearch& search) {
  ToolReader(search).find();
}

}  // namespace xtrace
