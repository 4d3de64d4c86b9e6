#include "input/calls/exchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/digits.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "base/lower.h"
#include "base/trimmed.h"
#include "facts/error_class.h"
#include "facts/made_id.h"
#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/error_word.h"
#include "input/calls/google.h"
#include "input/calls/request.h"
#include "input/calls/retry_after.h"
#include "input/calls/server_tool.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"

namespace xtrace {

namespace {

bool says_something(const Draft& message) {
  return std::ranges::any_of(message.blocks, [](const Block& block) {
    return block.kind != Block::Kind::hidden &&
           (block.kind != Block::Kind::text || !trimmed(block.text).empty());
  });
}

/// Logs may keep no texts, and still show that there was an answer. A stream that holds none broke
/// off, whatever the status that it began with.
bool is_answered(const Exchange& exchange, const Answer& answer) {
  if (!answer.is_message || exchange.is_answered || exchange.tokens.output > 0) return true;
  if (answer.has_message || answer.may_be_cut)
    return is_answer(says_something(answer.message), answer.may_be_cut ? Tokens() : answer.tokens,
                     answer.stop_reason);
  const bool succeeded = exchange.status >= 200 && exchange.status < 300;
  return succeeded || is_answer(false, answer.tokens, answer.stop_reason);
}

Outcome outcome_of(const Exchange& exchange, const Answer& answer) {
  if (!exchange.error.empty() || !answer.error.empty() || exchange.status >= 400)
    return Outcome::error;
  if (is_answered(exchange, answer)) return Outcome::ok;
  return answer.is_known && !exchange.has_no_answers ? Outcome::unanswered : Outcome::unknown;
}

/// What came back shows how many tokens a request has, and no more: no model was asked.
bool counts_tokens(const Exchange& exchange, Parsers& parsers) {
  constexpr size_t kLongest = 256;  // of such an answer
  json::element body, value;
  if (!exchange.has_answer || json::text(exchange.answer).size() > kLongest ||
      !unwrap(exchange.answer, parsers, body))
    return false;
  return json::count_on(body, "input_tokens|totalTokens|total_tokens", kNoCount) != kNoCount &&
         !json::follow(body, "id|content|choices|output|usage|error|candidates|data|type", value);
}

/// A gateway may hand on an answer without what it knows of the vendor's cache.
bool knows_more(const Tokens& gateway, const Tokens& answer) {
  const auto adds = [](const Tokens& more, const Tokens& less) {
    return (less.cache_read == kNoCount && more.cache_read != kNoCount) ||
           (less.cache_creation == kNoCount && more.cache_creation != kNoCount);
  };
  return total_of(answer) == kNoCount || (adds(gateway, answer) && !adds(answer, gateway));
}

/// Whichever counts are taken, the answer knows better than the request how it was served.
void count_tokens(const Exchange& exchange, const Asked& asked, const Answer& answer,
                  const Shard& shard, Call& call) {
  const bool takes_gateway = knows_more(exchange.tokens, answer.tokens);
  call.tokens = takes_gateway ? exchange.tokens : answer.tokens;
  call.output_is_low = answer.output_is_low && !takes_gateway;
  if (total_of(call.tokens) == kNoCount) {
    call.tokens = {};
    return;
  }
  Terms named = terms_of_model(exchange.model);
  named.add(asked.model ? terms_of_model(shard[asked.model]) : Terms{});
  call.tokens.terms = exchange.terms.over(answer.tokens.terms)
                          .over(asked.terms)
                          .over(exchange.asked_terms)
                          .with_name(named);
  call.tokens.server_tools = answer.tokens.server_tools;
  call.tokens.server_tools.fill_in(server_tools_in(answer.message));
}

std::string error_of(const Exchange& exchange, const Answer& answer) {
  std::string status = exchange.status >= 400 ? fmt::format("http_{}", exchange.status) : "";
  const std::string said = error_with_status(answer.error, exchange.status);
  return std::string(telling_error({said, status, exchange.error}));
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
  return std::string(kMadeCall) + hex(chain(time, chain(request, call.digest))).substr(0, 12);
}

/// Headers that state an id.
constexpr struct {
  std::string_view name;  ///< in lower case, as HTTP/2 sends it
  std::string_view Exchange::*value;
} kHeaders[] = {
    {"request-id", &Exchange::request_id},
    {"x-request-id", &Exchange::request_id},
    {"x-session-id", &Exchange::session},
    // https://code.claude.com/docs/en/llm-gateway (2026-11-28)
    {"x-claude-code-session-id", &Exchange::session},
    {"x-claude-code-agent-id", &Exchange::subagent},
    {"x-claude-code-parent-agent-id", &Exchange::parent_agent},
    {"x-agent-id", &Exchange::agent},
    {"x-parent-agent-id", &Exchange::parent_agent},
};

/// Headers are an object, or a list of names and values.
template <class Each>
void each_header(json::element headers, Each each) {
  json::fields(headers, each);
  if (!json::is_array(headers)) return;
  json::items(headers, [&](json::element header) {
    json::element value;
    if (json::find(header, "value", value)) each(json::text_at(header, "name"), value);
  });
}

/// `value`: text, or a list of one.
void read_header(std::string_view name, json::element value, Exchange& exchange) {
  const std::string wanted = lower(name);
  for (const auto& header : kHeaders)
    if (header.name == wanted) {
      exchange.*header.value = json::text(value);
      json::items(value, [&](json::element one) { exchange.*header.value = json::text(one); });
    }
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

/// Headers that others name as well all begin alike, in capitals or not.
Terms terms_in_header(std::string_view key, std::string_view value) {
  const bool may_state = key.size() > 2 && (key[0] | 0x20) == 'x' && key[1] == '-';
  return may_state ? terms_stated(lower(key), lower(value)) : Terms{};
}

/// `arn%3Aaws%3Abedrock…`
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool may_be = text[i] == '%' && i + 2 < text.size();
    const int high = may_be ? hex_digit(text[i + 1]) : -1,
              low = may_be ? hex_digit(text[i + 2]) : -1;
    const bool is_escape = high >= 0 && low >= 0;
    plain += is_escape ? static_cast<char>(high * 16 + low) : text[i];
    if (is_escape) i += 2;
  }
  return plain;
}

bool is_empty(json::element body) {
  json::object fields;
  return !body.get_object().get(fields) && fields.size() == 0;
}

}  // namespace

