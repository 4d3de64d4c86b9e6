#include "mcp/tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/number.h"
#include "base/one_of.h"
#include "base/text.h"
#include "view/common/view.h"

namespace xtrace::mcp {

namespace {

// An agent pays for each answer again with every later call: a summary with the largest rows takes
// about 2,000 tokens, and a page of more than 20,000 is more than most clients accept.
constexpr size_t kUsualTokens = 2'000, kLeastTokens = 500, kMostTokens = 20'000;
/// Names and times are shorter; paths have at most 4,096 bytes on Linux.
constexpr size_t kLongestValue = 4'096;

constexpr ToolArgument kMaxTokens = {
    .name = "max_tokens",
    .help = "limit of the answer in tokens (estimated), 500 to 20000; default 2000",
    .role = Role::max_tokens};
constexpr ToolArgument kCursor = {
    .name = "cursor",
    .help = "continues an answer that was cut; copy it from the last line of that answer",
    .role = Role::cursor};
constexpr ToolArgument kSession = {
    .name = "session",
    .help =
        "\"last\" (default: the newest session, which may be your own), \"all\", the number or "
        "the beginning of the ID of a session from the tool sessions, or the path of its log",
    .role = Role::session};
constexpr ToolArgument kSince = {
    .name = "since",
    .help = "start of the period: today, yesterday, friday, 7d, 2026-01-10 or a time (UTC)",
    .option = "--since"};
constexpr ToolArgument kUntil = {
    .name = "until", .help = "end of the period, in the same forms", .option = "--until"};
constexpr ToolArgument kAgent = {
    .name = "agent", .help = "only this agent, such as main or Explore#2", .option = "--agent"};
constexpr ToolArgument kUsedTool = {
    .name = "tool", .help = "only calls that use this tool, such as Bash", .option = "--tool"};

constexpr ToolArgument kOfSessions[] = {
    kSince,
    kUntil,
    {.name = "project", .help = "only sessions of this project", .option = "--project"},
    {.name = "source",
     .help = "only sessions of this agent product, such as claude-code or codex",
     .option = "--source"},
    {.name = "query",
     .help = "only sessions with this word in titles, first words or file names",
     .option = "--grep"},
    kUsedTool,
    kMaxTokens,
    kCursor};

constexpr std::string_view kSourceArguments[] = {"source", "source_line"};
constexpr ToolArgument kOfExplain[] = {
    {.name = "node",
     .help = "what to explain: a file name or path, a turn (\"turn 9\"), an agent (Explore#3), the "
             "ID of a call or tool use, file:line, or a unique part of one of these",
     .option = "--node",
     .is_needed = true,
     .or_one_of = kSourceArguments},
    {.name = "source_line",
     .help = "instead of node: a line of a source file (src/a.cpp:12), to find the edit that wrote "
             "it",
     .option = "--source-line"},
    {.name = "source",
     .help = "instead of node: a source file, to list which edits wrote its lines",
     .option = "--source"},
    kSession,
    kSince,
    kUntil,
    kMaxTokens,
    kCursor};

constexpr ToolArgument kOfImpact[] = {
    {.name = "node",
     .help = "what to start from: the ID of a call or tool use, file:line, an agent (Explore#3), a "
             "turn (\"turn 9\"), a tool, or a file name or path",
     .option = "--node",
     .is_needed = true},
    kSession,
    kSince,
    kUntil,
    kMaxTokens,
    kCursor};

constexpr std::string_view kAxes[] = {"model",  "agent", "tool",  "provider", "error",   "turn",
                                      "day",    "week",  "month", "block",    "session", "project",
                                      "source", "skill", "mcp",   "spawner",  "file"};
/// For these, `stats` adds a table; the others are always there.
constexpr std::string_view kAddedAxes[] = {"day",     "week",    "month",  "block",
                                           "session", "project", "source", "skill",
                                           "mcp",     "spawner", "file"};
constexpr ToolArgument kOfCost[] = {
    kSession,
    {.name = "by", .help = "the table to show first", .role = Role::axis, .words = kAxes},
    kSince,
    kUntil,
    kAgent,
    kUsedTool,
    kMaxTokens,
    kCursor};

constexpr ToolArgument kOfBlame[] = {
    {.name = "symptom",
     .help = "where the failure shows: the ID of a call or tool use, or file:line (default: the "
             "last failure that no later success mended)",
     .option = "--symptom"},
    kSession,
    kSince,
    kUntil,
    kMaxTokens,
    kCursor};

constexpr ToolArgument kOfWaste[] = {kSession, kSince, kUntil, kAgent, kMaxTokens, kCursor};

constexpr std::string_view kYesNo[] = {"yes", "no"};
constexpr ToolArgument kOfWhatIf[] = {
    kSession,
    {.name = "remove",
     .help = "without this: tool:NAME, agent:NAME, model:NAME or node:ID",
     .option = "--remove"},
    {.name = "speed",
     .help = "faster or slower: tool:Bash=2x, model:NAME=500ms",
     .option = "--speed"},
    {.name = "price", .help = "prices of another model: MODEL=OTHER", .option = "--price"},
    {.name = "no_retries",
     .help = "no failed attempts",
     .role = Role::option_switch,
     .option = "--no-retries",
     .words = kYesNo},
    {.name = "no_waiting",
     .help = "the user answers at once",
     .role = Role::option_switch,
     .option = "--no-waiting",
     .words = kYesNo},
    {.name = "parallel",
     .help = "subagents and tools requested together run at once",
     .role = Role::option_switch,
     .option = "--parallel",
     .words = kYesNo},
    {.name = "cache",
     .help = "each request finds the previous one cached",
     .role = Role::option_switch,
     .option = "--cache",
     .words = kYesNo},
    kMaxTokens,
    kCursor};

constexpr Tool kTools[] = {
    {.name = "sessions",
     .title = "List agent sessions",
     .about = "Lists the sessions of coding agents on this machine, newest first: number, ID, "
              "project, time, calls and cost. Start here to find a session.",
     .view = "list",
     .arguments = kOfSessions},
    {.name = "explain",
     .title = "Explain what happened and why",
     .about =
         "Explains why something happened in a session: which prompt, agent and tool calls "
         "led to it, and what followed. For a file: who read or edited it, when and why; with "
         "source_line or source: which edit wrote a line. With session \"all\": which sessions "
         "touched it.",
     .view = "explain",
     .arguments = kOfExplain},
    {.name = "impact",
     .title = "Show the effects of a step",
     .about = "Shows the effects of a call, a tool use, an agent, a turn, a tool or a file in a "
              "session: which calls followed from it, which of them nothing else led to, and their "
              "tokens, cost and time.",
     .view = "impact",
     .arguments = kOfImpact},
    {.name = "cost",
     .title = "Show cost, time, tools and errors",
     .about =
         "Shows what a session, or all sessions of a period, cost, and where tokens and time "
         "went; tools with their failure rates. by: model, agent, tool, turn, day, week, session, "
         "project, source, skill, mcp (server) or spawner (subagent).",
     .view = "stats",
     .arguments = kOfCost},
    {.name = "waste",
     .title = "Find avoidable cost",
     .about = "Finds avoidable work in a session, most expensive first: loops, failing retries, "
              "repeated reads, cache rebuilds, unused results; each with its cost and advice. "
              "Before them, claims of replies (tests pass, fixed, done) that tool results "
              "contradict or do not show.",
     .view = "advise",
     .arguments = kOfWaste},
    {.name = "blame",
     .title = "Find where a run first looks odd",
     .about = "Lists candidates for why a run failed, most telling first: values that nothing "
              "gave, failures that nothing mended, repetitions, stale files. Candidates, not "
              "culprits: check each place yourself.",
     .view = "blame",
     .arguments = kOfBlame},
    {.name = "whatif",
     .title = "Compute what would be faster or cheaper",
     .about =
         "Replays a session with changes (without a tool, agent or model, faster, in parallel, "
         "without retries, at other prices) and returns bounds of time and cost. Without a "
         "change: what each tool, model and agent would save.",
     .view = "whatif",
     .arguments = kOfWhatIf},
};

/// Collects the names of options.
class OptionNames final : public Options {
 public:
  using Options::add;
  void add(std::string_view name, bool&, std::string_view) override { note(name); }
  void add(std::string_view name, std::string&, std::string_view, std::string_view,
           std::vector<std::string_view>) override {
    note(name);
  }
  void add(std::string_view name, std::vector<std::string>&, std::string_view, std::string_view,
           std::vector<std::string_view>) override {
    note(name);
  }
  void add(std::string_view name, double&, std::string_view, std::string_view) override {
    note(name);
  }
  bool has(std::string_view name) const { return is_one_of(name, names_); }

