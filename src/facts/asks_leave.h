#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// Before what a client asks the person for leave from a moment on, as its settings say: a
/// Measurement of which `service` is the session; nowhere: it is of all in its file.
inline constexpr std::string_view kAsksLeave = "asksLeave";

/// The numbers of such measurements.
enum class AsksLeave : uint8_t {
  never,
  not_to_edit,  ///< files; before a command it may ask
  always,       ///< before whatever its rules do not allow
};

}  // namespace xtrace
