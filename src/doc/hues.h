#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// A hue as marks have it: with a contrast of 3:1 on white and near black.
struct Hue {
  std::string_view light, dark;
};

/// The colours of Okabe and Ito, which colour-blind people can distinguish, darkened or lightened;
/// the last one is the grey for everything without one. The colours of pages and of timelines are
/// defined only here; colours.h assigns hues to kinds.
inline constexpr Hue kHuePalette[] = {
    {"#b67e00", "#e69f00"}, {"#4590ba", "#56b4e9"}, {"#00906a", "#10a97c"},
    {"#8d8522", "#e3d84a"}, {"#0072b2", "#2f87c6"}, {"#d05a00", "#dd6a1c"},
    {"#bb6b98", "#cc79a7"}, {"#41454d", "#d3d7de"}, {"#767c87", "#858c98"},
};
inline constexpr uint32_t kHues = 8, kGreyHue = 8;

}  // namespace xtrace
