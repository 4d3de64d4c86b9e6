#include "cli/answer_formats.h"

#include <fmt/format.h>

#include <utility>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/text.h"

namespace xtrace {

namespace {

bool can_show(const Renderer& renderer, const ViewEntry& entry) {
  if (entry.is_live) return renderer.comes_in_lines;
  if (renderer.holds_verdicts && !entry.gives_verdicts) return false;
  if (renderer.adds_graph && !entry.has_page) return false;
  return renderer.is_foreign() == entry.converts && (!renderer.needs_drawing() || entry.draws) &&
         (!renderer.needs_order || entry.tells_order);
}

std::vector<std::string_view> commands_with_page() {
  std::vector<std::string_view> names;
  for (const ViewEntry& entry : views())
    if (entry.has_page) names.push_back(entry.name);
  return names;
}

}  // namespace

std::string_view format_option(const ViewEntry& entry) {
  return entry.converts ? "--to" : "--format";
}

std::vector<std::string_view> format_names(const ViewEntry& entry) {
  std::vector<std::string_view> names;
  for (const Renderer& renderer : renderers())
    if (can_show(renderer, entry)) names.push_back(renderer.name);
  return names;
}

Status check_drawable(const ViewEntry& entry, std::string_view format) {
  for (const Renderer& renderer : renderers())
    if (renderer.name == format && (renderer.is_foreign() || entry.converts) &&
        !can_show(renderer, entry))
      return fail(
          Exit::usage,
          fmt::format("{} {}: {} does not support this format; {}", format_option(entry), format,
                      entry.name,
                      entry.converts ? fmt::format("it supports {}; try: xtrace dag -f {}",
                                                   fmt::join(format_names(entry), ", "), format)
                                     : fmt::format("try: xtrace convert --to {}", format)));
    else if (renderer.name == format && renderer.holds_verdicts && !can_show(renderer, entry))
      return fail(Exit::usage,
                  fmt::format("--format {}: only for verdicts, and {} has none; formats: {}",
                              format, entry.name, fmt::join(format_names(entry), ", ")));
    else if (renderer.name == format && renderer.adds_graph && !entry.has_page)
      return fail(Exit::usage,
                  fmt::format("--format {0}: {1} has no {0} output; commands that have it: {2}",
                              format, entry.name, fmt::join(commands_with_page(), ", ")));
    else if (renderer.name == format && !can_show(renderer, entry))
      return fail(Exit::usage,
                  fmt::format("--format {}: {} has no {} output; formats: {}", format, entry.name,
                              entry.is_live          ? renderer.name
                              : renderer.needs_order ? "sequence"
                                                     : "graph",
                              fmt::join(format_names(entry), ", ")));
  return {};
}

Result<std::string_view> format_of_file(std::string_view name, const ViewEntry& entry) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {"md", "markdown"}, {"htm", "html"},  {"txt", "text"},  {"gv", "dot"},
      {"mmd", "mermaid"}, {"db", "sqlite"}, {"xml", "junit"}, {"cql", "cypher"}};
  const size_t dot = name.substr(name.rfind('/') + 1).rfind('.');
  if (dot == std::string_view::npos) return std::string_view();
  const std::string_view ending = name.substr(name.rfind('.') + 1);
  if (is_one_of(ending, {"png", "jpg", "jpeg", "gif", "webp", "pdf", "docx", "xlsx", "yaml", "yml",
                         "parquet"}))
    return fail(Exit::usage, fmt::format("-o {}: there is no {} output; formats: {}", name, ending,
                                         fmt::join(format_names(entry), ", ")));
  std::string_view meant = ending;
  for (const auto& [short_form, format] : kEndings)
    if (ending == short_form) meant = format;
  for (const Renderer& renderer : renderers())
    // A format that the command does not have is refused, as with -f. XML may be any of several.
    if (renderer.name == meant && (ending != "xml" || can_show(renderer, entry)))
      return renderer.name;
  const std::string near = ending.size() < 3 ? "" : did_you_mean(ending, format_names(entry));
  if (!near.empty())
    return fail(Exit::usage, fmt::format("-o {}: unknown ending '{}'{}; -f text writes text there",
                                         printable(name), printable(ending), near));
  return std::string_view();
}

const Renderer& find_renderer(std::string_view name) {
  for (const Renderer& renderer : renderers())
    if (renderer.name == name) return renderer;
  return renderers().front();
}

}  // namespace xtrace
