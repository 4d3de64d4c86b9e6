#include "mcp/message.h"

#include <fmt/format.h>

namespace xtrace::mcp {

namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/// Returns a text or a whole number as JSON; empty for anything else. Ids and tokens are such.
std::string id_of(json::element value) {
  std::string id;
  int64_t number = 0;
  uint64_t large = 0;
  if (json::is_string(value)) {
    append_json(id, json::text(value));
  } else if (!value.get_int64().get(number)) {
    id = std::to_string(number);
  } else if (!value.get_uint64().get(large)) {
    id = std::to_string(large);
  }
  return id;
}

GivenArgument read_argument(std::string_view name, json::element value) {
  GivenArgument argument;
  argument.name = name;
  int64_t number = 0;
  double real = 0;
  constexpr double kExact = 9e15;  // below 2^53, where each whole number is a double
  if (json::is_string(value)) {
    argument.kind = GivenArgument::Kind::text;
    argument.value = json::text(value);
  } else if (!value.get_int64().get(number)) {
    argument.kind = GivenArgument::Kind::number;
    argument.value = std::to_string(number);
  } else if (!value.get_double().get(real) && real > -kExact && real < kExact &&
             real == static_cast<double>(static_cast<int64_t>(real))) {
    argument.kind =
        GivenArgument::Kind::number;  // JavaScript writes 2000.0 as 2000, others may not
    argument.value = std::to_string(static_cast<int64_t>(real));
  }
  return argument;
}

void read_meta(json::element params, ClientMessage& message) {
  json::element meta, value;
  if (!json::find(params, "_meta", meta)) return;
  message.version = json::text_at(meta, kVersionKey);
  message.states_capabilities = json::find(meta, kCapabilitiesKey, value) && json::is_object(value);
  if (json::find(meta, "progressToken", value)) message.progress_token = id_of(value);
}

void read_params(json::element params, ClientMessage& message) {
  read_meta(params, message);
  message.wanted_version = json::text_at(params, "protocolVersion");
  message.tool = json::text_at(params, "name");
  json::element value;
  if (json::find(params, "requestId", value)) message.cancelled = id_of(value);
  if (!json::find(params, "arguments", value)) return;
  message.has_object_arguments = json::is_object(value);
  json::fields(value, [&](std::string_view name, json::element of) {
    message.arguments.push_back(read_argument(name, of));
  });
}

}  // namespace

tl::expected<ClientMessage, Refusal> read_message(std::string_view line, Parsers& parsers) {
  json::element root, value;
  if (!parsers.parse_for_now(line, root))
    return tl::unexpected(Refusal{.code = Code::parse_error, .what = "not valid JSON"});
  if (json::is_array(root))
    return tl::unexpected(Refusal{
        .what =
            "the protocol has no batches since revision 2025-06-18; send one message per line"});
  if (!json::is_object(root)) return tl::unexpected(Refusal{.what = "a message is an object"});
  ClientMessage message;
  Refusal refusal;
  const bool has_id = json::find(root, "id", value);
  if (has_id) message.id = id_of(value);
  if (!message.id.empty()) refusal.id = message.id;
  if (json::text_at(root, "jsonrpc") != "2.0") {
    refusal.what = "jsonrpc must be \"2.0\"";
    return tl::unexpected(refusal);
  }
  if (!json::find(root, "method", value)) {
    json::element reply;
    if (json::find(root, "result", reply) || json::find(root, "error", reply))
      return ClientMessage();
    refusal.what = "the method is missing";
    return tl::unexpected(refusal);
  }
  message.method = json::text(value);
  if (message.method.empty()) {
    refusal.what = "the method is not a string";
    return tl::unexpected(refusal);
  }
  if (has_id && message.id.empty()) {
    refusal.what = "the id is neither a string nor a whole number";
    return tl::unexpected(refusal);
  }
  if (!json::find(root, "params", value)) return message;
  if (json::is_object(value)) {
    read_params(value, message);
    return message;
  }
  if (!message.is_request()) return message;
  refusal.code = Code::invalid_params;
  refusal.what = "params is not an object";
  return tl::unexpected(refusal);
}

std::string error_line(const Refusal& refusal, const std::function<void(JsonWriter&)>& write_data) {
  std::string line;
  JsonWriter json(line);
  json.open_object(JsonLayout::tight());
  json.field("jsonrpc", "2.0");
  json.key("id");
  json.raw(refusal.id);
  json.open_object("error", JsonLayout::tight());
  json.field("code", static_cast<int>(refusal.code));
  json.field("message", refusal.what);
  if (write_data) write_data(json);
  json.close();
  json.close();
  return line;
}

}  // namespace xtrace::mcp
