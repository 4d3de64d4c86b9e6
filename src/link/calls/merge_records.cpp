#include "link/calls/merge_records.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "facts/made_id.h"
#include "facts/merge_calls.h"

namespace xtrace {

namespace {

/// Names are unique by now: the second of one name is called `id~2`.
std::string_view without_number(std::string_view name) {
  size_t tilde = name.rfind('~');
  if (tilde == name.npos || tilde + 1 == name.size()) return name;
  bool is_number = name.find_first_not_of("0123456789", tilde + 1) == name.npos;
  return is_number ? name.substr(0, tilde) : name;
}

/// A name of our own is made of when a call was and of which session. Two that end differently at
/// the same time are two.
bool contradict(const Trace& trace, CallId a, CallId b) {
  const Outcome one = trace[a].outcome, other = trace[b].outcome;
  const bool differ = (one == Outcome::ok && other == Outcome::error) ||
                      (one == Outcome::error && other == Outcome::ok);
  return differ && trace[trace[a].id].starts_with(kMadeCall);
}

/// Do two records of one name in logs of one format say the same, in other spelling?
bool are_copies(const Call& a, const Call& b) {
  const auto said = [](const Call& call) {
    return std::tie(call.start, call.duration, call.request, call.answer, call.response, call.model,
                    call.outcome, call.session, call.agent);
  };
  return a.start != kNoTime && (a.request || a.answer) && said(a) == said(b) &&
         a.tokens == b.tokens;
}

/// The records of one name that repeat no other, in logs of one format; in order of time. A server
/// may give all its answers one name, so they are not looked through one by one.
struct FirstRecords {
  std::string_view format;
  std::vector<CallId> timed{}, timeless{};
  CallId first{};

  /// The first one that began no longer before, or when nobody knows. Of those without a time the
  /// nth goes with the nth, as where batches name their requests alike.
  CallId near(const Timeline& timeline, Time start, Duration furthest, size_t nth) const {
    if (start == kNoTime && nth < timeless.size()) return timeless[nth];
    if (start == kNoTime) return timeless.empty() ? first : CallId();
    auto found = std::partition_point(timed.begin(), timed.end(), [&](CallId id) {
      return elapsed(timeline[id].start, start) > furthest;
    });
    if (found == timed.end()) return timeless.empty() ? CallId() : timeless.front();
    return timeless.empty() || timeline.before(*found, timeless.front()) ? *found
                                                                         : timeless.front();
  }

