#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "facts/trace.h"

namespace xtrace {

/// Goes back to what was read. A pipe that was not kept is gone, and others write to files: what
/// stands at a place is given only if it is what was read there.
class ReadAgain {
 public:
  explicit ReadAgain(const Trace& trace) : trace_(&trace) {}
  /// What stands there, valid until the next call, with the padding behind it that parsing needs.
  std::optional<std::string_view> read(const Extent& place);
  /// Indices of the sources in which something else stands by now, or that are gone.
  const std::set<uint32_t>& changed() const { return changed_; }

 private:
  const Trace* trace_;
  std::string bytes_;
  std::set<uint32_t> changed_;
};

/// Complains of the sources that were rewritten while they were read, at the first record of which
/// something else stands by now. `may_be`: indices of those that were written to meanwhile.
void complain_of_rewritten(Trace& trace, const std::set<uint32_t>& may_be);

}  // namespace xtrace
