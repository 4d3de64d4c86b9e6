#include "serve/server.h"

#include "base/native_only.h"

namespace xtrace::serve {

/// The whole room where no connection can be accepted.
Result<Exit> serve(const Request&, const ServeSettings&, MakeRequest) {
  return tl::unexpected(require_native("serve").error());
}

}  // namespace xtrace::serve
