#pragma once

#include <string>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Tells of calls between actors as sidecars see them: without parents, one trace a span.
///
///     HopStory story;
///     story.hop("a", "user:u", "agent:chat", 0, 100);  // starts at 0 ms, takes 100 ms
///     CHECK(story.causes() == "…");
class HopStory {
 public:
  HopStory& hop(const std::string& id, const std::string& from, const std::string& to, double start,
                double duration, const std::string& run = "r1");
  /// The same hop seen by the caller as well.
  HopStory& outbound(const std::string& id, const std::string& from, const std::string& to,
                     double start, double duration, const std::string& run = "r1");
  /// A span that names its parent.
  HopStory& span(const std::string& id, const std::string& service, const std::string& parent,
                 double start, double duration);
  // Of the span added last, or of the one of that id:
  HopStory& again(const std::string& id);
  HopStory& tag(const std::string& key, const std::string& value);
  HopStory& in_trace(const std::string& trace);
  HopStory& below(const std::string& parent);
  /// It follows from a span of some trace as well.
  HopStory& following(const std::string& cause, const std::string& trace);
  HopStory& called(const std::string& operation, const std::string& service);
  std::string json() const;
  Graph graph(const LinkOptions& linking = {}) const;
  /// `b<-a only_one`, a line for each hop with a cause, in the order of the hops.
  std::string causes(const LinkOptions& linking = {}) const;
  /// The chain of actors that led to a hop: `user:u agent:chat`.
  std::string path(const std::string& id) const;

 private:
  struct Told {
    std::string id, operation, tags, parent, service;
    double start, duration;
    std::string trace, followed = {};
  };
  std::string json(const Told& span) const;
  std::vector<Told> spans_;
  size_t current_ = 0;
};

}  // namespace xtrace
