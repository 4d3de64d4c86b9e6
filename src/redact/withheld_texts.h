#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "redact/passages.h"

namespace xtrace {

/// What may not be read, wherever it was copied to: passages are known by being the same, a
/// sentence at a time, however they are spaced or escaped. What was said in other words passes.
class WithheldTexts {
 public:
  static constexpr std::string_view kMark = "[WITHHELD]";

  void withhold(std::string_view text);
  /// What is also said in the open is no secret.
  void open(std::string_view text);

  /// The text with the mark in place of such passages.
  std::string show(const std::string& text) const;
  bool occurs_in(const std::string& text) const { return !text.empty() && show(text) != text; }

 private:
  struct Sentence {
    std::string text;  ///< without the point
    std::string bare;  ///< as copies are compared
    bool is_open = false;
  };
  struct Index {
    Passages sentences, bare;
  };

  /// Made when it is first asked for, as all is withheld before anything is shown.
  const Index& index() const;

  std::vector<Sentence> sentences_;
  std::unordered_set<std::string> withheld_;  ///< those that are not open
  mutable std::shared_ptr<const Index> index_;
};

}  // namespace xtrace
