#include "link/claims/claim_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/digits.h"
#include "base/lower.h"
#include "base/number.h"
#include "base/one_of.h"
#include "base/parts.h"
#include "link/claims/phrases.h"
#include "link/waste/command_words.h"

namespace xtrace {

namespace {

/// The sections of phrases.inc for claims.
struct ClaimPhrases {
  std::vector<std::string> sections = [] {
    std::vector<std::string> names;
    for (std::string_view kind : kClaimKindWords) names.push_back("claim " + std::string(kind));
    return names;
  }();
  Pattern any = phrases_of(sections);  ///< most sentences have none
  std::vector<Pattern> kinds = [this] {
    std::vector<Pattern> all;
    for (const std::string& section : sections) all.push_back(phrases_of(section));
    return all;
  }();
  Pattern denied = phrases_of("claim denied"), conditional = phrases_of("claim conditional"),
          qualified = phrases_of("claim qualified"), admitted = phrases_of("claim admitted"),
          plan = phrases_of("claim plan");
};
const ClaimPhrases& claim_phrases() {
  static const ClaimPhrases kClaimPhrases;
  return kClaimPhrases;
}

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t\r");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

/// The word for code between backticks: a command is known by its act.
std::string_view word_of_code(std::string_view code) {
  constexpr std::string_view kWords[kCommandActs] = {"$tests",  "$build", "$types",  "$lint",
                                                     "$commit", "$push",  "$request"};
  constexpr size_t kLongest = 200;  // bytes of a command that a sentence names
  if (code.size() > kLongest) return "$code";
  for (const CommandPart& part : parts_of_command(code))
    for (size_t act = 0; act < kCommandActs; ++act)
      if (part.acts[act]) return kWords[act];
  return "$code";
}

/// A character beyond ASCII that is a word or a mark of its own.
struct Sign {
  std::string_view bytes, word;
};
constexpr Sign kSigns[] = {{"✅", "✅"},          {"✔", "✅"}, {"✓", "✅"}, {"☑", "✅"},  {"❌", "❌"},
                           {"✗", "❌"},          {"✘", "❌"}, {"—", ","}, {"–", ","},  {"→", ","},
                           {"…", ","},          {"•", ","}, {"’", "'"}, {"“", "\""}, {"”", "\""},
                           {"\xef\xb8\x8f", ""}};  // the look of the sign before it

/// Pictures are beyond the characters of three bytes.
constexpr unsigned char kPicture = 0xf0;

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (byte >= 0x80 && byte < kPicture);
}

constexpr bool is_beyond_ascii(char c) {
  return (static_cast<unsigned char>(c) & 0x80) != 0;
}

bool begins_with_sign(std::string_view text) {
  return !text.empty() && is_beyond_ascii(text[0]) &&
         std::ranges::any_of(kSigns,
                             [&](const Sign& sign) { return text.starts_with(sign.bytes); });
}

/// Marks are closed within so many bytes, and sentences are no longer, so that the time grows with
/// the length of a reply alone.
constexpr size_t kFurthest = 1000;

/// Divides the lines of a reply into sentences.
class ReplyReader {
 public:
  explicit ReplyReader(std::string_view reply) : reply_(reply) {}

