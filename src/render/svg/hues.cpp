#include "render/svg/hues.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace xtrace {

uint32_t hue_hash(std::string_view name) {
  uint32_t hash = 2166136261;
  const auto add = [&](char32_t unit) { hash = (hash ^ static_cast<uint32_t>(unit)) * 16777619; };
  while (!name.empty()) {
    const auto [character, length] = decode(name);
    if (character > 0xffff) {
      add(0xd800 + ((character - 0x10000) >> 10));
      add(0xdc00 + ((character - 0x10000) & 0x3ff));
    } else {
      add(character);
    }
    name.remove_prefix(length);
  }
  return hash;
}

Hues::Hues(const Chart& chart) {
  std::map<StringId, uint32_t> marks;
  for (const Chart::Mark& mark : chart.marks) ++marks[chart.lanes[mark.lane].type];
  for (auto [type, count] : marks) names_.push_back({type, kGrey, count, {}});
  // A map has them in the order in which they first occur.
  std::stable_sort(names_.begin(), names_.end(),
                   [](const Name& a, const Name& b) { return a.marks > b.marks; });
  for (size_t i = 0; i < names_.size(); ++i) place_[names_[i].type] = i;
  // By its hash where nobody with more marks has that one, else the next that is free.
  std::array<bool, kHues> taken{};
  std::vector<Name*> chosen;
  for (Name& name : names_)
    if (!chart.text(name.type).empty() && chosen.size() < kHues) chosen.push_back(&name);
  const auto wished = [&](const Name& name) { return hue_hash(chart.text(name.type)) % kHues; };
  for (Name* name : chosen)
    if (const uint32_t hue = wished(*name); !taken[hue]) {
      name->hue = hue;
      taken[hue] = true;
    }
  for (Name* name : chosen) {
    if (name->hue != kGrey) continue;
    uint32_t hue = wished(*name);
    while (taken[hue]) hue = (hue + 1) % kHues;
    name->hue = hue;
    taken[hue] = true;
  }
  size_t letters = 0;
  for (Name& name : names_)
    if (name.hue == kGrey && !chart.text(name.type).empty())
      name.letter = std::string(1, static_cast<char>('A' + letters++ % 26));
}

const Hues::Name& Hues::of(StringId type) const {
  static const Name kNobody;
  const auto found = place_.find(type);
  return found == place_.end() ? kNobody : names_[found->second];
}

}  // namespace xtrace