 private:
  void note(std::string_view name) { names_.emplace_back(name.substr(name.find("--"))); }
  std::vector<std::string> names_;
};

/// Returns the arguments that are offered.
std::vector<const ToolArgument*> offered(const Tool& tool) {
  OptionNames names;
  find_view(tool.view)->make()->declare(names);
  std::vector<const ToolArgument*> arguments;
  for (const ToolArgument& argument : tool.arguments)
    if (argument.option.empty() || names.has(argument.option)) arguments.push_back(&argument);
  return arguments;
}

void write_argument(JsonWriter& json, const ToolArgument& argument) {
  json.open_object(argument.name, JsonLayout::tight());
  const bool is_number = argument.role == Role::max_tokens;
  json.field("type", is_number ? "integer" : "string");
  json.field("description", argument.help);
  if (is_number) {
    json.field("minimum", kLeastTokens);
    json.field("maximum", kMostTokens);
    json.field("default", kUsualTokens);
  }
  if (!argument.words.empty()) {
    json.open_list("enum", JsonLayout::tight());
    for (std::string_view word : argument.words) json.value(word);
    json.close();
  }
  json.close();
}

/// What an agent may change its arguments by.
tl::unexpected<Error> refuse(std::string what) {
  return fail(Exit::usage, std::move(what));
}

Status read_max_tokens(const GivenArgument& given, ToolRequest& request) {
  const std::optional<size_t> number = number_of<size_t>(given.value);
  if (given.kind == GivenArgument::Kind::other || !number || *number < kLeastTokens ||
      *number > kMostTokens)
    return refuse(fmt::format("max_tokens: expected a whole number from {} to {}", kLeastTokens,
                              kMostTokens));
  request.max_tokens = *number;
  return {};
}

Status read_value(const ToolArgument& argument, const GivenArgument& given, ToolRequest& request) {
  if (argument.role == Role::max_tokens) return read_max_tokens(given, request);
  // A number is as good: `{"session": 2}`.
  if (given.kind == GivenArgument::Kind::other)
    return refuse(fmt::format("{}: expected a string", argument.name));
  if (given.value.size() > kLongestValue || given.value.find('\0') != std::string::npos)
    return refuse(
        fmt::format("{}: expected at most {} bytes, none of them 0", argument.name, kLongestValue));
  if (!argument.words.empty() && !is_one_of(given.value, argument.words))
    return refuse(fmt::format("{}: '{}' is not one of {}", argument.name, printable(given.value),
                              fmt::join(argument.words, ", ")));
  switch (argument.role) {
    case Role::session: request.session = given.value; break;
    case Role::cursor: request.cursor = given.value; break;
    case Role::axis:
      request.axis = given.value;
      if (is_one_of(given.value, kAddedAxes)) request.options.push_back("--by=" + given.value);
      break;
    case Role::option:
      request.options.push_back(fmt::format("{}={}", argument.option, given.value));
      break;
    case Role::option_switch:
      if (given.value == kYesNo[0]) request.options.emplace_back(argument.option);
      break;
    case Role::max_tokens: break;
  }
  return {};
}

}  // namespace

std::span<const Tool> tools() {
  return kTools;
}

const Tool* find_tool(std::string_view name) {
  const auto* found = std::ranges::find(kTools, name, &Tool::name);
  return found == std::end(kTools) ? nullptr : found;
}

void write_tools(JsonWriter& json) {
  json.open_list("tools", JsonLayout::tight());
  for (const Tool& tool : tools()) {
    json.open_object(JsonLayout::tight());
    json.field("name", tool.name);
    json.field("title", tool.title);
    json.field("description", tool.about);
    json.open_object("inputSchema", JsonLayout::tight());
    json.field("type", "object");
    json.open_object("properties", JsonLayout::tight());
    for (const ToolArgument* argument : offered(tool)) write_argument(json, *argument);
    json.close();
    // What is needed is not stated as `required`: a cursor alone is a question too.
    json.field("additionalProperties", false);
    json.close();
    json.open_object("annotations", JsonLayout::tight());
    json.field("title", tool.title);
    json.field("readOnlyHint", true);
    json.field("destructiveHint", false);
    json.field("idempotentHint", true);
    json.field("openWorldHint", false);
    json.close();
    json.close();
  }
  json.close();
}

Result<ToolRequest> read_tool_request(const Tool& tool,
                                      const std::vector<GivenArgument>& arguments) {
  const std::vector<const ToolArgument*> known = offered(tool);
  ToolRequest request;
  request.max_tokens = kUsualTokens;
  std::vector<std::string_view> given;
  for (const GivenArgument& argument : arguments) {
    const auto found = std::ranges::find(known, argument.name, &ToolArgument::name);
    if (found == known.end()) {
      std::vector<std::string_view> names;
      names.reserve(known.size());
      for (const ToolArgument* one : known) names.push_back(one->name);
      return refuse(fmt::format("{} has no argument '{}'{}; it has {}", tool.name,
                                printable(argument.name), did_you_mean(argument.name, names),
                                fmt::join(names, ", ")));
    }
    if (Status read = read_value(**found, argument, request); !read)
      return tl::unexpected(read.error());
    given.push_back((*found)->name);
  }
  for (const ToolArgument* argument : known)
    if (argument->is_needed && request.cursor.empty() && !is_one_of(argument->name, given) &&
        std::ranges::none_of(argument->or_one_of,
                             [&](std::string_view other) { return is_one_of(other, given); }))
      return refuse(
          fmt::format("{}: {} is missing: {}", tool.name, argument->name, argument->help));
  return request;
}

std::string put_first(std::string answer, std::string_view axis) {
  // Tables are paragraphs, and the summary is in the first two.
  const auto paragraph_after = [&](size_t at) {
    const size_t end = answer.find("\n\n", at);
    return end == std::string::npos ? answer.size() : end + 2;
  };
  const size_t place = paragraph_after(paragraph_after(0));
  const std::string start = std::string(axis) + "  ";  // `tool`, and not `tool results by tool`
  for (size_t at = place; at < answer.size(); at = paragraph_after(at)) {
    if (!std::string_view(answer).substr(at).starts_with(start)) continue;
    std::string table = answer.substr(at, paragraph_after(at) - at);
    answer.erase(at, table.size());
    while (table.ends_with('\n')) table.pop_back();
    return answer.insert(place, table + "\n\n");
  }
  return answer;
}

}  // namespace xtrace::mcp
