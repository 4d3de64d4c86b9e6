#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// What labels of sensitivity mean: those of the program, in English, Portuguese and Spanish, and
/// those that a user names the rank of. Case does not matter.
class LabelRanks {
 public:
  /// `sigilo=secret`: the first means the second, a label that is known. Exit::usage: it is not.
  Status add(const std::vector<std::string>& meanings);

  /// Is something with this label (`confidential`) beyond that clearance? A label that is not known
  /// is beyond all of them; without a clearance nothing is.
  bool is_beyond(std::string_view sensitivity, std::string_view clearance) const;
  /// The more sensitive of two labels; one that is not known is the most.
  const std::string& more_sensitive(const std::string& a, const std::string& b) const;

 private:
  size_t rank_of(std::string_view label) const;

  std::map<std::string, size_t> own_;
};

/// The labels that a clearance may be, the least sensitive first.
std::span<const std::string_view> clearances();

}  // namespace xtrace
