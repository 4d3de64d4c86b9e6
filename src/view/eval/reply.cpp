#include "view/eval/reply.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/digits.h"
#include "base/lower.h"
#include "base/parts.h"
#include "link/claims/phrases.h"
#include "settings/arguments.h"

namespace xtrace {

// Auditors rely on what is concluded here, so a text that may mean either is unclear. A consent has
// to be one from its first word to its last: words of consent and courtesy, and requests. There are
// more ways to decline after an "OK" than anybody can list.

namespace {

/// The sections of phrases.inc for replies.
struct ReplyPhrases {
  Pattern consent = phrases_of("consent"), satisfaction = phrases_of("satisfaction"),
          no_objection = phrases_of("no objection"), courtesy = phrases_of("courtesy"),
          action = phrases_of("action"), go_on = phrases_of("go on"),
          before_action = phrases_of("before action"), question = phrases_of("question"),
          state = phrases_of("state"), object = phrases_of("object"),
          reservation = phrases_of("reservation"), refusal = phrases_of("refusal"),
          prohibition = phrases_of("prohibition"), no_answer = phrases_of("no answer"),
          stop = phrases_of("stop"), turn = phrases_of("turn");
};
const ReplyPhrases& phrases() {
  static const ReplyPhrases kReplyPhrases;
  return kReplyPhrases;
}

constexpr std::string_view kMarks = ",.?";

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '\'' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// In small letters, and with the marks that ASCII has.
std::string with_ascii_marks(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kAscii[] = {
      {"’", "'"},   {"–", ", "},  {"—", ", "}, {"。", ". "}, {"、", ", "}, {"，", ", "},
      {"！", ". "}, {"？", "? "}, {"…", ". "}, {"“", " "},   {"”", " "}};
  std::string small = lower(text);
  for (const auto& [mark, ascii] : kAscii)
    for (size_t at = 0; (at = small.find(mark, at)) != small.npos; at += ascii.size())
      small.replace(at, mark.size(), ascii);
  return small;
}

/// The mark that the character is, at the end of a word; 0: none. A dot in `v1.2` is none.
char mark_at(std::string_view text, size_t at) {
  const bool is_end =
      at + 1 == text.size() || !(is_word_letter(text[at + 1]) || is_digit(text[at + 1]));
  switch (text[at]) {
    case '!':
    case '\n': return '.';
    case '.':
    case ';':
    case ':': return is_end ? '.' : '\0';
    case '?': return is_end ? '?' : '\0';
    case ',': return ',';
    case '-': return is_end && (at == 0 || text[at - 1] == ' ') ? ',' : '\0';
    default: return '\0';
  }
}

/// The words of a reply in small letters, with one blank between them. Marks are words: `.` ends a
/// sentence, `?` a question, `,` separates less. A `-` between letters is part of a word.
std::string split_words(std::string_view text) {
  const std::string small = with_ascii_marks(text);
  std::string words;
  for (size_t i = 0; i < small.size(); ++i) {
    const bool is_inside = small[i] == '-' && i > 0 && i + 1 < small.size() &&
                           is_word_letter(small[i - 1]) && is_word_letter(small[i + 1]);
    if (is_word_letter(small[i]) || is_inside) {
      words += small[i];
      continue;
    }
    if (!words.empty() && words.back() != ' ') words += ' ';
    const char mark = mark_at(small, i);
    if (mark == '\0' || words.empty()) continue;
    char& last = words[words.size() - 2];
    if (kMarks.find(last) == kMarks.npos)
      words.append({mark, ' '});
    else if (mark != ',')
      last = mark;
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

bool begins_with_mark(std::string_view words) {
  return words.find_first_of(kMarks) == 0;
}

/// Marks do not count.
size_t count_words(std::string_view words) {
  size_t count = 0;
  for_each_part(words, ' ',
                [&](std::string_view word) { count += !word.empty() && !begins_with_mark(word); });
  return count;
}

std::string_view skip(std::string_view words, size_t length) {
  return words.substr(std::min(length, words.size()));
}

/// Is the action before these words the subject of a statement? `Deploy scripts are broken`.
bool is_subject(std::string_view next) {
  constexpr int kLongest = 3;  // words of a subject
  for (int i = 0; i < kLongest && !next.empty(); ++i) {
    if (begins_with_mark(next) || !phrases().object.beginning(next).empty()) return false;
    if (!phrases().state.beginning(next).empty()) return true;
    next = skip(next, std::min(next.find(' '), next.size()) + 1);
  }
  return false;
}

/// The length of a request for an action, to the end of its sentence; 0: there is none, or it is
/// postponed.
size_t find_request(std::string_view words) {
  const size_t asks = phrases().question.beginning(words).size();
  size_t at = asks > 0 ? asks : phrases().before_action.beginning(words).size();
  while (const size_t courtesy = phrases().courtesy.beginning(words.substr(at)).size())
    at += courtesy;
  const size_t action = phrases().action.beginning(words.substr(at)).size();
  at += action;
  if (action == 0 || is_subject(words.substr(at))) return 0;
  const size_t end = std::min(words.find_first_of(".?", at), words.size());
  if (phrases().reservation.is_in(words.substr(at, end - at))) return 0;
  if (end == words.size() || words[end] == '.') return end;
  return asks > 0 ? std::min(end + 2, words.size()) : 0;
}

Reply consent_in(std::string_view words) {
  bool is_agreed = false, is_fine = false;
  while (!words.empty()) {
    const size_t agrees = phrases().consent.beginning(words).size();
    const size_t most =
        std::max({agrees, find_request(words), phrases().satisfaction.beginning(words).size(),
                  phrases().no_objection.beginning(words).size()});
    const bool is_pause = words.front() == ',' || words.front() == '.';
    const size_t skipped = is_pause ? 2 : phrases().courtesy.beginning(words).size();
    if (most == 0 && skipped == 0) return Reply::unclear;
    is_agreed |= most > 0 && agrees == most;
    is_fine |= most > 0;
    words = skip(words, most > 0 ? most : skipped);
  }
  if (is_agreed) return Reply::agrees;
  return is_fine ? Reply::goes_on : Reply::unclear;
}

/// Requires: the words begin as a refusal does.
Reply refusal_in(std::string_view words) {
  constexpr size_t kShort = 3;  // a longer one may say when, or what to do instead
  bool is_prohibited = false;
  while (true) {
    const bool is_apart = begins_with_mark(words);
    const std::string_view rest = skip(words, is_apart ? 2 : 0);
    const size_t forbids = phrases().prohibition.beginning(rest).size();
    const size_t refuses = phrases().refusal.beginning(rest).size();
    const bool is_stop = !phrases().stop.beginning(rest).empty();
    if (is_prohibited && !is_apart && is_stop) return Reply::unclear;
    if (!phrases().no_objection.beginning(rest).empty()) return Reply::unclear;
    if (forbids == 0 && refuses == 0) break;
    is_prohibited = forbids > refuses;
    words = rest.substr(std::max(forbids, refuses));
  }
  // The prohibited action may be the proposed one; anything after it is something else.
  const std::string_view other = skip(words, is_prohibited ? words.find_first_of(kMarks) : 0);
  const bool is_short = count_words(words) <= kShort && !phrases().turn.is_in(words);
  const bool has_action = phrases().action.is_in(other) || phrases().go_on.is_in(other);
  return is_short && !has_action ? Reply::refuses : Reply::unclear;
}

Reply reply_of(std::string_view words) {
  auto begins = [&](const Pattern& phrase) { return !phrase.beginning(words).empty(); };
  if (begins(phrases().no_objection) || find_request(words) > 0) return consent_in(words);
  const bool refuses = begins(phrases().refusal) || begins(phrases().prohibition);
  return refuses && !begins(phrases().no_answer) ? refusal_in(words) : consent_in(words);
}

/// Codex's are below the question's name: `{"answers": {"q1": {"answers": ["Yes"]}}}`. Nothing: it
/// is something else.
std::optional<std::vector<std::string>> answers_of_json(const std::string& result) {
  if (!is_json_object(result)) return std::nullopt;
  const Arguments told(result);
  std::vector<std::string> answers;
  bool is_it = false;
  for (const auto& [path, value] : told.values()) {
    const std::string_view name = std::string_view(path).substr(0, path.find('.'));
    if (name != "answers" && name != "answer") continue;
    is_it = true;
    if (!told.holds(path)) answers.push_back(value);
  }
  return is_it ? std::optional(std::move(answers)) : std::nullopt;
}

}  // namespace

Reply reply_in(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return Reply::none;
  constexpr size_t kMost = 4000;  // of a longer one nobody knows which part is the answer
  if (text.size() > kMost) return Reply::unclear;
  return reply_of(split_words(text));
}

std::vector<std::string> answers_in(std::string_view result) {
  constexpr std::string_view kMark = "\"=\"", kNotes = "user notes: ";
  std::vector<std::string> answers;
  if (!result.starts_with("User has answered your question") &&
      !result.starts_with("Your questions have been answered"))
    return answers_of_json(std::string(result)).value_or(std::vector{std::string(result)});
  size_t at = result.find(kMark);
  if (at == result.npos) {
    const size_t from = std::min(result.find(": "), result.size());
    std::string_view said = result.substr(from, result.find(". You can now", from) - from);
    said.remove_prefix(std::min(said.size(), size_t{2}));
    if (!said.empty()) answers.emplace_back(said);
  }
  while (at != result.npos) {
    const size_t from = at + kMark.size(), next = result.find(kMark, from);
    const std::string_view rest = result.substr(from, next == result.npos ? next : next - from);
    // Answers may have quotes inside.
    size_t end = rest.npos;
    for (std::string_view behind : {"\", \"", "\". You can now", "\" user notes: ", "\" selected"})
      end = std::min(end, rest.find(behind));
    if (end == rest.npos) end = rest.rfind('"');
    answers.emplace_back(rest.substr(0, end));
    if (const size_t notes = rest.find(kNotes); notes != rest.npos) {
      const std::string_view said = rest.substr(notes + kNotes.size());
      answers.emplace_back(said.substr(0, std::min(said.find(", \""), said.find(". You can now"))));
    }
    at = next;
  }
  return answers;
}

}  // namespace xtrace
