#include "link/claims/step_result.h"

#include <algorithm>
#include <array>

#include "base/lower.h"
#include "facts/tool_targets.h"
#include "link/activities/deed.h"
#include "link/claims/phrases.h"

namespace xtrace {

namespace {

/// What outputs say of an act, and what it means if they say nothing.
struct OutputWords {
  Pattern failed, passed;
  bool is_silent_when_passed;  ///< it puts something out only if something is wrong
};

OutputWords output_words(const std::string& act, bool is_silent) {
  return {parts_of_outputs("output " + act + " failed"),
          parts_of_outputs("output " + act + " passed"), is_silent};
}

const OutputWords& words_for(CommandAct act) {
  static const std::array<OutputWords, 5> kOutputs = {
      output_words("tests", false), output_words("build", true), output_words("types", true),
      output_words("lint", true), output_words("act", true)};
  return kOutputs[std::min<size_t>(static_cast<size_t>(act), 4)];
}

/// With one blank between words; lines remain.
std::string with_single_blanks(std::string_view text) {
  constexpr size_t kMost = 1 << 20;  // bytes from the end, where programs sum up
  if (text.size() > kMost) text.remove_prefix(text.size() - kMost);
  std::string single;
  for (char c : text) {
    if (c == '\t') c = ' ';
    if (c == ' ' && (single.empty() || single.back() == ' ' || single.back() == '\n')) continue;
    single += c;
  }
  return lower(single);
}

ActResult by_output(std::string_view output, const OutputWords& words) {
  static const Pattern kFailed = parts_of_outputs("output failed"),
                       kPassed = parts_of_outputs("output passed");
  const std::string text = with_single_blanks(output);
  if (words.failed.is_in(text) || kFailed.is_in(text)) return ActResult::failed;
  if (words.passed.is_in(text) || kPassed.is_in(text)) return ActResult::passed;
  return words.is_silent_when_passed ? ActResult::passed : ActResult::unclear;
}

}  // namespace

ActingStep acting_step(const ToolSteps& steps, uint32_t step) {
  const ToolStep& one = steps[step];
  const Trace& trace = steps.graph().trace();
  ActingStep does;
  does.is_read = true;
  const auto targets_source = [&] {
    const std::vector<StringId> files = targets_of(trace, one.use());
    return files.empty() || std::any_of(files.begin(), files.end(),
                                        [&](StringId file) { return is_source_file(trace[file]); });
  };
  // Editors with one name for all they do say in a word which.
  if (one.named.edits && text_argument(steps.arguments(one), "command") == "view") return does;
  if (one.use().command && !one.named.edits) {
    does.is_command = true;
    does.parts = parts_of_command(command_in(steps.arguments(one)));
    does.only_looks = !does.parts.empty();
    for (const CommandPart& part : does.parts) {
      does.acts |= part.acts;
      does.only_looks &= part.only_looks;
      does.edits |= part.edits;
      does.proves |= part.proves;
    }
    does.edits |= one.use().patches && targets_source();
    return does;
  }
  does.acts = one.named.acts;
  const bool edits = one.named.edits || one.use().patches;
  does.edits = edits && targets_source();
  does.only_looks = does.acts.none() && !one.named.changes;
  does.proves = deed_of(one.done->tool) == Deed::ran;
  return does;
}

ActResult result_of(const ToolSteps& steps, uint32_t step, const ActingStep& does, CommandAct act) {
  const ToolStep& one = steps[step];
  const Outcome outcome = one.done->outcome;
  if (outcome == Outcome::unfinished || (!one.failed() && !one.is_told))
    return ActResult::unrecorded;
  const bool is_known = one.failed() || one.went_well();
  if (!does.is_command && is_known) return one.failed() ? ActResult::failed : ActResult::passed;
  const auto has_act = [&](const CommandPart& part) { return part.acts[static_cast<size_t>(act)]; };
  const bool decides = std::ranges::any_of(
      does.parts, [&](const CommandPart& part) { return has_act(part) && part.decides_exit; });
  const bool is_alone = std::ranges::none_of(
      does.parts, [&](const CommandPart& part) { return !has_act(part) && !part.only_looks; });
  if (one.went_well() && decides) return ActResult::passed;
  if (one.failed() && decides && is_alone) return ActResult::failed;
  const std::string output = steps.result(one);
  if (output.empty() && !is_known) return ActResult::unrecorded;
  const OutputWords& words = words_for(act);
  // A line that failed says nothing of a command in it that its output does not.
  OutputWords of_line = words;
  of_line.is_silent_when_passed &= !one.failed();
  return by_output(output, of_line);
}

ActResult result_of(const ToolSteps& steps, uint32_t step) {
  const ToolStep& one = steps[step];
  if (one.failed()) return ActResult::failed;
  if (one.done->outcome == Outcome::unfinished || !one.is_told) return ActResult::unrecorded;
  return one.went_well() ? ActResult::passed : ActResult::unclear;
}

}  // namespace xtrace
