#include <fmt/format.h>

#include "settings/suite_parts.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

/// The values that an argument holds, by the paths that lead to them.
Status add_arguments(const SuiteWords& words, const Setting& value, const std::string& path,
                     ExpectedTool& into) {
  if (value.kind == Kind::null) return {};
  if (value.kind != Kind::table && value.kind != Kind::list) {
    if (value.kind == Kind::text && value.text.empty()) return {};
    ArgumentRequirement argument{path, {}};
    if (Status read = words.read_requirement(value, path, argument.must); !read) return read;
    into.arguments.push_back(std::move(argument));
    return {};
  }
  size_t nth = 0;
  for (const auto& [key, item] : value.items) {
    std::string name = value.kind == Kind::list ? fmt::format("{}", nth++) : key;
    if (!path.empty()) name = fmt::format("{}.{}", path, name);
    if (Status added = add_arguments(words, item, name, into); !added) return added;
  }
  return {};
}

Status add_turn(const SuiteWords& words, const Setting& turn, ToolsExpected& into) {
  const Setting* between = turn.find("intermediate_data");
  const Setting* uses = between == nullptr ? nullptr : between->find("tool_uses");
  if (uses == nullptr || uses->kind != Kind::list) return {};
  for (const auto& [none, use] : uses->items) {
    ExpectedTool tool;
    tool.at = words.place(use);
    const Setting* name = use.find("name");
    if (name == nullptr) return words.wrong(use, "a tool use needs a name");
    if (Status read = words.read_text(*name, "name", tool.name); !read) return read;
    if (const Setting* arguments = use.find("args"))
      if (Status added = add_arguments(words, *arguments, {}, tool); !added) return added;
    into.tools.push_back(std::move(tool));
  }
  return {};
}

}  // namespace

bool is_eval_set(const Setting& root) {
  return root.find("eval_cases") != nullptr;
}

Result<Suite> suite_of_eval_set(const SuiteWords& words, const Setting& root) {
  Suite suite;
  suite.name = words.path();
  for (const char* key : {"eval_set_id", "name"})
    if (const Setting* name = root.find(key); name != nullptr && name->kind == Kind::text)
      suite.name = name->text;
  const Setting& cases = *root.find("eval_cases");
  if (cases.kind != Kind::list || cases.items.empty())
    return words.wrong(cases, "eval_cases must be a non-empty list of cases");
  for (const auto& [none, item] : cases.items) {
    Scenario& scenario = suite.scenarios.emplace_back();
    scenario.at = words.place(item);
    const Setting *id = item.find("eval_id"), *turns = item.find("conversation");
    if (id == nullptr || turns == nullptr || turns->kind != Kind::list)
      return words.wrong(item, "a case needs an eval_id and a conversation (a list of turns)");
    if (Status read = words.read_text(*id, "eval_id", scenario.id); !read)
      return tl::unexpected(read.error());
    ToolsExpected tools;
    tools.order = ToolsExpected::Order::exact;
    for (const auto& [nothing, turn] : turns->items)
      if (Status added = add_turn(words, turn, tools); !added) return tl::unexpected(added.error());
    scenario.expectations.push_back(
        {Dimension::tool_usage, 1, false, words.place(*turns), std::move(tools)});
  }
  return suite;
}

}  // namespace xtrace
