#include "hop_story.h"

#include <fmt/format.h>

#include <stdexcept>

#include "link/graph/graph.h"
#include "reading.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

std::string tag_of(const std::string& key, const std::string& value) {
  return fmt::format(R"({{"key":"{}","type":"string","value":"{}"}})", key, value);
}

std::string trust_tags(const std::string& from, const std::string& to, const std::string& run) {
  return tag_of("trust.source", from) + "," + tag_of("trust.target", to) + "," +
         tag_of("trust.run_id", run);
}

}  // namespace

HopStory& HopStory::hop(const std::string& id, const std::string& from, const std::string& to,
                        double start, double duration, const std::string& run) {
  std::string operation = to.starts_with("resource:") ? "outbound:x" : "inbound:x";
  spans_.push_back({id, operation, trust_tags(from, to, run), "", "sidecar", start, duration,
                    fmt::format("{:x}", spans_.size() + 1)});
  current_ = spans_.size() - 1;
  return *this;
}

HopStory& HopStory::outbound(const std::string& id, const std::string& from, const std::string& to,
                             double start, double duration, const std::string& run) {
  return hop(id, from, to, start, duration, run).called("outbound:x", "sidecar");
}

HopStory& HopStory::span(const std::string& id, const std::string& service,
                         const std::string& parent, double start, double duration) {
  spans_.push_back({id, "work", "", parent, service, start, duration, "f"});
  current_ = spans_.size() - 1;
  return *this;
}

HopStory& HopStory::again(const std::string& id) {
  for (size_t i = spans_.size(); i-- > 0;)
    if (spans_[i].id == id) return current_ = i, *this;
  throw std::invalid_argument("no span " + id);
}

HopStory& HopStory::tag(const std::string& key, const std::string& value) {
  std::string& tags = spans_[current_].tags;
  tags += (tags.empty() ? "" : ",") + tag_of(key, value);
  return *this;
}

HopStory& HopStory::in_trace(const std::string& trace) {
  spans_[current_].trace = trace;
  return *this;
}

HopStory& HopStory::below(const std::string& parent) {
  spans_[current_].parent = parent;
  return *this;
}

HopStory& HopStory::following(const std::string& cause, const std::string& trace) {
  spans_[current_].followed +=
      fmt::format(R"(,{{"refType":"FOLLOWS_FROM","traceID":"{}","spanID":"{}"}})", trace, cause);
  return *this;
}

HopStory& HopStory::called(const std::string& operation, const std::string& service) {
  spans_[current_].operation = operation;
  spans_[current_].service = service;
  return *this;
}

std::string HopStory::json(const Told& span) const {
  constexpr int64_t kEpoch = 1'772'000'000'000'000;
  std::string reference =
      span.parent.empty() ? ""
                          : fmt::format(R"({{"refType":"CHILD_OF","traceID":"{}","spanID":"{}"}})",
                                        span.trace, span.parent);
  reference +=
      reference.empty() && !span.followed.empty() ? span.followed.substr(1) : span.followed;
  return fmt::format(
      R"({{"traceID":"{0}","spans":[{{"traceID":"{0}","spanID":"{1}","operationName":"{2}",)"
      R"("references":[{3}],"startTime":{4},"duration":{5},"tags":[{6}],"processID":"p1"}}],)"
      R"("processes":{{"p1":{{"serviceName":"{7}"}}}}}})",
      span.trace, span.id, span.operation, reference,
      kEpoch + static_cast<int64_t>(span.start * 1000), static_cast<int64_t>(span.duration * 1000),
      span.tags, span.service);
}

std::string HopStory::json() const {
  std::string traces;
  for (const Told& span : spans_) traces += (traces.empty() ? "" : ",") + json(span);
  return fmt::format(R"({{"data":[{}]}})", traces) + "\n";
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
