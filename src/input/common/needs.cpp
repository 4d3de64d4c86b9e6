#include "input/common/needs.h"

#include <algorithm>
#include <map>

#include "base/lower.h"
#include "base/parts.h"
#include "input/common/graph_parts.h"

namespace xtrace {

Needs::Needs(std::span<const Format> formats) : formats_(formats), needed_(formats.size()) {
  std::map<std::string_view, size_t> needs;  // several formats may have one
  for (size_t i = 0; i < formats.size(); ++i)
    for_each_part(formats[i].needs, ' ', [&](std::string_view need) {
      if (need.empty()) return;
      const bool is_new = !needs.contains(need);
      const size_t number = needs.emplace(need, needs.size()).first->second;
      if (number >= Met().size()) return;  // more than there is room for: it is not asked for
      needed_[i].set(number);
      if (is_new) for_each_part(need, '|', [&](std::string_view key) { add(key, number); });
    });
}

void Needs::add(std::string_view spelled, size_t need) {
  std::string plain = lower(spelled);
  std::erase(plain, '_');
  std::vector<Key>& keys = keys_[bucket_of(plain)];
  auto at =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.plain == plain; });
  if (at == keys.end()) at = keys.insert(at, Key{plain, {}});
  at->meets.set(need);
}

/// By both ends, however they are spelled.
size_t Needs::bucket_of(std::string_view key) {
  while (key.starts_with('_')) key.remove_prefix(1);
  while (key.ends_with('_')) key.remove_suffix(1);
  if (key.empty()) return 0;
  const size_t first = static_cast<uint8_t>(key.front() | 0x20);
  const size_t last = static_cast<uint8_t>(key.back() | 0x20);
  return (first * 8 + last) % kBuckets;
}

Needs::Met Needs::met_by(json::element record) const {
  Met met;
  json::fields(record, [&](std::string_view name, json::element) {
    for (const Key& key : keys_[bucket_of(name)])
      if (is_key(name, key.plain)) met |= key.meets;
  });
  return met;
}

}  // namespace xtrace
