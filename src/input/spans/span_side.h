#pragma once

#include <string_view>

#include "facts/span.h"

namespace xtrace {

/// What a span tells of where it was made: beside whoever called, or beside whoever was called.
/// empty: not given.
struct SpanSide {
  std::string_view
      operation{};  ///< Envoy: `ingress`, `egress HOST`, `router outbound|80||HOST egress`
  std::string_view direction{};  ///< Linkerd: `inbound`, `outbound`
  std::string_view
      cluster{};            ///< Istio: where the proxy sent it, `inbound|80||`, `outbound|80||HOST`
  std::string_view peer{};  ///< what it talks to
  std::string_view service{}, workload{};  ///< beside which the proxy stands
  std::string_view from{}, to{};           ///< the actors of the call
  SpanKind kind = SpanKind::unknown;
};

/// Was it made on the side that was called? The words for the direction go first, then the kind of
/// the span, then which of the two actors it is beside. Where nothing shows, it was not.
bool is_seen_by_callee(const SpanSide& told);

}  // namespace xtrace
