#pragma once

#include <string_view>

namespace xtrace {

// What all pages have in common, put together by the build from the files beside this one
// (join_page).

/// page.html, with `@NAME@` where something is to be filled in.
extern const std::string_view kPageFrame;
extern const std::string_view kPageStyle;
/// All scripts in one function, with short names: of a page that shows a graph alone, and of one
/// that shows another answer about it.
extern const std::string_view kPageScript, kPageScriptOfAnswers;

}  // namespace xtrace