  std::vector<ReplySentence> take() {
    for_each_part(reply_, '\n', [&](std::string_view line) { read_line(trimmed(line)); });
    return std::move(sentences_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with("```") || line.starts_with("~~~")) {
      in_code_ = !in_code_;
      return;
    }
    if (in_code_ || line.starts_with('>') || line.starts_with("<!--")) return;
    if (line.empty()) {
      is_after_blank_ = true;
      return;
    }
    const bool is_heading =
        line.starts_with('#') || line.ends_with(':') ||
        (line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:")));
    std::string_view text = line.substr(std::min(line.find_first_not_of('#'), line.size()));
    const std::string_view item = without_marker(trimmed(text));
    const bool is_item = item.size() < trimmed(text).size();
    if (item.starts_with("[ ]")) return;
    if (!is_heading && !is_item && is_after_blank_) is_planned_ = false;
    is_after_blank_ = false;
    const size_t first = sentences_.size();
    read_text(item.starts_with("[x]") || item.starts_with("[X]") ? item.substr(3) : item);
    if (!is_heading || first == sentences_.size()) return;
    is_planned_ = !claim_phrases().plan.beginning(sentences_[first].words).empty();
    for (size_t i = first; i < sentences_.size(); ++i) sentences_[i].is_planned |= is_planned_;
  }

  /// Without `- `, `* ` or `12. `.
  static std::string_view without_marker(std::string_view line) {
    size_t end = std::min(line.find_first_not_of("0123456789"), line.size());
    if (end > 0 && end < line.size() && (line[end] == '.' || line[end] == ')'))
      ++end;
    else
      end = !line.empty() && std::string_view("-*+").find(line[0]) != line.npos ? 1 : 0;
    return end > 0 && end < line.size() && line[end] == ' ' ? trimmed(line.substr(end)) : line;
  }

  void read_text(std::string_view text) {
    begin_ = text.data();
    for (size_t at = 0; at < text.size();) at += std::max<size_t>(read(text, at), 1);
    end_sentence(text.data() + text.size(), false);
  }

  /// Reads what begins there and returns its length.
  size_t read(std::string_view text, size_t at) {
    const std::string_view rest = text.substr(at);
    const char c = rest[0];
    if (c == 'h' && (rest.starts_with("https://") || rest.starts_with("http://"))) {
      add_word("$link");
      return std::min(rest.find_first_of(" )>"), rest.size());
    }
    if (is_word_byte(c) && !is_beyond_ascii(c)) return read_word(rest);
    if (c == '`') return read_code(rest);
    const std::string_view near = rest.substr(0, kFurthest);
    if (c == '~' && near.starts_with("~~"))
      return std::min(near.find("~~", 2), near.size() - 2) + 2;
    if (c == ']' && near.starts_with("](")) return std::min(near.find(')'), near.size());
    for (const Sign& sign : kSigns) {
      if (!is_beyond_ascii(c)) break;
      if (!rest.starts_with(sign.bytes)) continue;
      if (sign.word == "\"") return read_quotation(rest, sign.bytes.size());
      if (sign.word.empty()) return sign.bytes.size();
      if (sign.word == "," || sign.word == "'")
        add_mark();
      else
        add_word(sign.word);
      return sign.bytes.size();
    }
    if (c == '"') return read_quotation(rest, 1);
    if (static_cast<unsigned char>(c) >= kPicture) return 4;
    if (is_word_byte(c)) return read_word(rest);
    const bool is_end =
        rest.size() == 1 || std::string_view(" \t*_\"')]").find(rest[1]) != rest.npos;
    if ((c == '.' || c == '!' || c == '?' || c == ';') && is_end) {
      end_sentence(rest.data() + 1, c == '?');
    } else if (c == ',' || c == ':' || c == '(' || c == ')' || c == '|' ||
               (c == '-' && rest.starts_with("- "))) {
      add_mark();
    } else if (c == '/' && rest.starts_with("/ ")) {
      add_word("/");
    }
    return 1;
  }

  size_t read_code(std::string_view rest) {
    const size_t ticks = std::min(rest.find_first_not_of('`'), rest.size());
    if (ticks >= kFurthest) return ticks;
    const size_t end = rest.substr(0, kFurthest).find(rest.substr(0, ticks), ticks);
    if (end == rest.npos) return ticks;
    add_word(word_of_code(rest.substr(ticks, end - ticks)));
    return end + ticks;
  }

  /// One word between quotation marks is a name.
  size_t read_quotation(std::string_view rest, size_t mark) {
    rest = rest.substr(0, kFurthest);
    const auto closes = [&](size_t at) {
      return rest[at] == '"' || rest.substr(at).starts_with("”") ||
             rest.substr(at).starts_with("“");
    };
    // By first bytes, as those of the curly marks are in many signs.
    size_t end = rest.find_first_of("\"\xe2", mark);
    while (end != rest.npos && !closes(end)) end = rest.find_first_of("\"\xe2", end + 1);
    if (end == rest.npos || rest.substr(0, end).find(' ') == rest.npos) return mark;
    add_word("$quote");
    return end + (rest[end] == '"' ? 1 : 3);
  }

  size_t read_word(std::string_view rest) {
    std::string word;
    size_t end = 0;
    while (end < rest.size()) {
      if (is_word_byte(rest[end]) && !is_beyond_ascii(rest[end])) {
        word += rest[end++];
        continue;
      }
      const bool is_curly = is_beyond_ascii(rest[end]) && rest.substr(end).starts_with("’");
      const size_t length = is_curly ? std::string_view("’").size() : 1;
      const bool is_joint = is_curly || std::string_view("'-/._%").find(rest[end]) != rest.npos;
      if (is_joint) {
        if (end + length >= rest.size() || !is_word_byte(rest[end + length])) break;
        if (begins_with_sign(rest.substr(end + length))) break;
        word += is_curly ? '\'' : rest[end];
        end += length;
        continue;
      }
      if (!is_word_byte(rest[end]) || begins_with_sign(rest.substr(end))) break;
      word += rest[end++];
    }
    add_word(lower(word));
    return end;
  }

  void add_word(std::string_view word) {
    if (!words_.empty()) words_ += ' ';
    words_ += word;
  }
  void add_mark() {
    if (!words_.empty() && !words_.ends_with(',')) words_ += " ,";
  }

  void end_sentence(const char* end, bool is_question) {
    while (words_.ends_with(',') || words_.ends_with(' ')) words_.pop_back();
    if (!words_.empty()) {
      const std::string_view text(begin_, static_cast<size_t>(end - begin_));
      sentences_.push_back({std::exchange(words_, {}), trimmed(text), is_question, is_planned_});
    }
    begin_ = end;
  }

  const std::string_view reply_;
  std::vector<ReplySentence> sentences_;
  std::string words_;
  const char* begin_ = nullptr;
  bool in_code_ = false, is_after_blank_ = false, is_planned_ = false;
};

/// The clause around a match: up to a mark or a word that begins another one.
std::string_view clause_around(std::string_view words, std::string_view match) {
  constexpr std::string_view kJoints[] = {" , ",    " and ",     " but ",   " so ",   " while ",
                                          " then ", " because ", " since ", " which "};
  size_t begin = 0, end = words.size();
  const auto from = static_cast<size_t>(match.data() - words.data());
  const size_t to = from + match.size();
  for (std::string_view joint : kJoints) {
    if (const size_t at = words.substr(0, from + 1).rfind(joint); at != words.npos)
      begin = std::max(begin, at + joint.size() - 1);
    if (const size_t at = words.find(joint, to == 0 ? 0 : to - 1); at != words.npos)
      end = std::min(end, at + 1);
  }
  return words.substr(begin, end - begin);
}

/// `40/42`, `40 of 42`: not all of them?
bool states_a_part(std::string_view words) {
  std::vector<std::string_view> all;
  for_each_part(words, ' ', [&](std::string_view word) { all.push_back(word); });
  const auto differ = [](std::string_view part, std::string_view whole) {
    const std::optional<int64_t> a = number_of<int64_t>(part), b = number_of<int64_t>(whole);
    return a && b && *a < *b;
  };
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t slash = all[i].find('/');
    if (slash != std::string_view::npos &&
        differ(all[i].substr(0, slash), all[i].substr(slash + 1)))
      return true;
    const size_t gap = i + 2 < all.size() && is_one_of(all[i + 1], {"of", "/"})          ? 2
                       : i + 3 < all.size() && all[i + 1] == "out" && all[i + 2] == "of" ? 3
                                                                                         : 0;
    if (gap > 0 && differ(all[i], all[i + gap])) return true;
  }
  return false;
}

/// The first match in a clause that nothing denies; empty: there is none.
std::string_view find_stated(const Pattern& pattern, std::string_view words) {
  for (size_t at = 0; at < words.size();) {
    const std::string_view match = pattern.next(words, at);
    if (match.empty()) continue;
    if (!claim_phrases().denied.is_in(clause_around(words, match))) return match;
  }
  return {};
}

bool overlap(std::string_view a, std::string_view b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

bool admits_failures(const std::vector<ReplySentence>& sentences) {
  return std::ranges::any_of(sentences, [](const ReplySentence& one) {
    return !one.is_question && !one.is_planned && claim_phrases().admitted.is_in(one.words);
  });
}

/// Claims that nothing failed.
bool is_of_outcome(ClaimKind kind) {
  return kind == ClaimKind::tests_pass || kind == ClaimKind::checks_pass ||
         kind == ClaimKind::no_errors;
}

}  // namespace

std::vector<ReplySentence> sentences_of(std::string_view reply) {
  return ReplyReader(reply).take();
}

std::vector<StatedClaim> claims_in(std::string_view reply) {
  const ClaimPhrases& phrases = claim_phrases();
  const std::vector<ReplySentence> sentences = sentences_of(reply);
  std::array<bool, kClaimKinds> is_known{};
  std::vector<StatedClaim> claims;
  for (const ReplySentence& one : sentences) {
    if (one.is_question || one.is_planned || one.words.size() > kFurthest ||
        !phrases.any.is_in(one.words) || phrases.conditional.is_in(one.words) ||
        phrases.qualified.is_in(one.words))
      continue;
    std::vector<std::string_view> matches;
    for (size_t i = 0; i < kClaimKinds; ++i) {
      const auto kind = static_cast<ClaimKind>(i);
      const std::string_view match = find_stated(phrases.kinds[i], one.words);
      if (match.empty()) continue;
      // `the build finished without errors` is about the build alone.
      const bool is_told =
          kind == ClaimKind::no_errors &&
          std::ranges::any_of(matches, [&](auto other) { return overlap(match, other); });
      matches.push_back(match);
      const bool is_part = kind == ClaimKind::tests_pass && states_a_part(one.words);
      if (is_known[i] || is_told || is_part) continue;
      is_known[i] = true;
      claims.push_back({kind, one.text});
    }
  }
  const bool has_outcome = std::ranges::any_of(claims, is_of_outcome, &StatedClaim::kind);
  if (has_outcome && admits_failures(sentences))
    std::erase_if(claims, [](const StatedClaim& one) { return is_of_outcome(one.kind); });
  return claims;
}

}  // namespace xtrace
