#include "view/common/use_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/one_of.h"
#include "facts/payloads.h"
#include "settings/arguments.h"
#include "view/common/shown_arguments.h"

namespace xtrace {

namespace {

/// The members that hold a command, as a text or as a list of its words.
constexpr std::string_view kCommandKeys[] = {"command", "cmd"};

/// The command as its log has it: what hides in its escapes is to be found by redaction. Of
/// `["bash", "-lc", "make"]`, the script. Empty: there is none.
std::string command_of(const std::string& given) {
  const Arguments arguments(given);
  for (std::string_view key : kCommandKeys) {
    const std::optional<std::string> command = arguments.find(key);
    if (!command || !arguments.is_json()) continue;
    if (!arguments.holds(key)) return *command;
    const size_t option = command->find('\n'), script = command->find('\n', option + 1);
    if (option == std::string::npos || script == std::string::npos) return *command;
    const bool is_script = (*command)[option + 1] == '-' && (*command)[script - 1] == 'c';
    return is_script ? command->substr(script + 1) : *command;
  }
  return {};
}

/// `pattern: TODO, path: src`, without those of these names.
std::string words_of_members(Door& door, const std::string& given,
                             std::span<const std::string_view> without) {
  std::string words;
  for (const auto& [name, value] : members_of(given)) {
    if (is_one_of(name, without)) continue;
    const bool is_nested = value.starts_with('{') || value.starts_with('[');
    const Text shown = is_nested ? shown_arguments(door, value) : door.field(name, value);
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", door.name_once(name).view(),
                         shown.view());
  }
  return words;
}

Text words_of_all(Door& door, const std::string& given, const std::string& command) {
  if (!door.shows_field("arguments") || !is_json_object(given))
    return door.field("arguments", given);
  if (command.empty()) return door.composed(words_of_members(door, given, {}));
  const Text shown = door.field(kCommandKeys[0], command);
  const std::string others = words_of_members(door, given, kCommandKeys);
  return others.empty() ? door.say("$ {}", shown.view())
                        : door.say("$ {}  ({})", shown.view(), others);
}

}  // namespace

std::string read_arguments(const Question& question, CallId call, const ToolUse& use) {
  const Trace& trace = question.graph.trace();
  const std::vector<const ToolUse*> uses = question.graph.tool_uses_of(call);
  const auto nth = static_cast<size_t>(std::ranges::find(uses, &use) - uses.begin());
  const Excerpt said = question.payloads->read(trace[call]);
  return std::string(arguments_of(said.tool_arguments, trace[use.id], nth));
}

Text words_of_use(Door& door, const std::string& given, size_t most) {
  if (given.empty() || !door.shows_first_words()) return {};
  const std::string command = command_of(given);
  if (door.level() == Door::Level::full) return words_of_all(door, given, command);
  const Text words = door.first_words(command, most);
  return words.empty() ? words : door.say("$ {}", words.view());
}

Text ErrorWords::of(CallId call, const ToolUse& use, size_t most) {
  if (question_.payloads == nullptr || !question_.door.shows_first_words()) return {};
  const Graph& graph = question_.graph;
  for (uint32_t i : graph.effects_of(call)) {
    const Link& link = graph.links()[i];
    if (link.kind != LinkKind::tool_result || !link.is_error || link.is_again || link.key != use.id)
      continue;
    Door::At at(question_.door, names_.place(link.to));
    if (read_ != link.to) said_ = question_.payloads->quotes(graph.trace()[link.to]);
    read_ = link.to;
    for (const Quote& said : said_)
      if (said.kind == Quote::Kind::tool_result && said.tool_use == graph.trace()[use.id])
        return question_.shows_payload() ? question_.door.payload(said.text)
                                         : question_.door.first_words(said.text, most);
  }
  return {};
}

}  // namespace xtrace
