#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "facts/rows.h"
#include "link/calls/agents.h"
#include "link/calls/linkers.h"
#include "link/calls/spawn.h"

namespace xtrace {

namespace {

/// Connects the last call of a subagent with the call that reads the result of the tool use that
/// started it. It is as sure as the spawn; surer, where the result is what that call said.
class Reports {
 public:
  Reports(const Timeline& timeline, Findings& out)
      : timeline_(timeline), out_(out), conversations_(join_conversations(timeline, out)) {
    places_.resize(timeline.trace().calls.size());
    for (CallId id : timeline.in_order()) {
      std::vector<CallId>& calls = calls_[conversations_.find(id.index)];
      places_[id.index] = calls.size();
      calls.push_back(id);
    }
    begins_.resize(timeline.trace().calls.size());
    for (const Link& link : out.links) {
      if (link.kind == LinkKind::continuation)
        for (uint16_t i = 0; i < link.alternatives; ++i) {
          const Alternative& other = out.alternatives[link.first_alternative + i];
          goes_on_[other.from] += other.confidence;
        }
      if (link.kind == LinkKind::subagent_spawn) begins_[link.to.index] = true;
      if (link.kind == LinkKind::tool_result) results_[{link.from, link.tool_use}].push_back(link);
    }
  }

  void find() {
    find_messages();
    for (size_t i = 0, spawns = out_.links.size(); i < spawns; ++i) {
      const Link spawn = out_.links[i];
      // What a helper finds out about a command is told to the client, not to the model.
      if (spawn.kind != LinkKind::subagent_spawn || spawn.rule == Rule::tool_argument) continue;
      if (!spawn.tool_use || timeline_[spawn.to].is_converted) continue;
      auto results = results_.find({spawn.from, spawn.tool_use});
      const auto messages =
          messages_.find({timeline_[spawn.to].session, timeline_[spawn.to].agent});
      if (results == results_.end() && messages == messages_.end()) continue;
      const std::span<const CallId> stretch = stretch_of(spawn.to);
      bool is_told = false;
      if (messages != messages_.end())
        for (const Told& told : messages->second) is_told |= report_in(told, spawn, stretch);
      if (results == results_.end()) continue;
      for (const Link& result : results->second) {
        const uint64_t text = text_of_result(timeline_, result);
        // Where an agent reports by a message, its tool use was answered for when it began.
        const bool is_said =
            std::any_of(stretch.begin(), stretch.end(), [&](CallId id) { return says(id, text); });
        if (!is_told || is_said) report(spawn, result, text, stretch);
        report_ends(spawn, result, stretch);
      }
    }
  }

 private:
  /// A message in which an agent reports, and the call that reads it first.
  struct Told {
    CallId reader;
    uint64_t text;
  };

  void find_messages() {
    const Trace& trace = timeline_.trace();
    if (std::ranges::none_of(trace.tool_results, is_message) && trace.background_ends.empty())
      return;
    std::vector<bool> read(timeline_.trace().messages.size());
    for (CallId call : timeline_.in_order())
      for (MessageId message : timeline_.read_new(call, read)) {
        for (const ToolResult& result : timeline_.results_in(message))
          if (is_message(result))
            messages_[{timeline_[call].session, result.agent}].push_back({call, result.said});
        for (const BackgroundEnd& end : rows_of(trace.background_ends, message))
          ends_[end.tool_use ? end.tool_use : end.task].push_back(call);
      }
  }

  /// What went on in the background is reported when a message says that it ended: of the tool use,
  /// the task or the agent that the result of its start named.
  void report_ends(const Link& spawn, const Link& started, std::span<const CallId> stretch) {
    if (ends_.empty()) return;
    const ToolResult* const result = result_of(timeline_, started);
    if (result == nullptr) return;
    std::set<StringId> names{spawn.key, result->task, result->agent};
    names.erase(StringId{});
    for (StringId name : names)
      if (const auto ends = ends_.find(name); ends != ends_.end())
        for (CallId reader : ends->second)
          if (timeline_.compatible(spawn.from, reader)) report_in({reader, 0}, spawn, stretch);
  }

  static bool is_message(const ToolResult& result) { return !result.tool_use && result.agent; }

  bool report_in(const Told& told, const Link& spawn, std::span<const CallId> stretch) {
    Link result;
    result.to = told.reader;
    result.key = spawn.key;
    result.tool_use = spawn.tool_use;
    return report(spawn, result, told.text, stretch);
  }

