#include "view/calls/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_writer.h"
#include "base/text.h"
#include "facts/payloads.h"
#include "link/waste/command_words.h"
#include "view/common/use_words.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kWords = 60;     // bytes of a command, which leave room for the sentence
constexpr size_t kMostTried = 3;  // different commands in one line

constexpr std::string_view kWait =
    "To wait for something, run one command that ends when it is done, or sleep at least 60 "
    "seconds between checks. Do not check in a loop.";
constexpr std::string_view kKeepState =
    "Before you wait for me, write down what is done, what is open and the next step, so that a "
    "new session can continue.";
constexpr std::string_view kSmallResults =
    "Keep tool results small: read line ranges, filter with grep or head, and set limits.";
constexpr std::string_view kHour =
    R"(in requests to the Anthropic API: "cache_control": {"type": "ephemeral", "ttl": "1h"})";

bool is_pause(const Waste& waste, PauseFor pause, bool hour_would_do) {
  return waste.cause == RebuildCause::pause && waste.pause_for == pause &&
         waste.hour_would_do == hour_would_do;
}
bool is_polling(const Waste& waste) {
  return waste.is_polling;
}
/// One that may have side effects.
bool is_doubtful(const Waste& waste) {
  return waste.confidence < 0.5;
}

/// The first row that fits. The names of settings are those of Claude Code's and the API's
/// documentation.
constexpr Advice kAdvice[] = {
    {WasteKind::loop, is_polling,
     "The agent polled repeatedly: wait once until the operation ends, or sleep longer between "
     "checks.",
     kWait, ""},
    {WasteKind::loop, [](const Waste& waste) { return waste.period > 1; },
     "Each round gave the same result: after the second one, try something else or ask the user.",
     "If a sequence of steps that begins with {} gives the same results twice, do not repeat it: "
     "change something first, try another way, or ask me.",
     ""},
    {WasteKind::loop, nullptr,
     "Each round gave the same result: after the second one, try something else or ask the user.",
     "If {} gives the same result twice, do not repeat it: change something first, try another "
     "way, or ask me.",
     ""},
    {WasteKind::failing_retry, [](const Waste& waste) { return waste.is_reworded; },
     "The tool failed for the same reason as before: read the error, do what it asks for, then "
     "retry.",
     "If {} fails twice for the same reason, stop rewording it: do what the error asks for, or ask "
     "me.",
     ""},
    {WasteKind::failing_retry, nullptr,
     "Nothing had changed since the tool failed: read the error, change something, then retry.",
     "If {} fails, do not repeat it unchanged: read the error and fix its cause first.", ""},
    {WasteKind::reread, nullptr,
     "The file had not changed and was still in the context: use the earlier result.",
     "Do not read a file again that has not changed since you read it: use the earlier result.",
     ""},
    {WasteKind::repeated_call, is_polling,
     "Nothing had changed since the last check: wait once until the operation ends, or sleep "
     "longer between checks.",
     kWait, ""},
    {WasteKind::repeated_call, is_doubtful,
     "The tool returned the same result again: unless it has side effects, use the result that is "
     "already in the context.",
     "Do not repeat a tool call when nothing has changed, unless it has side effects: use the "
     "earlier result.",
     ""},
    {WasteKind::repeated_call, nullptr,
     "Nothing had changed since the first call: use the result that is already in the context.",
     "Do not repeat a tool call when nothing has changed, unless it has side effects: use the "
     "earlier result.",
     ""},
    {WasteKind::redone_work, [](const Waste& waste) { return waste.is_parallel; },
     "The subagents worked at the same time on overlapping tasks: give each of them a separate "
     "part, or look up shared information before they start.",
     "Before you start subagents in parallel, look up what all of them need, and give each of them "
     "a separate part of the task.",
     ""},
    {WasteKind::redone_work, nullptr,
     "The tasks of these subagents overlapped: give each of them a separate part, or pass the "
     "results of the first one to the second.",
     "Before you start a subagent, pass on what earlier subagents found, and ask only for what is "
     "missing.",
     ""},
    {WasteKind::unused_result, nullptr,
     "Nothing in the result was used later: ask for less, with a range, a filter or a limit.",
     kSmallResults, ""},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::model_switch; },
     "Each model has its own cache: switch models at the start of a task, or in a new session.", "",
     "choose the model when a session starts, with --model or \"model\" in .claude/settings.json"},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::work, true); },
     "The cache expired while a tool or subagent worked: use a one-hour cache, or run long work in "
     "the background.",
     "Run commands that take longer than a few minutes in the background.", kHour},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::work, false); },
     "The cache expired while a tool or subagent worked: run long work in the background, or give "
     "it a separate context.",
     "Run commands that take longer than a few minutes in the background.", ""},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::answer, true); },
     "The cache expired while the model wrote a long reply: use a one-hour cache, or ask for less "
     "at a time.",
     "Write long files and reports in several smaller steps.", kHour},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::answer, false); },
     "The cache expired while the model wrote a long reply: ask for less at a time.",
     "Write long files and reports in several smaller steps.", ""},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::person, true); },
     "The cache expired while the agent waited for you: use a one-hour cache, or start a new "
     "session after such a pause.",
     kKeepState, kHour},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return is_pause(waste, PauseFor::unknown, true); },
     "The cache expired during the pause: use a one-hour cache.", "", kHour},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::pause; },
     "The cache expired during the pause: compact before a long pause, or start a new session "
     "after it.",
     kKeepState, ""},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::micro_compaction; },
     "The client dropped old tool results, so everything after them was paid for again: ask for "
     "shorter results, or compact between tasks.",
     kSmallResults, ""},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::changed_history; },
     "Earlier messages were changed: append to a conversation without editing what it already "
     "contains.",
     "", "in your own client: turn off what edits, trims or reorders earlier messages"},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::changed_prompt; },
     "The system prompt changed: keep times, counters and similar values out of it.", "",
     "move dates, counters and states from the system prompt to the latest user message"},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::changed_tools; },
     "The tools changed: offer the same tools in each request, in the same order.", "",
     "connect all MCP servers before a session starts, and turn none on or off during it"},
    {WasteKind::cache_rebuild,
     [](const Waste& waste) { return waste.cause == RebuildCause::resume; },
     "Resuming the session sent its history again: stay in the open session, or start a new one "
     "with a summary.",
     kKeepState, ""},
    {WasteKind::cache_rebuild, nullptr,
     "The cause is not recorded: keep the beginning of requests identical, byte for byte, and send "
     "requests close together.",
     "", "in your own client: send the same bytes at the start of each request"},
    {WasteKind::full_context, nullptr,
     "Each call pays for the whole context, and little room is left: compact, or start a new "
     "session for the next task.",
     "When a task is done, write a short summary of it and suggest a new session for the next one.",
     "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=75 lets Claude Code compact earlier"},
    {WasteKind::unused_tools, nullptr,
     "Each request contained the descriptions of these tools: disable servers and tools that the "
     "task does not need.",
     "",
     "if your tasks do not need these tools, disable them; for Claude Code in "
     ".claude/settings.json: "
     "{{\"permissions\": {{\"deny\": [{}]}}}}"},
};
/// Has each row words, and something to paste or to set?
constexpr bool is_whole() {
  return std::ranges::none_of(kAdvice, [](const Advice& one) {
    return one.words.empty() || (one.instruction.empty() && one.setting.empty());
  });
}
static_assert(is_whole());

