#include "link/claims/phrases.h"

#include <cassert>
#include <string>

#include "base/parts.h"

namespace xtrace {

namespace {

constexpr std::string_view kPhrases =
#include "link/claims/phrases.inc"
    ;

/// The lines of a section, without comments and their languages.
std::vector<std::string_view> lines_of(std::string_view section) {
  std::vector<std::string_view> lines;
  bool is_inside = false;
  for_each_part(kPhrases, '\n', [&](std::string_view line) {
    if (line.starts_with('[')) is_inside = line.substr(1, line.size() - 2) == section;
    if (!is_inside || line.empty() || line.starts_with('[') || line.starts_with('#')) return;
    line.remove_prefix(line.find(' '));
    lines.push_back(line.substr(line.find_first_not_of(' ')));
  });
  assert(!lines.empty());
  return lines;
}

/// All lines of a section as one pattern.
std::string alternatives_of(std::string_view section) {
  std::string alternatives;
  for (std::string_view line : lines_of(section))
    alternatives.append(alternatives.empty() ? "" : "|").append(line);
  return "(?:" + alternatives + ")";
}

}  // namespace

Pattern phrases_of(std::string_view section) {
  return phrases_of(std::vector<std::string>{std::string(section)});
}

Pattern phrases_of(const std::vector<std::string>& sections) {
  std::string any;
  for (const std::string& section : sections)
    any += (any.empty() ? "" : "|") + alternatives_of(section);
  // Not \b, which knows ASCII letters only.
  const auto pattern = Pattern::compile("(?:^| )(?:" + any + ")(?: |$)", Pattern::Prefer::longest);
  assert(pattern);
  return *pattern;
}

Pattern parts_of_outputs(std::string_view section) {
  const auto pattern = Pattern::compile(alternatives_of(section));
  assert(pattern);
  return *pattern;
}

std::vector<std::vector<std::string_view>> word_lines(std::string_view section) {
  std::vector<std::vector<std::string_view>> lines;
  for (std::string_view line : lines_of(section))
    for_each_part(line, ' ', [&, &words = lines.emplace_back()](std::string_view word) {
      words.push_back(word);
    });
  return lines;
}

std::set<std::string_view> words_of(std::string_view section) {
  std::set<std::string_view> words;
  for (const std::vector<std::string_view>& line : word_lines(section))
    words.insert(line.begin(), line.end());
  return words;
}

}  // namespace xtrace
