#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "input/growing/growing.h"
#include "live/missed.h"

namespace xtrace {

/// A graph by its ids.
struct Graphed {
  std::map<std::string, std::string> nodes;
  std::map<Ends, std::string> edges;
  std::map<std::string, std::set<std::string>> summaries;
  bool operator==(const Graphed&) const = default;
};

Graphed graphed(const GraphRows& rows);

/// Whoever reads the updates and believes them. Strict: nothing goes that is not there, nothing
/// comes that is there already, and the edges of a node go before it.
class Client {
 public:
  void apply(const GraphChange& change);
  /// The same of one that may have been told some of it, or more: as a graph does that drops the
  /// edges of a node with it, or as one that does not.
  void apply_again(const GraphChange& change, bool drops_edges);
  const Graphed& graph() const { return graph_; }

 private:
  void regroup(const GraphChange& change);

  Graphed graph_;
};

/// `xtrace follow PATH`, with more words.
Request following(const std::string& path, const std::vector<std::string>& more = {});

/// What the view says of the file as it is, without following anything.
Graphed whole(const Request& request);

/// Lines of a fixture; `story` are its three logs in one.
std::vector<std::string> lines_of(const std::string& fixture);

/// What came, in the order of the inputs.
std::vector<Arrival> arrivals(Growth growth, Records& records, const Generations& generations);

/// A file that is followed as it grows.
class Fed {
 public:
  explicit Fed(const std::string& path, const std::vector<std::string>& words = {});

  void write(std::string_view bytes);
  void end();
  void reread() { follow(graph_.reread()); }
  /// As a request does whose `expand` names these summaries.
  void expand(std::vector<std::string> summaries);
  const Graphed& shown() const { return client_.graph(); }
  const Client& client() const { return client_; }
  Moment newest() const { return graph_.newest(); }
  const Request& request() const { return request_; }
  const StoryOptions& story() const { return graph_.story(); }
  size_t parts() const { return graph_.parts(); }
  size_t linked() const { return graph_.linked(); }
  const std::map<std::string, LiveSession>& sessions() const { return graph_.sessions(); }

 private:
  void take(const Growth& growth);
  void follow(const Result<GraphChange>& change);

  std::string path_;
  Request request_;
  GrowingInputs growing_;
  Records records_;
  LiveGraph graph_;
  Client client_;
};

}  // namespace xtrace
