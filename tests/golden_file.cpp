#include "golden_file.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace xtrace {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    lines.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

constexpr std::string_view kNoNewline = "\\(no newline at the end)";

bool is_mark(std::string_view line) {
  return !line.empty() && std::string_view("$?!#\\").find(line[0]) != std::string_view::npos;
}

void append_escaped(std::string& text, std::string_view out) {
  for (std::string_view line : lines_of(out)) {
    if (is_mark(line)) text += '\\';
    text += line;
    text += '\n';
  }
  if (!out.empty() && out.back() != '\n') text += std::string(kNoNewline) + '\n';
}

int exit_of(std::string_view line) {
  int exit = -1;
  std::string_view number = line.substr(std::min<size_t>(2, line.size()));
  std::from_chars(number.data(), number.data() + number.size(), exit);
  if (exit < 0) throw std::invalid_argument("no exit code in: " + std::string(line));
  return exit;
}

/// Output of the step, with the lines above the next one taken off.
std::string take_above(std::string& out) {
  std::vector<std::string_view> lines = lines_of(out);
  size_t kept = lines.size();
  while (kept > 0 && lines[kept - 1].starts_with("#")) --kept;
  if (kept > 0 && lines[kept - 1].empty()) --kept;
  std::string left, above;
  for (size_t i = 0; i < lines.size(); ++i)
    (i < kept ? left : above) += std::string(lines[i]) + '\n';
  out = left;
  return above;
}

std::string unescaped(std::string_view out) {
  std::string text;
  for (std::string_view line : lines_of(out)) {
    if (line == kNoNewline) {
      text.pop_back();
      continue;
    }
    text += line.starts_with("\\") ? line.substr(1) : line;
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<GoldenStep> parse_golden(std::string_view text) {
  std::vector<GoldenStep> steps;
  std::string body;  // of the step at hand, still escaped
  auto finish = [&](bool last) {
    std::string above = last && (body.empty() || body == "\n") ? "" : take_above(body);
    if (!steps.empty()) steps.back().out = unescaped(body);
    body.clear();
    return above;
  };
  for (std::string_view line : lines_of(text)) {
    if (line.starts_with("$ ")) {
      std::string above = finish(false);
      steps.push_back({above, std::string(line.substr(2)), 0, {}, {}});
    } else if (line.starts_with("? ") && !steps.empty()) {
      steps.back().exit = exit_of(line);
    } else if (line.starts_with("!") && !steps.empty()) {
      steps.back().err += std::string(line.substr(std::min<size_t>(2, line.size()))) + '\n';
    } else {
      body += std::string(line) + '\n';
    }
  }
  if (steps.empty()) throw std::invalid_argument("no command in the file");
  finish(true);
  return steps;
}

std::string format_golden(const std::vector<GoldenStep>& steps) {
  std::string text;
  for (const GoldenStep& step : steps) {
    text += step.above + "$ " + step.command + "\n? " + std::to_string(step.exit) + '\n';
    append_escaped(text, step.out);
    for (std::string_view line : lines_of(step.err))
      text += line.empty() ? "!\n" : "! " + std::string(line) + '\n';
  }
  return text;
}

std::vector<std::string> split_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun, if only with a quote
  char quote = '\0';
  for (size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
      open = true;
    } else if (quote != '\'' && c == '\\' && i + 1 < command.size()) {
      word += command[++i];
      open = true;
    } else if (quote == '\0' && c == ' ') {
      if (open) words.push_back(word);
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

std::string diff(std::string_view wanted, std::string_view got) {
  std::vector<std::string_view> a = lines_of(wanted), b = lines_of(got);
  // same[i][j]: lines that a from i and b from j have in common, in order
  std::vector<std::vector<uint32_t>> same(a.size() + 1, std::vector<uint32_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      same[i][j] = a[i] == b[j] ? same[i + 1][j + 1] + 1 : std::max(same[i + 1][j], same[i][j + 1]);
  struct Step {
    char mark;
    std::string_view line;
  };
  std::vector<Step> steps;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      steps.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < a.size() && (j == b.size() || same[i + 1][j] >= same[i][j + 1])) {
      steps.push_back({'-', a[i++]});
    } else {
      steps.push_back({'+', b[j++]});
    }
  }
  constexpr size_t kAround = 2;
  std::string text;
  size_t shown = 0;
  for (size_t at = 0; at < steps.size(); ++at) {
    size_t begin = at - std::min(at, kAround), end = std::min(at + kAround + 1, steps.size());
    bool near = std::any_of(steps.begin() + static_cast<ptrdiff_t>(begin),
                            steps.begin() + static_cast<ptrdiff_t>(end),
                            [](const Step& step) { return step.mark != ' '; });
    if (!near) continue;
    if (at > shown) text += "  ⋮\n";
    shown = at + 1;
    text += std::string(1, steps[at].mark) + ' ' + std::string(steps[at].line) + '\n';
  }
  return text;
}

}  // namespace xtrace
