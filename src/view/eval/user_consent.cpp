#include "link/activities/deed.h"
#include "view/eval/agent_actions.h"
#include "view/eval/reply.h"

namespace xtrace {

namespace {

/// What clients say in the user's place begins with a tag, or is in brackets.
bool is_of_client(std::string_view text) {
  return text.empty() || text.front() == '<' || text.starts_with("[Request interrupted");
}

/// Which of several questions that were put at once was about the deed, nobody knows.
Reply together(Reply a, Reply b) {
  auto is_consent = [](Reply one) { return one == Reply::agrees || one == Reply::goes_on; };
  if (a == Reply::none || a == b) return b;
  if (b == Reply::none) return a;
  return is_consent(a) && is_consent(b) ? Reply::agrees : Reply::unclear;
}

/// Texts that stand in one request. Whoever asks for more takes nothing back.
Reply followed_by(Reply said, Reply next) {
  if (next == Reply::none) return said;
  const bool stays = next == Reply::goes_on && said != Reply::none && said != Reply::agrees;
  return stays ? Reply::unclear : next;
}

/// What the user consented to so far: nothing, as long as they are asked nothing.
struct Standing {
  std::optional<bool> consent = false;
  bool is_refused = false;  ///< and no word of consent took that back

  /// Is that a consent, behind what was said before? Whoever asks for more takes no refusal back.
  std::optional<bool> heard(Reply said) {
    if (said == Reply::refuses) is_refused = true;
    if (said == Reply::agrees) is_refused = false;
    if (said == Reply::unclear || (said == Reply::goes_on && is_refused)) return std::nullopt;
    return said != Reply::refuses;
  }
};

}  // namespace

/// Answers to questions hold until something else is said on it. A text holds in its own request;
/// what is agreed to there may be the deed of a later one, which nobody can tell.
std::map<CallId, std::optional<bool>> AgentActions::consents_to(const Doer& agent) const {
  std::map<CallId, std::optional<bool>> consents;
  std::map<CallId, Reply> answers;  // by the call that reads them
  for (const Action& tool : tools_) {
    const Activity& done = *tool.done;
    if (!done.reader || done.outcome != Outcome::ok || !puts_a_question(done.tool) ||
        doer_of(tool) != agent)
      continue;
    Reply& answer = answers[done.reader];
    if (std::optional<std::string> said = result(tool))
      for (const std::string& one : answers_in(*said)) answer = together(answer, reply_in(one));
  }
  Standing standing;
  bool is_turn_unclear = false, was_addressed = false;
  for (const Action& model : models_) {
    const CallId call = model.done->call;
    if (!call || doer_of(model) != agent) continue;
    if (auto found = answers.find(call); found != answers.end() && found->second != Reply::none) {
      standing.consent = standing.heard(found->second);
      is_turn_unclear = false;
    }
    Reply text = Reply::none;
    const std::vector<Quote>& said = pieces(call);
    for (const Quote& piece : said)
      if (was_addressed && !piece.is_answer && piece.kind == Quote::Kind::text &&
          !is_of_client(piece.text))
        text = followed_by(text, reply_in(piece.text));
    std::optional<bool>& now = consents[call];
    now = standing.consent;
    if (text != Reply::none) {
      const std::optional<bool> is_consent = standing.heard(text);
      is_turn_unclear = text != Reply::refuses;
      if (text == Reply::refuses) standing.consent = false;
      if (text == Reply::unclear && standing.consent == true) standing.consent = std::nullopt;
      now = is_consent == true ? is_consent : standing.consent;
    }
    if (now == false && is_turn_unclear) now = std::nullopt;
    if (said.empty()) now = std::nullopt;
    was_addressed |= model.done->outcome == Outcome::ok;
  }
  return consents;
}

}  // namespace xtrace
