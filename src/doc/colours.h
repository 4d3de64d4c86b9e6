#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// How things of one kind look, each `#RRGGBB`.
struct Colours {
  std::string fill, border;
};

/// Those of a kind: by its name alone, so that a kind looks alike in every picture, legend and hint
/// of every log.
Colours colours_of(std::string_view kind);

/// Those of an agent whose log says its colour: `#RRGGBB` or a plain name such as `cyan`. Empty
/// ones: it says nothing that is a colour.
Colours colours_told(std::string_view colour);

}  // namespace xtrace
