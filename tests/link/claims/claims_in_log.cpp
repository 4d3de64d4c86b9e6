#include "link/claims/claims_in_log.h"

#include <fmt/format.h>

#include "reading.h"
#include "reread.h"

namespace xtrace {

std::string claims_in_log(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  std::string text;
  for (const ReplyClaim& one : find_reply_claims(graph, &payloads))
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "\n", word(one.kind), word(one.verdict),
                        word(one.reason));
  return text;
}

}  // namespace xtrace
