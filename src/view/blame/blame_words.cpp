#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/blame/blame_answer.h"
#include "view/common/use_words.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_name(std::string_view text) {
  constexpr size_t kLongest = 40;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || text.size() > kLongest || !is_letter(text.front())) return false;
  return std::ranges::all_of(
      text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

std::string Blame::words_of_symptom() const {
  const uint32_t step = found.symptom;
  const Text name = of().step(step).kind == GraphStep::Kind::tool_use ? of().name(step) : Text();
  const std::string_view what = name.empty() ? of().id(step).view() : name.view();
  return of().has_failed(step) ? fmt::format("why {} failed", what)
                               : fmt::format("what went wrong before {}", what);
}

Texts Blame::not_seen() const {
  Texts sentences;
  if (needs_texts)
    sentences.push_back(
        "the texts of the input cannot be read again; only failures and "
        "repetitions were compared");
  if (found.missing_results > 0)
    sentences.push_back(of().door().say(
        "{} not in the log", plural(static_cast<int64_t>(found.missing_results), "result")));
  if (found.unread_calls > 0)
    sentences.push_back(of().door().say("{} without text",
                                        plural(static_cast<int64_t>(found.unread_calls), "call")));
  return sentences;
}

Text Blame::argument(const FoundSignal& signal) const {
  if (signal.argument.empty()) return {};
  return is_name(signal.argument) ? of().names().text(signal.argument) : Text("*");
}

std::string Blame::words(const FoundSignal& signal) const {
  const std::string argument(this->argument(signal).view());
  const std::string other =
      signal.other == kNoStep ? std::string() : std::string(of().name(signal.other).view());
  const std::string kind(signal.kind ? word(*signal.kind) : "value");
  const std::string by = other.empty() ? "an earlier step" : other;
  switch (signal.signal) {
    case BlameSignal::near_miss:
      return fmt::format("argument {}: nearly the {} that {} gave, not the same", argument, kind,
                         by);
    case BlameSignal::contradicts_report: return "reports a number that nothing it read contains";
    case BlameSignal::retry_storm:
      return fmt::format("the same {} times, with the same outcome", signal.times);
    case BlameSignal::error_unmended: return "failed, and never succeeded afterwards";
    case BlameSignal::stale_read:
      return "uses what was read from a file that another agent had changed since";
    case BlameSignal::diverged: return "the first step that the baseline does not have";
    case BlameSignal::ungrounded:
      return fmt::format("argument {}: a {} that nothing before it contains", argument, kind);
    case BlameSignal::unread_evidence:
      return fmt::format("argument {}: a default, though {} gave a value", argument, by);
    case BlameSignal::verdict: return "evidence of a failed expectation";
    case BlameSignal::novel: return "no learned run does this";
    case BlameSignal::interrupted: return "interrupted by the user";
    case BlameSignal::assigned: return "does what the directing agent asked for";
    case BlameSignal::hedged: return "words of doubt or invention";
    case BlameSignal::error:
      if (signal.other == kNoStep) return "failed";
      return signal.other < signal.step || of().step(signal.other).kind == GraphStep::Kind::hop
                 ? "asked for the first code that failed"
                 : "failed, then worked";
    case BlameSignal::most_new:
      return fmt::format("the most new values of all steps ({})", signal.times);
    case BlameSignal::final_value:
      return fmt::format("first to contain {} of the last reply",
                         plural(static_cast<int64_t>(signal.times), "value"));
    case BlameSignal::wrote_code: return "wrote code";
    case BlameSignal::declined: return "refused or cancelled";
  }
  return {};
}

Text Blame::step_words(uint32_t step) const {
  const Text did = of().words(step), agent = of().agent(step);
  if (of().hops() == nullptr || agent.empty() ||
      did.view().find(agent.view()) != std::string_view::npos)
    return did;
  return of().door().say("{}: {}", agent.view(), did.view());
}

std::string Blame::words(const BlameCandidate& one) const {
  std::string all;
  for (const FoundSignal& signal : one.signals)
    all += fmt::format("{}{}", all.empty() ? "" : "; ", words(signal));
  return all;
}

}  // namespace xtrace
