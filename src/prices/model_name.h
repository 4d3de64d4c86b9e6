#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A model's name as all write it: in small letters, digits apart by `-`, the version of a Claude
/// behind its family, without whoever makes or sells it: `us.anthropic.claude-opus-4-5`,
/// `anthropic/claude-opus-4.5` and `claude-4.5-opus` are `claude-opus-4-5`. Empty if its prefix may
/// be that of another seller, with other prices.
std::string plain_model(std::string_view name);

/// Does the suffix of a plain name leave the model the same: a date, a version of the interface,
/// `latest`?
bool is_decoration(std::string_view rest);

/// What a map has of a model as logs and vendors name it: under just this name; else under its
/// plain name, or one that it differs from by decoration alone. A name that says more than that is
/// another model's. Nullptr: nothing.
template <class Map>
const typename Map::mapped_type* find_by_model(const Map& by_plain_name, std::string_view model) {
  if (auto exact = by_plain_name.find(model); exact != by_plain_name.end()) return &exact->second;
  const std::string plain = plain_model(model);
  // From the longest beginning that ends with a word to the shortest.
  for (size_t end = plain.size(); end != 0 && end != std::string::npos;
       end = plain.find_last_of("-@:[", end - 1)) {
    auto found = by_plain_name.find(std::string_view(plain).substr(0, end));
    if (found != by_plain_name.end())
      return is_decoration(std::string_view(plain).substr(end)) ? &found->second : nullptr;
  }
  return nullptr;
}

}  // namespace xtrace
