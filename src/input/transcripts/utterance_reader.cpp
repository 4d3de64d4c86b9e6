#include "input/transcripts/utterance_reader.h"

#include "input/common/moments.h"
#include "input/common/record_context.h"

namespace xtrace {

void read_time(json::element value, Utterance& said) {
  if (std::optional<Moment> moment = read_moment(value)) {
    said.time = moment->time;
    said.decimals = moment->decimals;
  }
}

void read_time_on(json::element from, json::Path path, Utterance& said) {
  json::element value;
  if (json::follow(from, path, value)) read_time(value, said);
}

void read_tool_use(json::element use, const ToolUseKeys& keys, Draft& draft) {
  Block& block = draft.blocks.emplace_back();
  block.kind = Block::Kind::tool_use;
  block.id = json::text_at(use, keys.id);
  block.name = json::text_at(use, keys.name);
  block.has_body = json::find(use, keys.arguments, block.body);
}

Block& add_block(Block::Kind kind, json::element from, json::Path body, Draft& draft) {
  Block& block = draft.blocks.emplace_back();
  block.kind = kind;
  block.has_body = json::follow(from, body, block.body);
  if (block.has_body) block.text = json::text(block.body);
  return block;
}

void add_text(std::string_view text, Draft& draft) {
  if (text.empty()) return;
  Block& block = draft.blocks.emplace_back();
  block.kind = Block::Kind::text;
  block.text = text;
}

void note_leave(const Utterance& said, AsksLeave asks, Shard& shard) {
  Measurement told{said.source, said.time, {}, said.session, kAsksLeave};
  told.number = static_cast<double>(asks);
  shard.add(told);
}

AgentRelation relation_of(const Utterance& common, AgentRelation::Kind kind, StringId agent) {
  AgentRelation relation;
  relation.kind = kind;
  relation.source = common.source;
  relation.time = common.time;
  relation.decimals = common.decimals;
  relation.session = common.session;
  relation.agent = agent;
  return relation;
}

Utterance usage_of(const Utterance& common, const UsageTerms& terms) {
  Utterance used = common;
  used.kind = Utterance::Kind::used;
  used.usage = terms;
  used.id = {};
  used.message = {};
  used.sizes = {};
  used.form = Utterance::Form::piece;
  used.version = Utterance::Version::only;
  return used;
}

void add_utterance(Utterance& said, const Draft& draft, RecordContext& context) {
  said.message = add_message({}, draft, context.parsers, context.shard);
  context.shard.add(said);
}

void add_utterance(Utterance& said, json::element value, void (*read)(json::element, Draft&),
                   RecordContext& context) {
  Draft& draft = cleared(context.draft);
  read(value, draft);
  if (!draft.blocks.empty()) return add_utterance(said, draft, context);
  if (said.kind != Utterance::Kind::asked) context.shard.add(said);
}

}  // namespace xtrace
