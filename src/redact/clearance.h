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
  /// Is its rank known?
  bool is_known(std::string_view label) const;

 private:
  size_t rank_of(std::string_view label) const;

  std::map<std::string, size_t> own_;
};

/// The labels that a clearance may be, the least sensitive first.
std::span<const std::string_view> clearances();

/// The label that the head of a text states in words: `Classification: CONFIDENTIAL`,
/// `[CONFIDENTIAL]`, `Confidencial`. Empty: none, or none whose rank is known.
std::string label_in(std::string_view text, const LabelRanks& labels);

/// Up to which label an answer shows what a log says.
struct Clearance {
  std::string label;       ///< of the reader; empty: everything is shown
  std::string unlabelled;  ///< what a record without a label counts as
  LabelRanks labels;

  /// Is a record with this label, or without one, not for the reader?
  bool withholds(std::string_view sensitivity) const {
    return labels.is_beyond(sensitivity.empty() ? std::string_view(unlabelled) : sensitivity,
                            label);
  }
};

}  // namespace xtrace
