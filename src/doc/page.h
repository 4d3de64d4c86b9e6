#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// Where the arrows of a picture lead. automatic: wherever it fits a page, down if both do.
enum class Direction : uint8_t { automatic, down, right };
inline constexpr std::string_view kDirectionWords[] = {"auto", "TB", "LR"};

/// A length on paper, of 96 dots an inch.
struct PaperSize {
  double width = 0, height = 0;
};

/// What a screen or a printed page shows at once with its labels still legible.
inline constexpr PaperSize kPage = {2000, 2000};

/// What a picture consists of, to foretell how large it will be.
struct Blueprint {
  struct Arrow {
    uint32_t from = 0, to = 0;
    double label = 0;  ///< its width
  };
  std::vector<PaperSize> boxes;
  std::vector<Arrow> arrows;

  /// A box with these lines of text.
  template <typename Lines>
  void add_box(const Lines& lines) {
    double widest = 0, count = 0;
    for (const auto& line : lines) widest = std::max(widest, width_of(line)), ++count;
    boxes.push_back({widest + 28, count * kLine + 12});
  }
  static double width_of(std::string_view text);
  static constexpr double kLine = 17.3;
};

/// Of a drawing, as a renderer will label it.
struct Drawing;
Blueprint blueprint_of(const Drawing& drawing);

/// About how large the picture comes out where arrows lead `right`, or down: boxes in ranks as
/// Graphviz and Mermaid lay them out. More often too large than too small.
PaperSize size_of(const Blueprint& of, bool right);

/// Does it fit a page in the direction asked for, or in any?
bool fits_page(const Blueprint& of, Direction asked);

/// `asked`, or the direction in which it fits a page; down if both do, else the one in which less
/// sticks out.
Direction direction_for(const Blueprint& of, Direction asked);

}  // namespace xtrace
