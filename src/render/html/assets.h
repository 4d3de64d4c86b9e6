#pragma once

#include <span>
#include <string_view>

namespace xtrace {

// What all pages have in common, put together by the build from the files beside this one
// (join_page).

struct PageSource {
  std::string_view name;  ///< of a script: of what answers it draws
  std::string_view text;
  std::string_view hash;  ///< of the text, as Content Security Policy Level 3 writes it
};

/// page.html, with `@NAME@` where something is to be filled in.
extern const std::string_view kPageFrame;
extern const PageSource kPageStyle;
/// Scripts in one function, with short names: the first for pages that show a graph alone, the
/// others each for a picture of another answer about it, named after its file.
extern const std::span<const PageSource> kPageScripts;

}  // namespace xtrace
