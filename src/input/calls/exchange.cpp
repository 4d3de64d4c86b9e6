#include "input/calls/exchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "facts/error_class.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/request.h"
#include "input/calls/retry_after.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"

namespace xtrace {

namespace {

Outcome outcome_of(const Exchange& exchange, const Answer& answer) {
  if (!exchange.error.empty() || !answer.error.empty() || exchange.status >= 400)
    return Outcome::error;
  return answer.has_message ? Outcome::ok : Outcome::unanswered;
}

std::string error_of(const Exchange& exchange, const Answer& answer) {
  std::string status = exchange.status >= 400 ? fmt::format("http_{}", exchange.status) : "";
  return std::string(telling_error({answer.error, status, exchange.error}));
}

/// In whole milliseconds, as Call has it.
uint32_t wait_asked_for(const Exchange& exchange, const Call& call) {
  if (!exchange.has_headers) return Call::kNoWait;
  Time answered = exchange.end ? exchange.end->time : call.end();
  Duration wait = asked_to_wait(exchange.headers, answered);
  if (wait == kNoDuration) return Call::kNoWait;
  auto ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  return static_cast<uint32_t>(std::min<int64_t>(ms, Call::kNoWait - 1));
}

/// Names a record that has no name of its own, the same way wherever it stands.
std::string name_by_content(const Call& call, uint64_t request) {
  uint64_t time = static_cast<uint64_t>(call.start.time_since_epoch().count());
  return "call-" + hex(chain(time, chain(request, call.digest))).substr(0, 12);
}

void read_agent_type(json::element type, Shard& shard, Call& call) {
  call.agent_type = shard.intern(json::text(type));
  json::fields(type, [&](std::string_view key, json::element value) {
    if (key == "name") call.agent_type = shard.intern(json::text(value));
    if (key == "label") call.agent_label = shard.intern(json::text(value));
    if (key == "color") call.agent_color = shard.intern(json::text(value));
  });
}

/// Did tool uses lose their ids, or get lost altogether? Some proxies forget them while streaming.
bool is_lossy(const Answer& answer) {
  size_t uses = 0;
  for (const Block& block : answer.message.blocks) {
    if (block.kind != Block::Kind::tool_use) continue;
    if (block.id.empty()) return true;
    ++uses;
  }
  return uses == 0 && (answer.stop_reason == "tool_use" || answer.stop_reason == "tool_calls");
}

}  // namespace

bool unwrap(json::element body, Parsers& parsers, json::element& root) {
  root = body;
  if (json::is_object(body)) return true;
  return json::is_string(body) && parsers.parse(json::text(body), root) && json::is_object(root);
}

void read_answer(json::element body, Parsers& parsers, Answer& answer) {
  json::element root;
  if (json::is_string(body) && is_stream(json::text(body)))
    return read_stream(json::text(body), parsers, answer);
  if (json::is_array(body)) return read_pieces(body, answer);
  if (!unwrap(body, parsers, root)) {
    if (json::is_string(body)) read_lines(json::text(body), parsers, answer);
    return;
  }
  if (is_openai_answer(root)) return read_openai_answer(root, answer);
  if (is_responses_answer(root)) return read_responses_answer(root, answer);
  if (is_ollama_answer(root)) return read_ollama_answer(root, answer);
  read_anthropic_answer(root, answer);
}

void read_headers(json::element headers, Exchange& exchange) {
  exchange.headers = headers;
  exchange.has_headers = true;
  json::fields(headers, [&](std::string_view key, json::element value) {
    if (key == "request-id" || key == "Request-Id" || key == "x-request-id" ||
        key == "X-Request-Id")
      exchange.request_id = json::text(value);
    else if (key == "x-claude-code-session-id" || key == "x-session-id")
      exchange.session = json::text(value);
  });
}

void read_common_field(std::string_view key, json::element value, Exchange& exchange) {
  if (key == "request_id" || (key == "id" && exchange.id.empty()))
    exchange.id = json::text(value);
  else if (key == "session_id" || key == "sessionId")
    exchange.session = json::text(value);
  else if (key == "parent_tool_use_id")
    exchange.spawned_by = json::text(value);
  else if (key == "provider")
    exchange.provider = json::text(value);
  else if (key == "agent_type")
    exchange.agent_type = value, exchange.has_agent_type = true;
  else if (key == "error")
    exchange.error = error_word(value);
}

void add_exchange(const Exchange& exchange, Extent at, RecordContext& context) {
  Shard& shard = context.shard;
  Asked& asked = context.asked;
  json::element body;
  if (exchange.has_request && unwrap(exchange.request, context.parsers, body))
    read_request(body, context, asked);
  Answer answer;
  if (exchange.has_answer) read_answer(exchange.answer, context.parsers, answer);

  Call call;
  call.source = at;
  call.outcome = outcome_of(exchange, answer);
  if (exchange.start) {
    call.start = exchange.start->time;
    call.decimals = exchange.start->decimals;
  }
  call.duration = exchange.duration;
  if (call.duration == kNoDuration && exchange.start && exchange.end)
    call.duration = elapsed(exchange.start->time, exchange.end->time);
  if (call.duration == kNoDuration) call.duration = answer.took;
  MessageId request = asked.last();
  uint64_t path = request ? shard[request].key : 0;
  call.digest = chain(path, context.digest);

  call.request = request;
  call.message_count = static_cast<uint32_t>(asked.steps.size());
  if (answer.has_message) {
    call.answer = add_message(request, answer.message, context.parsers, shard);
    call.answer_is_lossy = is_lossy(answer);
  }
  call.asked_model = asked.model;
  call.model = answer.model.empty() ? asked.model : shard.intern(answer.model);
  if (!call.model) call.model = shard.intern(exchange.model);
  call.session = exchange.session.empty() ? asked.session : shard.intern(exchange.session);
  call.spawned_by = shard.intern(exchange.spawned_by);
  call.follows = asked.follows;
  if (answer.may_be_named) call.response = shard.intern(answer.id);
  call.user = asked.user;
  if (exchange.has_agent_type) read_agent_type(exchange.agent_type, shard, call);
  if (asked.system_prompt() != 0) call.system_prompt = shard.intern(hex(asked.system_prompt()));
  call.stop_reason = shard.intern(answer.stop_reason);
  if (call.outcome == Outcome::error) {
    call.error = shard.intern(error_of(exchange, answer));
    call.asked_to_wait = wait_asked_for(exchange, call);
  }
  // A gateway may hand on an answer without what it knows of the vendor's cache.
  const bool knows_more = answer.tokens == Tokens{} || (answer.tokens.cache_read == kNoCount &&
                                                        exchange.tokens.cache_read != kNoCount);
  call.tokens = knows_more ? exchange.tokens : answer.tokens;
  call.cost = exchange.cost == kNoCount ? answer.cost : exchange.cost;
  call.provider = shard.intern(exchange.provider.empty() ? answer.provider : exchange.provider);
  call.temperature = asked.temperature;
  call.max_tokens = asked.max_tokens;
  call.offers_tools = asked.offers_tools;

  std::string_view id = !exchange.id.empty()           ? exchange.id
                        : !exchange.request_id.empty() ? exchange.request_id
                                                       : answer.id;
  call.id = shard.intern(id.empty() ? name_by_content(call, path) : id);
  if (!exchange.start)
    shard.complain(Complaint::Kind::field, at,
                   "no usable timestamp; ordered as it stands in the file");
  shard.add(call);
}

}  // namespace xtrace
