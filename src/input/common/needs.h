#pragma once

#include <array>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/common/format.h"

namespace xtrace {

/// Tells by the keys of a record alone which formats it cannot be of. One pass over the keys costs
/// less than two or three formats that look at each by themselves.
class Needs {
 public:
  /// Which needs a record meets, of all formats together.
  using Met = std::bitset<128>;

  explicit Needs(std::span<const Format> formats);

  Met met_by(json::element record) const;
  /// False: it does not fit. True: it is to be asked.
  bool may_fit(const Format& format, const Met& met) const {
    const Met& needed = needed_[static_cast<size_t>(&format - formats_.data())];
    return (met & needed) == needed;
  }

 private:
  struct Key {
    std::string plain;  ///< small letters, without `_`
    Met meets;
  };
  static constexpr size_t kBuckets = 256;

  static size_t bucket_of(std::string_view key);
  void add(std::string_view spelled, size_t need);

  std::span<const Format> formats_;
  std::vector<Met> needed_;                      ///< by format
  std::array<std::vector<Key>, kBuckets> keys_;  ///< few in each
};

}  // namespace xtrace
