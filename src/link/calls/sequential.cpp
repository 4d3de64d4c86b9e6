#include <algorithm>
#include <map>

#include "link/calls/linkers.h"

namespace xtrace {

namespace {

/// Each call that nothing leads to, with the last call of the same type of agent in its session
/// that was over by then and that nobody went on with.
void link_in_sequence(const Timeline& timeline, const Sessions& sessions, const Agents& agents,
                      Findings& out) {
  std::vector<bool> caused(timeline.trace().calls.size()), continued(caused.size());
  for (const Link& link : out.links) {
    caused[link.to.index] = true;
    continued[link.from.index] = continued[link.from.index] ||
                                 link.kind == LinkKind::continuation ||
                                 link.kind == LinkKind::retry;
  }
  std::map<std::pair<uint32_t, std::string_view>, std::vector<CallId>> open;
  for (CallId call : timeline.in_order()) {
    uint32_t conversation = agents.conversation_of[call.index];
    const Agent& agent = agents.all[agents.conversations[conversation].agent];
    std::vector<CallId>& last = open[{sessions.of[call.index], agent.type}];
    std::vector<CallId> fitting;
    if (!caused[call.index])
      for (CallId from : last)
        if (Duration gap = timeline.gap(from, call);
            gap != kNoDuration && gap >= Duration{0} && gap < kLongestGap)
          fitting.push_back(from);
    if (!fitting.empty()) {
      std::sort(fitting.begin(), fitting.end(), [&](CallId a, CallId b) {
        return std::pair(timeline.gap(a, call), timeline.rank(b)) <
               std::pair(timeline.gap(b, call), timeline.rank(a));
      });
      Link link;
      link.from = fitting.front();
      link.to = call;
      link.kind = LinkKind::sequential;
      link.rule = Rule::type_and_gap;
      link.gap = timeline.gap(link.from, call);
      for (size_t i = 1; i < fitting.size(); ++i)
        if (!out.name_rival(link, fitting[i], {}, fitting.size())) break;
      link.rivals = static_cast<uint16_t>(fitting.size() - 1);
      out.links.push_back(link);
      std::erase(last, link.from);
    }
    // What ended long ago is none's cause; a few are enough to choose from.
    constexpr size_t kLooked = 16;
    if (last.size() == kLooked) last.erase(last.begin());
    if (!continued[call.index]) last.push_back(call);
  }
}

}  // namespace

extern constinit const OptIn kSequentialLinker = {
    .name = "sequential",
    .summary = "the next call of the same agent type, if it has no other cause",
    .find = link_in_sequence,
};

}  // namespace xtrace
