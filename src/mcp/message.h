#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/json_writer.h"
#include "input/common/parsers.h"

namespace xtrace::mcp {

/// Error codes of JSON-RPC 2.0, and the one that the protocol adds.
enum class Code : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  unsupported_version = -32022,
};

/// An argument of a tool, as the client wrote it.
struct GivenArgument {
  enum class Kind { text, number, other };
  std::string name;
  Kind kind = Kind::other;
  std::string value;  ///< of a text or a whole number
};

/// A message of a client, with everything that a method may ask for. Values that are missing or of
/// another type are empty.
struct ClientMessage {
  std::string id;              ///< as JSON; empty: nobody waits for a reply
  std::string method;          ///< empty: it is a reply, and we ask nothing
  std::string wanted_version;  ///< of `initialize`
  std::string cancelled;       ///< the id of a request, as JSON
  std::string tool;
  std::vector<GivenArgument> arguments;
  bool has_object_arguments = true;  ///< also where there are none
  std::string progress_token;        ///< as JSON

  // Since revision 2026-07-28, each request states these.
  std::string version;
  bool states_capabilities = false;

  bool is_request() const { return !id.empty(); }
};

/// Why a message is refused.
struct Refusal {
  std::string id = "null";  ///< as JSON
  Code code = Code::invalid_request;
  std::string what;
};

/// Reads a line. No line harms: what is not a message is a Refusal.
tl::expected<ClientMessage, Refusal> read_message(std::string_view line, Parsers& parsers);

/// A line with an error, without its newline; `write_data` adds its data, if any.
std::string error_line(const Refusal& refusal,
                       const std::function<void(JsonWriter&)>& write_data = {});

}  // namespace xtrace::mcp
