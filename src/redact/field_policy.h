#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// What becomes of a value for the name of its field, whatever the value is; and how much code may
/// be shown.
struct FieldPolicy {
  enum class FieldAction : uint8_t { show, mask, drop };

  std::vector<std::string> drop, mask;  ///< as plain_key() has them
  size_t max_code = 0;                  ///< characters of a fenced block; 0: any number

  /// Those of the user first, then names that say that a secret is behind them.
  FieldAction fate_of(std::string_view key) const;

  /// `text` with each block between ``` cut to max_code characters and `… [n characters of code]`,
  /// which never cuts a replacement in two.
  std::string with_short_code(std::string text) const;
};

/// The bytes of the first `characters` of `redacted`, or fewer: before a replacement that would not
/// stay whole. All of it where it is no longer.
size_t head_of_redacted(std::string_view redacted, size_t characters);

}  // namespace xtrace
