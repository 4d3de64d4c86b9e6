#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redact/door.h"
#include "serve/message.h"
#include "serve/target.h"

namespace xtrace::serve {

/// The kinds of replies to a request.
enum class Reply : uint8_t {
  live_page,  ///< the page that shows the explorer and renews it
  page,       ///< the explorer as it is now
  answer,     ///< of a view, once
  graph,      ///< the explanation graph and its changes, as Server-Sent Events
  socket,     ///< the same over a WebSocket, by subscription
  counts,     ///< that something came, as Server-Sent Events
  steps,      ///< those of a query, as Server-Sent Events
};

/// A parameter, or a `{segment}` of a path, and the option of the view that it sets.
struct RouteOption {
  std::string_view name, option;
  bool is_needed = false;
};

/// A path that is answered. To add one: a row of kRoutes.
struct Route {
  std::string_view path;  ///< `/lineage/{run}/dag`
  Reply reply = Reply::answer;
  std::string_view view{};
  std::span<const std::string_view> fixed{};  ///< options of the view
  std::span<const RouteOption> options{};
  std::span<const std::string_view> formats{};  ///< the first is the default
  std::string_view help{};                      ///< what is answered, in some words
};
std::span<const Route> routes();

/// A request, understood.
struct Asked {
  const Route* route = nullptr;
  std::vector<std::string> words;  ///< the view and its options, as on a command line
  std::string_view format;
  Door::Level level = Door::Level::basic;
  std::string query;         ///< of steps
  std::string subscription;  ///< of a graph: a SubscriptionRequest as JSON; empty: all of it
};

/// Finds what a target asks for. `level` is that of the command: a request may lower it.
Answered<Asked> read_asked(const Target& target, bool is_upgrade, Door::Level level);

/// The type of contents of an answer in a format.
std::string_view content_type_of(std::string_view format);

}  // namespace xtrace::serve
