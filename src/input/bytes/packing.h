#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// How an archive was packed.
enum class Packing : uint8_t { none, gzip, zstd };

/// Told by the first bytes of a file, whatever its name is.
Packing packing_of(std::string_view head);

/// The program that packs and unpacks it.
constexpr std::string_view program_of(Packing packing) {
  return packing == Packing::zstd ? "zstd" : "gzip";
}

}  // namespace xtrace
