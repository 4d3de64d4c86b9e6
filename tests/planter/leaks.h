#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planter/planting.h"

namespace xtrace {

/// Finds in an answer what was planted in its log.
class Leaks {
 public:
  explicit Leaks(const std::vector<Planted>& planted);

  /// What stands in `text`, or a recognizable part of it does; words only where none may.
  std::vector<const Planted*> in(std::string_view text, bool words_too) const;
  bool has_word(std::string_view text) const;

 private:
  void search(std::string_view text, bool words_too, std::vector<const Planted*>& found) const;
  std::unordered_map<std::string_view, const Planted*> parts_;
};

/// The first control character, mark that turns the direction of reading, or broken character in
/// what people read: `\x1b at 17`; nothing where it is quiet.
std::string loud_in(std::string_view text, bool is_csv);

}  // namespace xtrace
