#pragma once

// Only the sources of connections include this: Boost takes the compiler some seconds.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "serve/rate_limit.h"
#include "serve/service.h"

namespace xtrace::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

// Limits of what one client can use.

/// A browser opens six connections to a server, and a person a few pages.
inline constexpr size_t kMostClients = 64;
/// Browsers send less than 2 kB with a request, and a filter is shorter than that.
inline constexpr uint32_t kMostHeaderBytes = 16 << 10;
/// A SubscriptionRequest that names a hundred agents has some kilobytes.
inline constexpr size_t kMostMessageBytes = 64 << 10;
/// Beyond what a page asks for when one clicks as fast as one can.
inline constexpr double kRequestsPerSecond = 20, kRequestsAtOnce = 40;
/// Bytes of answers that are on their way to all clients.
inline constexpr size_t kMostBytesOut = 256 << 20;
/// A request comes as a whole, and a client that takes nothing for so long is gone or too slow.
inline constexpr std::chrono::seconds kRequestPatience{10}, kSlow{30};
/// Between two requests of one connection.
inline constexpr std::chrono::seconds kIdle{30};

class Connections;

/// A connection that messages are sent to as they come.
class Streaming {
 public:
  Streaming() = default;
  virtual ~Streaming() = default;
  Streaming(const Streaming&) = delete;
  Streaming& operator=(const Streaming&) = delete;
  /// There may be something to send.
  virtual void poke() = 0;
  /// Nothing was sent for a while: shows that the server is there.
  virtual void beat() = 0;
};

/// All connections of a server, and what they share.
class Connections {
 public:
  Connections(Service& service, bool is_verbose) : service_(service), is_verbose_(is_verbose) {}

  /// Answers the requests of a client; refuses a client too many.
  void take(asio::ip::tcp::socket socket);
  void poke_all();
  void beat_all();

  Service& service() { return service_; }
  void say(std::string_view what) const;

  void enter() { ++clients_; }
  void leave() { --clients_; }
  void add(Streaming* one) { streaming_.insert(one); }
  void remove(Streaming* one) { streaming_.erase(one); }
  /// Is there room for so many bytes more on their way? Then they count.
  bool send_out(size_t bytes);
  void sent_out(size_t bytes) { bytes_out_ -= bytes; }

 private:
  Service& service_;
  bool is_verbose_;
  size_t clients_ = 0, bytes_out_ = 0;
  std::set<Streaming*> streaming_;
};

/// While it lives, a client counts.
class ClientCount {
 public:
  explicit ClientCount(Connections& all) : all_(&all) { all.enter(); }
  ClientCount(ClientCount&& other) noexcept : all_(std::exchange(other.all_, nullptr)) {}
  ClientCount& operator=(ClientCount&&) = delete;
  ~ClientCount() {
    if (all_ != nullptr) all_->leave();
  }

 private:
  Connections* all_;
};

/// The status line and headers of a response.
std::string header_text(const Response& response, bool keeps_alive);

void begin_events(beast::tcp_stream stream, Response response, Connections& all, ClientCount count);
void begin_socket(beast::tcp_stream stream, const http::request<http::empty_body>& request,
                  Connections& all, ClientCount count);

}  // namespace xtrace::serve
