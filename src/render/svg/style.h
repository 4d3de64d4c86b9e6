#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/svg/svg_writer.h"

namespace xtrace {

// Sizes that all pictures share.
inline constexpr int64_t kPictureWidth = 1000, kPictureMargin = 20, kMostHeight = 2000;

/// The texts at the head of a picture and below it.
struct Caption {
  std::string title, sums;
  std::vector<std::string> notes;  ///< what was folded or is not drawn
  std::string own_style{};         ///< Hues::own_style()
};

/// Where a picture begins below its head.
int64_t top_below(const Caption& caption);

/// The whole file: head, style for light and dark ground, title, sums, what `body` holds, and from
/// `bottom` on the notes.
std::string whole_picture(const Caption& caption, int64_t width, int64_t bottom,
                          const std::string& body);

}  // namespace xtrace
