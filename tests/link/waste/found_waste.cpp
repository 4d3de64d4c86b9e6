#include "link/waste/found_waste.h"

#include <fmt/format.h>

#include "link/activities/call_sizes.h"
#include "link/activities/paid_again.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

namespace xtrace {

void find_waste_in(const std::string& log,
                   const std::function<void(const Graph&, const std::vector<Waste>&)>& look) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  CallSizeMeter said(graph.trace(), &payloads);
  const std::vector<uint32_t> none;
  const ShownCalls shown{[](CallId) { return true; }, none};
  const PaidAgain again = find_paid_again(graph, &payloads, said, shown);
  look(graph, find_waste({graph, &payloads, shown, again.carried, again.rebuilds}));
}

std::string wastes_in(const std::string& log, const std::function<std::string(const Waste&)>& say) {
  std::string text;
  find_waste_in(log, [&](const Graph&, const std::vector<Waste>& found) {
    for (const Waste& one : found) text += (text.empty() ? "" : "\n") + say(one);
  });
  return text;
}

std::string found_in(const std::string& log, double least) {
  std::string text;
  find_waste_in(log, [&](const Graph&, const std::vector<Waste>& found) {
    for (const Waste& one : found)
      if (one.confidence >= least)
        text += fmt::format("{}{} {}", text.empty() ? "" : "\n", word(one.kind), one.times);
  });
  return text;
}

}  // namespace xtrace
