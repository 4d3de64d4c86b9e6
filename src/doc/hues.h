#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// A hue as marks have it: with a contrast of 3:1 on white and near black.
struct Hue {
  std::string_view light, dark;
};

/// Those of Okabe and Ito, which the colour-blind tell apart, darkened or lightened; the last one
/// is the grey of what has none. The one place of the colours of pages and of pictures over time;
/// which kind has which hue says colours.h.
inline constexpr Hue kHuePalette[] = {
    {"#b67e00", "#e69f00"}, {"#4590ba", "#56b4e9"}, {"#00906a", "#10a97c"},
    {"#8d8522", "#e3d84a"}, {"#0072b2", "#2f87c6"}, {"#d05a00", "#dd6a1c"},
    {"#bb6b98", "#cc79a7"}, {"#41454d", "#d3d7de"}, {"#767c87", "#858c98"},
};
inline constexpr uint32_t kHues = 8, kGreyHue = 8;

}  // namespace xtrace
