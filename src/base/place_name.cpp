#include "base/place_name.h"

#include <algorithm>

#include "base/digits.h"
#include "base/hidden_marker.h"
#include "base/lower.h"
#include "base/one_of.h"
#include "base/parts.h"

namespace xtrace {

namespace {

constexpr size_t kLongestPath = 4096, kLongestSegment = 255, kMostWords = 6;

/// Schemes whose addresses carry content and name no place.
constexpr std::string_view kContentSchemes[] = {"data", "javascript", "vbscript", "mailto",
                                                "blob", "about",      "tel",      "sms"};

bool is_scheme_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '+' || c == '.' ||
         c == '-';
}

/// The scheme of an address, without `://`; empty: it has none. `jdbc:mysql://` has two, and
/// `git+ssh` is both.
std::string_view scheme_of(std::string_view text) {
  const size_t end = text.find("://");
  if (end == text.npos) return {};
  const std::string_view scheme = text.substr(0, end);
  const bool is_one = !scheme.empty() && std::ranges::all_of(scheme, [](char c) {
    return is_scheme_sign(c) || c == ':';
  });
  return is_one ? scheme : std::string_view{};
}

/// `C:\`, `/`, `~/`, `./`, `../`, `\\`.
bool has_root(std::string_view path) {
  for (std::string_view root : {"/", "~/", "./", "../", "\\", ".\\", "..\\", "~\\"})
    if (path.starts_with(root)) return true;
  return path.size() > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
         is_scheme_sign(path[0]);
}

/// `report.txt`: a point and up to eight letters or digits after it.
bool has_extension(std::string_view name) {
  const size_t point = name.rfind('.');
  if (point == name.npos || point == 0 || name[point - 1] == ' ') return false;
  const std::string_view extension = name.substr(point + 1);
  return !extension.empty() && extension.size() <= 8 &&
         std::ranges::all_of(extension, [](char c) { return is_scheme_sign(c) && c != '.'; });
}

/// `last`: nothing follows that would show that it is a folder.
bool is_segment(std::string_view segment, bool is_last) {
  if (segment.size() > kLongestSegment) return false;
  if (segment.find(' ') == segment.npos) return true;
  for (std::string_view mark : {", ", ". ", "; ", ": ", "? ", "! ", "  "})
    if (segment.find(mark) != segment.npos) return false;
  const auto blanks = static_cast<size_t>(std::ranges::count(segment, ' '));
  return blanks < kMostWords && (!is_last || has_extension(segment));
}

bool is_line(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !text.empty() && std::ranges::none_of(text, is_control);
}

bool is_path(std::string_view path) {
  const bool has_blanks = path.find(' ') != path.npos;
  if (path.empty() || path.size() > kLongestPath || (has_blanks && !has_root(path))) return false;
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of("/\\"), path.size());
    if (!is_segment(path.substr(0, end), end == path.size())) return false;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

}  // namespace

bool is_name(std::string_view text) {
  return is_line(text) && is_segment(text, false);
}

bool is_place_name(std::string_view text) {
  if (!is_line(text)) return false;
  if (const std::string_view scheme = scheme_of(text); !scheme.empty())
    return !is_one_of(lower(scheme), kContentSchemes) && text.find(' ') == text.npos &&
           text.size() <= kLongestPath;
  return !is_one_of(lower(text.substr(0, text.find(':'))), kContentSchemes) && is_path(text);
}

size_t end_of_place(std::string_view text) {
  const std::string_view scheme = scheme_of(text);
  if (scheme.empty()) return text.size();
  for (size_t at = scheme.size() + 3; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '?' || c == '#') return at;
    const std::string escaped = c == '%' ? lower(text.substr(at + 1, 2)) : std::string();
    if (is_one_of(escaped, {"3f", "23", "26", "3d", "0a", "0d"})) return at;
    if (escaped == "20" && scheme != "file") return at;
    if (c != '[') continue;
    // What hides a value has signs of its own: `[REDACTED:ipv4:#0123456789abcdef.11]`.
    if (!text.substr(at).starts_with(kHiddenMarker)) continue;
    at = std::min(text.find(']', at), text.size());
  }
  return text.size();
}

}  // namespace xtrace
