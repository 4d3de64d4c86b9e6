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
/// What others wrote may be any number: it may ask, then.
constexpr AsksLeave asks_leave(double number) {
  return number == 0 ? AsksLeave::never : number == 1 ? AsksLeave::not_to_edit : AsksLeave::always;
}

}  // namespace xtrace