void decode_answer(Exchange& exchange, Parsers& parsers) {
  if (!exchange.has_answer || !exchange.is_in_base64) return;
  const std::string bytes = base64_bytes(json::text(exchange.answer));
  std::string text;
  append_json(text, bytes);
  exchange.is_in_base64 = false;
  exchange.has_answer = simdjson::validate_utf8(bytes) && parsers.parse(text, exchange.answer);
}

bool unwrap(json::element body, Parsers& parsers, json::element& root) {
  root = body;
  if (json::is_object(body)) return true;
  return json::is_string(body) && parsers.parse(json::text(body), root) && json::is_object(root);
}

void read_answer(json::element body, Parsers& parsers, Answer& answer) {
  json::element root;
  answer.may_be_cut = json::is_array(body) || !json::text(body).empty();
  if (json::is_string(body) && is_stream(json::text(body)))
    return read_stream(json::text(body), parsers, answer);
  if (json::is_array(body)) return read_pieces(body, answer);
  if (!unwrap(body, parsers, root)) {
    if (!json::is_string(body) || read_lines(json::text(body), parsers, answer)) return;
    if (parsers.parse(json::text(body), root) && json::is_array(root)) read_pieces(root, answer);
    return;
  }
  answer.may_be_cut = false;
  if (is_openai_answer(root)) return read_openai_answer(root, answer);
  if (is_responses_answer(root)) return read_responses_answer(root, answer);
  if (is_ollama_answer(root)) return read_ollama_answer(root, answer);
  if (is_converse_answer(root)) return read_converse_answer(root, answer);
  if (is_google_answer(root)) return read_google_answer(root, answer);
  if (is_embeddings(root)) return read_embeddings(root, answer);
  if (is_completion(root)) return read_completion(root, answer);
  read_anthropic_answer(root, answer);
  json::element content;
  answer.is_known = !answer.error.empty() || json::find(root, "content", content) || is_empty(root);
}

void read_headers(json::element headers, Exchange& exchange) {
  exchange.headers = headers;
  exchange.has_headers = true;
  each_header(headers, [&](std::string_view name, json::element value) {
    read_header(name, value, exchange);
    exchange.terms.add(terms_in_header(name, json::text(value)));
  });
}

void read_request_headers(json::element headers, Exchange& exchange) {
  each_header(headers, [&](std::string_view name, json::element value) {
    read_header(name, value, exchange);
    exchange.asked_terms.add(terms_in_header(name, json::text(value)));
  });
}

void read_address(std::string_view address, Exchange& exchange) {
  if (std::string model = model_in(address); !model.empty()) exchange.model = std::move(model);
  exchange.asked_terms.add(terms_of_address(address));
}

