#include "view/eval/reply.h"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "base/lower.h"
#include "base/one_of.h"

namespace xtrace {

// Auditors rely on what is concluded here. Whoever cannot tell says so: that is less harm than
// consent that nobody gave, or a refusal that was none.

namespace {

using Words = std::span<const std::string>;

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '\'' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// The words of a text, in small letters; a `-` between letters is part of one: `non-prod`.
std::vector<std::string> words_in(std::string_view text) {
  std::string small = lower(std::string(text));
  for (size_t at = 0; (at = small.find("’", at)) != small.npos;) small.replace(at, 3, "'");
  std::vector<std::string> words(1);
  for (size_t i = 0; i < small.size(); ++i) {
    const bool is_inside = small[i] == '-' && i > 0 && i + 1 < small.size() &&
                           is_word_letter(small[i - 1]) && is_word_letter(small[i + 1]);
    if (is_word_letter(small[i]) || is_inside)
      words.back() += small[i];
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// How many words of the longest of these phrases it begins with; 0: with none.
size_t beginning(Words words, std::initializer_list<std::string_view> phrases) {
  size_t longest = 0;
  for (std::string_view phrase : phrases) {
    const std::vector<std::string> wanted = words_in(phrase);
    if (wanted.size() > longest && wanted.size() <= words.size() &&
        std::equal(wanted.begin(), wanted.end(), words.begin()))
      longest = wanted.size();
  }
  return longest;
}

bool has_any(Words words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return is_one_of(word, wanted); });
}

/// These begin as refusals do and are none.
size_t denied_doubt(Words words) {
  return beginning(words, {"no problem",
                           "no problems",
                           "no worries",
                           "no objection",
                           "no objections",
                           "no concerns",
                           "no issues",
                           "no doubt",
                           "no need to ask",
                           "no need to wait",
                           "no need to confirm",
                           "don't ask",
                           "do not ask",
                           "dont ask",
                           "don't wait",
                           "do not wait",
                           "dont wait",
                           "don't hesitate",
                           "do not hesitate",
                           "don't stop",
                           "do not stop",
                           "stop asking",
                           "don't forget to",
                           "do not forget to",
                           "i have no objections",
                           "i have no objection"});
}
/// A refusal, whatever comes of it.
size_t bare_refusal(Words words) {
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
                           "drop it",
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
/// What follows is what must not be done.
size_t prohibition(Words words) {
  return beginning(
      words, {"don't", "dont", "do not", "please don't", "please dont", "please do not", "stop",
              "please stop", "cancel", "please cancel", "abort", "please abort", "never"});
}
size_t agreement(Words words) {
  return beginning(words, {"yes",
                           "yep",
                           "yeah",
                           "yup",
                           "y",
                           "sure",
                           "ok",
                           "okay",
                           "k",
                           "fine",
                           "go",
                           "go ahead",
                           "please go",
                           "do it",
                           "do so",
                           "do that",
                           "please do",
                           "proceed",
                           "please proceed",
                           "continue",
                           "please continue",
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
                           "sounds good",
                           "looks good",
                           "all good",
                           "that's fine",
                           "lgtm",
                           "ship it",
                           "perfect",
                           "great",
                           "good",
                           "correct",
                           "right",
                           "exactly",
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
                           "✅",
                           "👌"});
}

/// Something may be denied, put off or wondered at.
bool may_refuse(Words words) {
  return has_any(words, {"no",     "not",      "nope",  "nah",     "never",  "nothing", "nobody",
                         "dont",   "stop",     "wait",  "hold",    "cancel", "abort",   "cannot",
                         "reject", "refuse",   "avoid", "forget",  "skip",   "nein",    "nicht",
                         "kein",   "keine",    "non",   "instead", "rather", "before",  "later",
                         "first",  "unless",   "until", "hm",      "hmm",    "why",     "wrong",
                         "unsure", "nevermind"}) ||
         std::ranges::any_of(words, [](const std::string& word) { return word.ends_with("n't"); });
}

bool asks_for_a_deed(Words words) {
  return has_any(
      words,
      {"deploy",  "run",     "do",    "make",   "add",      "update",  "fix",     "use",
       "ship",    "push",    "merge", "commit", "delete",   "remove",  "create",  "write",
       "start",   "restart", "try",   "send",   "release",  "publish", "apply",   "install",
       "execute", "rename",  "move",  "go",     "continue", "proceed", "build",   "test",
       "change",  "edit",    "set",   "yes",    "ok",       "upgrade", "migrate", "implement"});
}
/// Words that few other languages have. Of what is said in those nobody can tell.
bool is_english(Words words) {
  return has_any(words, {"the", "this", "that",   "these",      "those", "it",  "to",    "with",
                         "and", "for",  "please", "you",        "also",  "now", "then",  "them",
                         "my",  "your", "our",    "everything", "same",  "too", "should"});
}

/// Behind a refusal, does something else begin?
bool turns(Words words) {
  return has_any(words, {"just", "then", "but", "and", "or", "instead", "until", "unless", "before",
                         "after", "when", "if", "worry", "forget"});
}

Reply reply_of(Words words, bool is_question) {
  const size_t all = words.size();
  while (const size_t doubt = denied_doubt(words)) words = words.subspan(doubt);
  if (words.empty()) return all > 0 ? Reply::agrees : Reply::unclear;
  constexpr size_t kShort = 3;  // what is longer may say when, or what to do in its place
  bool is_refusal = false, is_prohibited = false;
  while (!words.empty()) {
    const size_t forbids = prohibition(words), refuses = bare_refusal(words);
    if (forbids == 0 && refuses == 0) break;
    is_refusal = true;
    is_prohibited = forbids > refuses;
    words = words.subspan(std::max(forbids, refuses));
    if (denied_doubt(words) > 0) return Reply::unclear;
  }
  // What must not be done may be the deed in question; anything else is another thing.
  if (is_refusal)
    return words.size() > kShort || turns(words) || (!is_prohibited && asks_for_a_deed(words))
               ? Reply::unclear
               : Reply::refuses;
  const size_t agrees = agreement(words);
  words = words.subspan(agrees);
  if (agrees > 0) words = words.subspan(beginning(words, {"why not"}));
  words = words.subspan(denied_doubt(words));
  if (may_refuse(words)) return Reply::unclear;
  if (agrees > 0 && has_any(words, {"but", "if", "once", "after", "when"})) return Reply::unclear;
  const bool is_request = beginning(words, {"can you", "could you", "would you", "will you"}) > 0 &&
                          asks_for_a_deed(words.subspan(2));
  if (is_question && !is_request && !words.empty()) return Reply::unclear;
  if (agrees > 0) return Reply::agrees;
  return asks_for_a_deed(words) || is_english(words) ? Reply::goes_on : Reply::unclear;
}

}  // namespace

Reply reply_in(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  if (last == text.npos) return Reply::none;
  constexpr size_t kMost = 4000;  // of a longer one nobody knows which part is the answer
  if (text.size() > kMost) return Reply::unclear;
  const std::vector<std::string> words = words_in(text);
  return reply_of(words, text[last] == '?');
}

std::vector<std::string> answers_in(std::string_view result) {
  constexpr std::string_view kMark = "\"=\"", kNotes = "user notes: ";
  std::vector<std::string> answers;
  size_t at = result.starts_with("User has answered") ? result.find(kMark) : result.npos;
  if (at == result.npos) return {std::string(result)};
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
