#include "input/transcripts/conversation_parts.h"

#include <cmath>
#include <set>
#include <utility>

#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"

namespace xtrace::conversation_parts {

namespace {

constexpr std::string_view kRoles[] = {"user", "assistant", "system", "developer", "tool"};

bool is_there(json::element from, std::string_view key, json::element& value) {
  return json::find(from, key, value) && !value.is_null();
}

/// Tools that were asked for, by id and name.
using Asked = std::set<std::pair<std::string_view, std::string_view>>;

Asked asked_in(const Draft& draft) {
  Asked asked;
  for (const Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_use) asked.emplace(block.id, block.name);
  return asked;
}

/// The arguments are an object, or JSON in a string.
void read_call(json::element call, Asked& asked, Draft& draft) {
  if (!json::is_object(call)) return;
  json::element told = call, arguments;
  if (json::element function; json::find(call, "function", function) && json::is_object(function))
    told = function;
  Block use;
  use.kind = Block::Kind::tool_use;
  use.id = json::text_at(call, "id");
  use.name = json::text_at(told, "name");
  const bool is_new = asked.emplace(use.id, use.name).second;
  if (!is_new && !use.id.empty()) return;  // the content says so as well
  if (is_there(told, "arguments", arguments)) {
    use.has_body = !json::is_string(arguments);
    if (use.has_body)
      use.body = arguments;
    else
      use.text = json::text(arguments);
  }
  draft.blocks.push_back(use);
}

/// Of `{"input", "output"}`, or of what vendors call them.
struct Counts {
  int64_t input = kNoCount, cached = kNoCount;
  Tokens tokens;

  void read(json::element from) {
    json::fields(from, [&](std::string_view key, json::element value) {
      if (key == "input_tokens" || key == "prompt_tokens" || key == "input")
        input = json::count(value, input);
      else if (key == "output_tokens" || key == "completion_tokens" || key == "output")
        tokens.output = json::count(value, tokens.output);
      else if (key == "cached_tokens" || key == "cached")
        cached = json::count(value, cached);
      else if (key == "cache_read_input_tokens")
        tokens.cache_read = json::count(value, tokens.cache_read);
      else if (key == "cache_creation_input_tokens")
        tokens.cache_creation = json::count(value, tokens.cache_creation);
      else if (key == "prompt_tokens_details" || key == "input_tokens_details")
        json::fields(value, [&](std::string_view detail, json::element number) {
          if (detail == "cached_tokens") cached = json::count(number, cached);
        });
    });
  }
};

Duration read_seconds(json::element value) {
  double seconds = 0;
  constexpr double kCentury = 100.0 * 366 * 86400;
  if (value.get_double().get(seconds) || !(seconds >= 0 && seconds < kCentury)) return kNoDuration;
  return Duration(std::llround(seconds * 1e9));
}

}  // namespace

bool find_of(json::element from, std::string_view key, json::element& value) {
  json::element metadata;
  return is_there(from, key, value) ||
         (json::find(from, "metadata", metadata) && is_there(metadata, key, value));
}

std::string_view text_of(json::element from, std::string_view key) {
  json::element value;
  return find_of(from, key, value) ? json::text(value) : std::string_view{};
}

std::string_view name_of_session(json::element record) {
  const std::string_view id = json::text_at(record, "id");
  return id.empty() ? json::text_at(record, "conversation_id") : id;
}

bool is_role(std::string_view role) {
  return is_one_of(role, kRoles);
}

bool is_system(std::string_view role) {
  return role == "system" || role == "developer";
}

std::string_view tool_of(json::element message) {
  return text_of(message, "tool_call_id");
}

Time time_of(json::element from) {
  json::element value;
  if (!find_of(from, "timestamp", value)) return kNoTime;
  return instant_of(value);
}

Tokens tokens_of(json::element message) {
  Counts counts;
  json::element inside;
  if (json::find(message, "metadata", inside)) counts.read(inside);
  for (std::string_view key : {"usage", "token_usage", "tokens"})
    if (find_of(message, key, inside)) counts.read(inside);
  counts.read(message);
  count_input(counts.input, counts.cached, counts.tokens);
  return counts.tokens;
}

int64_t cost_of(json::element message) {
  json::element value, total;
  for (std::string_view key : {"cost", "cost_usd", "total_cost"}) {
    if (!find_of(message, key, value)) continue;
    const bool is_split = json::is_object(value) && json::find(value, "total", total);
    return read_dollars(is_split ? total : value);
  }
  return kNoCount;
}

void read_said(json::element message, Draft& draft) {
  draft.role = json::text_at(message, "role") == "assistant" ? Message::Role::assistant
                                                             : Message::Role::user;
  json::element value;
  if (is_there(message, "content", value)) {
    if (json::is_string(value) && !json::text(value).empty()) read_block(value, draft);
    if (json::is_object(value)) read_block(value, draft);
    json::items(value, [&](json::element piece) { read_block(piece, draft); });
  }
  if (!find_of(message, "tool_calls", value)) return;
  Asked asked = asked_in(draft);
  json::items(value, [&](json::element call) { read_call(call, asked, draft); });
}

bool says_nothing(json::element content) {
  bool is_empty = content.is_null() || (json::is_string(content) && json::text(content).empty()) ||
                  json::is_object(content) || json::is_array(content);
  json::fields(content, [&](std::string_view, json::element) { is_empty = false; });
  json::items(content, [&](json::element) { is_empty = false; });
  return is_empty || json::text(content) == "{}" || json::text(content) == "null";
}

Block result_of(json::element result) {
  Block told;
  json::element value, failed;
  told.kind = Block::Kind::tool_result;
  told.id = tool_of(result);
  told.has_body = is_there(result, "content", told.body);
  if (told.has_body) told.text = json::text(told.body);
  const bool has_error = find_of(result, "error", value) && !says_nothing(value);
  bool success = false;
  const bool is_judged = find_of(result, "success", failed) && !failed.get_bool().get(success);
  told.is_error = is_judged ? !success : has_error;
  if (find_of(result, "is_error", failed)) told.is_error |= json::is_true(failed);
  // Where a failed tool gave nothing, the error is what the model was told.
  if (told.is_error && has_error && (!told.has_body || says_nothing(told.body)))
    told.text = json::is_string(value) ? json::text(value) : json::text_at(value, "message");
  if (find_of(result, "execution_time", value)) told.took = read_seconds(value);
  return told;
}

Extent place_of_results(const Part& message) {
  Part list = message.field("tool_results");
  if (list.text.empty()) {
    const Part metadata = message.field("metadata");
    if (!metadata.text.empty()) list = metadata.field("tool_results");
  }
  return list.text.empty() ? message.at : list.at;
}

void say_part(json::element part, Draft& said) {
  const auto add = [&](json::element result) {
    if (json::is_object(result)) said.blocks.push_back(result_of(result));
  };
  said.role = Message::Role::user;
  if (json::is_array(part)) return json::items(part, add);
  if (json::text_at(part, "role") == "tool" && !tool_of(part).empty()) return add(part);
  read_said(part, said);
}

bool record_is_dated(json::element record) {
  json::element value;
  return json::find(record, "created_at", value);
}

}  // namespace xtrace::conversation_parts
