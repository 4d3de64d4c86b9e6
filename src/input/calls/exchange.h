#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "facts/call.h"
#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

class Parsers;
struct RecordContext;
struct Answer;

/// A request to a model and what came back, as some log wrote them down. A format's reader fills
/// it in; what the parts mean is the same for all.
struct Exchange {
  json::element request;  ///< the body that was sent: an object, or a string that holds one
  json::element answer;   ///< the body that came back: an object, or a string of JSON or events
  bool has_request = false;
  bool has_answer = false;
  bool is_in_base64 = false;  ///< the answer, as it was sent; see decode_answer()

  std::optional<Moment> start, end;
  Duration duration = kNoDuration;  ///< if the log measured it itself

  std::string_view id;          ///< the record's own, or its request id
  std::string_view request_id;  ///< from the answer's headers
  std::string_view session;
  std::string_view trace;         ///< of calls that may be of one session, see TraceSession
  std::string_view spawned_by;    ///< the tool use that started this agent
  std::string_view agent;         ///< the id of this instance of an agent
  std::string_view subagent;      ///< the same, of clients that name none for their main agent
  std::string_view parent_agent;  ///< the id of the agent that started it
  std::string_view provider;      ///< who sells the model
  std::string error;              ///< the class of a failure the log itself noted
  bool is_answered = false;       ///< the log says so, whether or not it kept the answer
  bool has_no_answers = false;    ///< such logs have none: whether there was one is not known
  bool is_unbilled = false;       ///< by somebody's own cache: what the answer counts was not used
  int64_t status = -1;            ///< of HTTP
  /// What the envelope says of the call by itself; what the bodies say is better.
  std::string model;
  Tokens tokens;
  Terms terms;              ///< that hold whatever the bodies state
  Terms asked_terms;        ///< what the request's headers and its address state
  int64_t cost = kNoCount;  ///< in billionths of a dollar
  json::element headers;    ///< of the answer
  bool has_headers = false;
  json::element agent_type;
  bool has_agent_type = false;
};

/// Reads what the headers of an answer state: the ids of the request, the session and the agents,
/// and terms. Headers are an object, or a list of names and values.
void read_headers(json::element headers, Exchange& exchange);
/// Reads the same from the headers of a request, whose terms are those asked for.
void read_request_headers(json::element headers, Exchange& exchange);
/// The model and the terms that the address of a request states.
void read_address(std::string_view address, Exchange& exchange);
/// The model that an address names (`/models/NAME:generateContent`, `/model/NAME/invoke`,
/// `/deployments/NAME/chat/completions`), as the bodies then do not; empty: it names none.
std::string model_in(std::string_view address);
/// Fields that any envelope may have beside its own.
void read_common_field(std::string_view key, json::element value, Exchange& exchange);

/// An answer in base64 as what it holds; nothing is left of one that holds no text.
void decode_answer(Exchange& exchange, Parsers& parsers);
/// The document a body is, whether it was logged as JSON or as a string that holds JSON; false if
/// it is none.
bool unwrap(json::element body, Parsers& parsers, json::element& root);
/// What came back, whoever the vendor and whether it was streamed.
void read_answer(json::element body, Parsers& parsers, Answer& answer);

/// Turns the exchange into facts.
void add_exchange(const Exchange& exchange, Extent at, RecordContext& context);

}  // namespace xtrace
