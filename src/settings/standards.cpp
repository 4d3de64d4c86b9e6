#include "settings/standards.h"

namespace xtrace {

bool AgentCard::may(std::string_view actor) const {
  auto declares = [&](std::string_view name) { return may_use.contains(std::string(name)); };
  // `resource:tool:Read` may be called so, `tool:Read` or `Read`.
  for (;;) {
    if (declares(actor)) return true;
    size_t colon = actor.find(':');
    if (colon == std::string_view::npos) return false;
    actor.remove_prefix(colon + 1);
  }
}

}  // namespace xtrace
