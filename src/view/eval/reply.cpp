#include "view/eval/reply.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "settings/arguments.h"
#include "view/eval/reply_words.h"

namespace xtrace {

// Auditors rely on what is concluded here. Whoever cannot tell says so: that is less harm than
// consent that nobody gave, or a refusal that was none. So a consent has to be one from its first
// word to its last: words of consent and courtesy, and requests. There are more ways to decline
// behind an "OK" than anybody can list.

namespace {

/// `Don't stop!` is no refusal, and `Don't stop the server` may be one.
size_t denied_doubt(Words words) {
  const size_t stop = beginning(words, {"don't stop", "do not stop", "dont stop"});
  if (stop > 0 && count_words(words.subspan(stop)) == 0) return words.size();
  return phrase_of_no_doubt(words);
}

/// Is it the subject of what is told, and no request? `Deploy scripts are broken`.
bool is_told_of(Words behind) {
  constexpr size_t kSubject = 3;  // words, at most
  for (const std::string& word : behind.first(std::min(kSubject, behind.size()))) {
    if (is_determiner(word) || is_mark(word)) return false;
    if (tells_a_state(word)) return true;
  }
  return false;
}

/// How many words ask for a deed, to the end of the sentence. 0: none do, or they put it off.
size_t request(Words words) {
  const size_t asks = beginning(words, {"can you", "could you", "would you", "will you"});
  size_t at = asks > 0 ? asks : phrase_before_deed(words);
  while (const size_t courtesy = phrase_of_courtesy(words.subspan(at))) at += courtesy;
  const size_t deed = phrase_of_deed(words.subspan(at));
  if (deed == 0 || is_told_of(words.subspan(at + deed))) return 0;
  for (at += deed; at < words.size() && words[at] != "."; ++at) {
    if (words[at] == "?") return asks > 0 ? at + 1 : 0;
    if (turns_away(words[at])) return 0;
  }
  return at;
}

Reply consent_in(Words words) {
  bool is_agreed = false, is_fine = false;
  while (!words.empty()) {
    const size_t agrees = phrase_of_consent(words), deed = request(words);
    const size_t likes = std::max(phrase_of_praise(words), denied_doubt(words));
    const size_t most = std::max({agrees, deed, likes});
    const size_t passed_over =
        words.front() == "," || words.front() == "." ? 1 : phrase_of_courtesy(words);
    if (most == 0 && passed_over == 0) return Reply::unclear;
    is_agreed |= most > 0 && agrees == most;
    is_fine |= most > 0;
    words = words.subspan(most > 0 ? most : passed_over);
  }
  if (is_agreed) return Reply::agrees;
  return is_fine ? Reply::goes_on : Reply::unclear;
}

/// Of what begins as a refusal.
Reply refusal_in(Words words) {
  constexpr size_t kShort = 3;  // what is longer may say when, or what to do in its place
  bool is_prohibited = false;
  while (true) {
    const bool is_apart = !words.empty() && is_mark(words.front());
    const Words rest = words.subspan(is_apart ? 1 : 0);
    const size_t forbids = phrase_of_prohibition(rest), refuses = phrase_of_refusal(rest);
    // What must not be stopped or put off may well be the deed.
    if (is_prohibited && !is_apart && puts_an_end(rest)) return Reply::unclear;
    if (denied_doubt(rest) > 0) return Reply::unclear;
    if (forbids == 0 && refuses == 0) break;
    is_prohibited = forbids > refuses;
    words = rest.subspan(std::max(forbids, refuses));
  }
  // What must not be done may be the deed in question; anything else is another thing.
  const auto behind = is_prohibited ? std::ranges::find_if(words, is_mark) : words.begin();
  const bool is_short = count_words(words) <= kShort && !turns(words);
  return is_short && !names_a_deed(Words(behind, words.end())) ? Reply::refuses : Reply::unclear;
}

Reply reply_of(Words words) {
  if (denied_doubt(words) > 0 || request(words) > 0) return consent_in(words);
  const bool refuses = phrase_of_refusal(words) > 0 || phrase_of_prohibition(words) > 0;
  return refuses && !is_no_answer(words) ? refusal_in(words) : consent_in(words);
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
  const std::vector<std::string> words = words_in(text);
  return reply_of(words);
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
