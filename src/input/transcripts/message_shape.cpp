#include "input/transcripts/message_shape.h"

#include <algorithm>

#include "base/hash.h"
#include "base/one_of.h"
#include "base/parts.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/ending.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

using Says = PieceShape::Says;

Time time_on(json::element from, json::Path path) {
  json::element value;
  return json::follow(from, path, value) ? instant_of(value) : kNoTime;
}

/// Views into the record, which a draft may keep.
std::string_view view_on(json::element from, json::Path path) {
  json::element value;
  return json::follow(from, path, value) ? json::text(value) : std::string_view{};
}

/// Has it one of these keys (`|` between them), whatever is there?
bool has_key(json::element piece, std::string_view keys) {
  json::element value;
  for (; !keys.empty(); keys.remove_prefix(std::min(keys.find('|'), keys.size() - 1) + 1))
    if (json::find(piece, keys.substr(0, keys.find('|')), value)) return true;
  return false;
}

const PieceShape* shape_of(json::element piece, const MessageShape& shape) {
  const std::string_view type = view_on(piece, shape.type);
  for (const PieceShape& each : shape.pieces) {
    const bool fits = shape.type.empty() ? has_key(piece, each.type) : each.type == type;
    if (fits || each.type.empty()) return &each;
  }
  return nullptr;
}

void add_tool_use(json::element piece, const PieceShape& shape, Draft& draft) {
  Block& use = draft.blocks.emplace_back();
  use.kind = Block::Kind::tool_use;
  use.id = view_on(piece, shape.id);
  use.name = view_on(piece, shape.name);
  if (!json::follow(piece, shape.arguments, use.body)) return;
  use.has_body = !json::is_string(use.body);  // else JSON in a string
  use.text = json::text(use.body);
}

/// A tool that still ran when this was written gave nothing.
void add_tool_result(json::element piece, const PieceShape& shape, Draft& draft) {
  Block told;
  told.kind = Block::Kind::tool_result;
  told.id = view_on(piece, shape.id);
  told.has_body = json::follow(piece, shape.output, told.body);
  if (told.has_body) told.text = json::text(told.body);
  const Outcome stated = outcome_named(view_on(piece, "state/status|status"));
  told.is_error = stated == Outcome::error || shape.failed.is_in(piece);
  if (stated == Outcome::unfinished && !told.is_error) return;
  const Time began = time_on(piece, shape.began), ended = time_on(piece, shape.ended);
  if (const Duration took = elapsed(began, ended); took >= Duration{0}) {
    told.took = took;
    told.ended = ended;
  }
  if (shape.says == Says::tool_result || told.has_body || told.is_error)
    draft.blocks.push_back(told);
}

/// `of_results`: only what tools of the same message gave; else all but that.
void add_piece(json::element piece, const MessageShape& message, bool of_results, Draft& draft) {
  if (json::is_string(piece)) {
    if (!of_results) add_text(json::text(piece), draft);
    return;
  }
  const PieceShape* shape = shape_of(piece, message);
  if (shape == nullptr) {
    if (!of_results) read_block(piece, draft);
    return;
  }
  if (of_results) {
    if (shape->says == Says::tool) add_tool_result(piece, *shape, draft);
    return;
  }
  switch (shape->says) {
    case Says::text: {
      if (json::is_true_on(piece, shape->unless)) return;
      return add_text(words_within(view_on(piece, shape->text), shape->within), draft);
    }
    case Says::thought: draft.blocks.emplace_back().kind = Block::Kind::hidden; return;
    case Says::tool_use:
    case Says::tool: return add_tool_use(piece, *shape, draft);
    case Says::tool_result: return add_tool_result(piece, *shape, draft);
    case Says::nothing: return;
  }
}

template <class Each>
void for_each_piece(json::element message, json::Path path, Each each) {
  json::element pieces;
  if (!json::follow(message, path, pieces)) return;
  if (json::is_array(pieces))
    json::items(pieces, each);
  else
    each(pieces);
}

void read_said(json::element message, const MessageShape& shape, Draft& draft) {
  const std::string_view role = view_on(message, shape.role);
  draft.role = role.empty()                       ? shape.spoken_by
               : is_word(role, shape.model_roles) ? Message::Role::assistant
               : is_word(role, shape.user_roles)  ? Message::Role::user
                                                  : role_by_name(role);
  for (const json::Path path : {shape.content, shape.calls})
    for_each_piece(message, path,
                   [&](json::element piece) { add_piece(piece, shape, false, draft); });
}

/// Where the pieces stand that hold what tools gave.
json::Path place_of_tools(const MessageShape& shape) {
  return shape.calls.empty() ? shape.content : shape.calls;
}

