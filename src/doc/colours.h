#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// How things of one kind look, each `#RRGGBB`.
struct Colours {
  std::string fill, border;
};

/// Those of a kind: by its name alone, so that a kind looks alike in every picture, legend and hint
/// of every log.
Colours colours_of(std::string_view kind);

/// Which of kHuePalette (hues.h) it is, that `colours_of` lightens: a kind has one hue in graphs,
/// in pictures over time and in pages.
uint32_t hue_of(std::string_view kind);
/// That of a kind that most pictures have; of others a hash of the name chooses.
std::optional<uint32_t> known_hue(std::string_view kind);
struct KnownHue {
  std::string_view kind;
  uint32_t hue = 0;
};
std::vector<KnownHue> known_hues();
/// FNV-1a of its UTF-16, as the script of a page counts it.
uint32_t hue_hash(std::string_view name);

/// Those of an agent whose log says its colour: `#RRGGBB` or a plain name such as `cyan`. Empty
/// ones: it says nothing that is a colour.
Colours read_colours(std::string_view colour);

}  // namespace xtrace
