#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "doc/hues.h"
#include "render/chart/chart.h"

namespace xtrace {

/// Which agent, tool or service has which colour: by its name, so that it is the same in every
/// picture and page. Beyond kHues they are grey, and letters distinguish them.
class Hues {
 public:
  static constexpr uint32_t kHues = xtrace::kHues, kGrey = kGreyHue;
  struct Name {
    StringId type;
    uint32_t hue = kGrey;
    uint32_t marks = 0;
    std::string letter;
    bool is_grey = false;  ///< in every picture
    std::string own{};     ///< `#RRGGBB`: the colour that the log gives it, in place of its hue's
  };

  explicit Hues(const Chart& chart);
  const Name& of(StringId type) const;
  /// Those with most marks first.
  const std::vector<Name>& names() const { return names_; }
  /// Rules of style for hues that logs give their own colour; empty: there are none.
  std::string own_style() const;

 private:
  std::vector<Name> names_;
  std::map<StringId, size_t> place_;  ///< in names_
};

}  // namespace xtrace
