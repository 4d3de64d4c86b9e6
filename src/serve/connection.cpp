#include "serve/connection.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

namespace xtrace::serve {

namespace {

std::string_view words_of(int status) {
  constexpr std::pair<int, std::string_view> kWords[] = {{200, "OK"},
                                                         {400, "Bad Request"},
                                                         {401, "Unauthorized"},
                                                         {403, "Forbidden"},
                                                         {404, "Not Found"},
                                                         {405, "Method Not Allowed"},
                                                         {413, "Content Too Large"},
                                                         {421, "Misdirected Request"},
                                                         {429, "Too Many Requests"},
                                                         {431, "Request Header Fields Too Large"},
                                                         {500, "Internal Server Error"},
                                                         {503, "Service Unavailable"}};
  for (const auto& [number, words] : kWords)
    if (number == status) return words;
  return "Error";
}

std::string text_of(const http::request<http::empty_body>& request, http::field name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

std::string text_of(const http::request<http::empty_body>& request, const char* name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

HttpRequest read_request(const http::request<http::empty_body>& request) {
  const auto method = request.method_string();
  const auto target = request.target();
  return {.method = {method.data(), method.size()},
          .target = {target.data(), target.size()},
          .host = text_of(request, http::field::host),
          .origin = text_of(request, http::field::origin),
          .authorization = text_of(request, http::field::authorization),
          .cookie = text_of(request, http::field::cookie),
          .fetch_site = text_of(request, "Sec-Fetch-Site"),
          .fetch_mode = text_of(request, "Sec-Fetch-Mode"),
          .last_event_id = text_of(request, "Last-Event-ID"),
          .is_upgrade = beast::websocket::is_upgrade(request)};
}

/// Returns why bytes are not a request; nothing if the client left or was silent.
std::optional<Refusal> refusal_of(const beast::error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return Refusal{431, fmt::format("the header is longer than {} bytes", kMostHeaderBytes)};
  if (error == http::error::body_limit || error == http::error::unexpected_body)
    return Refusal{413, "this server only reads: a request has no body"};
  if (error.category() == make_error_code(http::error::bad_method).category() &&
      error != http::error::end_of_stream && error != http::error::partial_message)
    return Refusal{400, "not a request of HTTP/1.1"};
  return std::nullopt;
}

/// A connection that asks and is answered, until it closes or becomes another kind.
class HttpConnection final : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(asio::ip::tcp::socket socket, Connections& all)
      : stream_(std::move(socket)), all_(all), count_(all) {}

  void read(std::chrono::seconds patience) {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(patience);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, size_t) { self->answer(error); });
  }

 private:
  void answer(const beast::error_code& error) {
    if (error) {
      const std::optional<Refusal> refusal = refusal_of(error);
      if (refusal) write(response_of(*refusal), false, false);
      return;
    }
    const http::request<http::empty_body>& request = parser_->get();
    const bool is_head = request.method() == http::verb::head;
    const bool keeps_alive = request.keep_alive();
    if (request.count(http::field::host) > 1) {
      write(response_of({400, "the request has two Host headers"}), false, false);
      return;
    }
    if (!rate_.take(RateLimit::Clock::now())) {
      write(response_of({429, fmt::format("more than {} requests a second on one connection",
                                          kRequestsPerSecond)}),
            is_head, false);
      return;
    }
    Response response = all_.service().reply(read_request(request));
    if (response.is_socket) {
      stream_.expires_never();
      begin_socket(std::move(stream_), request, all_, std::move(count_));
    } else if (response.events != nullptr && !is_head) {
      stream_.expires_never();
      begin_events(std::move(stream_), std::move(response), all_, std::move(count_));
    } else {
      write(std::move(response), is_head, keeps_alive);
    }
  }

  void write(Response response, bool is_head, bool keeps_alive) {
    if (response.body == nullptr) response.body = std::make_shared<const std::string>();
    size_t bytes = response.body->size();
    if (!all_.send_out(bytes)) {
      response = response_of({503, "too many answers are on their way; try again later"});
      bytes = 0;
    }
    const auto header = std::make_shared<const std::string>(header_text(response, keeps_alive));
    const SharedText body = is_head ? std::make_shared<const std::string>() : response.body;
    const std::array<asio::const_buffer, 2> buffers = {asio::buffer(*header), asio::buffer(*body)};
    stream_.expires_after(kSlow);
    asio::async_write(stream_, buffers,
                      [self = shared_from_this(), header, body, bytes, keeps_alive](
                          beast::error_code error, size_t) {
                        self->all_.sent_out(bytes);
                        if (error == beast::error::timeout)
                          self->all_.say("a client took too long to read an answer; it is closed");
                        if (!error && keeps_alive)
                          self->read(kIdle);
                        else
                          self->close();
                      });
  }

  /// Reads what the client still sends before it closes its side: a socket that is closed with
  /// unread bytes takes back the answer.
  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kFarewell);
    read_on();
  }

  void read_on() {
    if (unread_left_ == 0) return;
    --unread_left_;
    stream_.async_read_some(asio::buffer(unread_),
                            [self = shared_from_this()](beast::error_code error, size_t) {
                              if (!error) self->read_on();
                            });
  }

  static constexpr std::chrono::seconds kFarewell{1};

  beast::tcp_stream stream_;
  Connections& all_;
  ClientCount count_;
  beast::flat_buffer buffer_{kMostHeaderBytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  RateLimit rate_{kRequestsPerSecond, kRequestsAtOnce};
  std::array<char, 4096> unread_{};
  int unread_left_ = 64;  ///< reads: a quarter of a megabyte
};

}  // namespace

std::string header_text(const Response& response, bool keeps_alive) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", response.status, words_of(response.status));
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}: {}\r\n", name, value);
  };
  add("Content-Type", response.content_type);
  if (response.events == nullptr)
    add("Content-Length", fmt::format("{}", response.body == nullptr ? 0 : response.body->size()));
  add("Connection", keeps_alive ? "keep-alive" : "close");
  // Answers are for one person and one moment, and other sites must not read them.
  add("Cache-Control", "no-store");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Cross-Origin-Opener-Policy", "same-origin");
  for (const auto& [name, value] : response.headers) add(name, value);
  return text += "\r\n";
}

bool Connections::send_out(size_t bytes) {
  if (bytes_out_ + bytes > kMostBytesOut && bytes_out_ > 0) return false;
  bytes_out_ += bytes;
  return true;
}

void Connections::say(std::string_view what) const {
  if (is_verbose_) fmt::print(stderr, "{}\n", what);
}

void Connections::take(asio::ip::tcp::socket socket) {
  if (clients_ < kMostClients) {
    std::make_shared<HttpConnection>(std::move(socket), *this)->read(kRequestPatience);
    return;
  }
  // The client learns the reason if it fits into the socket at once; nothing waits for that.
  const Response response =
      response_of({503, fmt::format("{} clients are connected, which is the most at once; close a "
                                    "page or try again later",
                                    kMostClients)});
  const std::string text = header_text(response, false) + *response.body;
  beast::error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(text), ignored);
  socket.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket.close(ignored);
}

void Connections::poke_all() {
  const std::set<Streaming*> all = streaming_;  // one that fails leaves
  for (Streaming* one : all)
    if (streaming_.contains(one)) one->poke();
}

void Connections::beat_all() {
  const std::set<Streaming*> all = streaming_;
  for (Streaming* one : all)
    if (streaming_.contains(one)) one->beat();
}

}  // namespace xtrace::serve
