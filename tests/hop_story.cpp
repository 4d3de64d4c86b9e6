#include "hop_story.h"

#include <fmt/format.h>

#include "link/graph/graph.h"
#include "reading.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

std::string trust_tags(const std::string& from, const std::string& to, const std::string& run) {
  std::string tags;
  for (auto [key, value] : {std::pair("source", from), {"target", to}, {"run_id", run}})
    tags += fmt::format(R"({}{{"key":"trust.{}","type":"string","value":"{}"}})",
                        tags.empty() ? "" : ",", key, value);
  return tags;
}

}  // namespace

HopStory& HopStory::add(const std::string& id, const std::string& operation,
                        const std::string& tags, const std::string& references,
                        const std::string& service, double start, double duration,
                        const std::string& trace) {
  constexpr int64_t kEpoch = 1'772'000'000'000'000;
  traces_.push_back(fmt::format(
      R"({{"traceID":"{}","spans":[{{"traceID":"{}","spanID":"{}","operationName":"{}",)"
      R"("references":[{}],"startTime":{},"duration":{},"tags":[{}],"processID":"p1"}}],)"
      R"("processes":{{"p1":{{"serviceName":"{}"}}}}}})",
      trace, trace, id, operation, references, kEpoch + static_cast<int64_t>(start * 1000),
      static_cast<int64_t>(duration * 1000), tags, service));
  return *this;
}

HopStory& HopStory::hop(const std::string& id, const std::string& from, const std::string& to,
                        double start, double duration, const std::string& run) {
  std::string operation = to.starts_with("resource:") ? "outbound:x" : "inbound:x";
  return add(id, operation, trust_tags(from, to, run), "", "sidecar", start, duration,
             fmt::format("{:x}", traces_.size() + 1));
}

HopStory& HopStory::outbound(const std::string& id, const std::string& from, const std::string& to,
                             double start, double duration, const std::string& run) {
  return add(id, "outbound:x", trust_tags(from, to, run), "", "sidecar", start, duration,
             fmt::format("{:x}", traces_.size() + 1));
}

HopStory& HopStory::span(const std::string& id, const std::string& service,
                         const std::string& parent, double start, double duration) {
  std::string reference =
      fmt::format(R"({{"refType":"CHILD_OF","traceID":"f","spanID":"{}"}})", parent);
  return add(id, "work", "", parent.empty() ? "" : reference, service, start, duration, "f");
}

std::string HopStory::json() const {
  return fmt::format(R"({{"data":[{}]}})", fmt::join(traces_, ",")) + "\n";
}

Graph HopStory::graph(const LinkOptions& linking) const {
  return link(read_log(json()), linking);
}

std::string HopStory::causes(const LinkOptions& linking) const {
  Graph graph = this->graph(linking);
  const Hops& hops = graph.hops();
  std::string text;
  for (size_t i = 0; i < hops.all.size(); ++i)
    if (const Hop& hop = hops.all[i]; hop.cause)
      text += fmt::format("{}<-{} {}\n", hops.name_of(graph.trace(), HopId(i)),
                          hops.name_of(graph.trace(), hop.cause), word(hop.rule));
  return text;
}

std::string HopStory::path(const std::string& id) const {
  Graph graph = this->graph();
  const Hops& hops = graph.hops();
  Paths paths(hops);
  std::string text;
  for (ActorId actor : paths.actors(paths.of(hops.find(graph.trace(), id))))
    text += (text.empty() ? "" : " ") + std::string(hops[actor].id);
  return text;
}

}  // namespace xtrace
