#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "facts/trace.h"

namespace xtrace {

/// Goes back to what was read. A pipe that was not kept is gone, and others write to files: what is
/// at a place is given only if it is what was read there.
class ReadAgain {
 public:
  explicit ReadAgain(const Trace& trace) : trace_(&trace) {}
  /// What is there, valid until the next call, with the padding behind it that parsing needs.
  std::optional<std::string_view> read(const Extent& place);
  /// Indices of the sources in which something else stands by now, or that are gone.
  const std::set<uint32_t>& changed() const { return changed_; }

 private:
  /// That is open: what it was read from, or what was made of that again; nullptr: none is.
  std::shared_ptr<const File> file_of(uint32_t number);

  const Trace* trace_;
  std::map<uint32_t, std::shared_ptr<const File>> made_;  ///< by source
  std::string bytes_;
  std::set<uint32_t> changed_;
};

/// Complains of the sources that were rewritten while they were read, at the first record of which
/// something else stands by now. `may_be`: indices of those that were written to meanwhile.
void complain_of_rewritten(Trace& trace, const std::set<uint32_t>& may_be);

}  // namespace xtrace
