#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// How an archive was packed.
enum class Compression : uint8_t { none, gzip, zstd };

/// Told by the first bytes of a file, whatever its name is.
Compression compression_of(std::string_view head);

/// The program that packs and unpacks it.
constexpr std::string_view program_of(Compression compression) {
  return compression == Compression::zstd ? "zstd" : "gzip";
}

}  // namespace xtrace