Part part_on(Part part, json::Path path) {
  while (!path.empty() && !part.text.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    part = part.field(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return part;
}

/// Is what `whole` counts exactly these?
bool is_sum(int64_t whole, std::initializer_list<int64_t> parts) {
  return whole == sum_of_known(parts);
}

}  // namespace

bool Failure::is_in(json::element piece) const {
  json::element value;
  int64_t code = 0;
  if (json::follow(piece, there, value) || json::is_true_on(piece, is_true)) return true;
  if (json::follow(piece, is_false, value) && value.is_bool() && !json::is_true(value)) return true;
  if (json::count_on(piece, exit_code, 0) != 0) return true;
  if (json::follow(piece, exit_code, value) && !value.get_int64().get(code) && code != 0)
    return true;
  if (outcome_named(view_on(piece, outcome)) == Outcome::error) return true;
  return (!word.empty() && is_word(view_on(piece, word), words)) ||
         (!text.empty() && is_said(view_on(piece, text))) || (stated != nullptr && stated(piece));
}

bool Failure::is_said(std::string_view said) const {
  const auto begins_with = [](std::string_view one, std::string_view list) {
    bool any = false;
    if (!list.empty())
      for_each_part(list, '|', [&](std::string_view first) { any |= one.starts_with(first); });
    return any;
  };
  said.remove_prefix(std::min(said.find_first_not_of(" \t\r\n"), said.size()));
  if (begins_with(said, begins)) return true;
  // The failure is behind what was printed, and programs add a few lines of their own.
  constexpr size_t kLooked = 600;
  std::string_view end = said.substr(said.size() - std::min(said.size(), kLooked));
  bool any = false;
  if (!line.empty())
    for_each_part(end, '\n', [&](std::string_view one) { any |= begins_with(one, line); });
  return any;
}

Message::Role role_by_name(std::string_view role) {
  if (is_one_of(role, {"assistant", "model", "ai", "bot"})) return Message::Role::assistant;
  return is_one_of(role, {"user", "human", "tool", "function"}) ? Message::Role::user
                                                                : Message::Role::other;
}

std::string_view words_within(std::string_view text, std::string_view tag) {
  if (tag.empty()) return text;
  const std::string begin = "<" + std::string(tag) + ">", end = "</" + std::string(tag) + ">";
  const size_t from = text.find(begin), to = text.rfind(end);
  if (from == text.npos || to == text.npos || to < from + begin.size()) return text;
  text = text.substr(from + begin.size(), to - from - begin.size());
  constexpr std::string_view kLineEnds = "\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kLineEnds), text.size()));
  return text.substr(0, text.find_last_not_of(kLineEnds) + 1);
}

Tokens read_usage(json::element usage, const UsageShape& shape) {
  const auto count = [&](json::Path path) { return json::count_on(usage, path, kNoCount); };
  const int64_t input = sum_of_known({count(shape.input), count(shape.tools)}),
                output = count(shape.output), read = count(shape.cache_read),
                written = count(shape.cache_write), reasoning = count(shape.reasoning),
                total = count(shape.total);
  Tokens tokens;
  if (sum_of_known({input, output, read, written, reasoning}) <= 0) return tokens;
  bool has_cache = shape.input_has_cache, has_reasoning = shape.output_has_reasoning;
  if (is_sum(total, {input, output}))
    has_cache = has_reasoning = true;
  else if (is_sum(total, {input, output, reasoning}))
    has_cache = true, has_reasoning = false;
  else if (is_sum(total, {input, output, read, written}))
    has_cache = false, has_reasoning = true;
  else if (is_sum(total, {input, output, read, written, reasoning}))
    has_cache = has_reasoning = false;
  const int64_t cache = sum_of_known({read, written});
  if (cache > input) has_cache = false;
  tokens.input = input;
  if (has_cache && input != kNoCount && cache != kNoCount) tokens.input = input - cache;
  tokens.output = has_reasoning ? output : sum_of_known({output, reasoning});
  tokens.cache_read = read;
  tokens.cache_creation = written;
  if (const int64_t rest = total - total_of(tokens);
      shape.rest_is_output && tokens.output >= 0 && rest > 0)
    tokens.output += rest;
  return tokens;
}

void say_message(json::element part, const MessageShape& shape, Draft& said) {
  if (!json::is_array(part)) return read_said(part, shape, said);
  said.role = Message::Role::user;
  json::items(part, [&](json::element piece) { add_piece(piece, shape, true, said); });
}

void MessageReader::keep_apart(std::string_view session) {
  Shard& shard = context_.shard;
  const uint64_t key = chain(hash_of("session"), hash_of(session));
  before_ = shard.find_message(key);
  if (!before_) before_ = shard.add_message({{}, 1, key, Message::Role::other});
}

void MessageReader::add(Utterance& said, const Draft& draft) {
  said.message = add_message(before_, draft, context_.parsers, context_.shard);
  context_.shard.add(said);
}

void MessageReader::name_by_order(Draft& draft) const {
  size_t nth = 0;
  for (Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_use && block.id.empty())
      block.id = draft.keep(order + "-" + std::to_string(nth++));
}

void MessageReader::read(json::element message, const Part& part) {
  Utterance said = begin(message, part);
  Draft& draft = cleared(context_.draft);
  read_said(message, shape_, draft);
  const bool is_answer = draft.role == Message::Role::assistant;
  said.kind = is_answer ? Utterance::Kind::answered : Utterance::Kind::asked;
  if (is_answer) read_answer(message, said);
  if (said.outcome == Outcome::error && draft.blocks.empty()) said.kind = Utterance::Kind::failed;
  if (!is_answer && is_by_program(message)) draft.role = Message::Role::other;
  if (shape_.adjust != nullptr) shape_.adjust(message, said, draft);
  if (!order.empty()) name_by_order(draft);
  if (!draft.blocks.empty())
    add(said, draft);
  else if (said.kind != Utterance::Kind::asked)
    context_.shard.add(said);
  if (is_answer) read_results(message, part, said);
}

void MessageReader::read_list(json::element document, const Part& whole, std::string_view key) {
  each_item(document, whole, key,
            [&](json::element message, const Part& part) { read(message, part); });
}

bool MessageReader::is_by_program(json::element message) const {
  return json::is_true_on(message, shape_.by_program) ||
         !view_on(message, shape_.by_program).empty();
}

Utterance MessageReader::begin(json::element message, const Part& part) const {
  Utterance said = common;
  Shard& shard = context_.shard;
  said.source = part.at;
  const auto take = [&](StringId& known, json::Path path) {
    if (const StringId own = shard.intern(json::text_on(message, path))) known = own;
  };
  take(said.id, shape_.id);
  take(said.after, shape_.after);
  take(said.answer, shape_.answer);
  take(said.session, shape_.session);
  if (!shape_.after.empty()) said.is_chained = true;
  if (json::is_true_on(message, shape_.in_subagent)) {
    said.in_subagent = true;
    take(said.agent, shape_.agent);
    take(said.agent_type, shape_.agent_type);
  }
  json::element time;
  if (json::follow(message, shape_.time, time)) read_time(time, said);
  return said;
}

void MessageReader::read_answer(json::element message, Utterance& said) const {
  Shard& shard = context_.shard;
  json::element value;
  said.outcome = Outcome::ok;
  if (shape_.answer.empty() && !shape_.is_piece) {
    said.form = Utterance::Form::whole;
    said.answer = said.id;
  }
  const auto take = [&](StringId& known, json::Path path) {
    if (const StringId own = shard.intern(json::text_on(message, path))) known = own;
  };
  take(said.model, shape_.model);
  take(said.provider, shape_.provider);
  take(said.stop_reason, shape_.stop_reason);
  if (json::follow(message, shape_.usage, value)) said.tokens = read_usage(value, shape_.counts);
  if (json::follow(message, shape_.cost, value)) said.cost = read_dollars(value);
  if (said.time != kNoTime) said.time = std::max(said.time, not_before);
  const Duration took = elapsed(said.time, time_on(message, shape_.ended));
  if (took >= Duration{0}) said.took = took;
  if (!shape_.ended.empty() && said.time != kNoTime && said.took == kNoDuration)
    said.version = Utterance::Version::begun;
  if (!json::follow(message, shape_.error, value)) return;
  const std::string error = error_word(value);
  if (error.empty()) return;
  said.outcome = Outcome::error;
  said.error = shard.intern(error);
}

void MessageReader::read_results(json::element message, const Part& part, const Utterance& said) {
  const json::Path path = place_of_tools(shape_);
  Draft& draft = cleared(context_.draft);
  draft.role = Message::Role::user;
  for_each_piece(message, path,
                 [&](json::element piece) { add_piece(piece, shape_, true, draft); });
  if (draft.blocks.empty()) return;
  const Part place = part_on(part, shape_.results.empty() ? path : shape_.results);
  Utterance told = common;
  told.form = Utterance::Form::piece;
  told.kind = Utterance::Kind::asked;
  told.session = said.session;
  told.source = place.text.empty() ? part.at : place.at;
  told.time = said.took != kNoDuration ? after(said.time, said.took) : said.time;
  told.decimals = said.decimals;
  for_each_piece(message, path, [&](json::element piece) {
    if (const PieceShape* shape = shape_of(piece, shape_); shape != nullptr)
      told.time = std::max(told.time, time_on(piece, shape->ended));
  });
  if (said.id)  // what is saved again has it again
    told.id = context_.shard.intern(std::string(context_.shard[said.id]) + "/results");
  add(told, draft);
}

}  // namespace xtrace
