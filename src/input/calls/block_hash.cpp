#include "input/calls/block_hash.h"

#include "base/hash.h"
#include "base/one_of.h"
#include "base/trimmed.h"
#include "facts/made_id.h"
#include "input/common/parsers.h"

namespace xtrace {

namespace {

/// What a tool was given, however its JSON is written.
uint64_t hash_given(const Block& block, Parsers& parsers) {
  json::element arguments = block.body;
  const bool is_json = block.has_body || parsers.parse(block.text, arguments);
  return is_json ? digest_of(arguments) : hash_of(trimmed(block.text));
}

/// A text in one piece or as a list of blocks is the same.
uint64_t hash_output(const Block& block) {
  uint64_t hash = 0;
  const auto add_text = [&](std::string_view text) { hash = chain(hash, hash_of(trimmed(text))); };
  if (!block.has_body || json::is_string(block.body)) {
    add_text(block.text);
  } else if (json::is_array(block.body)) {
    json::items(block.body, [&](json::element part) {
      if (const std::string_view text = json::text_at(part, "text"); !text.empty())
        add_text(text);
      else
        hash = chain(hash, hash_value(part));
    });
  } else {
    hash = hash_value(block.body);
  }
  return hash;
}

/// Of those fields of an object whose keys count.
template <class Counts>
uint64_t digest_of_fields(json::element object, Counts counts) {
  uint64_t all = 3;
  json::fields(object, [&](std::string_view key, json::element field) {
    if (counts(key)) all += chain(hash_of(key), digest_of(field));
  });
  return all;
}

}  // namespace

uint64_t hash_value(json::element value) {
  uint64_t hash = static_cast<uint64_t>(value.type());
  if (json::is_string(value)) return chain(hash, hash_of(json::text(value)));
  json::items(value, [&](json::element item) { hash = chain(hash, hash_value(item)); });
  json::fields(value, [&](std::string_view key, json::element field) {
    if (key == "cache_control") return;
    hash = chain(chain(hash, hash_of(key)), hash_value(field));
  });
  int64_t number = 0;
  double real = 0;
  bool truth = false;
  if (!value.get_int64().get(number)) return chain(hash, static_cast<uint64_t>(number));
  if (!value.get_double().get(real))
    return chain(hash, hash_of({reinterpret_cast<char*>(&real), 8}));
  if (!value.get_bool().get(truth)) return chain(hash, truth);
  return hash;
}

uint64_t digest_of(json::element value) {
  if (json::is_string(value)) return chain(1, hash_of(json::text(value)));
  if (json::is_array(value)) {
    uint64_t all = 2;
    json::items(value, [&](json::element item) { all = chain(all, digest_of(item)); });
    return all;
  }
  if (json::is_object(value)) return digest_of_fields(value, [](std::string_view) { return true; });
  return hash_of(simdjson::minify(value));
}

uint64_t digest_of_given(json::element arguments, bool is_command) {
  if (!json::is_object(arguments)) return digest_of(arguments);
  return digest_of_fields(arguments, [&](std::string_view key) {
    return !is_one_of(key, {"explanation", "justification", "riskLevelReason"}) &&
           !(is_command && key == "description");
  });
}

uint64_t hash_tool_block(Block::Kind kind, std::string_view id) {
  return chain(static_cast<uint64_t>(kind), hash_of(id));
}

uint64_t hash_block(const Block& block, uint64_t ids_of, Parsers& parsers) {
  const uint64_t kind = static_cast<uint64_t>(block.kind);
  switch (block.kind) {
    case Block::Kind::text: return chain(kind, hash_of(trimmed(block.text)));
    case Block::Kind::tool_use:
    case Block::Kind::tool_result: {
      // Without an id it is what the tool was given, or gave, that tells two from each other.
      if (block.id.empty())
        return chain(chain(kind, hash_of(block.name)),
                     block.has_body ? hash_value(block.body) : hash_of(block.text));
      uint64_t hash = hash_tool_block(block.kind, block.id);
      if (ids_of != 0) return chain(hash, ids_of);
      if (is_one_of_its_kind(block.id)) return hash;
      return block.kind == Block::Kind::tool_result
                 ? chain(hash, hash_output(block))
                 : chain(chain(hash, hash_of(block.name)), hash_given(block, parsers));
    }
    case Block::Kind::other: return chain(kind, block.has_body ? hash_value(block.body) : 0);
    case Block::Kind::hidden: break;
  }
  return 0;
}

}  // namespace xtrace
