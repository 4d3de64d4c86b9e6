#pragma once

#include <unordered_map>

#include "facts/trace.h"
#include "prices/price.h"

namespace xtrace {

/// What calls cost: what the log states, or else what the table says of their tokens.
class CallCosts {
 public:
  CallCosts(const Trace& trace, const PriceTable& prices) : trace_(&trace), prices_(&prices) {}
  /// In billionths of a dollar; -1: not known.
  int64_t of(const Call& call) const;
  /// Is a sum without this call less than what was paid? Vendors charge nothing for calls that
  /// failed and name no tokens.
  bool is_missing(const Event& event, const Call& call) const;

 private:
  const Trace* trace_;
  const PriceTable* prices_;
  mutable std::unordered_map<uint32_t, const PricedModel*> models_;
};

}  // namespace xtrace
