#include "render/markdown_text.h"

#include <algorithm>
#include <cctype>

#include "base/one_of.h"
#include "base/text.h"

namespace xtrace {

namespace {

bool is_letter_or_digit(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

/// `1. `, `- ` and `+ ` begin lists, `=` and `-` alone underline a heading, blanks begin code.
bool begins_block(std::string_view line) {
  if (line.empty()) return false;
  if (is_one_of(line.substr(0, 2), {"- ", "+ ", "--", "=="}) || line == "-" || line == "+" ||
      line == "=" || line.starts_with(' '))
    return true;
  const size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && line.size() > digits + 1 &&
         (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

/// Of an address, or of a name between colons, as `:100:`: GitHub makes a link of the one and a
/// picture of the other. Two digits between two colons are a time.
bool colon_means_something(std::string_view after) {
  if (after.starts_with("//")) return true;
  const size_t end =
      after.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-");
  if (end == 0 || end == std::string_view::npos || after[end] != ':') return false;
  return end != 2 || after.substr(0, 2).find_first_not_of("0123456789") != std::string_view::npos;
}

/// Is the sign at `at` one of the text alone?
bool is_plain(std::string_view line, size_t at) {
  const char c = line[at];
  const char before = at > 0 ? line[at - 1] : ' ', next = at + 1 < line.size() ? line[at + 1] : ' ';
  if (is_letter_or_digit(c)) return true;
  if (c == '_') return is_letter_or_digit(before) && is_letter_or_digit(next);
  if (c == ':') return !colon_means_something(line.substr(at + 1));
  if (c == '<') return std::string_view(" =$0123456789").find(next) != std::string_view::npos;
  return std::string_view(" .,;%$/()+-='\"?!^").find(c) != std::string_view::npos;
}

bool is_plain(std::string_view line) {
  if (begins_block(line)) return false;
  for (size_t i = 0; i < line.size(); ++i)
    if (!is_plain(line, i)) return false;
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find("www.") == std::string::npos;
}

/// Between more backticks than are consecutive in it.
std::string as_code(const std::string& line) {
  size_t longest = 0, run = 0;
  for (char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  // A blank on each side is taken off again.
  const bool pads = line.starts_with('`') || line.ends_with('`') ||
                    (line.starts_with(' ') && line.ends_with(' '));
  return fence + (pads ? " " + line + " " : line) + fence;
}

std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return printable(line);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string line = in_one_line(text);
  if (line.find_first_not_of(' ') == std::string::npos) return {};
  return is_plain(line) ? line : as_code(line);
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (char c : markdown_text(text)) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace xtrace
