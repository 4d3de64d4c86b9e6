#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/message_draft.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/raw_trace.h"
#include "input/common/record_context.h"
#include "input/spans/agent_events.h"
#include "input/spans/plain_value.h"
#include "input/spans/task_step_draft.h"
#include "input/transcripts/assemble.h"

namespace xtrace {

// What adapters of models log of the thinking that they see, a call a record, or token by token,
// many records of one requestId:
//
//   {"requestId", "timestamp", "agent", "model", "text": "…", "tokensIn", "tokensOut", "latencyMs",
//    "costUsd", "status", "spanId", "parentSpanId", "traceId", "taskId", "sessionId"}
//   {"requestId", "timestamp", "tokens": ["so", {"text": " the", "timestamp"}, …]}
//   {"requestId", "timestamp", "token": "test"}
//
// or step by step:
//
//   {"requestId", "timestamp", "chainOfThought": ["…", {"thought": "…"}], "functionCall": {"name",
//    "arguments"}, "reflection": "…"}

namespace {

/// A piece of what was thought: a text, or a function call as a tool use. is_summary: it tells
/// others again, in short.
using EachThought = std::function<void(const Block& piece, bool is_summary)>;

/// Lists of steps hold objects, which hold texts; nobody writes them deeper.
constexpr int kDeepest = 4;

bool is_text(std::string_view key) {
  return is_one_of(key,
                   {"text", "thought", "cot", "content", "reasoning", "response", "completion"}) ||
         is_key(key, "chainofthought");
}
bool is_summary(std::string_view key) {
  return key == "summary" || is_key(key, "promptsummary");
}
bool is_list(std::string_view key) {
  return is_one_of(key, {"thoughts", "steps", "reflection", "reflections"}) ||
         is_key(key, "reasoningsteps") || is_key(key, "selfreflection");
}
/// Only of what is a thought by something else.
bool is_part(std::string_view key) {
  return key == "why" || key == "how" || key == "alternatives";
}
bool is_wrapping(std::string_view key) {
  return key == "payload" || key == "data";
}
bool is_function_call(std::string_view key) {
  return is_key(key, "functioncall") || is_key(key, "functioncalls");
}

bool is_holding_text(json::element value, int depth);

bool is_thought(std::string_view key, json::element value, int depth) {
  if (key == "prompt" || is_summary(key)) return json::is_string(value);
  if (is_function_call(key)) return json::is_object(value) || json::is_array(value);
  if (is_text(key) || is_list(key))
    return json::is_string(value) || is_holding_text(value, depth + 1);
  return is_wrapping(key) && json::is_object(value) && is_holding_text(value, depth + 1);
}

bool is_holding_text(json::element value, int depth) {
  bool holds = false;
  if (depth > kDeepest) return false;
  json::items(value, [&](json::element item) {
    holds = holds || json::is_string(item) || is_holding_text(item, depth + 1);
  });
  if (json::is_object(value))
    json::fields(value, [&](std::string_view key, json::element inner) {
      holds = holds || is_thought(key, inner, depth);
    });
  return holds;
}

void add_text(std::string_view text, const EachThought& each) {
  if (text.empty()) return;
  Block piece;
  piece.kind = Block::Kind::text;
  piece.text = text;
  each(piece, false);
}

/// `{"name", "arguments"}`, the arguments as an object or as its JSON in a string.
void add_function_call(json::element value, const EachThought& each) {
  json::items(value, [&](json::element one) { add_function_call(one, each); });
  if (!json::is_object(value)) return;
  Block piece;
  piece.kind = Block::Kind::tool_use;
  json::fields(value, [&](std::string_view key, json::element inner) {
    if (key == "name") piece.name = json::text(inner);
    if (key == "id") piece.id = json::text(inner);
    if (!is_one_of(key, {"arguments", "args", "input", "parameters"})) return;
    piece.text = json::text(inner);
    piece.has_body = piece.text.empty();
    piece.body = inner;
  });
  if (!piece.name.empty()) each(piece, false);
}

void add_fields(json::element record, int depth, const EachThought& each);

void add_value(json::element value, int depth, const EachThought& each) {
  if (depth > kDeepest) return;
  if (json::is_string(value)) return add_text(json::text(value), each);
  if (json::is_object(value)) return add_fields(value, depth, each);
  json::items(value, [&](json::element item) { add_value(item, depth + 1, each); });
}

void add_fields(json::element record, int depth, const EachThought& each) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "prompt" && json::is_string(value)) add_text(json::text(value), each);
  });
  json::fields(record, [&](std::string_view key, json::element value) {
    if (is_function_call(key))
      add_function_call(value, each);
    else if (is_text(key) || is_list(key) || is_part(key) ||
             (is_wrapping(key) && json::is_object(value)))
      add_value(value, depth + 1, each);
  });
  json::fields(record, [&](std::string_view key, json::element value) {
    if (!is_summary(key)) return;
    add_text(json::text(value), [&](const Block& piece, bool) { each(piece, true); });
  });
}

