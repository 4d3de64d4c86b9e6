#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace xtrace {

/// A claim of an agent's reply that tool results can show to be right or wrong.
enum class ClaimKind : uint8_t {
  tests_pass,
  build_passes,
  types_check,
  lint_clean,
  checks_pass,  ///< tests, builds, linters or type checkers, without saying which
  no_errors,    ///< it ran without errors, whatever it was
  fixed,
  implemented,  ///< it made, changed or removed something
  done,
  committed,
  pushed,
  request_opened,  ///< a pull request, or a merge request
};
inline constexpr std::string_view kClaimKindWords[] = {
    "tests_pass", "build_passes", "types_check", "lint_clean", "checks_pass", "no_errors",
    "fixed",      "implemented",  "done",        "committed",  "pushed",      "request_opened"};
inline constexpr size_t kClaimKinds = std::size(kClaimKindWords);
constexpr std::string_view word(ClaimKind kind) {
  return kClaimKindWords[static_cast<size_t>(kind)];
}

}  // namespace xtrace
