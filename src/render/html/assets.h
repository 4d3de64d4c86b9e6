#pragma once

#include <span>
#include <string_view>

namespace xtrace {

// What all pages have in common, put together by the build from the files beside this one
// (join_page).

struct PageSource {
  std::string_view text;
  std::string_view hash;  ///< of the text, as Content Security Policy Level 3 writes it
};

struct PageSources {
  std::string_view name;  ///< of what answers it draws
  bool is_large;          ///< it has all panes, beyond the budget of small pages
  PageSource style;       ///< what its script has a use for
  PageSource script;      ///< in one function, with short names
};

/// page.html, with `@NAME@` where something is to be filled in.
extern const std::string_view kPageFrame;
/// The first for pages that show a graph alone, the others each for a picture of another answer
/// about it, named after its file; those for pages with texts behind those without.
extern const std::span<const PageSources> kPageSources;

}  // namespace xtrace
