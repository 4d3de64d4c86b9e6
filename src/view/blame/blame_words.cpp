#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "facts/exit_code.h"
#include "facts/tool_status.h"
#include "link/waste/command_words.h"
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

Extent Blame::record(uint32_t step) const {
  const GraphStep& at = of().step(step);
  if (at.kind != GraphStep::Kind::tool_use || !at.use) return of().place(step);
  return places->asked(at.call, of().trace()[at.use]);
}

void Blame::note_shared_lines() {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> offsets;
  for (uint32_t step = 0; step < of().steps().size(); ++step) {
    const Extent& at = of().place(step);
    const auto [known, is_new] = offsets.try_emplace({at.file, at.line}, at.offset);
    if (!is_new && known->second != at.offset) shared_lines.insert(known->first);
  }
}

Text Blame::shown_at(const Extent& record) const {
  const Text place = of().names().shown_at(record);
  const bool is_document = of().trace().sources[record.file].is_document;
  return !is_document && shared_lines.contains({record.file, record.line})
             ? of().door().say("{}@{}", place.view(), record.offset)
             : place;
}

std::optional<Extent> Blame::result(uint32_t step) const {
  const GraphStep& at = of().step(step);
  if (at.tool == nullptr || !at.tool->reader || !at.use) return std::nullopt;
  return places->answered(at.tool->reader, of().trace()[at.use]);
}

std::string Blame::words_of_symptom() const {
  const std::string what(step_words(found.symptom).view());
  return of().has_failed(found.symptom) ? fmt::format("why {} failed", what)
                                        : fmt::format("what went wrong before {}", what);
}

Text Blame::symptom_sentence() const {
  Door& door = of().door();
  const Text name = step_words(found.symptom), at = shown_at(found.symptom);
  if (of().has_failed(found.symptom)) {
    const std::string why = failure_words(found.symptom);
    return door.say("{} failed{} ({}).", name.view(), why.empty() ? "" : ": " + why, at.view());
  }
  switch (found.from) {
    case SymptomFrom::last:
      return door.say("No unmended failure. Looking back from the last step ({}, {}).", name.view(),
                      at.view());
    case SymptomFrom::verdict:
      return door.say("A failed expectation is based on {} ({}).", name.view(), at.view());
    case SymptomFrom::given:
    case SymptomFrom::error: break;
  }
  return door.say("Looking back from {} ({}).", name.view(), at.view());
}

std::string Blame::failure_words(uint32_t step) const {
  const GraphStep& at = of().step(step);
  if (at.kind == GraphStep::Kind::call) {
    const Text error = of().names().text(of().trace()[at.call].error);
    return error.view() == "error" ? std::string() : std::string(error.view());
  }
  if (at.tool == nullptr || at.tool->outcome != Outcome::error) return {};
  if (of().question().payloads != nullptr && at.tool->reader && at.use)
    for (const Quote& quote : of().question().payloads->quotes(of().trace()[at.tool->reader]))
      if (quote.kind == Quote::Kind::tool_result && quote.tool_use == of().trace()[at.use])
        if (const int code = exit_code_in(quote.text); code != 0)
          return fmt::format("exit code {}", code);
  const ToolError error = at.tool->tool_error;
  if (error == ToolError::other || error == ToolError::execution) return {};
  std::string words(word(error));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string_view Blame::program(uint32_t step) const {
  const GraphStep& at = of().step(step);
  if (of().question().payloads == nullptr || at.tool == nullptr || at.tool->use == nullptr ||
      !at.tool->use->command)
    return {};
  return find_known_program(command_in(read_arguments(of().question(), at.call, *at.tool->use)));
}

Text Blame::no_status() const {
  const auto has_none = [](const Source& source) { return !records_tool_status(source.format); };
  const std::vector<Source>& sources = of().trace().sources;
  if (std::ranges::none_of(sources, has_none)) return {};
  return std::ranges::all_of(sources, has_none)
             ? Text(
                   "This log does not record whether tools failed; some failures are recognized "
                   "by their words")
             : Text(
                   "Some of these logs do not record whether tools failed; some failures are "
                   "recognized by their words");
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
  if (const Text none = no_status(); !none.empty()) sentences.push_back(none);
  if (found.elsewhere > 0)
    sentences.push_back(of().door().say("{} in other runs; use --symptom to ask about one",
                                        plural(static_cast<int64_t>(found.elsewhere), "failure")));
  if (found.plain_spans > 0)
    sentences.push_back(of().door().say("{} without model or tool calls, except for failures",
                                        plural(static_cast<int64_t>(found.plain_spans), "span")));
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
  const bool is_hop = of().step(signal.step).kind == GraphStep::Kind::hop;
  switch (signal.signal) {
    case BlameSignal::near_miss:
      return fmt::format("argument {}: nearly the {} that {} gave, not the same", argument, kind,
                         by);
    case BlameSignal::contradicts_report: return "reports a number that nothing it read contains";
    case BlameSignal::retry_storm:
      return fmt::format("the same {} times, with the same outcome", signal.times);
    case BlameSignal::error_unmended:
      return failed(signal.step) + (is_hop           ? "; it began here"
                                    : signal.goes_on ? "; the agent went on"
                                                     : ", and never succeeded afterwards");
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
      if (signal.other == kNoStep)
        return failed(signal.step) + (signal.goes_on ? "; the agent went on" : "");
      return signal.other < signal.step || is_hop ? "asked for the first code that failed"
                                                  : failed(signal.step) + ", then worked";
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

std::string Blame::failed(uint32_t step) const {
  const std::string why = failure_words(step);
  return why.empty() ? "failed" : fmt::format("failed ({})", why);
}

std::string Blame::place_words(const BlameCandidate& one) const {
  std::string words;
  if (one.explained_by != kNoStep)
    for (size_t i = 0; i < found.candidates.size(); ++i)
      if (found.candidates[i].step == one.explained_by)
        words = fmt::format("follows from {}", i + 1);
  if (!one.in_slice)
    words += fmt::format("{}not on the path to {}", words.empty() ? "" : "; ",
                         of().has_failed(found.symptom) ? "the failure" : "this step");
  return words;
}

Text Blame::step_words(uint32_t step) const {
  // The words of a call that failed are how it failed.
  if (of().has_failed(step) && of().step(step).kind == GraphStep::Kind::call)
    return of().door().say("{}: a model call", of().agent(step).view());
  if (const std::string_view name = program(step); !name.empty())
    return of().door().say("{} ({})", of().words(step).view(), name);
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

Text Blame::error_text(uint32_t step) const {
  constexpr size_t kMost = 100;  // bytes, where only first words may be seen
  const GraphStep& at = of().step(step);
  if (at.tool == nullptr || at.tool->use == nullptr || at.tool->outcome != Outcome::error)
    return {};
  return errors->of(at.call, *at.tool->use, kMost);
}

Text Blame::text(uint32_t step) const {
  constexpr size_t kMost = 80;  // bytes, where only first words may be seen
  const Question& question = of().question();
  const GraphStep& at = of().step(step);
  if (question.shows_payload()) return of().text(step);
  if (question.payloads == nullptr || at.tool == nullptr || at.tool->use == nullptr ||
      !of().door().shows_first_words())
    return {};
  Door::At here(of().door(), of().names().place(of().place(step)));
  return words_of_use(of().door(), read_arguments(question, at.call, *at.tool->use), kMost);
}

}  // namespace xtrace
