#pragma once

#include "run/request.h"
#include "serve/server.h"

namespace xtrace {

/// Serves what a request of `follow` asks for. Exit::usage: it ends by itself, or its inputs do not
/// grow.
Result<Exit> serve_request(const Request& owner, const serve::ServeSettings& settings);

}  // namespace xtrace
