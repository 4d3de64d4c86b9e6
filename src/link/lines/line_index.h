#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xtrace {

/// What a line is compared by.
struct LineKeys {
  uint64_t folded = 0;  ///< of its words, white space folded; 0: it is blank
  uint64_t loose =
      0;  ///< of its letters and digits alone, as formatters leave them; see kFewLetters
  uint32_t length = 0;  ///< in bytes, white space folded
};
/// LineKeys::loose of lines with too few letters to find them by.
inline constexpr uint64_t kFewLetters = 1;
LineKeys keys_of_line(std::string_view line);

/// The lines of a text, without their ends; one that ends in a line break has no line behind it.
std::vector<std::string_view> lines_of(std::string_view text);

/// Lines in chains: what follows what. Finds where other lines are among them, run by run, in a
/// time that grows as their number does.
class LineIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Node {
    LineKeys keys;
    uint32_t previous = kNone, next = kNone;
  };

  /// Adds a line behind `previous`, or as the first of a chain.
  uint32_t add(const LineKeys& keys, uint32_t previous);
  void join(uint32_t before, uint32_t after);
  const Node& operator[](uint32_t node) const { return nodes_[node]; }
  size_t size() const { return nodes_.size(); }
  /// The lines with this key, in the order in which they were added.
  std::span<const uint32_t> with(uint64_t key) const;

  enum class By : uint8_t { folded, loose };
  /// By line, the node that it is; kNone: none. Each node is one line at most. A line goes on with
  /// the run of the line before it; else it is where most of the lines around it are the same, the
  /// node that was added last coming first. Lines of few letters are found within runs alone.
  /// `takes(line, node)`: may it be that node? Adds to what `found` holds already.
  template <class Takes>
  void align(std::span<const LineKeys> lines, By by, const Takes& takes,
             std::vector<uint32_t>& found);

 private:
  static uint64_t key(const LineKeys& keys, By by) {
    return by == By::folded ? keys.folded : keys.loose;
  }
  uint32_t beside(uint32_t node, int step) const {
    return node == kNone ? kNone : step < 0 ? nodes_[node].previous : nodes_[node].next;
  }
  bool is_like(const LineKeys& line, uint32_t node, By by) const {
    return node != kNone && key(line, by) == key(nodes_[node].keys, by);
  }
  /// How many of the lines around one are those around the node.
  template <class Takes>
  int likeness(std::span<const LineKeys> lines, size_t at, uint32_t node, By by,
               const Takes& takes) const;

  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> folded_, loose_;
  std::vector<uint32_t> taken_;  ///< by node, the last alignment that took it
  uint32_t alignment_ = 0;
};

/// Shorter lines, such as `}`, are in many places.
inline constexpr uint32_t kShortestAnchor = 4;
/// Lines that are alike, of which so many are looked at: those added last.
inline constexpr size_t kMostLookedAt = 32;

template <class Takes>
int LineIndex::likeness(std::span<const LineKeys> lines, size_t at, uint32_t node, By by,
                        const Takes& takes) const {
  constexpr size_t kAround = 4;
  int alike = 0;
  for (const int step : {-1, 1}) {
    uint32_t other = node;
    for (size_t k = 1; k <= kAround; ++k) {
      const size_t line = step < 0 ? at - k : at + k;  // wraps around below the first
      other = beside(other, step);
      if (line >= lines.size() || !is_like(lines[line], other, by) || !takes(line, other)) break;
      ++alike;
    }
  }
  return alike;
}

template <class Takes>
void LineIndex::align(std::span<const LineKeys> lines, By by, const Takes& takes,
                      std::vector<uint32_t>& found) {
  ++alignment_;
  taken_.resize(nodes_.size(), 0);
  found.resize(lines.size(), kNone);
  for (const uint32_t node : found)
    if (node != kNone) taken_[node] = alignment_;
  const auto is_free = [&](size_t line, uint32_t node) {
    return node != kNone && taken_[node] != alignment_ && takes(line, node);
  };
  const auto take = [&](size_t line, uint32_t node) {
    taken_[node] = alignment_;
    found[line] = node;
  };
  const auto goes_on = [&](size_t line, uint32_t node) {
    return line < lines.size() && found[line] == kNone && is_like(lines[line], node, by) &&
           is_free(line, node);
  };
  const auto& all = by == By::folded ? folded_ : loose_;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (found[i] != kNone) continue;
    if (i > 0 && goes_on(i, beside(found[i - 1], 1))) {
      take(i, nodes_[found[i - 1]].next);
      continue;
    }
    if (key(lines[i], by) <= kFewLetters) continue;
    const auto alike = all.find(key(lines[i], by));
    if (alike == all.end()) continue;
    uint32_t best = kNone;
    int most = lines[i].length < kShortestAnchor ? 1 : -1;  // to be exceeded
    size_t looked = 0;
    for (size_t k = alike->second.size(); k-- > 0 && looked < kMostLookedAt;) {
      const uint32_t node = alike->second[k];
      ++looked;
      if (!is_free(i, node)) continue;
      const int around = likeness(lines, i, node, by, is_free);
      if (around <= most) continue;
      most = around;
      best = node;
    }
    if (best == kNone) continue;
    take(i, best);
    for (size_t k = i; k-- > 0 && goes_on(k, beside(found[k + 1], -1));)
      take(k, nodes_[found[k + 1]].previous);
  }
}

}  // namespace xtrace