  /// What the subagent did for this tool use: up to where another one goes on with it.
  std::span<const CallId> stretch_of(CallId first) {
    const std::span<const CallId> from_first =
        std::span(calls_[conversations_.find(first.index)]).subspan(places_[first.index]);
    size_t length = 1;
    while (length < from_first.size() && !begins_[from_first[length].index]) ++length;
    return from_first.first(length);
  }

  /// Was the agent told to go on behind this call, before its report was read?
  bool went_on(CallId last, CallId reader) {
    const std::vector<CallId>& calls = calls_[conversations_.find(last.index)];
    const size_t next = places_[last.index] + 1;
    return next < calls.size() && begins_[calls[next].index] && calls[next] != reader &&
           timeline_.before(calls[next], reader);
  }

  bool says(CallId id, uint64_t text) const {
    return text != 0 && timeline_[id].answer && timeline_[timeline_[id].answer].said == text;
  }

  bool asks_for_tools(CallId id) const {
    return timeline_[id].answer && !timeline_.uses_in(timeline_[id].answer).empty();
  }

  /// Is it one?
  bool report(const Link& spawn, const Link& result, uint64_t text,
              std::span<const CallId> stretch) {
    CallId last;
    bool says_it = false;
    for (CallId id : stretch) {
      // A subagent that works in the background goes on when its start was answered for. Where no
      // times are told the order of the log decides.
      const Duration gap = timeline_.gap(id, result.to);
      if (id == result.to || (gap != kNoDuration && gap < Duration{0})) continue;
      if (!timeline_.before(id, result.to)) continue;
      const bool said = says(id, text);
      if (says_it && !said) continue;
      last = id;
      says_it = said;
    }
    // What went on afterwards had not reported yet; and of one that was stopped while it waited for
    // a tool the error tells, not its answer.
    // One that was told to go on since then had reported before.
    if (last && !says_it && went_on(last, result.to)) return false;
    bool was_stopped = result.is_error && last && asks_for_tools(last);
    if (!last || (!says_it && (last != stretch.back() || was_stopped))) return false;
    // Where an agent reports by a message, its tool use was answered for as well.
    if (!reported_.insert({last, result.to, spawn.tool_use}).second) return true;
    Link link;
    link.from = last;
    link.to = result.to;
    link.kind = LinkKind::subagent_report;
    link.rule = spawn.rule == Rule::agent_id ? spawn.rule
                : says_it                    ? Rule::result_text
                                             : spawn.rule;
    link.is_error = result.is_error;
    link.rivals = spawn.rivals;
    link.twins = spawn.twins;
    link.key = result.key;
    link.tool_use = result.tool_use;
    link.given_confidence = confidence_in_calls(spawn);
    // Where nothing repeats its words, it is the last one only as far as nobody goes on from it.
    if (const auto goes_on = goes_on_.find(last); !says_it && goes_on != goes_on_.end())
      link.given_confidence *= std::max(0.0, 1 - goes_on->second);
    link.gap = timeline_.gap(last, result.to);
    // What is distinguished by nothing at the start is not at the end.
    for (uint16_t i = 0; i < spawn.alternatives; ++i)
      out_.name_rival(link, last, out_.alternatives[spawn.first_alternative + i].tool_use,
                      size_t{1} + spawn.rivals + spawn.twins);
    out_.links.push_back(link);
    return true;
  }

  const Timeline& timeline_;
  Findings& out_;
  UnionFind conversations_;
  std::map<uint32_t, std::vector<CallId>> calls_;  ///< by conversation, in order of time
  std::vector<size_t> places_;                     ///< by call, within its conversation
  std::vector<bool> begins_;                       ///< by call: a tool use started or resumed it
  std::map<CallId, double> goes_on_;  ///< how likely a call goes on from one that is but a rival
  std::map<std::pair<CallId, ToolUseId>, std::vector<Link>> results_;
  std::map<std::pair<StringId, StringId>, std::vector<Told>> messages_;  ///< by session and agent
  std::map<StringId, std::vector<CallId>> ends_;  ///< who reads that a task or tool use ended
  std::set<std::tuple<CallId, CallId, ToolUseId>> reported_;
};

void link_reports(const Timeline& timeline, const LinkOptions&, std::span<const uint32_t>,
                  Findings& out) {
  for (const Link& link : out.links)
    if (link.kind == LinkKind::subagent_spawn) return Reports(timeline, out).find();
}

}  // namespace

extern constinit const Guesser kReportLinker = {
    .name = "report",
    .summary = "a subagent's last reply, read as the result of the tool use that started it",
    .find = link_reports,
};

}  // namespace xtrace
