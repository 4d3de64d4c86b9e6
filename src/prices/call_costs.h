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
  int64_t of(const Call& call) const { return of(call.cost, call.model, call.tokens); }
  int64_t of(const GenAi& span) const { return of(span.cost, span.model, span.tokens); }

 private:
  int64_t of(int64_t recorded, StringId model, const Tokens& tokens) const;
  const Trace* trace_;
  const PriceTable* prices_;
  mutable std::unordered_map<uint32_t, const PricedModel*> models_;
};

}  // namespace xtrace
