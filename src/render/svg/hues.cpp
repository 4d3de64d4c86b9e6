#include "render/svg/hues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "doc/colours.h"

namespace xtrace {

namespace {

/// Is black easier to read on it than white? `#RRGGBB`; relative luminance as WCAG 2 defines it.
bool is_light(std::string_view colour) {
  constexpr double kEven = 0.179;  // black and white have the same contrast with it
  const auto part = [&](size_t at) {
    int value = 0;
    std::from_chars(colour.data() + at, colour.data() + at + 2, value, 16);
    const double share = value / 255.0;
    return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > kEven;
}

}  // namespace

Hues::Hues(const Chart& chart) {
  std::map<StringId, uint32_t> marks;
  for (const Chart::Mark& mark : chart.marks) ++marks[chart.lanes[mark.lane].type];
  for (auto [type, count] : marks) names_.push_back({type, kGrey, count, {}});
  // A map has them in the order in which they first occur.
  std::stable_sort(names_.begin(), names_.end(),
                   [](const Name& a, const Name& b) { return a.marks > b.marks; });
  for (size_t i = 0; i < names_.size(); ++i) place_[names_[i].type] = i;
  std::array<bool, kHues> taken{};
  std::vector<Name*> chosen;
  for (Name& name : names_) {
    const std::string_view text = chart.text(name.type);
    name.is_grey = known_hue(text) == kGrey;
    if (const auto own = chart.colours.find(name.type); own != chart.colours.end())
      name.own = own->second;
    if (!text.empty() && !name.is_grey && chosen.size() < kHues) chosen.push_back(&name);
  }
  const auto give = [&](Name& name, uint32_t hue) {
    name.hue = hue;
    taken[hue] = true;
  };
  // Its own: first those that all pictures know, then where nobody with more marks has it, else the
  // next that is free.
  for (const bool is_known : {true, false})
    for (Name* name : chosen)
      if (const std::string_view text = chart.text(name->type);
          name->hue == kGrey && known_hue(text).has_value() == is_known && !taken[hue_of(text)])
        give(*name, hue_of(text));
  for (Name* name : chosen) {
    if (name->hue != kGrey) continue;
    uint32_t hue = hue_of(chart.text(name->type));
    while (taken[hue]) hue = (hue + 1) % kHues;
    give(*name, hue);
  }
  size_t letters = 0;
  for (Name& name : names_)
    if (name.hue == kGrey && !name.is_grey && !chart.text(name.type).empty())
      name.letter = std::string(1, static_cast<char>('A' + letters++ % 26));
}

std::string Hues::own_style() const {
  std::string rules;
  for (const Name& name : names_)
    if (!name.own.empty() && name.hue != kGrey)
      rules += fmt::format(".xt .h{0}{{fill:{1}}}.xt .on{0}{{fill:{2}}}", name.hue, name.own,
                           is_light(name.own) ? "#000" : "#fff");
  return rules;
}

const Hues::Name& Hues::of(StringId type) const {
  static const Name kNobody;
  const auto found = place_.find(type);
  return found == place_.end() ? kNobody : names_[found->second];
}

}  // namespace xtrace
