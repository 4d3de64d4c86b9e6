#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/redact.h"

namespace xtrace {

/// Text that may be shown. Words of the program itself are; whatever came out of an input becomes
/// one only by passing the Door, and no other way leads into a Document.
class Text {
 public:
  constexpr Text() = default;
  consteval Text(const char* own_words) : text_(own_words) {}
  constexpr std::string_view view() const { return text_; }
  constexpr bool empty() const { return text_.empty(); }
  constexpr bool operator==(const Text&) const = default;

 private:
  friend class Door;
  constexpr explicit Text(std::string_view text) : text_(text) {}
  std::string_view text_;
};

/// The one place through which text leaves the program. Secrets and personal data stay inside.
/// Owns the texts it let through; they live as long as it does.
class Door {
 public:
  /// How much of the input may be seen: names and numbers, or payload as well.
  enum class Level : uint8_t { basic, full };

  Door(Redaction redaction, Level level, size_t max_text)
      : redactor_(redaction), level_(level), max_text_(max_text) {}

  /// A name, id, key or path of the input, whole.
  Text name(std::string_view text);
  /// The same for a name that hardly comes again; forget_composed() forgets it.
  Text name_once(std::string text);
  /// Payload (a prompt, an answer, an argument): redacted first, then cut to max_text characters,
  /// or before a replacement that would not stay whole.
  /// Empty below Level::full.
  Text payload(std::string_view text);
  /// A text put together here from texts that already passed, numbers and words of our own.
  Text composed(std::string text) { return Text(composed_.emplace_back(std::move(text))); }
  /// What was composed, payload too, since composed_so_far() said so is not shown any more.
  size_t composed_so_far() const { return composed_.size(); }
  void forget_composed(size_t mark) { composed_.resize(mark); }
  /// A word of a table of our own (an enumerator's name).
  static constexpr Text own(std::string_view word) { return Text(word); }

  Level level() const { return level_; }
  const Redactor& redactor() const { return redactor_; }

 private:
  Redactor redactor_;
  Level level_;
  size_t max_text_;
  std::deque<std::string> composed_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Text> passed_;  ///< names recur thousands of times
};

}  // namespace xtrace