/// Does this key of a record of a thought hold what was thought? As a text, as a list of steps, or
/// as an object that holds one: `text`, `chainOfThought`, `thoughts`, `functionCall`, `payload`.
bool is_thought_text(std::string_view key, json::element value) {
  return is_thought(key, value, 0);
}

/// Calls `each` for what the record says was thought, tokens apart: first what was asked, then the
/// thoughts in the order in which they are written, then the summaries.
void for_each_thought(json::element record, const EachThought& each) {
  add_fields(record, 0, each);
}

bool is_request(std::string_view key) {
  return is_key(key, "requestid");
}

bool is_token(std::string_view key) {
  return key == "token" || key == "delta";
}
bool is_time(std::string_view key) {
  return key == "timestamp" || key == "time" || key == "ts";
}

std::string_view text_of(json::element token) {
  if (json::is_string(token)) return json::text(token);
  std::string_view text = json::text_at(token, "text");
  return text.empty() ? json::text_at(token, "token") : text;
}

/// `{"in": 120, "out": 250}`
void read_counts(json::element counts, Tokens& tokens) {
  json::fields(counts, [&](std::string_view key, json::element value) {
    if (key == "in" || key == "input" || key == "prompt") tokens.input = json::count(value, -1);
    if (key == "out" || key == "output" || key == "completion")
      tokens.output = json::count(value, -1);
  });
}

bool fits_thought_log(json::element record) {
  bool is_named = false, has_time = false, thinks = false, is_other = false;
  bool thinks_inside = false, is_event = false;  // events hold texts of other kinds
  json::fields(record, [&](std::string_view key, json::element value) {
    is_named |= is_request(key) && !name_of(value).empty();
    has_time |= is_time(key);
    bool holds_fields = key == "payload" || key == "data";
    if (is_thought_text(key, value)) (holds_fields ? thinks_inside : thinks) = true;
    thinks |=
        is_token(key) || key == "tokens" || is_key(key, "tokensin") || is_key(key, "tokensout");
    is_other |= (key == "request" || key == "response" || key == "body") && !json::is_string(value);
    is_event |= (key == "type" || key == "event") && is_event_word(json::text(value));
  });
  return is_named && has_time && (thinks || (thinks_inside && !is_event)) && !is_other;
}

