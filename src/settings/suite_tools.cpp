#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "settings/permission_rule.h"
#include "settings/suite_parts.h"
#include "settings/suite_schema.h"

namespace xtrace {

namespace {

Status read_tool(const SuiteWords& words, const Setting& from, ExpectedTool& tool) {
  if (from.kind == Setting::Kind::text) return words.read_text(from, "a tool", tool.name);
  if (Status known = words.keys(from, "a tool", {"name", "arguments", "target", "note"}); !known)
    return known;
  const Setting* name = from.find("name");
  if (name == nullptr) return words.wrong(from, "a tool needs a name");
  if (Status read = words.read_text(*name, "name", tool.name); !read) return read;
  if (const Setting* target = from.find("target"))
    if (Status read = words.read_pattern(*target, "target", tool.target); !read) return read;
  if (const Setting* note = from.find("note"))
    if (Status read = words.read_text(*note, "note", tool.note); !read) return read;
  const Setting* arguments = from.find("arguments");
  if (arguments == nullptr) return {};
  if (arguments->kind != Setting::Kind::table || arguments->items.empty())
    return words.wrong(*arguments, R"(arguments must be an object: {severity: high})");
  for (const auto& [key, value] : arguments->items) {
    if (key == "schema") {
      if (value.kind != Setting::Kind::table || value.items.empty())
        return words.wrong(value,
                           "schema must be a JSON Schema of all arguments; for an argument named "
                           "schema, use {schema: {properties: {schema: …}}}");
      if (Status read = read_schema(words, value, tool.schema.emplace()); !read) return read;
      continue;
    }
    ArgumentRequirement argument{key, {}};
    if (Status read = words.read_requirement(value, key, argument.must); !read) return read;
    tool.arguments.push_back(std::move(argument));
  }
  return {};
}

/// The same, or a rule of Claude Code: `Bash(git push:*)`.
Status read_call(const SuiteWords& words, const Setting& from, ExpectedTool& call) {
  if (from.kind == Setting::Kind::text) {
    Result<ExpectedTool> rule = read_permission_rule(from.text);
    if (!rule) return words.wrong(from, rule.error().what);
    call = *std::move(rule);
    call.text = from.text;
  } else if (Status read = read_tool(words, from, call); !read) {
    return read;
  } else {
    call.text = call.name;
    if (!call.note.empty()) call.text += fmt::format(" ({})", call.note);
    for (const ArgumentRequirement& argument : call.arguments)
      if (call.note.empty()) call.text += fmt::format(" with {}", argument.name);
  }
  call.at = words.place(from);
  return {};
}

/// The actors between arrows, `→` or `->`.
std::vector<std::string> steps_of(std::string_view text) {
  std::vector<std::string> steps;
  for (;;) {
    size_t arrow = std::min(text.find("→"), text.find("->"));
    std::string step = fold_white_space(text.substr(0, arrow));
    if (!step.empty()) steps.push_back(step);
    if (arrow == std::string_view::npos) return steps;
    text.remove_prefix(arrow + (text[arrow] == '-' ? 2 : 3));
  }
}

/// Calls that must not be made: `Bash(git push:*)`, or a tool with arguments.
Status read_calls(const SuiteWords& words, const Setting& list, Scenario& scenario) {
  if (list.kind != Setting::Kind::list || list.items.empty())
    return words.wrong(list,
                       "calls must be a list: [\"Bash(git push:*)\", {name: …, arguments: …}]");
  for (const auto& [none, item] : list.items) {
    CallForbidden forbidden;
    if (Status read = read_call(words, item, forbidden.call); !read) return read;
    scenario.expectations.push_back(
        {Dimension::tool_usage, 1, true, words.place(item), std::move(forbidden)});
  }
  return {};
}

/// A use that another one has to come before.
Status read_preceded(const SuiteWords& words, const Setting& list, Scenario& scenario) {
  if (list.kind != Setting::Kind::list || list.items.empty())
    return words.wrong(list, "preceded must be a list: [{tool: Edit, by: Read}]");
  for (const auto& [none, item] : list.items) {
    if (Status known = words.keys(item, "preceded", {"tool", "by", "same_target", "weight"});
        !known)
      return known;
    const Setting *tool = item.find("tool"), *by = item.find("by"),
                  *same = item.find("same_target");
    if (tool == nullptr || by == nullptr)
      return words.wrong(item, "an item of preceded needs tool and by: {tool: Edit, by: Read}");
    Preceded preceded;
    if (Status read = read_call(words, *tool, preceded.tool); !read) return read;
    if (by->kind == Setting::Kind::list && by->items.empty())
      return words.wrong(*by, "by must name at least one tool: by: Read");
    const std::vector<SettingItem> alone{{"", *by}};
    for (const SettingItem& one : by->kind == Setting::Kind::list ? by->items : alone)
      if (Status read = read_call(words, one.value, preceded.by.emplace_back()); !read) return read;
    if (same != nullptr)
      if (Status read = words.read_truth(*same, "same_target", preceded.same_target); !read)
        return read;
    Expectation expectation{Dimension::tool_usage, 1, false, words.place(item),
                            std::move(preceded)};
    if (Status read = words.read_weight(item, expectation); !read) return read;
    scenario.expectations.push_back(std::move(expectation));
  }
  return {};
}

}  // namespace

Status read_tools(const SuiteWords& words, const Setting& from, Scenario& scenario) {
  const Setting* given = from.find("tools");
  if (given == nullptr) return {};
  Expectation expectation{Dimension::tool_usage, 1, false, words.place(*given), ToolsExpected()};
  ToolsExpected& tools = std::get<ToolsExpected>(expectation.what);
  const Setting* list = given;
  if (given->kind != Setting::Kind::list) {
    if (Status known = words.keys(*given, "tools", {"order", "calls", "weight"}); !known)
      return known;
    if (Status read = words.read_weight(*given, expectation); !read) return read;
    if (const Setting* order = given->find("order")) {
      size_t word = 0;
      if (Status read = words.read_word(*order, "order", kOrderWords, word); !read) return read;
      tools.order = static_cast<ToolsExpected::Order>(word);
    }
    list = given->find("calls");
  }
  if (list == nullptr || list->kind != Setting::Kind::list)
    return words.wrong(*given,
                       "tools must be a list of tools, or an object with such a list as 'calls'");
  constexpr size_t kMost = 1000;  // each is compared with each use: five bytes for each pair
  if (list->items.size() > kMost)
    return words.wrong(*list, fmt::format("tools lists {} calls, but at most {} can be compared; "
                                          "use several scenarios",
                                          list->items.size(), kMost));
  for (const auto& [none, item] : list->items) {
    ExpectedTool tool;
    tool.at = words.place(item);
    if (Status read = read_tool(words, item, tool); !read) return read;
    tools.tools.push_back(std::move(tool));
  }
  bool is_all =
      tools.order == ToolsExpected::Order::exact || tools.order == ToolsExpected::Order::same;
  if (tools.tools.empty() && !is_all)
    return words.wrong(*given,
                       "the list of tools is empty; add order: exact-order if no tool may be used");
  scenario.expectations.push_back(std::move(expectation));
  return {};
}

Status read_forbidden(const SuiteWords& words, const Setting& from, Scenario& scenario) {
  const Setting* given = from.find("forbidden");
  if (given == nullptr) return {};
  if (Status known = words.some_keys(*given, "forbidden", {"tools", "paths", "calls"}); !known)
    return known;
  for (std::string_view key : {"tools", "paths"}) {
    const Setting* list = given->find(key);
    if (list == nullptr) continue;
    Result<std::vector<std::string>> texts = texts_of(words.path(), *list, key);
    if (!texts) return tl::unexpected(texts.error());
    if (texts->empty()) return words.wrong(*list, fmt::format("{} must be a non-empty list", key));
    for (size_t i = 0; i < texts->size(); ++i) {
      const Setting& item = list->items[i].value;
      Expectation expectation{Dimension::tool_usage, 1, true, words.place(item),
                              ToolForbidden{(*texts)[i]}};
      if (key == "paths") {
        PathForbidden forbidden{steps_of((*texts)[i]), (*texts)[i]};
        if (forbidden.steps.size() < 2)
          return words.wrong(item, "a path needs at least two actors: user:* → * → resource:db");
        expectation.what = std::move(forbidden);
      }
      scenario.expectations.push_back(std::move(expectation));
    }
  }
  const Setting* calls = given->find("calls");
  return calls == nullptr ? Status() : read_calls(words, *calls, scenario);
}

Status read_habits(const SuiteWords& words, const Setting& from, Scenario& scenario) {
  if (const Setting* list = from.find("preceded"))
    if (Status read = read_preceded(words, *list, scenario); !read) return read;
  if (const Setting* confirm = from.find("confirm")) {
    Confirmed confirmed;
    if (Status read = words.read_texts(*confirm, "confirm", confirmed.tools); !read) return read;
    scenario.expectations.push_back(
        {Dimension::tool_usage, 1, true, words.place(*confirm), std::move(confirmed)});
  }
  const Setting* declared = from.find("declared_arguments");
  if (declared == nullptr) return {};
  bool is_wanted = false;
  if (Status read = words.read_truth(*declared, "declared_arguments", is_wanted); !read)
    return read;
  if (is_wanted)
    scenario.expectations.push_back(
        {Dimension::tool_usage, 1, false, words.place(*declared), DeclaredArguments()});
  return {};
}

}  // namespace xtrace
