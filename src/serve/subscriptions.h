#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "serve/feed.h"

namespace xtrace::serve {

/// The next message to a reader, by WebSocket or as an event.
struct Outgoing {
  std::string_view event;  ///< snapshot, update, snapshotNeeded
  std::string text;        ///< JSON on one line
  std::string id{};        ///< of an event, to resume from; empty: none
};

/// A reader of a graph: which messages it has, and what comes next.
class Subscription {
 public:
  explicit Subscription(std::string id) : id_(std::move(id)) {}

  const std::string& id() const { return id_; }
  /// From now on, this graph: from its beginning, or the difference to the graph it has.
  void watch(std::shared_ptr<GraphChannel> channel);
  /// It comes back with the graph of that update; if the updates after it are not kept any more, it
  /// starts anew.
  void resume(std::shared_ptr<GraphChannel> channel, uint64_t number);
  /// The same where that graph itself is gone.
  void start_anew(std::shared_ptr<GraphChannel> channel);
  /// Sends the whole graph once more.
  void repeat() { needs_snapshot_ = true; }

  /// Nothing: it has all there is.
  std::optional<Outgoing> next();
  const std::shared_ptr<GraphChannel>& channel() const { return channel_; }

  /// The place of the message sent last, to be returned by a client that has received it: the id of
  /// an event, or the payload of a ping. Empty while older messages wait.
  std::string place() const;
  void note_received(std::string_view place);
  /// The place that the client is known to have reached; empty: none.
  const std::string& received() const { return received_; }

 private:
  std::string id_;
  std::shared_ptr<GraphChannel> channel_;
  uint64_t number_ = 0;
  std::string received_;
  bool needs_snapshot_ = true, has_lost_ = false;
  std::deque<SharedText> before_;  ///< of another graph, to be sent first
};

/// The number of the update in a place, if it is one of this graph.
std::optional<uint64_t> number_in(std::string_view place, const GraphChannel& channel);

/// The subscriptions of WebSockets. Clients that come back name the ids of theirs.
class Subscriptions {
 public:
  explicit Subscriptions(Feed& feed) : feed_(feed) {}

  /// Does what a client's message says: a new subscription, one that comes back, or another filter
  /// of this one. Nothing changes if it is refused.
  Answered<void> take(std::string_view message, std::unique_ptr<Subscription>& own);
  /// A reader of events: of the graph that `request`, a SubscriptionRequest, asks for, from the
  /// `place` on that it has reached. Empty: of the command's own graph; from its beginning.
  Answered<Subscription> make(std::string_view request, std::string_view place);
  /// A client went; it may come back.
  void keep(std::unique_ptr<Subscription> gone);

 private:
  /// More than there are connections.
  static constexpr size_t kMostKept = 64;
  struct Kept {
    std::string id;
    StoryOptions story;
    std::string place;  ///< that it had reached
  };

  Feed& feed_;
  std::deque<Kept> kept_;
  size_t made_ = 0;
};

}  // namespace xtrace::serve
