#include "naive_redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "base/parts.h"
#include "redact/redact.h"
#include "redact/redact_rules.h"

namespace xtrace {

namespace {

/// A reader at each place where one of its triggers is, in any case.
void read_everywhere(const RedactRule& rule, size_t index, std::string_view text,
                     std::vector<RuleSpan>& spans) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  std::vector<ByteRange> found;
  for_each_part(rule.triggers, '|', [&](std::string_view literal) {
    for (size_t at = lower.find(literal); at != std::string::npos; at = lower.find(literal, at + 1))
      rule.read(text, at, found);
  });
  for (const ByteRange& one : found) spans.emplace_back(index, one.begin, one.end);
}

}  // namespace

std::vector<RuleSpan> naive_spans(std::string_view text) {
  std::vector<RuleSpan> spans;
  static std::vector<std::unique_ptr<RE2>> compiled(redact_rules().size());
  for (size_t index = 0; index < redact_rules().size(); ++index) {
    const RedactRule& rule = redact_rules()[index];
    if (rule.read != nullptr) {
      read_everywhere(rule, index, text, spans);
      continue;
    }
    if (!compiled[index])
      compiled[index] = std::make_unique<RE2>(re2::StringPiece(rule.pattern), RE2::Latin1);
    std::array<re2::StringPiece, 2> part;
    for (size_t at = 0;
         compiled[index]->Match(re2::StringPiece(text.data(), text.size()), at, text.size(),
                                RE2::UNANCHORED, part.data(), rule.group + 1);) {
      const re2::StringPiece taken = part[static_cast<size_t>(rule.group)];
      const size_t whole = static_cast<size_t>(part[0].data() - text.data());
      const size_t from = static_cast<size_t>(taken.data() - text.data());
      size_t to = from + taken.size();
      if (!passes(rule, text, from, to)) {
        at = after_failed(whole, whole + part[0].size());
        continue;
      }
      spans.emplace_back(index, from, to);
      at = rule.group == 0 ? to : whole + part[0].size();
    }
  }
  std::sort(spans.begin(), spans.end());
  return spans;
}

std::vector<RuleSpan> fast_spans(std::string_view text) {
  std::vector<RedactFinding> found;
  find_rule_matches(text, Redaction::all, found);
  std::vector<RuleSpan> spans;
  spans.reserve(found.size());
  for (const RedactFinding& one : found) spans.emplace_back(one.rule, one.begin, one.end);
  std::sort(spans.begin(), spans.end());
  return spans;
}

}  // namespace xtrace