  /// The one that says the same as another record of this format; of many at one time, few are
  /// looked at.
  CallId copy_of(const Timeline& timeline, CallId id) const {
    constexpr size_t kLooked = 16;
    for (size_t i = timed.size(), looked = 0; i-- > 0 && looked < kLooked; ++looked) {
      if (timeline[timed[i]].start != timeline[id].start) break;
      if (are_copies(timeline[timed[i]], timeline[id])) return timed[i];
    }
    return {};
  }
};

/// By call: the first one in time that it repeats; itself, if none.
std::vector<CallId> find_repeated(const Timeline& timeline, bool& any) {
  // A proxy and its client write down the start of a call by clocks of their own, and a transcript
  // may know the end of its answer only.
  constexpr std::chrono::minutes kFurthest{1};
  const Trace& trace = timeline.trace();
  std::vector<CallId> first_of;
  for (size_t i = 0; i < trace.calls.size(); ++i) first_of.push_back(CallId(i));
  std::unordered_map<std::string_view, std::vector<FirstRecords>> by_name;
  std::map<std::pair<std::string_view, std::string_view>, size_t> timeless;  // by name and format
  for (CallId id : timeline.in_order()) {
    const std::string_view format = trace.sources[trace[id].source.file].format;
    const std::string_view name = without_number(trace[trace[id].id]);
    std::vector<FirstRecords>& same = by_name[name];
    const size_t nth = trace[id].start == kNoTime ? timeless[{name, format}]++ : 0;
    CallId first;
    FirstRecords* own = nullptr;
    for (FirstRecords& of : same) {
      if (of.format == format) {
        own = &of;
        if (CallId copied = of.copy_of(timeline, id)) first = copied;
      } else if (CallId one = of.near(timeline, trace[id].start, kFurthest, nth);
                 one && !contradict(trace, one, id) && (!first || timeline.before(one, first)))
        first = one;
    }
    if (first) {
      first_of[id.index] = first, any = true;
      continue;
    }
    if (own == nullptr) own = &same.emplace_back(FirstRecords{format});
    (trace[id].start == kNoTime ? own->timeless : own->timed).push_back(id);
    if (!own->first) own->first = id;
  }
  return first_of;
}

/// Whose row stays: always one log's, so that no agent is there twice.
std::vector<CallId> choose(const Trace& trace, const std::vector<CallId>& first_of) {
  auto order = [&](CallId id) {
    const Call& call = trace[id];
    return std::tuple(call.is_thought, !call.in_transcript, call.source.file, id);
  };
  std::vector<CallId> best = first_of;  // by the first one of a call
  for (size_t i = 0; i < first_of.size(); ++i)
    if (CallId& known = best[first_of[i].index]; order(CallId(i)) < order(known)) known = CallId(i);
  std::vector<CallId> stands_for;
  stands_for.reserve(first_of.size());
  for (CallId first : first_of) stands_for.push_back(best[first.index]);
  return stands_for;
}

/// The vendor's final word counts more than the first count of a stream.
int worth(const Call& call) {
  return call.tokens == Tokens() ? 0 : call.output_is_low ? 1 : 2;
}

/// Fills in what the row does not say.
void learn(Call& call, const Call& other) {
  for (StringId Call::*name :
       {&Call::model, &Call::asked_model, &Call::provider, &Call::session, &Call::user,
        &Call::response, &Call::follows, &Call::system_prompt, &Call::stop_reason, &Call::error})
    if (!(call.*name)) call.*name = other.*name;
  if (worth(other) > worth(call)) {
    call.tokens = other.tokens;
    call.output_is_low = other.output_is_low;
    if (other.cost >= 0) call.cost = other.cost;
  }
  if (call.cost < 0) call.cost = other.cost;
  if (call.start == kNoTime) call.start = other.start, call.decimals = other.decimals;
  if (call.duration == kNoDuration) call.duration = other.duration;
  if (!call.request) {
    call.request = other.request;
    call.message_count = other.message_count;
  }
  if (!call.answer) call.answer = other.answer;
  if (!call.task_step) call.task_step = other.task_step;
  if (call.outcome == Outcome::unknown) call.outcome = other.outcome;
  if (call.temperature < 0) call.temperature = other.temperature;
  if (call.max_tokens < 0) call.max_tokens = other.max_tokens;
  if (call.asked_to_wait == Call::kNoWait) call.asked_to_wait = other.asked_to_wait;
  if (call.tools == 0) call.tools = other.tools;
}

/// A record of the same call is no rival of the link that it has as well.
void leave_out_records(const Trace& trace, Link& link, std::span<Alternative> all) {
  constexpr double kSurest = 0.99;
  const auto id_of = [&](ToolUseId use) {
    return use ? trace.tool_uses[use.index].id : StringId{};
  };
  const std::span<Alternative> named = all.subspan(link.first_alternative, link.alternatives);
  const auto left = std::remove_if(named.begin(), named.end(), [&](const Alternative& other) {
    return other.from == link.from && id_of(other.tool_use) == id_of(link.tool_use);
  });
  const auto records = static_cast<uint16_t>(named.end() - left);
  if (records == 0) return;
  const uint16_t gone = std::min(records, link.rivals);
  if (link.given_confidence >= 0)
    link.given_confidence =
        std::min(kSurest, link.given_confidence * (1 + link.rivals) / (1 + link.rivals - gone));
  link.rivals -= gone;
  link.alternatives -= records;
  for (Alternative& other : named.first(link.alternatives))
    other.confidence = 1.0 / (1 + link.rivals + link.twins);
}

/// Links between what stays. Of a link that two logs have the one between rows that stay counts.
void move_links(const Trace& trace, const Timeline& timeline, std::span<const CallId> stands_for,
                Findings& findings) {
  std::stable_partition(findings.links.begin(), findings.links.end(), [&](const Link& link) {
    return stands_for[link.from.index] == link.from && stands_for[link.to.index] == link.to;
  });
  std::set<std::tuple<CallId, CallId, LinkKind, uint32_t>> known;
  std::erase_if(findings.links, [&](Link& link) {
    CallId from = stands_for[link.from.index];
    if (from != link.from && link.tool_use && trace[from].answer)
      for (const ToolUse& use : timeline.uses_in(trace[from].answer))
        if (use.id == trace.tool_uses[link.tool_use.index].id) link.tool_use = timeline.id_of(use);
    link.from = from;
    link.to = stands_for[link.to.index];
    return link.from == link.to ||
           !known.insert({link.from, link.to, link.kind, link.key.index}).second;
  });
  for (Alternative& other : findings.alternatives) other.from = stands_for[other.from.index];
  for (Link& link : findings.links) leave_out_records(trace, link, findings.alternatives);
  std::set<std::pair<CallId, StringId>> lost, doubled;
  std::erase_if(findings.twins, [&](Twin& twin) {
    twin.at = stands_for[twin.at.index];
    return !doubled.insert({twin.at, twin.tool_use}).second;
  });
  std::erase_if(findings.orphans, [&](Orphan& orphan) {
    orphan.at = stands_for[orphan.at.index];
    return !lost.insert({orphan.at, orphan.tool_use}).second;
  });
}

}  // namespace

bool merge_records(Trace& trace, const Timeline& timeline, Findings& findings) {
  bool any = false;
  std::vector<CallId> stands_for = find_repeated(timeline, any);
  if (!any) return false;
  const std::vector<CallId> first_of = std::move(stands_for);
  stands_for = choose(trace, first_of);
  move_links(trace, timeline, stands_for, findings);
  for (CallId id : timeline.in_order()) {
    CallId stays = stands_for[id.index];
    if (stays == id) continue;
    Call& call = trace.calls[stays.index];
    // The first of one name bears it without a number.
    if (trace[trace[id].id].size() < trace[call.id].size()) call.id = trace[id].id;
    learn(call, trace[id]);
    trace.other_records.push_back({stays, trace[id].source, trace[id].is_thought});
  }
  const std::vector<CallId> moved = merge_calls(trace, stands_for);
  auto move = [&](CallId& id) { id = moved[id.index]; };
  for (OtherRecord& record : trace.other_records) move(record.call);
  for (Link& link : findings.links) move(link.from), move(link.to);
  for (Alternative& other : findings.alternatives) move(other.from);
  for (Orphan& orphan : findings.orphans) move(orphan.at);
  for (Twin& twin : findings.twins) move(twin.at);
  return true;
}

}  // namespace xtrace
