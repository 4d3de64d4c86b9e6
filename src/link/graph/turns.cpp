#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/walk_up.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

/// Does a request that goes on with `before` bring words of the user that answer no tool use? What
/// a client puts beside a tool's result is not theirs.
bool says_something_new(const Timeline& timeline, CallId before, CallId call) {
  MessageId asked = timeline[before].request, answered = timeline[before].answer;
  for (MessageId at = timeline[call].request; at && at != asked && at != answered;
       at = timeline[at].before)
    if (timeline[at].role == Message::Role::user && timeline.results_in(at).empty()) return true;
  return false;
}

/// Nothing but what tools gave, and words of neither a user nor a model: a program says them.
bool brings_programs_words(const Timeline& timeline, CallId before, CallId call) {
  const MessageId asked = timeline[before].request, answered = timeline[before].answer;
  const MessageId last = timeline[call].request;
  if (last == asked || last == answered) return false;
  for (MessageId at = last; at && at != asked && at != answered; at = timeline[at].before)
    if (timeline[at].role != Message::Role::other && timeline.results_in(at).empty()) return false;
  return true;
}

/// Words of the user in a request that goes on with nothing: before the model said anything.
bool says_something(const Timeline& timeline, CallId call) {
  for (MessageId at = timeline[call].request; at && timeline[at].role != Message::Role::assistant;
       at = timeline[at].before)
    if (timeline[at].role == Message::Role::user && timeline.results_in(at).empty()) return true;
  return false;
}

/// Does its log have what users say? `codex exec` prints answers alone.
bool keeps_words_of_users(const Graph& graph, CallId call) {
  return says_something(graph.timeline(), graph.conversation_of(call).calls.front());
}

/// Nothing was said since the answer of `before`: it goes on from where that paused, with what
/// tools gave that the log does not keep, or it is advice, which gives no answer and with which
/// nothing goes on. Else words may be lost.
bool goes_on_unasked(const Graph& graph, CallId before, CallId call) {
  const Call &from = graph.timeline()[before], &to = graph.timeline()[call];
  if (from.answer != to.request) return false;
  if (graph.trace()[from.stop_reason] == "pause_turn") return true;
  if (keeps_words_of_users(graph, before)) {
    if (!graph.tool_uses_of(before).empty()) return true;
    // Transcripts of bare messages, as Cursor's, have a long answer in many lines.
    if (from.start == kNoTime && to.start == kNoTime) return true;
  }
  return to.outcome == Outcome::ok && !to.answer && graph.effects_of(call).empty();
}

}  // namespace

bool begins_turn(const Graph& graph, CallId call) {
  const Call& known = graph.timeline()[call];
  if (known.is_converted) return known.begins_turn;
  if (!known.request || !graph.timeline().results_in(known.request).empty()) return false;
  // A summary that nobody asked for in words.
  if (known.sums_up && graph.timeline()[known.request].role == Message::Role::assistant)
    return false;
  std::span<const uint32_t> causes = graph.causes_of(call);
  return std::none_of(causes.begin(), causes.end(), [&](uint32_t i) {
    const Link& link = graph.links()[i];
    if (link.kind == LinkKind::retry) return true;
    if (link.kind != LinkKind::continuation) return false;
    return goes_on_unasked(graph, link.from, call) ||
           brings_programs_words(graph.timeline(), link.from, call);
  });
}

namespace {

/// The call of another conversation that this one goes on from, as a fork does.
CallId forked_from(const Graph& graph, const Conversation& conversation) {
  const CallId first = conversation.calls.front();
  for (uint32_t i : graph.causes_of(first)) {
    const Link& link = graph.links()[i];
    const bool goes_on = link.kind == LinkKind::continuation && !graph.against_the_clock(link);
    if (goes_on && graph.conversation_of(link.from).number != conversation.number) return link.from;
  }
  return {};
}

/// The turns that precede a conversation in those that it goes on from.
uint32_t turns_before(const Graph& graph, const Conversation& conversation) {
  constexpr int kForks = 256;  // as Lineage has it
  uint32_t turns = 0;
  CallId from = forked_from(graph, conversation);
  for (int i = 0; i < kForks && from; ++i) {
    const Conversation& before = graph.conversation_of(from);
    const CallId next = forked_from(graph, before);
    bool is_first = !next;  // of all: it begins a turn in any case
    for (CallId call : before.calls) {
      turns += std::exchange(is_first, false) || begins_turn(graph, call);
      if (call == from) break;
    }
    from = next;
  }
  return turns;
}

}  // namespace

