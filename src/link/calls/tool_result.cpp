#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "link/calls/linkers.h"

namespace xtrace {

namespace {

/// A tool use and the call that asked for it.
struct Producer {
  CallId call;
  ToolUseId use;
  Rule rule = Rule::tool_use_id;
};

/// Connects each tool result with the call that asked for it. Calls are visited in order of time,
/// and of each only the messages that nobody carried before: so the call at hand is the first to
/// read what they bring, and all later ones repeat it as history.
class ToolResults {
 public:
  ToolResults(const Timeline& timeline, Findings& out)
      : timeline_(timeline),
        out_(out),
        read_(timeline.trace().messages.size()),
        previous_(timeline.trace().calls.size()) {
    for (const Link& link : out.links) previous_[link.to.index] = link.from;
    for (CallId call : timeline.in_order())
      if (MessageId answer = timeline[call].answer)
        for (const ToolUse& use : timeline.uses_in(answer))
          if (use.id) producers_[use.id.index].push_back({call, timeline.id_of(use)});
    count_readers();
  }

  void read(CallId call) {
    for (MessageId message : timeline_.read_new(call, read_))
      for (const ToolResult& result : timeline_.results_in(message)) connect(result, call);
  }

 private:
  /// How many requests each message is part of.
  void count_readers() {
    readers_.resize(timeline_.trace().messages.size());
    for (const Call& call : timeline_.trace().calls)
      if (call.request) ++readers_[call.request.index];
    for (size_t i = readers_.size(); i-- > 0;)
      if (MessageId before = timeline_[MessageId(i)].before) readers_[before.index] += readers_[i];
  }

  void connect(const ToolResult& result, CallId reader) {
    Producer producer = producer_of(result, reader);
    uint32_t repeats = readers_[result.message.index] - 1;
    if (!producer.call) {
      if (orphans_.insert({result.tool_use.index, reader.index}).second)
        out_.orphans.push_back({reader, result.tool_use});
      return;
    }
    uint64_t key = chain(result.tool_use.index, producer.call.index);
    auto [known, first] = linked_.emplace(key, out_.links.size());
    if (!first) {  // the same result after another history
      out_.links[known->second].repeats += repeats + 1;
      return;
    }
    Link link;
    link.from = producer.call;
    link.to = reader;
    link.kind = LinkKind::tool_result;
    link.rule = producer.rule;
    link.is_error = result.is_error;
    link.error = result.error;
    link.repeats = repeats;
    link.key = result.tool_use;
    link.tool_use = producer.use;
    link.gap = timeline_.gap(producer.call, reader);
    out_.links.push_back(link);
  }

  Producer producer_of(const ToolResult& result, CallId reader) const {
    if (!result.tool_use) return {};
    std::unordered_map<uint32_t, std::vector<Producer>>::const_iterator known =
        producers_.find(result.tool_use.index);
    if (known != producers_.end())
      if (Producer producer = choose(known->second, result, reader); producer.call) return producer;
    return echoed(result, reader);
  }

  /// Some clients count their ids from one again: then the history tells which use is meant, and
  /// where it does not, the nearest before the result.
  Producer choose(const std::vector<Producer>& all, const ToolResult& result, CallId reader) const {
    Producer nearest, later;
    std::vector<Producer>::const_iterator end =
        std::partition_point(all.begin(), all.end(),
                             [&](const Producer& p) { return timeline_.before(p.call, reader); });
    constexpr ptrdiff_t kLooked = 64;
    std::vector<Producer>::const_iterator begin = end - std::min(end - all.begin(), kLooked);
    for (std::vector<Producer>::const_iterator at = begin; at != end; ++at) {
      if (!timeline_.compatible(at->call, reader)) continue;
      if (timeline_[at->call].answer == timeline_[result.message].before) return *at;
      nearest = *at;
    }
    if (nearest.call) return nearest;
    // An exact id against the clock: believed, and the graph warns of the clock.
    if (all.size() == 1 && all.front().call != reader &&
        timeline_.compatible(all.front().call, reader))
      return all.front();
    return {};
  }

  /// The use as the history repeats it, and the call that was asked with what stands before it and
  /// whose own answer lost the id.
  Producer echoed(const ToolResult& result, CallId reader) const {
    constexpr int kLooked = 8;  // a result follows its use; a system message may stand between
    MessageId at = timeline_[result.message].before;
    for (int i = 0; i < kLooked && at; ++i, at = timeline_[at].before)
      for (const ToolUse& use : timeline_.uses_in(at))
        if (use.id == result.tool_use)
          return {last_asked(timeline_[at].before, reader), timeline_.id_of(use),
                  Rule::echoed_history};
    return {};
  }

  /// The call that was asked with the request and lost what it answered: the one that the reader's
  /// conversation went through, else the last before the reader.
  CallId last_asked(MessageId request, CallId reader) const {
    constexpr int kLooked = 64;
    CallId at = previous_[reader.index];
    for (int i = 0; i < kLooked && at; ++i, at = previous_[at.index])
      if (timeline_[at].request == request && lost(at)) return at;
    CallId last;
    if (!request) return last;
    for (CallId id : timeline_.asked_with(request)) {
      if (lost(id) && timeline_.before(id, reader) && timeline_.compatible(id, reader)) last = id;
    }
    return last;
  }

  bool lost(CallId id) const {
    const Call& call = timeline_[id];
    return !call.answer || call.answer_is_lossy;
  }

  const Timeline& timeline_;
  Findings& out_;
  std::vector<bool> read_;
  std::vector<CallId> previous_;  ///< in the conversation, by call
  std::vector<uint32_t> readers_;
  std::unordered_map<uint32_t, std::vector<Producer>> producers_;  ///< by id, earliest first
  std::unordered_map<uint64_t, size_t> linked_;                    ///< id and producer -> link
  std::set<std::pair<uint32_t, uint32_t>> orphans_;
};

void link_tool_results(const Timeline& timeline, const LinkOptions&, Findings& out) {
  ToolResults results(timeline, out);
  for (CallId call : timeline.in_order()) results.read(call);
}

}  // namespace

extern constinit const Linker kToolResultLinker = {
    .name = "tool-result",
    .summary = "a tool's output read by a later call",
    .find = link_tool_results,
};

}  // namespace xtrace