void read_thought_log(json::element record, std::string_view, const Extent& at,
                      RecordContext& context) {
  Shard& shard = context.shard;
  Thought thought;
  TaskStepDraft said;
  TaskStep& task_step = said.task_step;
  task_step.type = TaskStep::Type::llm_call;
  thought.source = at;
  thought.digest = context.digest;
  Ending ending;
  ending.has_end = true;  // what the model thought is its answer
  json::fields(record, [&](std::string_view key, json::element value) {
    if (is_request(key)) {
      if (StringId name = shard.intern(name_of(value))) thought.request = name;
    } else if (is_time(key)) {
      if (std::optional<Moment> moment = read_moment(value)) {
        thought.time = moment->time;
        thought.decimals = moment->decimals;
      }
    } else if (is_key(key, "sessionid"))
      thought.session = shard.intern(name_of(value));
    else if (key == "agent" || is_key(key, "agentname"))
      thought.agent = shard.intern(json::text(value));
    else if (key == "component")
      task_step.component = shard.intern(json::text(value));
    else if (key == "model" || is_key(key, "modelname") || key == "model.name")
      thought.model = shard.intern(json::text(value));
    else if (is_key(key, "tokensin") || key == "tokens.in")
      thought.tokens.input = json::count(value, kNoCount);
    else if (is_key(key, "tokensout") || key == "tokens.out")
      thought.tokens.output = json::count(value, kNoCount);
    else if (key == "tokens" && json::is_object(value))
      read_counts(value, thought.tokens);
    else if (key == "tokens")
      json::items(value, [&](json::element) { ++thought.pieces; });
    else if (is_token(key))
      ++thought.pieces;
    else if (is_key(key, "latencyms") || key == "latency.ms")
      thought.latency = read_milliseconds(value);
    else if (is_key(key, "costusd") || key == "cost.usd")
      thought.cost = read_dollars(value);
    else if (read_ending(key, value, ending)) {
      if (key == "error") thought.error = shard.intern(error_word(value));
    } else if (is_key(key, "spanid"))
      task_step.span = intern_span_id(name_of(value), shard);
    else if (is_key(key, "parentspanid"))
      task_step.parent = intern_span_id(name_of(value), shard);
    else if (is_key(key, "traceid"))
      task_step.trace = intern_span_id(name_of(value), shard);
    else if (is_key(key, "taskid"))
      task_step.task = shard.intern(name_of(value));
    else if (is_key(key, "triggeredby"))
      task_step.trigger = shard.intern(name_of(value));
    else
      said.read_remark(key, value, shard);
  });
  // Only where --from says that it is one; all such records would be one call without a name.
  if (!thought.request)
    return shard.complain(Complaint::Kind::unknown_record, at,
                          "a thought without a requestId; its call is unknown");
  thought.outcome = ending.outcome();
  task_step.request = thought.request;
  thought.task_step = said.add(shard);
  shard.add(thought);
}

void add_thought(std::string_view text, Draft& said) {
  Block& block = said.blocks.emplace_back();
  block.kind = Block::Kind::text;
  block.text = text;
}

/// The texts of the record, token after token. What shows its tokens once more is left out, and a
/// summary that tells anything of it once more.
void read_thought_part(json::element record, Draft& said) {
  said.role = Message::Role::assistant;
  std::string told;
  json::fields(record, [&](std::string_view key, json::element value) {
    auto add = [&](std::string_view text) {
      add_thought(text, said);
      told += text;
    };
    if (is_token(key)) add(text_of(value));
    if (key == "tokens") json::items(value, [&](json::element token) { add(text_of(token)); });
  });
  const size_t tokens = told.size();
  for_each_thought(record, [&](const Block& piece, bool is_summary) {
    std::string_view whole = piece.text;
    for (std::string_view cut : {"...", "…"})
      if (whole.ends_with(cut)) whole.remove_suffix(cut.size());
    while (whole.ends_with(' ')) whole.remove_suffix(1);
    std::string_view before = std::string_view(told).substr(0, is_summary ? told.npos : tokens);
    if (!before.empty() && before.find(whole) != before.npos) return;
    if (!said.blocks.empty()) add_thought("\n", said);
    said.blocks.push_back(piece);
    told += piece.text;
  });
}

}  // namespace

extern constinit const Format kThoughtLog = {
    .name = "thought-log",
    .summary = "reasoning logs of model adapters: requestId, timestamp, text or tokens",
    .fits = fits_thought_log,
    .needs = "requestId timestamp|time|ts",
    .read = read_thought_log,
    .say = read_thought_part,
};

