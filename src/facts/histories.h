#pragma once

#include <vector>

#include "facts/payloads.h"

namespace xtrace {

/// Goes back to what requests repeat. Payloads that can read it again are Histories as well.
class Histories {
 public:
  virtual ~Histories() = default;
  /// The messages of a call's request before those that Payloads::quotes() has, the last answer of
  /// the model among them, in order; none of a call whose log does not repeat them.
  virtual std::vector<Quote> history(const Call& call) const = 0;
};

}  // namespace xtrace
