#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/hash_chain.h"

namespace xtrace {

/// Finds chains of digests in the lines of an input, whatever their keys are called: a text of 64
/// hexadecimal digits in a record that is a digest in the record before it, or that of its line.
class HashChains {
 public:
  HashChains();
  ~HashChains();
  HashChains(const HashChains&) = delete;
  HashChains& operator=(const HashChains&) = delete;

  /// The next line of the input, without its end.
  void add(std::string_view line, const Extent& at);
  /// What was found, by key.
  std::vector<HashChain> chains() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xtrace
