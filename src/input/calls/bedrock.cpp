#include "input/calls/answer.h"
#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// Amazon Bedrock: the bodies of its Converse API, for all vendors alike,
//
//   {"messages": [{"role", "content": [{"text"}, {"toolUse": {"toolUseId", "name", "input"}},
//    {"toolResult": {"toolUseId", "content", "status": "success"|"error"}}]}]}
//   {"output": {"message": {…}}, "stopReason", "usage": {"inputTokens", "outputTokens",
//    "cacheReadInputTokens", "cacheWriteInputTokens"}, "metrics": {"latencyMs"}}
//
// and the log of invocations that an account may keep, whose bodies are those of Converse or of
// the vendor:
//
//   {"schemaType": "ModelInvocationLog", "timestamp", "requestId", "operation", "modelId",
//   "region",
//    "errorCode", "input": {"inputBodyJson", "inputTokenCount", "cacheReadInputTokenCount", …},
//    "output": {"outputBodyJson", "outputTokenCount"}}
//
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html (read 2026-11)

bool read_converse_block(json::element block, Block& read) {
  json::element value;
  if (json::find(block, "toolUse", value)) {
    read.kind = Block::Kind::tool_use;
    read.id = json::text_at(value, "toolUseId");
    read.name = json::text_at(value, "name");
    read.has_body = json::find(value, "input", read.body);
  } else if (json::find(block, "toolResult", value)) {
    read.kind = Block::Kind::tool_result;
    read.id = json::text_at(value, "toolUseId");
    read.is_error = json::text_at(value, "status") == "error";
    read.has_body = json::find(value, "content", read.body);
  } else if (json::find(block, "text", value)) {
    read.kind = Block::Kind::text;
    read.text = json::text(value);
  } else {
    return false;
  }
  return true;
}

bool is_converse_answer(json::element body) {
  json::element value;
  return json::follow(body, "output/message", value) &&
         json::follow(body, "stopReason|usage/inputTokens", value);
}

void read_converse_answer(json::element body, Answer& answer) {
  json::element value;
  const auto count = [&](json::Path path) { return json::count_on(body, path, kNoCount); };
  if (json::follow(body, "output/message", value))
    read_message(value, answer.message), answer.has_message = true;
  answer.message.role = Message::Role::assistant;
  answer.stop_reason = json::text_at(body, "stopReason");
  answer.tokens.input = count("usage/inputTokens");
  answer.tokens.output = count("usage/outputTokens");
  answer.tokens.cache_read = count("usage/cacheReadInputTokens");
  answer.tokens.cache_creation = count("usage/cacheWriteInputTokens");
  if (json::follow(body, "metrics/latencyMs", value)) answer.took = read_milliseconds(value);
}

namespace {

bool fits_bedrock(json::element record) {
  json::element value;
  return !json::text_at(record, "modelId").empty() &&
         (json::text_at(record, "schemaType") == "ModelInvocationLog" ||
          json::follow(record, "input/inputBodyJson", value));
}

void read_bedrock(json::element record, Exchange& exchange) {
  json::element value;
  const auto count = [&](json::Path path) { return json::count_on(record, path, kNoCount); };
  exchange.has_request = json::follow(record, "input/inputBodyJson", exchange.request);
  exchange.has_answer = json::follow(record, "output/outputBodyJson", exchange.answer);
  if (json::find(record, "timestamp", value)) exchange.start = read_moment(value);
  if (json::follow(record, "output/outputBodyJson/metrics/latencyMs", value))
    exchange.duration = read_milliseconds(value);
  exchange.id = json::text_at(record, "requestId");
  exchange.model = json::text_at(record, "modelId");
  exchange.provider = "aws.bedrock";
  exchange.tokens.input = count("input/inputTokenCount");
  exchange.tokens.output = count("output/outputTokenCount");
  exchange.tokens.cache_read = count("input/cacheReadInputTokenCount");
  exchange.tokens.cache_creation = count("input/cacheWriteInputTokenCount");
  exchange.error = json::text_at(record, "errorCode");
}

}  // namespace

extern constinit const Format kBedrock = {
    .name = "bedrock",
    .summary = "invocations of models that Amazon Bedrock logged",
    .fits = fits_bedrock,
    .needs = "modelId schemaType|input",
    .exchange = read_bedrock,
};

}  // namespace xtrace
