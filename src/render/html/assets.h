#pragma once

#include <string_view>

namespace xtrace {

// What all pages have in common, put together by the build from the files beside this one
// (join_page).

struct PageSource {
  std::string_view text;
  std::string_view hash;  ///< of the text, as Content Security Policy Level 3 writes it
};

/// page.html, with `@NAME@` where something is to be filled in.
extern const std::string_view kPageFrame;
extern const PageSource kPageStyle;
/// All scripts in one function, with short names: of a page that shows a graph alone, and of one
/// that shows another answer about it.
extern const PageSource kPageScript, kPageScriptOfAnswers;

}  // namespace xtrace