std::string model_in(std::string_view address) {
  for (const auto& [key, ends] : {std::pair<std::string_view, const char*>{"/models/", ":/?"},
                                  {"/model/", "/?"},
                                  {"/deployments/", "/?"}}) {
    const size_t at = address.find(key);
    if (at == address.npos) continue;
    std::string_view model = address.substr(at + key.size());
    size_t end = model.find_first_of(ends);
    for (std::string_view verb : {"/invoke", "/converse"})  // an ARN may have slashes, too
      if (model.starts_with("arn:") && model.find(verb) != model.npos) end = model.find(verb);
    return without_escapes(model.substr(0, end));
  }
  return {};
}

void read_common_field(std::string_view key, json::element value, Exchange& exchange) {
  if (key == "request_id" || (key == "id" && exchange.id.empty()))
    exchange.id = json::text(value);
  else if (key == "session_id" || key == "sessionId")
    exchange.session = json::text(value);
  else if (key == "agent_id")
    exchange.agent = json::text(value);
  else if (key == "parent_agent_id")
    exchange.parent_agent = json::text(value);
  else if (key == "parent_tool_use_id")
    exchange.spawned_by = json::text(value);
  else if (key == "url" || key == "endpoint" || key == "path" || key == "api_base")
    read_address(json::text(value), exchange);
  else if (key == "provider")
    exchange.provider = json::text(value);
  else if (key == "agent_type")
    exchange.agent_type = value, exchange.has_agent_type = true;
  else if (key == "error")
    exchange.error = error_word(value);
}

void add_exchange(const Exchange& exchange, Extent at, RecordContext& context) {
  Shard& shard = context.shard;
  if (counts_tokens(exchange, context.parsers)) return shard.count_record();
  Asked& asked = context.asked;
  json::element body;
  const bool has_body = exchange.has_request && unwrap(exchange.request, context.parsers, body);
  if (has_body) read_request(body, context, asked);
  Answer answer;
  if (exchange.has_answer) {
    read_answer(exchange.answer, context.parsers, answer);
    if (has_body) name_tool_uses(body, answer.message);
  }

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
  if (call.duration != kNoDuration && call.duration < Duration{0}) {
    call.duration = kNoDuration;
    shard.complain(Complaint::Kind::field, at, "negative duration; treated as unknown");
  }
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
  if (!call.session && !exchange.trace.empty()) {
    call.session = shard.intern(exchange.trace);
    shard.add(TraceSession{at, call.session, call.session, {}});
  }
  call.spawned_by = shard.intern(exchange.spawned_by);
  call.agent = shard.intern(exchange.subagent.empty() ? exchange.agent : exchange.subagent);
  call.parent_agent = shard.intern(exchange.parent_agent);
  call.in_subagent = !exchange.subagent.empty() || !exchange.parent_agent.empty();
  call.follows = asked.follows;
  call.user = asked.user;
  if (exchange.has_agent_type) read_agent_type(exchange.agent_type, shard, call);
  if (asked.system_prompt() != 0) call.system_prompt = shard.intern(hex(asked.system_prompt()));
  call.stop_reason = shard.intern(answer.stop_reason);
  if (call.outcome == Outcome::error) {
    call.error = shard.intern(error_of(exchange, answer));
    call.asked_to_wait = wait_asked_for(exchange, call);
  }
  if (!exchange.is_unbilled) count_tokens(exchange, asked, answer, shard, call);
  call.cost = exchange.cost == kNoCount ? answer.cost : exchange.cost;
  call.provider = shard.intern(exchange.provider.empty() ? answer.provider : exchange.provider);
  call.temperature = asked.temperature;
  call.max_tokens = asked.max_tokens;
  call.tools = asked.tools;

  std::string_view id = !exchange.id.empty()           ? exchange.id
                        : !exchange.request_id.empty() ? exchange.request_id
                                                       : answer.id;
  call.id = shard.intern(id.empty() ? name_by_content(call, path) : id);
  // Later requests may go on from the answer's id, and spans of the call may bear it.
  if (answer.may_be_named || id != answer.id) call.response = shard.intern(answer.id);
  if (!exchange.start)
    shard.complain(Complaint::Kind::field, at,
                   "no usable timestamp; records are read in file order");
  if (call.outcome == Outcome::unknown && exchange.has_answer)
    shard.complain(Complaint::Kind::field, at, "response of an unknown kind");
  if (answer.is_broken_off)
    shard.complain(Complaint::Kind::field, at,
                   "the stream ended before its last event; the events before it are used");
  shard.add(call);
}

}  // namespace xtrace
