#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/lazy.h"
#include "link/activities/activities.h"
#include "link/activities/call_turns.h"
#include "link/calls/agents.h"
#include "link/calls/link.h"
#include "link/calls/sessions.h"
#include "link/calls/timeline.h"
#include "link/graph/partners.h"
#include "link/hops/hops.h"
#include "link/story/story.h"

namespace xtrace {

/// A trace and all that was concluded from it, walkable both ways. Never changes: what is made only
/// when it is asked for is made of what is here, and the same whoever asks.
class Graph {
 public:
  Graph(std::unique_ptr<const Trace> trace, Timeline timeline, Findings findings, Sessions sessions,
        Agents agents, Hops hops, Partners partners, const LinkOptions& linking);

  const Trace& trace() const { return *trace_; }
  /// Who called whom, as spans record it.
  const Hops& hops() const { return hops_; }
  /// The same as model calls tell it: whose conversation it was (a user's), which agents were
  /// spawned, which tools they used on which files and hosts. The run is the session.
  const Hops& call_hops() const;
  /// The runs of calls, followed by the runs of spans that no call covers.
  const Hops& joined_hops() const;
  /// Everything that happened, and who did it; made when it is first asked for.
  const Activities& activities() const;
  /// By call, the turn of a user that it belongs to; made when it is first asked for.
  const std::vector<CallTurn>& call_turns() const;
  /// By call, the last one before it in its conversation that counts what it sent, with which its
  /// request goes on; failed attempts are skipped. Made when it is first asked for.
  const std::vector<CallId>& contexts_before() const;
  /// Everything as one story; made when it is first asked for. The graph outlives it.
  std::shared_ptr<const Story> story() const;
  /// What costs that the input does not name are reckoned with.
  const PriceTable& prices() const { return *prices_; }
  const Elsewhere& elsewhere() const { return elsewhere_; }
  /// Which of the calls and spans are the same.
  const Partners& partners() const { return partners_; }
  const Timeline& timeline() const { return timeline_; }
  /// Ordered by the start of their effect, then of their cause.
  std::span<const Link> links() const { return findings_.links; }
  std::span<const Alternative> alternatives(const Link& link) const;
  std::span<const Orphan> orphans() const { return findings_.orphans; }
  const std::vector<Twin>& twins() const { return findings_.twins; }
  /// Indices into links(), in their order.
  std::span<const uint32_t> effects_of(CallId cause) const { return effects_.of(cause.index); }
  std::span<const uint32_t> causes_of(CallId effect) const { return causes_.of(effect.index); }

  const std::vector<Session>& sessions() const { return sessions_.all; }
  const Session& session_of(CallId call) const { return sessions_.all[sessions_.of[call.index]]; }
  const std::vector<Conversation>& conversations() const { return agents_.conversations; }
  const Conversation& conversation_of(CallId call) const {
    return agents_.conversations[agents_.conversation_of[call.index]];
  }
  const std::vector<Agent>& agents() const { return agents_.all; }
  /// Index into agents().
  uint32_t agent_index_of(CallId call) const { return agents_.agent_of[call.index]; }
  const Agent& agent_of(CallId call) const { return agents_.all[agent_index_of(call)]; }

  /// What the call asked for; where its answer lost that, what the history says of it.
  std::vector<const ToolUse*> tool_uses_of(CallId call) const;

  /// The tool results that the call answers, as indices into links(): of an attempt at what failed
  /// before, those that the first attempt read.
  std::vector<uint32_t> results_read_by(CallId call) const;

  /// The call that it goes on from; if there is none, the attempt that it repeats.
  CallId previous_of(CallId call) const;

  /// Does the effect precede its cause? Such links are believed for their ids, and reported.
  bool against_the_clock(const Link& link) const;
  /// Does the clock say that it starts before it? In a transcript that is reported too, but the
  /// order is what the transcript says.
  bool starts_before_cause(const Link& link) const;

 private:
  std::unique_ptr<const Trace> trace_;
  Timeline timeline_;
  Findings findings_;
  Sessions sessions_;
  Agents agents_;
  Hops hops_;
  Partners partners_;
  EdgeIndex<> effects_, causes_;
  const PriceTable* prices_;
  Elsewhere elsewhere_;
  Lazy<Hops> call_hops_, joined_hops_;
  Lazy<Activities> activities_;
  Lazy<std::vector<CallTurn>> call_turns_;
  Lazy<std::vector<CallId>> contexts_before_;
  Lazy<Story> story_;
};

/// Finds everything there is to find. From here on no fact is added.
Graph link(Trace trace, const LinkOptions& linking);

}  // namespace xtrace
