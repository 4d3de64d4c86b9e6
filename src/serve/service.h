#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serve/access_check.h"
#include "serve/answers.h"
#include "serve/event_source.h"
#include "serve/feed.h"
#include "serve/subscriptions.h"

namespace xtrace::serve {

/// The answer to a request, before it is written to a connection.
struct Response {
  int status = 200;
  std::string content_type = "application/json";
  SharedText body;                                           ///< nullptr: events follow
  std::vector<std::pair<std::string, std::string>> headers;  ///< beyond those of every response
  std::unique_ptr<EventSource> events;                       ///< that follow
  bool is_socket = false;                                    ///< it becomes a WebSocket
};

/// Everything that the server knows, without its connections.
class Service {
 public:
  /// `owner` must live as long.
  Service(const Request& owner, const FollowSettings& settings, MakeRequest make_request,
          std::string run);

  Status begin() { return feed_.begin(); }
  void set_access(AccessCheck access) { access_ = std::move(access); }
  /// Requires: set_access() was called.
  Response reply(const HttpRequest& request);

  Feed& feed() { return feed_; }
  Subscriptions& subscriptions() { return subscriptions_; }

 private:
  Answered<Response> try_reply(const HttpRequest& request);
  Answered<Response> begin_events(const Asked& asked, const HttpRequest& request);

  const Request& owner_;
  Feed feed_;
  Subscriptions subscriptions_;
  Answers answers_;
  std::optional<AccessCheck> access_;
};

/// The response that says why.
Response response_of(const Refusal& refusal);

}  // namespace xtrace::serve
