#include <algorithm>
#include <unordered_map>

#include "link/calls/linkers.h"
#include "link/calls/spawn.h"

namespace xtrace {

namespace {

/// Connects the calls by which a client has a command looked at (`Command: …`: is it safe, which
/// files does it touch) with the tool use that runs that command. One tool use may be looked at
/// several times.
class CommandChecks {
 public:
  CommandChecks(const Timeline& timeline, const Findings& findings) : timeline_(timeline) {
    for (CallId call : timeline.in_order())
      if (MessageId answer = timeline[call].answer)
        for (const ToolUse& use : timeline.uses_in(answer))
          if (use.command) runs_[use.command.index].push_back({call, timeline.id_of(use)});
    for (const Link& link : findings.links)
      if (link.kind == LinkKind::tool_result)
        if (Spawn* run = find(link.from, link.tool_use)) run->answered = timeline[link.to].start;
  }

  void find(CallId call, Findings& out) const {
    std::vector<Spawn> fitting = runs_about(call);
    if (fitting.empty()) return;
    // The one whose command was still being run; of several the latest.
    auto nearest = std::max_element(fitting.begin(), fitting.end(), [&](auto& a, auto& b) {
      return std::pair(in_time(timeline_, a, call), timeline_.rank(a.call)) <
             std::pair(in_time(timeline_, b, call), timeline_.rank(b.call));
    });
    std::iter_swap(fitting.begin(), nearest);
    Link link = spawn_link(timeline_, fitting.front(), call, Rule::tool_argument);
    for (size_t i = 1; i < fitting.size(); ++i) {
      if (!out.name_rival(link, fitting[i].call, fitting[i].use, fitting.size())) break;
      bool as_likely =
          in_time(timeline_, fitting[i], call) || !in_time(timeline_, fitting.front(), call);
      if (as_likely) ++(fitting[i].call == link.from ? link.twins : link.rivals);
    }
    out.links.push_back(link);
  }

 private:
  Spawn* find(CallId call, ToolUseId use) {
    auto runs = runs_.find(timeline_.trace().tool_uses[use.index].command.index);
    if (runs == runs_.end()) return nullptr;
    auto at = std::partition_point(runs->second.begin(), runs->second.end(), [&](const Spawn& run) {
      return timeline_.before(run.call, call);
    });
    for (; at != runs->second.end() && at->call == call; ++at)
      if (at->use == use) return &*at;
    return nullptr;
  }

  std::vector<Spawn> runs_about(CallId call) const {
    std::vector<Spawn> fitting;
    MessageId request = timeline_[call].request;
    if (!request || timeline_[request].before) return fitting;  // checks are asked one thing only
    for (const Prompt& prompt : timeline_.prompts_in(request)) {
      auto runs = prompt.command ? runs_.find(prompt.command.index) : runs_.end();
      if (runs == runs_.end()) continue;
      constexpr size_t kLooked = 64;
      auto later =
          std::partition_point(runs->second.begin(), runs->second.end(),
                               [&](const Spawn& run) { return timeline_.before(run.call, call); });
      for (size_t i = 0; i < kLooked && later != runs->second.begin(); ++i)
        if (is_near(*--later, call)) fitting.push_back(*later);
    }
    return fitting;
  }

  /// A client asks while the command runs or right after; a call behind that is about another run.
  bool is_near(const Spawn& run, CallId call) const {
    if (run.call == call || !timeline_.compatible(run.call, call)) return false;
    Duration late = run.answered == kNoTime ? timeline_.gap(run.call, call)
                                            : elapsed(run.answered, timeline_[call].start);
    return late == kNoDuration ||
           late < (run.answered == kNoTime ? Duration(std::chrono::hours(1))
                                           : Duration(std::chrono::minutes(1)));
  }

  const Timeline& timeline_;
  std::unordered_map<uint32_t, std::vector<Spawn>> runs_;  ///< by command, earliest first
};

void link_helpers(const Timeline& timeline, const LinkOptions&, Findings& out) {
  CommandChecks checks(timeline, out);
  std::vector<bool> heads = find_heads(timeline, out);
  for (CallId call : timeline.in_order())
    if (heads[call.index]) checks.find(call, out);
}

}  // namespace

extern constinit const Linker kHelperLinker = {
    .name = "helper",
    .summary = "a call that asks about the command of a tool use",
    .find = link_helpers,
};

}  // namespace xtrace
