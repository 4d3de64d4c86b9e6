#include "view/eval/reply_words.h"

#include <algorithm>
#include <utility>

#include "base/lower.h"
#include "base/one_of.h"

namespace xtrace {

namespace {

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '\'' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// In small letters, and with the marks that ASCII has.
std::string plain(std::string_view text) {
  std::string small = lower(text);
  for (auto [mark, ascii] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"’", "'"},
                                                                            {"–", ", "},
                                                                            {"—", ", "},
                                                                            {"。", ". "},
                                                                            {"、", ", "},
                                                                            {"，", ", "},
                                                                            {"！", ". "},
                                                                            {"？", "? "},
                                                                            {"…", ". "},
                                                                            {"“", " "},
                                                                            {"”", " "}})
    for (size_t at = 0; (at = small.find(mark, at)) != small.npos; at += ascii.size())
      small.replace(at, mark.size(), ascii);
  return small;
}

/// That the character is, where a word ends; empty: none. A dot in `v1.2` ends none.
std::string_view mark_at(std::string_view text, size_t at) {
  const bool is_end = at + 1 == text.size() || !(is_word_letter(text[at + 1]) ||
                                                 (text[at + 1] >= '0' && text[at + 1] <= '9'));
  switch (text[at]) {
    case '!':
    case '\n': return ".";
    case '.':
    case ';':
    case ':': return is_end ? "." : "";
    case '?': return is_end ? "?" : "";
    case ',': return ",";
    case '-': return is_end && (at == 0 || text[at - 1] == ' ') ? "," : "";
    default: return "";
  }
}

bool has_any(Words words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return is_one_of(word, wanted); });
}

/// How many words the phrase has, if that is the beginning; else 0.
size_t begins_with(Words words, std::string_view phrase) {
  size_t count = 0;
  for (std::string_view rest = phrase; !rest.empty(); ++count) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (count == words.size() || words[count] != rest.substr(0, end)) return 0;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return count;
}

}  // namespace

