#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace xtrace {

/// How often each of some things came, in the order in which they first did.
template <class Thing>
class Counted {
 public:
  using Entry = std::pair<Thing, int64_t>;

  void add(const Thing& thing) {
    auto [place, is_new] = places_.emplace(thing, all_.size());
    if (is_new) all_.emplace_back(thing, 0);
    ++all_[place->second].second;
  }

  const std::vector<Entry>& all() const { return all_; }

 private:
  std::vector<Entry> all_;
  std::map<Thing, size_t> places_;
};

}  // namespace xtrace
