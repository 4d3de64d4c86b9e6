#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "link/activities/activity.h"
#include "link/ledger/ledger.h"
#include "prices/call_costs.h"

namespace xtrace {

class Graph;

/// What some calls were paid for, in billionths of a dollar: `parts` and `unsplit` add up to their
/// cost.
struct Paid {
  CostParts parts{};      ///< by PaidKind
  int64_t unsplit = 0;    ///< that logs state, and no price says what for
  int64_t uncharged = 0;  ///< of these parts, what a larger total states was not paid

  void add(const Paid& other);
  int64_t operator[](PaidKind kind) const { return parts[static_cast<size_t>(kind)]; }
  int64_t total() const;
  /// The kind that most was paid for, of equals the first.
  PaidKind most() const;
};

/// What calls were paid for. A cost that the log states is split by prices only where these add up
/// to it: discounts and rounding would have to be guessed.
class Bill {
 public:
  explicit Bill(const Graph& graph) : graph_(graph) {}

  /// Nothing of a call whose cost is not known.
  Paid of(const Activity& call) const { return of(call.model, call.tokens, call.start, call.cost); }
  Paid of(const UnplacedUsage& usage) const;
  /// The prices that its cost is made of, if they are known.
  std::optional<Price> prices_of(const Activity& call) const;

 private:
  /// What tokens of a model come to at a time, if that is the cost.
  Paid of(std::string_view model, const Tokens& tokens, Time time, int64_t cost) const;
  const FoundPrices& find(std::string_view model) const;

  const Graph& graph_;
  mutable std::unordered_map<std::string_view, FoundPrices> models_;
};

}  // namespace xtrace
