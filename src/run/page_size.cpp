#include "run/page_size.h"

#include <fmt/format.h>

#include "base/overloaded.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// A call may be several steps of a story: what the user said, what tools did.
constexpr size_t kMostNodesOfOne = 4;

}  // namespace

size_t count_rows(const Document& document, std::string_view name) {
  size_t count = 0;
  for (const Section& section : document.sections())
    std::visit(Overloaded{[&](const Table& table) {
                            if (table.name == name) count += table.rows();
                          },
                          [&](const Stream& stream) {
                            if (stream.name == name)
                              stream.rows([&](std::span<const Cell>) { ++count; });
                          },
                          [&](const Group& group) {
                            group.members([&](const Document& member) {
                              count += count_rows(member, name);
                              return true;
                            });
                          },
                          [](const auto&) {}},
               section);
  return count;
}

Status check_page_size(const Document& document, const Renderer& renderer, size_t things) {
  // Rows are made while they are counted: not where there cannot be so many.
  if (renderer.most_nodes == 0 || things <= renderer.most_nodes / kMostNodesOfOne) return {};
  const size_t count = count_rows(document, "nodes");
  if (count <= renderer.most_nodes) return {};
  return fail(
      Exit::usage,
      fmt::format("-f {}: too many calls ({}); a browser can show {}; select fewer with --session "
                  "ID, --agent TYPE, --since 1h or --min-cost 0.01, or use -f json",
                  renderer.name, count, renderer.most_nodes));
}

}  // namespace xtrace
