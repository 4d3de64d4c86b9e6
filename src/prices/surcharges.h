#pragma once

#include <cstdint>
#include <string_view>

#include "facts/call.h"

namespace xtrace {

/// What terms make of a model's prices, in hundredths of them; -1: not known.
struct Multiples {
  int64_t batch = 50, flex = 50;
  int64_t priority = kNoCount, fast = kNoCount;
  int64_t regional = 100;  ///< served where the request asks for, and not anywhere
  int64_t peak = 100;      ///< in the hours in which the vendor charges more

  bool operator==(const Multiples&) const = default;
};

/// Those of a model by its plain name (plain_model()), as makers document them, for prices that
/// hold from a day on; kNoTime: from the beginning.
Multiples multiples_of(std::string_view plain_name, Time from);

/// What a call costs, in ten thousandths of the price for standard service.
struct Multiple {
  int64_t ten_thousandths = 10'000;
  bool is_at_least = false;  ///< it may be more: what one of the terms costs is not known
};
Multiple multiple_for(const Multiples& known, Terms terms, Time time);

/// Is a plain name that of a model, or of one of its family? `gpt-5` fits `gpt-5-mini`.
constexpr bool is_of_family(std::string_view plain_name, std::string_view family) {
  return plain_name.starts_with(family) &&
         (plain_name.size() == family.size() || plain_name[family.size()] == '-');
}

}  // namespace xtrace