std::vector<uint32_t> number_turns(const Graph& graph, const Conversation& conversation) {
  std::vector<uint32_t> numbers;
  numbers.reserve(conversation.calls.size());
  uint32_t turn = turns_before(graph, conversation);
  for (CallId call : conversation.calls) {
    if (turn == 0 || begins_turn(graph, call)) ++turn;
    numbers.push_back(turn);
  }
  return numbers;
}

bool answers_a_user(const Graph& graph, CallId call) {
  if (graph.timeline()[call].is_converted) return graph.timeline()[call].answers_user;
  if (graph.agent_of(call).spawned) return false;
  CallId before;
  for (uint32_t i : graph.causes_of(call)) {
    const Link& link = graph.links()[i];
    if (link.kind == LinkKind::retry || link.kind == LinkKind::subagent_spawn) return false;
    if (link.kind == LinkKind::continuation) before = link.from;
  }
  return before ? says_something_new(graph.timeline(), before, call)
                : says_something(graph.timeline(), call);
}

bool brings_notice(const Graph& graph, CallId call) {
  const Timeline& timeline = graph.timeline();
  MessageId asked, answered;
  for (uint32_t i : graph.causes_of(call))
    if (const Link& link = graph.links()[i]; link.kind == LinkKind::continuation)
      asked = timeline[link.from].request, answered = timeline[link.from].answer;
  for (MessageId at = timeline[call].request; at && at != asked && at != answered;
       at = timeline[at].before) {
    if (timeline[at].role == Message::Role::assistant) break;
    if (timeline.brings_notice(at)) return true;
  }
  return false;
}

const Link* beginning_of(const Graph& graph, const Agent& agent) {
  for (CallId id : agent.calls)
    for (uint32_t i : graph.causes_of(id))
      if (graph.links()[i].kind == LinkKind::subagent_spawn) return &graph.links()[i];
  if (agent.took_over_from)
    for (uint32_t i : graph.causes_of(agent.calls.front()))
      if (graph.links()[i].from == agent.took_over_from) return &graph.links()[i];
  return nullptr;
}

const Link* cause_in_turn(const Graph& graph, CallId call) {
  const Link* cause = nullptr;
  bool is_turn = false;
  for (uint32_t i : graph.causes_of(call)) {
    const Link& link = graph.links()[i];
    if (link.from == call || row_of(link.kind).purpose < 0) continue;
    if (link.kind == LinkKind::continuation)
      is_turn |= says_something_new(graph.timeline(), link.from, call);
    if (cause == nullptr || row_of(link.kind).purpose > row_of(cause->kind).purpose) cause = &link;
  }
  // What a subagent is told are words of its spawner.
  bool is_spawned = cause != nullptr && cause->kind == LinkKind::subagent_spawn;
  return is_turn && !is_spawned ? nullptr : cause;
}

std::vector<Query> find_turns(const Graph& graph) {
  std::span<const CallId> order = graph.timeline().in_order();
  std::vector<CallId> cause(order.size()), first(order.size());
  for (CallId call : order)
    if (const Link* link = cause_in_turn(graph, call)) cause[call.index] = link->from;
  // A cause may start after its effect where clocks differ, and in a circle.
  visit_top_down(
      order.size(),
      [&](size_t rank) -> size_t {
        const CallId from = cause[order[rank].index];
        return from ? graph.timeline().rank(from) : SIZE_MAX;
      },
      [&](size_t rank) {
        const CallId call = order[rank], from = cause[call.index];
        first[call.index] = !from ? call : first[from.index] ? first[from.index] : from;
      });
  std::vector<Query> turns;
  std::unordered_map<uint32_t, size_t> places;
  for (CallId call : order) {
    CallId begin = first[call.index];
    auto [place, is_new] = places.emplace(begin.index, turns.size());
    if (is_new) turns.emplace_back().id = graph.trace()[graph.trace()[begin].id];
    Query& turn = turns[place->second];
    turn.from = Query::From::turn;
    turn.calls.push_back(call);
    if (turn.start == kNoTime) turn.start = graph.trace()[call].start;
  }
  return turns;
}

}  // namespace xtrace
