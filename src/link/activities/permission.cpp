#include "link/activities/permission.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/one_of.h"
#include "facts/asks_leave.h"
#include "facts/turn_duration.h"
#include "link/activities/call_turns.h"
#include "link/activities/deed.h"
#include "link/activities/own_time.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Shorter ones are not recorded from what a client does beside.
constexpr Duration kShortest = std::chrono::seconds(1);
/// In milliseconds, some thirty years: more is no count of a client's.
constexpr double kLongestTurn = 1e12;
/// A person needs as long to read what is asked; a disk does not.
constexpr Duration kLongForWriting = std::chrono::seconds(5);
/// Tools that run longer are rare: Claude Code lets none that it was not told to run longer than
/// ten minutes (BASH_MAX_TIMEOUT_MS, https://code.claude.com/docs/en/settings, read 2026-01).
constexpr Duration kVeryLong = std::chrono::minutes(10);

double confidence(PermissionRule rule) {
  switch (rule) {
    case PermissionRule::denied: return 0.95;  // a tool that ran is stopped in the same words
    case PermissionRule::turn_duration: return 0.95;
    case PermissionRule::measured_tool:
    case PermissionRule::instant_tool: return 0.8;
  }
  return 0;
}

/// Does it write what it was given to a file, and nothing else?
bool writes_a_file(std::string_view tool) {
  return is_one_of(tool, {"Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "edit_file",
                          "str_replace_editor", "write_to_file", "replace_in_file"});
}

class PermissionFinder {
 public:
  PermissionFinder(const Graph& graph, const Activities& activities)
      : graph_(graph), activities_(activities), trace_(graph.trace()), turns_(graph.call_turns()) {
    read_counts();
    read_modes();
  }

  Permissions find() && {
    std::map<CallTurn, std::vector<ActivityId>> by_turn;
    const std::vector<Activity>& all = activities_.all;
    for (size_t i = 0; i < all.size(); ++i) {
      const Activity& tool = all[i];
      if (tool.use == nullptr || tool.subagent || !is_dated(tool)) continue;
      if (wait_for(graph_, tool).took < kShortest) continue;
      by_turn[turns_[tool.call.index]].push_back(ActivityId(i));
    }
    for (const auto& [turn, tools] : by_turn) look_at(turn, tools);
    std::stable_sort(found_.waits.begin(), found_.waits.end(),
                     [](const auto& a, const auto& b) { return a.from < b.from; });
    std::sort(found_.undecided.begin(), found_.undecided.end());
    return std::move(found_);
  }

 private:
  bool is_dated(const Activity& tool) const {
    const Call& asked = trace_[tool.call];
    return asked.start != kNoTime && asked.duration != kNoDuration &&
           wait_for(graph_, tool).took != kNoDuration;
  }

  /// What clients counted of which turn: of several counts of one, the last.
  void read_counts() {
    std::map<StringId, std::vector<CallId>> by_session;  // calls of users, in order of time
    for (CallId id : graph_.timeline().in_order())
      if (graph_.conversation_of(id).number - 1 == turns_[id.index].conversation &&
          trace_[id].start != kNoTime)
        by_session[trace_[id].session].push_back(id);
    for (const Measurement& told : trace_.measurements) {
      if (told.key != kTurnDuration || told.time == kNoTime) continue;
      if (!(told.number >= 0 && told.number <= kLongestTurn)) continue;
      const std::vector<CallId>& calls = by_session[told.service];
      auto behind = std::partition_point(calls.begin(), calls.end(),
                                         [&](CallId id) { return trace_[id].start <= told.time; });
      if (behind == calls.begin()) continue;
      const CallTurn turn = turns_[std::prev(behind)->index];
      auto first =
          std::find_if(calls.begin(), behind, [&](CallId id) { return turns_[id.index] == turn; });
      const Duration counted{static_cast<Duration::rep>(told.number * 1e6)};
      left_out_[turn] = elapsed(trace_[*first].start, told.time) - counted;
    }
  }

  void read_modes() {
    for (const Measurement& told : trace_.measurements)
      if (told.key == kAsksLeave && told.time != kNoTime)
        modes_[{told.service, told.service ? 0 : told.source.file}].emplace_back(
            told.time, asks_leave(told.number));
    for (auto& [session, modes] : modes_) std::sort(modes.begin(), modes.end());
  }

  /// By the settings of the client as it asked for the tool; no record of them: it may.
  bool may_ask_for(const Activity& tool) const {
    const Call& call = trace_[tool.call];
    auto known = modes_.find({call.session, 0});
    if (known == modes_.end()) known = modes_.find({StringId{}, call.source.file});
    if (known == modes_.end()) return true;
    const auto behind = std::ranges::upper_bound(known->second, call.end(), {}, &Mode::first);
    if (behind == known->second.begin()) return true;
    const AsksLeave asks = std::prev(behind)->second;
    return asks == AsksLeave::always ||
           (asks == AsksLeave::not_to_edit && !writes_a_file(tool.tool));
  }

