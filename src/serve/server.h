#pragma once

#include <cstdint>

#include "run/request.h"
#include "serve/answers.h"

namespace xtrace::serve {

struct ServeSettings {
  bool opens_page = false;
};

/// Serves the inputs of `owner`, a request to follow them, on the loopback addresses until it is
/// interrupted. Exit::usage: the port is in use.
Result<Exit> serve(const Request& owner, const ServeSettings& settings, MakeRequest make_request);

}  // namespace xtrace::serve
