#pragma once

#include <functional>
#include <vector>

#include "doc/document.h"

namespace xtrace {

/// A span as tracing systems take it: ids of the length they want and unique in their trace, a
/// parent that is there, a time that is known and does not run backwards.
struct TracedSpan {
  /// In OTLP's order, which counts from 1.
  enum class Kind : uint8_t { internal, server, client, producer, consumer };
  /// Another span that this one comes after, or may come after.
  struct Link {
    Text trace, span;
    Entries attributes{};
  };
  Text trace;     ///< 32 hexadecimal digits
  Text id;        ///< 16 of them
  Text parent{};  ///< a span of the same trace; empty: a root
  Text name, service;
  Kind kind = Kind::internal;
  Time start{};
  Duration duration{};
  bool failed = false;
  Text error{};  ///< what went wrong
  Entries attributes{};
  std::vector<Link> links{};
};

}  // namespace xtrace
