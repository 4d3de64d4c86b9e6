#include "link/lines/line_index.h"

#include "base/hash.h"
#include "base/parts.h"
#include "base/text.h"

namespace xtrace {

LineKeys keys_of_line(std::string_view line) {
  constexpr size_t kFewest = 4;  // letters and digits: fewer are in many lines
  const std::string folded = fold_white_space(line);
  LineKeys keys;
  keys.length = static_cast<uint32_t>(folded.size());
  if (folded.empty()) return keys;
  keys.folded = hash_of(folded);
  std::string letters;
  for (const char c : folded) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' ||
                           static_cast<unsigned char>(c) >= 0x80;
    if (is_letter) letters += c;
  }
  keys.loose = letters.size() >= kFewest ? hash_of(letters) : kFewLetters;
  return keys;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  if (text.empty()) return lines;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for_each_part(text, '\n', [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  });
  return lines;
}

uint32_t LineIndex::add(const LineKeys& keys, uint32_t previous) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.keys = keys});
  if (keys.folded != 0) folded_[keys.folded].push_back(node);
  if (keys.loose > kFewLetters) loose_[keys.loose].push_back(node);
  if (previous != kNone) join(previous, node);
  return node;
}

void LineIndex::join(uint32_t before, uint32_t after) {
  if (before != kNone) nodes_[before].next = after;
  if (after != kNone) nodes_[after].previous = before;
}

std::span<const uint32_t> LineIndex::with(uint64_t key) const {
  const auto found = folded_.find(key);
  return found == folded_.end() ? std::span<const uint32_t>() : found->second;
}

}  // namespace xtrace
