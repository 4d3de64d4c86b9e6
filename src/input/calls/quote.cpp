#include "input/calls/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "input/calls/image_tokens.h"
#include "input/common/shard.h"

namespace xtrace {

namespace {

/// Nothing: it is no quote.
std::optional<Quote::Kind> kind_of(const Block& block) {
  switch (block.kind) {
    case Block::Kind::text: return Quote::Kind::text;
    case Block::Kind::tool_use: return Quote::Kind::tool_use;
    case Block::Kind::tool_result: return Quote::Kind::tool_result;
    case Block::Kind::hidden:
      if (!block.text.empty()) return Quote::Kind::thought;
      break;
    case Block::Kind::other: break;
  }
  return std::nullopt;
}

/// How long a string is between its quotes, escaped as minify() does: control characters are
/// \u00XX, but \b, \t, \n, \f and \r.
size_t escaped_size(std::string_view text) {
  size_t escapes = 0, controls = 0, short_ones = 0;
  for (const char c : text) {  // without branches, many bytes at once
    escapes += (c == '"') | (c == '\\');
    controls += static_cast<unsigned char>(c) < 0x20;
    short_ones += (c >= '\b') & (c <= '\r') & (c != '\v');
  }
  return text.size() + escapes + 5 * controls - 4 * short_ones;
}

/// How long a number, a truth value or null is.
size_t size_of_plain(json::element value) {
  int64_t number = 0;
  if (!value.get_int64().get(number)) return fmt::formatted_size("{}", number);
  return std::string(simdjson::minify(value)).size();
}

/// How long minify() is, without writing it.
size_t minified_size(json::element value) {
  if (json::is_string(value)) return escaped_size(json::text(value)) + 2;
  size_t size = 0, parts = 0;
  if (json::is_array(value))
    json::items(value, [&](json::element item) { size += minified_size(item), ++parts; });
  else if (json::is_object(value))
    json::fields(value, [&](std::string_view key, json::element field) {
      size += escaped_size(key) + 3 + minified_size(field), ++parts;
    });
  else
    return size_of_plain(value);
  return size + 2 + (parts > 0 ? parts - 1 : 0);  // with brackets and commas
}

/// How long text_of() is; most texts need not be copied for that.
size_t bytes_of(const Block& block) {
  const bool is_whole = !block.has_body || (!block.text.empty() && !json::is_array(block.body));
  if (is_whole) return block.text.size();
  if (block.kind == Block::Kind::tool_use && block.text.empty()) return minified_size(block.body);
  return text_of(block).size();
}

/// How long a text of as many tokens would be: what is shared out by length has a share of images.
/// They are blocks of their own, or among the parts of a tool's result.
size_t bytes_of_images(const Block& block, std::optional<Quote::Kind> kind) {
  constexpr int64_t kBytesPerToken = 4;
  const bool may_be_image = !kind || *kind == Quote::Kind::tool_result;
  return may_be_image && block.has_body
             ? static_cast<size_t>(kBytesPerToken * tokens_of_images(block.body))
             : 0;
}

uint32_t bounded(size_t bytes) {
  return static_cast<uint32_t>(std::min<size_t>(bytes, std::numeric_limits<uint32_t>::max()));
}

}  // namespace

std::string text_of(const Block& block) {
  std::string text(block.text);
  if (!block.has_body) return text;
  if (block.kind == Block::Kind::tool_use && text.empty()) return simdjson::minify(block.body);
  json::items(block.body, [&](json::element part) {
    std::string_view more = json::text_at(part, "text");
    if (!more.empty()) (text += text.empty() ? "" : "\n") += more;
  });
  if (text.empty() && json::is_object(block.body)) text = simdjson::minify(block.body);
  return text;
}

void quote(const Draft& message, std::vector<Quote>& quotes) {
  for (const Block& block : message.blocks) {
    const std::optional<Quote::Kind> kind = kind_of(block);
    const bool is_answer = message.role == Message::Role::assistant;
    const size_t images = is_answer ? 0 : bytes_of_images(block, kind);
    if (!kind && images == 0) continue;
    Quote one;
    one.kind = kind.value_or(Quote::Kind::text);
    one.is_answer = is_answer;
    one.image_bytes = images;
    one.tool_use = block.id;
    if (one.kind == Quote::Kind::tool_use) one.tool = block.name;
    if (kind) one.text = text_of(block);
    quotes.push_back(std::move(one));
  }
}

BlockSizeId note_sizes(const Draft& message, bool is_answer, Shard& shard) {
  std::vector<BlockSize> sizes;
  for (const Block& block : message.blocks) {
    const std::optional<Quote::Kind> kind = kind_of(block);
    const size_t images = is_answer ? 0 : bytes_of_images(block, kind);
    BlockSize one;
    one.is_last = false;
    if (kind == Quote::Kind::tool_result) one.tool_use = shard.intern(block.id);
    if (images > 0) {
      one.kind = BlockSize::Kind::image;
      one.bytes = bounded(images);
      sizes.push_back(one);
    }
    if (!kind) continue;
    size_t bytes = bytes_of(block);
    if (is_answer) {
      one.kind = *kind == Quote::Kind::thought ? BlockSize::Kind::thought : BlockSize::Kind::answer;
      if (*kind == Quote::Kind::tool_use) bytes += block.name.size();
    } else {
      one.kind =
          *kind == Quote::Kind::tool_result ? BlockSize::Kind::result : BlockSize::Kind::input;
    }
    one.bytes = bounded(bytes);
    sizes.push_back(one);
  }
  if (sizes.empty()) sizes.emplace_back();  // it is known that nothing is said
  sizes.back().is_last = true;
  return shard.add(sizes);
}

}  // namespace xtrace
