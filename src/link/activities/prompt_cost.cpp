#include "link/activities/prompt_cost.h"

#include <algorithm>

namespace xtrace {

int64_t prompt_cost(PromptStretch part, const Tokens& tokens, const Price& price) {
  const int64_t read = std::max<int64_t>(tokens.cache_read, 0);
  const int64_t written = read + std::max<int64_t>(tokens.cache_creation, 0);
  auto within = [&](int64_t from, int64_t to) {
    return std::max<int64_t>(std::min(part.to, to) - std::max(part.from, from), 0);
  };
  Tokens paid;
  paid.output = 0;
  paid.cache_read = within(0, read);
  paid.cache_creation = within(read, written);
  const bool is_long = tokens.cache_creation_1h * 2 > tokens.cache_creation;
  paid.cache_creation_1h = is_long ? paid.cache_creation : 0;
  paid.input = part.to - part.from - paid.cache_read - paid.cache_creation;
  return price.of(paid);
}

}  // namespace xtrace