std::string arguments_given(const CallScene& scene, const WasteEvidence& one) {
  const Question& question = scene.question;
  if (!one.use || question.payloads == nullptr || !question.door.shows_first_words()) return {};
  return read_arguments(question, one.call, scene.graph.trace().tool_uses[one.use.index]);
}

Text words_of(const CallScene& scene, const WasteEvidence& one) {
  const std::string given = arguments_given(scene, one);
  if (given.empty()) return {};
  Door& door = scene.question.door;
  Door::At at(door, scene.names.place(one.call));
  return door.composed(fold_white_space(words_of_use(door, given, kWords).view()));
}

/// What an instruction is about: the first words of a command, else the tool.
std::string subject_of(const CallScene& scene, const Waste& waste) {
  Door& door = scene.question.door;
  const WasteEvidence& first = waste.evidence.front();
  Door::At at(door, scene.names.place(first.call));
  const Text command = door.first_words(command_in(arguments_given(scene, first)), kWords);
  if (!command.empty()) {
    const std::string words = fold_white_space(command.view());
    // Markdown: a span of code that holds a backtick is between two.
    const bool has_backtick = words.find('`') != words.npos;
    return has_backtick ? fmt::format("`` {} ``", words) : fmt::format("`{}`", words);
  }
  const Text tool = scene.names.text(waste.tool);
  return tool.empty() ? "a tool" : fold_white_space(tool.view());
}