namespace {

/// Fills in what an earlier record of the call left open.
void take(const Thought& more, Thought& into) {
  for (auto [from, to] : {std::pair(&more.session, &into.session),
                          {&more.model, &into.model},
                          {&more.agent, &into.agent},
                          {&more.error, &into.error}})
    if (!*to) *to = *from;
  into.tokens.input = std::max(into.tokens.input, more.tokens.input);
  into.tokens.output = std::max(into.tokens.output, more.tokens.output);
  into.cost = std::max(into.cost, more.cost);
  into.latency = std::max(into.latency, more.latency);
  into.outcome = joined(into.outcome, more.outcome);
}

void take(const TaskStep& more, TaskStep& into) {
  for (StringId TaskStep::*field :
       {&TaskStep::span, &TaskStep::parent, &TaskStep::trace, &TaskStep::task, &TaskStep::trigger,
        &TaskStep::component, &TaskStep::status})
    if (!(into.*field)) into.*field = more.*field;
}

void add_call(RawTrace& trace, std::vector<Thought>::iterator begin,
              std::vector<Thought>::iterator end) {
  Thought whole = *begin;
  Call call;
  call.first_place = static_cast<uint32_t>(trace.places.size());
  call.places = static_cast<uint32_t>(end - begin);
  Time last = kNoTime;
  int64_t pieces = 0;
  for (auto at = begin; at != end; ++at) {
    trace.places.push_back({at->source, {}});
    if (at != begin) take(*at, whole);
    if (at != begin) take(trace[at->task_step], trace.task_steps[whole.task_step.index]);
    last = std::max(last, at->time);
    pieces += at->pieces;
  }
  call.start = whole.time;
  call.decimals = whole.decimals;
  call.duration = whole.latency;
  if (call.duration == kNoDuration && begin + 1 != end) call.duration = elapsed(whole.time, last);
  call.source = whole.source;
  call.id = whole.request;
  call.outcome = whole.outcome;
  // Copies of a record in another file are the same call.
  call.digest = chain(static_cast<uint64_t>(call.start.time_since_epoch().count()),
                      hash_of(trace[whole.request]));
  call.model = whole.model;
  call.session = whole.session;
  call.agent_type = whole.agent;
  call.error = whole.error;
  call.tokens = whole.tokens;
  if (call.tokens.output < 0 && pieces > 0) call.tokens.output = pieces;
  call.cost = whole.cost;
  call.task_step = whole.task_step;
  call.is_thought = true;
  trace.calls.push_back(call);
}

/// Leaves out what may be of any server, unless something that is sure names the same request.
void leave_out_unsure(RawTrace& trace, std::vector<Thought>& thoughts) {
  std::set<StringId> known;
  for (const Thought& thought : thoughts)
    if (!thought.is_unsure) known.insert(thought.request);
  for (const Span& span : trace.spans)
    if (span.task_step && trace.task_steps[span.task_step.index].is_adapter)
      known.insert(trace.task_steps[span.task_step.index].request);
  for (const Call& call : trace.calls) known.insert(call.id);
  std::map<uint32_t, std::pair<Extent, uint64_t>> left_out;  // by file: the first, and how many
  std::erase_if(thoughts, [&](const Thought& thought) {
    if (!thought.is_unsure || known.contains(thought.request)) return false;
    ++left_out.try_emplace(thought.source.file, thought.source, 0).first->second.second;
    return true;
  });
  for (const auto& [file, one] : left_out)
    trace.complaints.push_back(
        {one.first,
         fmt::format("a log record whose request matches no model call ({} in this file)",
                     one.second),
         Complaint::Kind::unknown_record});
}

}  // namespace

void join_thoughts(RawTrace& trace) {
  std::vector<Thought> thoughts = std::move(trace.thoughts);
  trace.thoughts.clear();
  leave_out_unsure(trace, thoughts);
  auto key = [](const Thought& one) {
    return std::tuple(one.request, one.time, one.digest, one.source.file, one.source.offset);
  };
  std::sort(thoughts.begin(), thoughts.end(),
            [&](const Thought& a, const Thought& b) { return key(a) < key(b); });
  auto is_copy = [&](const Thought& a, const Thought& b) {
    bool copies = a.request == b.request && a.time == b.time && a.digest == b.digest;
    if (copies) ++trace.sources[b.source.file].copies;
    return copies;
  };
  thoughts.erase(std::unique(thoughts.begin(), thoughts.end(), is_copy), thoughts.end());
  for (auto begin = thoughts.begin(); begin != thoughts.end();) {
    auto end = std::find_if(begin, thoughts.end(),
                            [&](const Thought& other) { return other.request != begin->request; });
    add_call(trace, begin, end);
    begin = end;
  }
}

}  // namespace xtrace
