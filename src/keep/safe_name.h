#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// An id of the input as the name of one file or folder: of at most kLongestName bytes, on any file
/// system, and leading nowhere else. An ordinary id (ASCII letters, digits and `._-:=@+`) is its
/// own name. Of any other, what is no letter, digit or one of these becomes `_`, and `~` with the
/// beginning of the SHA-256 of the id is added, so that different ids have different names.
///
/// Ids that differ in case alone have names that differ in case alone: where that must not be, see
/// OutputFolder.
std::string safe_file_name(std::string_view id);

/// `name~0123456789abcdef`, cut to fit: the name used for `id` if its own name cannot be.
std::string name_with_digest(std::string_view name, std::string_view id);

inline constexpr size_t kLongestName = 200;  // file systems take 255 bytes, with suffixes

}  // namespace xtrace
