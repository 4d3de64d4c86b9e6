#pragma once

#include <algorithm>
#include <deque>
#include <string>

#include "facts/call.h"
#include "input/calls/message_draft.h"

namespace xtrace {

class Parsers;

/// What a model answered, in the words of no vendor.
struct Answer {
  std::string_view id, model, stop_reason;
  std::string_view provider;  ///< who sells it, where the answer itself says so
  int64_t cost = kNoCount;    ///< likewise, in billionths of a dollar
  Duration took = kNoDuration;
  bool may_be_named = false;  ///< a later request may go on from its id
  std::string error;          ///< the class of an error the vendor reported, see error_word()
  Tokens tokens;
  Draft message;
  bool has_message = false;
  bool may_be_cut = false;         ///< a stream, or no document at all
  bool is_message = true;          ///< vectors are an answer, too
  bool is_known = true;            ///< false: a document came back that is of no kind that is known
  bool is_broken_off = false;      ///< a stream that begins to answer, and nothing says it ended
  bool output_is_low = false;      ///< its output was counted while it came in, and not at its end
  std::deque<std::string> joined;  ///< texts that came in pieces
};

/// An answer of the Messages API: `{"id", "content": […], "stop_reason", "usage"}`.
void read_anthropic_answer(json::element body, Answer& answer);
/// An answer of Chat Completions: `{"id", "choices": [{"message", "finish_reason"}], "usage"}`.
void read_openai_answer(json::element body, Answer& answer);
bool is_openai_answer(json::element body);
/// What an embedding model answers: `{"object": "list", "data": […], "model", "usage"}`.
void read_embeddings(json::element body, Answer& answer);
bool is_embeddings(json::element body);
/// An answer of Ollama's `/api/chat` or `/api/generate`: `{"model", "message" or "response",
/// "done", "prompt_eval_count", "eval_count", "total_duration"}`, of its last line where it came in
/// pieces.
void read_ollama_answer(json::element body, Answer& answer);
bool is_ollama_answer(json::element body);
/// An answer of the Responses API: `{"id", "status", "output": [items], "usage"}`.
void read_responses_answer(json::element body, Answer& answer);
bool is_responses_answer(json::element body);
/// An answer of Bedrock's Converse API: `{"output": {"message"}, "stopReason", "usage"}`.
void read_converse_answer(json::element body, Answer& answer);
bool is_converse_answer(json::element body);

/// The same answers as streams of server-sent events: each `data:` line is one document. Tool
/// arguments arrive in pieces and are joined; of the token counts the last word wins, since the
/// first one is only a placeholder.
void read_stream(std::string_view events, Parsers& parsers, Answer& answer);
bool is_stream(std::string_view body);
/// The same of Ollama's streams, a document a line; what is not one of its pieces is passed over.
/// False: there is no piece.
bool read_lines(std::string_view lines, Parsers& parsers, Answer& answer);
/// The same of a stream that was logged as a list of its events or pieces, whoever the vendor.
void read_pieces(json::element pieces, Answer& answer);

/// Of vendors whose input includes what came from a cache; ours does not. What is unknown stays as
/// it is.
inline void count_input(int64_t input, int64_t cached, Tokens& tokens) {
  if (input != kNoCount) tokens.input = input - std::clamp<int64_t>(cached, 0, input);
  if (cached != kNoCount) tokens.cache_read = cached;
}
/// The same where the cache was written to as well: a cache that is larger than the input was
/// apart.
inline void take_cache_out_of_input(Tokens& tokens) {
  const int64_t cache = sum_of_known({tokens.cache_read, tokens.cache_creation});
  if (tokens.input != kNoCount && cache != kNoCount && cache <= tokens.input) tokens.input -= cache;
}
/// What an answer's `usage` states that the call cost, in billionths of a dollar; -1: nothing.
int64_t cost_in_usage(json::element usage);
void read_anthropic_usage(json::element usage, Tokens& tokens);
/// Of Chat Completions and of the Responses API, which call the same things by other names.
void read_openai_usage(json::element usage, Tokens& tokens);

}  // namespace xtrace
