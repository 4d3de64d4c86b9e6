#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "base/result.h"

namespace xtrace::serve {

/// The parts of a request that decide how it is answered; a missing header is empty.
struct HttpRequest {
  std::string method{}, target{};
  std::string host{}, origin{}, authorization{}, cookie{};
  std::string fetch_site{}, fetch_mode{};  ///< which browsers send
  std::string last_event_id{};
  bool is_upgrade = false;  ///< to a WebSocket
};

/// Why a request is not answered.
struct Refusal {
  int status = 400;  ///< of HTTP
  std::string what;  ///< a sentence that says what to do
};

template <class T>
using Answered = tl::expected<T, Refusal>;

inline tl::unexpected<Refusal> refuse(int status, std::string what) {
  return tl::unexpected(Refusal{status, std::move(what)});
}

/// The status of HTTP that says the same as the exit code of a command.
Refusal refusal_of(const Error& error);

/// `{"error": {"status": 404, "message": "…"}}`
std::string error_json(const Refusal& refusal);

/// Text that several readers are sent.
using SharedText = std::shared_ptr<const std::string>;

}  // namespace xtrace::serve
