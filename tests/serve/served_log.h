#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "live/following.h"
#include "reading.h"
#include "serve/service.h"

namespace xtrace::serve {

/// A log that grows, and the server of it without its connections.
class ServedLog {
 public:
  explicit ServedLog(const std::string& name, std::string_view begin,
                     const std::vector<std::string>& words = {}, size_t most_updates = 100);

  /// Appends to the log; the server has read it.
  void grow(std::string_view bytes);
  /// The same once nothing has come for a while.
  void rest();
  Response get(const std::string& target, HttpRequest more = {});
  /// The answer, which must be one.
  std::string text(const std::string& target);
  int status(const std::string& target) { return get(target).status; }
  std::string why(const std::string& target);

  Service& service() { return service_; }
  const Request& request() const { return request_; }
  const std::string& path() const { return path_; }

 private:
  Folder folder_;
  std::string path_;
  Request request_;
  Service service_;
};

/// Runs a command line and returns its output.
std::string printed(const std::vector<std::string>& words);

/// A graph as a client has it who believes what it is sent; `event` says which message it is.
class GraphClient {
 public:
  /// An event as Server-Sent Events write it.
  void take_event(const std::string& event);
  void take(const std::string& event, const nlohmann::json& message);

  Graphed graph;
  std::string subscription, last_id;
  int snapshots = 0, updates = 0, lost = 0;
};

/// Reads all events there are.
void read_all(EventSource& events, GraphClient& client);

}  // namespace xtrace::serve