/// As JSON writes it, and so that it ends no comment.
std::string in_quotes(std::string_view name) {
  std::string json;
  JsonWriter(json).value(name);
  for (size_t at = 0; (at = json.find("-->", at)) != std::string::npos;)
    json.replace(at, 3, "--\\u003e");
  return json;
}

bool is_of_uses(WasteKind kind) {
  return kind == WasteKind::loop || kind == WasteKind::failing_retry ||
         kind == WasteKind::repeated_call;
}

}  // namespace

const Advice& advice_for(const Waste& waste) {
  return *std::ranges::find_if(kAdvice, [&](const Advice& one) {
    return one.kind == waste.kind && (one.fits == nullptr || one.fits(waste));
  });
}

Text command_words(const CallScene& scene, const Waste& waste) {
  const bool is_one_tool = is_of_uses(waste.kind) && !waste.target;
  return is_one_tool ? words_of(scene, waste.evidence.front()) : Text();
}

Text instruction_for(const CallScene& scene, const Waste& waste) {
  const std::string_view text = advice_for(waste).instruction;
  if (text.empty()) return {};
  return scene.question.door.composed(fmt::format(fmt::runtime(text), subject_of(scene, waste)));
}

Text setting_for(const CallScene& scene, const Waste& waste, size_t most) {
  const std::string_view text = advice_for(waste).setting;
  if (waste.kind != WasteKind::unused_tools) return Door::own(text);
  std::string names;
  for (size_t i = 0; i < std::min(most, waste.tools.size()); ++i)
    names += (i > 0 ? ", " : "") + in_quotes(scene.names.text(waste.tools[i]).view());
  if (waste.tools.size() > most) names += fmt::format(", and {} more", waste.tools.size() - most);
  return scene.question.door.composed(fmt::format(fmt::runtime(text), names));
}

Text tried_words(const CallScene& scene, const Waste& waste) {
  if (!is_of_uses(waste.kind)) return {};
  Door& door = scene.question.door;
  std::vector<std::string> different;
  for (const WasteEvidence& one : waste.evidence) {
    const std::string words(words_of(scene, one).view());
    if (!words.empty() && std::ranges::find(different, words) == different.end())
      different.push_back(words);
  }
  std::string what;
  for (size_t i = 0; i < std::min(different.size(), kMostTried); ++i)
    what += (i > 0 ? ", then " : "") + different[i];
  if (different.size() > kMostTried)
    what += fmt::format(" and {} more", different.size() - kMostTried);
  if (what.empty()) {
    const Text tool = scene.names.text(waste.tool);
    what = tool.empty() ? "the tool" : std::string(tool.view());
  }
  // A loop counts rounds, which may be of several steps.
  const std::string times = waste.kind == WasteKind::loop && waste.period > 1
                                ? plural(waste.times + 1, "round")
                                : plural(waste.times + 1, "time");
  const WasteEvidence& last = waste.evidence.back();
  const Trace& trace = scene.graph.trace();
  Text error;
  if (last.use)
    error = ErrorWords(scene.question, scene.names)
                .of(last.call, trace.tool_uses[last.use.index], kWords);
  const std::string_view how =
      waste.kind == WasteKind::failing_retry
          ? (waste.is_reworded ? "for the same reason each time" : "failed each time")
      : error.empty() ? "with the same result"
                      : "with the same error";
  return door.composed(fmt::format("{}, {}, {}{}{}", what, times, how, error.empty() ? "" : ": ",
                                   fold_white_space(error.view())));
}

std::vector<Text> texts_to_paste(const CallScene& scene, std::span<const Waste> found,
                                 std::string_view first) {
  std::vector<Text> lines;
  std::set<std::string_view> known;
  auto add = [&](Text line) {
    if (!line.empty() && known.insert(line.view()).second) lines.push_back(line);
  };
  Door& door = scene.question.door;
  if (!first.empty()) add(door.say("- {}", first));
  for (const Waste& waste : found)
    if (const Text text = instruction_for(scene, waste); !text.empty())
      add(door.say("- {}", text.view()));
  for (const Waste& waste : found)
    if (const Text text = setting_for(scene, waste, SIZE_MAX); !text.empty())
      add(door.say("<!-- setting: {} -->", text.view()));
  if (lines.empty()) add("<!-- xtrace advise: no savings found -->");
  return lines;
}

}  // namespace xtrace