/// A `-` between letters is part of a word: `non-prod`.
std::vector<std::string> words_in(std::string_view text) {
  const std::string small = plain(text);
  std::vector<std::string> words(1);
  auto end_word = [&] {
    if (!words.back().empty()) words.emplace_back();
  };
  for (size_t i = 0; i < small.size(); ++i) {
    const bool is_inside = small[i] == '-' && i > 0 && i + 1 < small.size() &&
                           is_word_letter(small[i - 1]) && is_word_letter(small[i + 1]);
    if (is_word_letter(small[i]) || is_inside) {
      words.back() += small[i];
      continue;
    }
    end_word();
    const std::string_view mark = mark_at(small, i);
    if (mark.empty() || words.size() == 1) continue;
    if (!is_mark(words[words.size() - 2]))
      words.insert(words.end() - 1, std::string(mark));
    else if (mark != ",")
      words[words.size() - 2] = mark;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_mark(std::string_view word) {
  return word == "," || word == "." || word == "?";
}

size_t count_words(Words words) {
  return static_cast<size_t>(
      std::ranges::count_if(words, [](const std::string& word) { return !is_mark(word); }));
}

size_t beginning(Words words, std::initializer_list<std::string_view> phrases) {
  size_t longest = 0;
  for (std::string_view phrase : phrases) longest = std::max(longest, begins_with(words, phrase));
  return longest;
}

size_t phrase_of_consent(Words words) {
  return beginning(words, {"yes",
                           "do",
                           "yep",
                           "yeah",
                           "yup",
                           "y",
                           "sure",
                           "go",
                           "go ahead",
                           "go for it",
                           "please go",
                           "let's go",
                           "do it",
                           "do so",
                           "do that",
                           "do this",
                           "let's do it",
                           "let's do this",
                           "please do",
                           "proceed",
                           "continue",
                           "approved",
                           "approve",
                           "i approve",
                           "confirmed",
                           "confirm",
                           "i confirm",
                           "agreed",
                           "agree",
                           "i agree",
                           "accepted",
                           "accept",
                           "allowed",
                           "allow",
                           "lgtm",
                           "ship it",
                           "absolutely",
                           "definitely",
                           "certainly",
                           "of course",
                           "by all means",
                           "ja",
                           "jawohl",
                           "klar",
                           "gerne",
                           "oui",
                           "sí",
                           "si",
                           "да",
                           "はい",
                           "好",
                           "好的",
                           "👍",
                           "✅"});
}

size_t phrase_of_praise(Words words) {
  return beginning(words, {"ok",
                           "okay",
                           "k",
                           "fine",
                           "that's fine",
                           "that is fine",
                           "that's ok",
                           "that works",
                           "works",
                           "sounds good",
                           "looks good",
                           "looks fine",
                           "all good",
                           "perfect",
                           "great",
                           "good",
                           "very good",
                           "correct",
                           "right",
                           "that's right",
                           "that's correct",
                           "exactly",
                           "👌"});
}

size_t phrase_of_no_doubt(Words words) {
  return beginning(words, {"no problem",         "no problems",     "no worries",
                           "no objection",       "no objections",   "no concerns",
                           "no issues",          "no need to ask",  "no need to wait",
                           "no need to confirm", "don't ask",       "do not ask",
                           "dont ask",           "don't ask again", "don't wait",
                           "do not wait",        "dont wait",       "don't hesitate",
                           "do not hesitate",    "stop asking",     "i have no objections",
                           "i have no objection"});
}

size_t phrase_of_courtesy(Words words) {
  return beginning(
      words, {"please",   "pls",     "thanks",     "thank you",   "thanks a lot", "many thanks",
              "bitte",    "danke",   "merci",      "and",         "so",           "then",
              "now",      "just",    "also",       "well",        "too",          "recommended",
              "for me",   "by me",   "from me",    "with me",     "to me",        "with that",
              "with it",  "to that", "as planned", "as proposed", "as suggested", "why not",
              "why not ?"});
}

size_t phrase_of_deed(Words words) {
  return beginning(
      words,
      {"deploy",     "run",           "rerun",         "make",         "add",      "update",
       "fix",        "use",           "ship",          "push",         "merge",    "commit",
       "delete",     "remove",        "create",        "write",        "start",    "restart",
       "try",        "send",          "release",       "publish",      "apply",    "install",
       "execute",    "rename",        "build",         "test",         "change",   "edit",
       "set",        "upgrade",       "migrate",       "implement",    "replace",  "refactor",
       "generate",   "enable",        "finish",        "prepare",      "roll out", "go with",
       "go on with", "go ahead with", "continue with", "proceed with", "do the",   "do all",
       "do both",    "do everything", "approve",       "accept",       "allow"});
}

size_t phrase_before_deed(Words words) {
  return beginning(words, {"you can", "you may", "you should", "feel free to", "don't forget to",
                           "do not forget to", "don't hesitate to", "do not hesitate to", "let's",
                           "let us", "i want you to", "i'd like you to", "go ahead and"});
}

size_t phrase_of_refusal(Words words) {
  return beginning(words, {"no",
                           "nope",
                           "nah",
                           "rejected",
                           "plan rejected",
                           "not yet",
                           "not now",
                           "wait",
                           "please wait",
                           "hold on",
                           "hold off",
                           "never mind",
                           "nevermind",
                           "forget it",
                           "forget that",
                           "forget about it",
                           "leave it",
                           "skip it",
                           "absolutely not",
                           "definitely not",
                           "certainly not",
                           "of course not",
                           "please no",
                           "no way",
                           "i'd rather not",
                           "i would rather not",
                           "rather not",
                           "nein",
                           "nicht",
                           "noch nicht",
                           "warte",
                           "halt",
                           "stopp",
                           "non",
                           "pas encore",
                           "👎",
                           "no thanks",
                           "no thank you"});
}

size_t phrase_of_prohibition(Words words) {
  return beginning(
      words, {"don't", "dont", "do not", "please don't", "please dont", "please do not", "stop",
              "please stop", "cancel", "please cancel", "abort", "please abort", "never"});
}

bool is_no_answer(Words words) {
  return beginning(words, {"no doubt", "no question", "no idea", "no clue", "no matter", "no more",
                           "no longer"}) > 0;
}

bool puts_an_end(Words words) {
  return beginning(words, {"stop", "cancel", "abort", "wait", "hold", "forget", "skip"}) > 0;
}

bool names_a_deed(Words words) {
  for (; !words.empty(); words = words.subspan(1))
    if (phrase_of_deed(words) > 0 ||
        has_any(words.first(1), {"do", "go", "continue", "proceed", "move", "yes", "ok"}))
      return true;
  return false;
}

bool turns(Words words) {
  return has_any(words, {"just", "then", "but", "and", "or", "instead", "until", "unless", "before",
                         "after", "when", "if", "worry", "forget"});
}

bool turns_away(std::string_view word) {
  return word.ends_with("n't") ||
         is_one_of(
             word,
             {"no",        "not",     "nope",      "nah",      "never",    "nothing", "nobody",
              "none",      "dont",    "stop",      "wait",     "hold",     "cancel",  "abort",
              "cannot",    "reject",  "refuse",    "avoid",    "forget",   "skip",    "nein",
              "nicht",     "kein",    "keine",     "non",      "instead",  "rather",  "before",
              "later",     "first",   "unless",    "until",    "hm",       "hmm",     "why",
              "wrong",     "unsure",  "nevermind", "but",      "if",       "once",    "after",
              "when",      "without", "except",    "leave",    "drop",     "discard", "myself",
              "ourselves", "back",    "only",      "alone",    "postpone", "revert",  "undo",
              "rollback",  "risky",   "dangerous", "tomorrow", "tonight",  "next",    "soon",
              "week",      "monday",  "over",      "aside",    "off",      "breaks",  "early"});
}

bool tells_a_state(std::string_view word) {
  return is_one_of(word, {"is",     "are",   "was",  "were",  "has",   "had",    "looks",
                          "look",   "seems", "seem", "would", "will",  "could",  "can",
                          "may",    "might", "must", "fails", "fail",  "failed", "of",
                          "breaks", "broke", "does", "did",   "needs", "takes",  "sure"});
}

bool is_determiner(std::string_view word) {
  return is_one_of(
      word, {"the",  "it",  "that", "this", "these",      "those", "them", "a",   "an", "my",
             "your", "our", "all",  "both", "everything", "to",    "with", "for", "on", "in"});
}

}  // namespace xtrace
