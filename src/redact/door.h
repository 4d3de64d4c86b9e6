#pragma once

#include <fmt/core.h>

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/zone.h"
#include "redact/audit.h"
#include "redact/cleared_texts.h"
#include "redact/field_policy.h"
#include "redact/redact.h"

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

  Door(RedactPolicy policy, Level level, size_t max_text, FieldPolicy fields = {});
  ~Door();
  Door(const Door&) = delete;  ///< the texts that passed belong to it
  Door& operator=(const Door&) = delete;

  /// A name, id, key or path of the input, whole.
  Text name(std::string_view text);
  /// The same for a name that hardly comes again; forget_composed() forgets it.
  Text name_once(std::string text);
  /// The same for a name that comes again in other rows: `is_clean` remembers, from one to the
  /// next, that nothing in it is to be hidden.
  Text name_once(std::string text, uint8_t& is_clean);
  /// An error for who asked: errors name what there is, and names are the input's.
  tl::unexpected<Error> pass(const Error& error);
  /// Payload (a prompt, an answer, an argument): redacted first, then long code is shortened and
  /// all of it cut to max_text characters, or before a replacement that would not stay whole.
  /// Empty below Level::full.
  Text payload(std::string_view text);
  /// The first words of payload, on one line: also below Level::full for who sees only what is
  /// theirs, see show_first_words(). Redacted first; empty where nobody may see them.
  Text first_words(std::string_view text, size_t most);
  /// From now on whoever reads the answer may see first words.
  void show_first_words() { shows_first_words_ = true; }
  /// From now on they know that what is in this folder is in their home.
  void show_home_as_tilde(std::string home) { home_ = std::move(home); }
  /// A path as a name, `~/…` in one's own home.
  Text path(std::string_view path);
  bool shows_first_words() const { return shows_first_words_ || level_ == Level::full; }
  /// From now on, texts for people state times in this zone.
  void tell_times_in(Zone zone) { zone_ = zone; }
  const Zone& zone() const { return zone_; }
  /// Payload that is the value of a named field: what the policy says of that name comes first, and
  /// a name that says secret hides any value. Empty where the field is to be dropped.
  Text field(std::string_view key, std::string_view value);
  /// May values of that name be shown, if they are no payload?
  bool shows_field(std::string_view key) const;
  /// A text put together here from texts that already passed, numbers and words of our own.
  Text composed(std::string text);
  /// The same of a format and its arguments.
  template <class... Args>
  Text say(fmt::format_string<Args...> format, Args&&... args) {
    return composed(fmt::vformat(format, fmt::make_format_args(args...)));
  }
  /// What was composed, payload too, since composed_so_far() said so is not shown any more.
  size_t composed_so_far() const { return composed_.size(); }
  void forget_composed(size_t mark);
  /// A word of a table of our own (an enumerator's name).
  static constexpr Text own(std::string_view word) { return Text(word); }

  Level level() const { return level_; }
  const Clearance& clearance() const { return redactor_.policy().clearance; }
  /// Which texts the reader may see, by their labels; nullptr: all.
  const ClearedTexts* cleared() const { return redactor_.policy().cleared.get(); }
  const Redactor& redactor() const { return redactor_; }

  /// Texts of this record come as they are, cut only.
  void reveal(RecordPlace place);
  /// So does this name wherever it occurs, and the label of anything whose name contains it. Both
  /// before any text passes.
  void reveal(std::string id, std::string_view label = {});
  /// The names that do, as they were given.
  const std::vector<std::string>& revealed() const { return revealed_; }

  /// Writes down from now on what is replaced; until stop_keeping() does not.
  void keep(Audit& audit);
  void stop_keeping();

  /// While it lives, the texts that pass are those of one record.
  class At {
   public:
    At(Door& door, RecordPlace place) : door_(door), before_(door.place_) { door_.stand_at(place); }
    ~At() { door_.stand_at(before_); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Door& door_;
    RecordPlace before_;
  };

 private:
  bool is_open(std::string_view name) const;
  std::string_view clear(std::string_view text);
  Text cut(std::string redacted);
  void stand_at(RecordPlace place);

  Redactor redactor_;
  FieldPolicy fields_;
  Level level_;
  size_t max_text_;
  bool shows_first_words_ = false;
  Zone zone_;
  std::string home_;  ///< empty: paths are shown whole
  std::deque<std::string> composed_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Text> passed_;  ///< names recur thousands of times
  std::unordered_map<std::string, Text> withheld_names_;
  RecordPlace place_;  ///< of the texts that pass
  bool stands_at_revealed_ = false;
  bool stands_at_withheld_ = false;  ///< the label of that record is beyond the clearance
  std::string kept_;                 ///< what clear() made of a text
  std::vector<RecordPlace> revealed_places_;
  std::set<std::string, std::less<>> revealed_names_;
  std::vector<std::string> revealed_;
};

}  // namespace xtrace
