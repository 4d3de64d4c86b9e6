#pragma once

#include <span>
#include <string>

#include "facts/message.h"
#include "input/common/json_path.h"
#include "input/common/utterance.h"
#include "input/transcripts/part.h"

namespace xtrace {

struct Draft;
struct RecordContext;

// Most programs write down the messages of a conversation the same way: who said it, when, pieces
// of text, of what tools are to do and what they gave, and what an answer used up. A shape shows
// where a format has each of these, so that the format is a table and what is its own alone.

/// Where a record states that a tool failed; any of these does.
struct Failure {
  json::Path there{};  ///< a value
  json::Path is_true{}, is_false{};
  json::Path exit_code{};     ///< a number other than 0
  json::Path outcome{};       ///< a word for a failure in any log
  json::Path word{};          ///< a text that is …
  std::string_view words{};   ///< … one of these (is_word)
  json::Path text{};          ///< words that the product writes for failures:
  std::string_view begins{};  ///< the text begins with one of these (`|` between them),
  std::string_view line{};    ///< or one of its last lines does
  bool (*stated)(json::element piece) = nullptr;  ///< what no column can state

  bool is_in(json::element piece) const;
  /// Does the text report a failure by `begins` or `line`?
  bool is_said(std::string_view said) const;
};

/// Where a kind of piece of a message has what it says.
struct PieceShape {
  enum class Says : uint8_t {
    text,
    thought,  ///< what clients leave out of the history
    tool_use,
    tool_result,
    tool,  ///< both: the model is told of the result next
    nothing,
  };
  /// What the piece is called, or keys of it where no type tells (`|` between them); empty: any
  /// other piece.
  std::string_view type{};
  Says says = Says::nothing;
  json::Path text{};          ///< of a text
  json::Path unless{};        ///< true there: the program put the text in, and nobody said it
  std::string_view within{};  ///< tag around the words, among what the program put in
  json::Path id{};            ///< of the tool use
  json::Path name{};          ///< of the tool
  json::Path arguments{};
  json::Path output{};
  json::Path began{}, ended{};  ///< when the tool did
  Failure failed{};             ///< in other words than a `status`
};

/// One of OpenAI's `tool_calls`, where keys show what a piece is.
inline constexpr PieceShape kOpenaiToolUse = {.type = "function",
                                              .says = PieceShape::Says::tool_use,
                                              .id = "id",
                                              .name = "function/name",
                                              .arguments = "function/arguments"};

/// What a tool gave, in a message of its own in the words of that API.
constexpr PieceShape openai_tool_result(const Failure& failed) {
  return {.type = "tool_call_id",
          .says = PieceShape::Says::tool_result,
          .id = "tool_call_id",
          .output = "content",
          .failed = failed};
}
/// A tool use that has no type.
inline constexpr PieceShape kPlainToolUse = {.type = "arguments",
                                             .says = PieceShape::Says::tool_use,
                                             .id = "id",
                                             .name = "name",
                                             .arguments = "arguments"};

/// A tool use in the words of Vercel's AI SDK, and what the tool gave.
inline constexpr PieceShape kSdkToolUse = {.type = "tool-call",
                                           .says = PieceShape::Says::tool_use,
                                           .id = "toolCallId",
                                           .name = "toolName",
                                           .arguments = "input|args"};
constexpr PieceShape sdk_tool_result(const Failure& failed) {
  return {.type = "tool-result",
          .says = PieceShape::Says::tool_result,
          .id = "toolCallId",
          .output = "output/value|output|result",
          .failed = failed};
}

/// A tool use in the words of Google's API, and what the tool gave.
inline constexpr PieceShape kGoogleToolUse = {.type = "functionCall|function_call",
                                              .says = PieceShape::Says::tool_use,
                                              .id = "functionCall/id|function_call/id",
                                              .name = "functionCall/name|function_call/name",
                                              .arguments = "functionCall/args|function_call/args"};
constexpr PieceShape google_tool_result(const Failure& failed) {
  return {.type = "functionResponse|function_response",
          .says = PieceShape::Says::tool_result,
          .id = "functionResponse/id|function_response/id",
          .output =
              "functionResponse/response/output|functionResponse/response/error|"
              "functionResponse/response|function_response/response/output|"
              "function_response/response/error|function_response/response",
          .failed = failed};
}

/// Where an answer has its counts of tokens, and what these count. A total tells the latter where
/// there is one: it is the sum of what is counted apart.
struct UsageShape {
  json::Path input{};
  json::Path tools{};  ///< what tools put into the prompt, where that is counted beside the input
  json::Path output{}, cache_read{}, cache_write{}, reasoning{}, total{};
  bool input_has_cache = false;
  bool output_has_reasoning = true;
  bool rest_is_output = false;  ///< what the total has beyond all other counts
};

// Terms on which many programs state usage.
inline constexpr UsageTerms kOfCall = {.form = UsageTerms::Form::piece};
inline constexpr UsageTerms kOfCallBefore = {.form = UsageTerms::Form::piece,
                                             .place = UsageTerms::Place::before};
inline constexpr UsageTerms kAgentSoFar = {.scope = UsageTerms::Scope::agent,
                                           .form = UsageTerms::Form::kept};
inline constexpr UsageTerms kSessionSoFar = {.scope = UsageTerms::Scope::session,
                                             .form = UsageTerms::Form::running};
inline constexpr UsageTerms kSessionInAll = {.scope = UsageTerms::Scope::session,
                                             .form = UsageTerms::Form::total};

/// Nothing where all counts are 0: then nobody counted.
Tokens read_usage(json::element usage, const UsageShape& shape);

struct MessageShape {
  json::Path id{}, after{}, session{}, model{}, provider{};
  json::Path in_subagent{};  ///< true there: `agent`, a subagent of that type, said it
  json::Path agent{}, agent_type{};
  json::Path by_program{};  ///< true, or a word: the program said it in the user's name
  json::Path answer{};      ///< which answer it is a piece of; empty: it is one by itself
  bool is_piece = false;    ///< unnamed ones: all until the next input is one answer
  json::Path time{};        ///< when it was said, or an answer began
  json::Path ended{};       ///< when an answer was whole
  json::Path role = "role";
  std::string_view model_roles{}, user_roles{};    ///< words for them, beside those of all APIs
  Message::Role spoken_by = Message::Role::other;  ///< where no role is told
  json::Path content = "content";                  ///< a text, a piece or a list of these
  json::Path calls{};                              ///< further pieces, beside the content
  json::Path results{};  ///< of a message that is one piece: what is there of what its tool gave
  json::Path type = "type";  ///< of a piece; empty: its keys show what it is
  std::span<const PieceShape> pieces{};
  json::Path stop_reason{}, error{}, cost{};  ///< of an answer; the cost in dollars
  json::Path usage{};
  UsageShape counts{};
  /// What is particular to the format: who said it, how it ended. Of a draft of other words than a
  /// user's or a model's the role becomes `other`; without blocks nothing is said.
  void (*adjust)(json::element message, Utterance& said, Draft& draft) = nullptr;
};

/// Finds what a text has between the first `<tag>` and the last `</tag>`; the whole text where that
/// is nothing.
std::string_view words_within(std::string_view text, std::string_view tag);

/// What a message says; of a list, what the tools of its pieces gave. Serves as Format::say.
void say_message(json::element part, const MessageShape& shape, Draft& said);

/// Reads the messages of one conversation.
class MessageReader {
 public:
  MessageReader(const MessageShape& shape, RecordContext& context)
      : shape_(shape), context_(context) {}

  /// Where ids of tool uses name something in one session alone: messages that are distinguished by
  /// them are no others'.
  void keep_apart(std::string_view session);

  Utterance common;           ///< what all of its utterances have in common
  std::string order;          ///< names tool uses without an id; empty: nothing does
  Time not_before = kNoTime;  ///< no answer began earlier: attempts before it took so long

  /// Adds what a message says, and behind it what its tools gave.
  void read(json::element message, const Part& part);
  /// The same for each item of the list at `key` of a document.
  void read_list(json::element document, const Part& whole, std::string_view key);

 private:
  Utterance begin(json::element message, const Part& part) const;
  void read_answer(json::element message, Utterance& said) const;
  void read_results(json::element message, const Part& part, const Utterance& said);

  bool is_by_program(json::element message) const;
  void name_by_order(Draft& draft) const;
  void add(Utterance& said, const Draft& draft);

  const MessageShape& shape_;
  RecordContext& context_;
  MessageId before_;  ///< what makes the messages of this conversation its own
};

/// Who says it by the word for their role: the model, whoever talks to it, or nobody of both.
Message::Role role_by_name(std::string_view role);

}  // namespace xtrace
