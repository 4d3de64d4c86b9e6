#include "keep/safe_name.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"

namespace xtrace {

namespace {

bool is_ordinary(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-:=@+").find(c) != std::string_view::npos;
}

/// Letters, marks and digits of any script; never what joins, hides or turns round.
bool is_readable(char32_t character) {
  utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(character));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/// Windows takes these for devices, whatever their case and whatever follows a dot.
bool is_device(std::string_view name) {
  std::string stem(name.substr(0, name.find_first_of(".:")));
  std::transform(stem.begin(), stem.end(), stem.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (std::string_view device : {"CON", "PRN", "AUX", "NUL"})
    if (stem == device) return true;
  if (!stem.starts_with("COM") && !stem.starts_with("LPT")) return false;
  const std::string_view number = std::string_view(stem).substr(3);
  const bool is_raised = number == "\u00b9" || number == "\u00b2" || number == "\u00b3";
  return is_raised || (number.size() == 1 && number[0] >= '0' && number[0] <= '9');
}

bool is_its_own_name(std::string_view id) {
  return !id.empty() && id.size() <= kLongestName && id.front() != '-' && id.front() != '.' &&
         id.back() != '.' && std::all_of(id.begin(), id.end(), is_ordinary) && !is_device(id);
}

}  // namespace

std::string name_with_digest(std::string_view name, std::string_view id) {
  constexpr size_t kDigits = 16;  // with eight, somebody could look for two ids that meet
  std::string end = "~" + sha256_of(id).substr(0, kDigits);
  return std::string(head(name, kLongestName - end.size())) + end;
}

std::string safe_file_name(std::string_view id) {
  if (is_its_own_name(id)) return std::string(id);
  std::string name;
  for (std::string_view rest = id; !rest.empty() && name.size() < kLongestName;) {
    auto [character, length] = decode(rest);
    bool kept = length == 1 ? is_ordinary(rest.front()) : is_readable(character);
    name += kept ? rest.substr(0, length) : "_";
    rest.remove_prefix(length);
  }
  if (name.empty() || is_device(name)) name.insert(0, "_");
  if (name.front() == '-' || name.front() == '.') name.front() = '_';
  return name_with_digest(name, id);
}

}  // namespace xtrace