  void look_at(const CallTurn& turn, std::vector<ActivityId> tools) {
    std::stable_sort(tools.begin(), tools.end(),
                     [&](ActivityId a, ActivityId b) { return wait_of(a) > wait_of(b); });
    auto counted = left_out_.find(turn);
    std::optional<Duration> left =
        counted == left_out_.end() ? std::nullopt : std::optional(counted->second);
    // Those that one answer asked for waited at the same time, which is left out once.
    std::unordered_map<uint32_t, Duration> taken_by;  // by call
    for (ActivityId id : tools) {
      const Activity& tool = activities_[id];
      const Duration wait = wait_of(id);
      Duration& taken = taken_by[tool.call.index];
      const auto take = [&](Duration much) {
        if (left) *left -= std::max(much - taken, Duration{0});
        taken = std::max(taken, much);
      };
      const Duration ran = tool.ran.is_measured ? tool.ran.length : Duration{0};
      if (tool.tool_error == ToolError::denied) {
        // Moments between which a log puts a tool that was denied are those of the prompt.
        const Duration worked = tool.ran.is_timed ? Duration{0} : ran;
        if (worked > Duration{0} || !may_ask_for(tool)) found_.stopped.push_back(id);
        if (wait - worked < kShortest || !may_ask_for(tool)) continue;
        add(id, wait - worked, PermissionRule::denied);
        take(wait - worked);
      } else if (left) {
        const Duration most = std::min(wait - ran, taken + *left);
        if (most < kShortest || !may_ask_for(tool)) continue;
        add(id, most, PermissionRule::turn_duration);
        take(most);
      } else if (!may_ask_for(tool)) {
        continue;
      } else if (const Duration rest = unmeasured(tool); rest >= kLongForWriting) {
        add(id, rest, PermissionRule::measured_tool);
      } else if (writes_a_file(tool.tool) && wait >= kLongForWriting &&
                 asked_with(tool).all_write) {
        add(id, wait, PermissionRule::instant_tool);
      } else if (wait >= kVeryLong && !tool.ran.is_measured && !asks_nobody(tool.tool)) {
        found_.undecided.push_back(id);
      }
    }
  }

  Duration wait_of(ActivityId id) const { return wait_for(graph_, activities_[id]).took; }

  /// Of the wait for a tool that may have needed leave, what is left if those asked for with it ran
  /// one after the other; none where the log did not measure all.
  Duration unmeasured(const Activity& tool) {
    if (!needs_leave(tool.tool)) return Duration{0};
    const Duration wait = wait_for(graph_, tool).took, all = asked_with(tool).all;
    return all == kNoDuration || all >= wait ? Duration{0} : wait - all;
  }

  /// Does no client ask before it? It reads, notes, or waits for something itself.
  static bool asks_nobody(std::string_view tool) {
    switch (deed_of(tool)) {
      case Deed::read:
      case Deed::searched:
      case Deed::started: return true;
      default: return asks_a_person(tool);
    }
  }

  static bool needs_leave(std::string_view tool) {
    return writes_a_file(tool) ||
           is_one_of(tool, {"Bash", "shell", "shell_command", "local_shell", "exec_command",
                            "apply_patch", "run_shell_command", "execute_command", "WebFetch",
                            "bash", "container.exec"});
  }

  /// What one answer asks for.
  struct AskedFor {
    Duration all{0};  ///< that they ran; unknown where the log did not measure each
    bool all_write = true;
  };
  const AskedFor& asked_with(const Activity& tool) {
    const auto [known, is_new] = asked_for_.try_emplace(tool.call.index);
    AskedFor& asked = known->second;
    if (is_new)
      for (const Activity& other : activities_.tools_of(tool.call)) {
        if (other.ran.is_inside) continue;
        asked.all_write = asked.all_write && writes_a_file(other.tool);
        if (!other.ran.is_measured || asked.all == kNoDuration)
          asked.all = kNoDuration;
        else
          asked.all = plus(asked.all, other.ran.length);
      }
    return asked;
  }

  void add(ActivityId tool, Duration took, PermissionRule rule) {
    found_.waits.push_back({tool, activities_[tool].start, took, rule, confidence(rule)});
  }

  const Graph& graph_;
  const Activities& activities_;
  const Trace& trace_;
  const std::vector<CallTurn>& turns_;     ///< by call
  std::map<CallTurn, Duration> left_out_;  ///< by turns that a client counted: what it did not
  using Mode = std::pair<Time, AsksLeave>;
  /// In order of time, by session; of logs whose lines name none, by file.
  std::map<std::pair<StringId, uint32_t>, std::vector<Mode>> modes_;
  std::unordered_map<uint32_t, AskedFor> asked_for_;  ///< by call
  Permissions found_;
};

}  // namespace

Permissions find_permission_waits(const Graph& graph, const Activities& activities) {
  return PermissionFinder(graph, activities).find();
}

}  // namespace xtrace
