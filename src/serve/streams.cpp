#include <fmt/format.h>

#include <array>

#include "base/json_writer.h"
#include "serve/connection.h"

namespace xtrace::serve {

namespace {

/// A response that goes on with each event.
class EventStream final : public Streaming, public std::enable_shared_from_this<EventStream> {
 public:
  EventStream(beast::tcp_stream stream, Response response, Connections& all, ClientCount count)
      : stream_(std::move(stream)),
        response_(std::move(response)),
        all_(all),
        count_(std::move(count)) {
    all_.add(this);
  }
  ~EventStream() override { all_.remove(this); }
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  void begin() {
    look_for_end();
    write(header_text(response_, false));
  }
  void poke() override {
    if (is_writing_ || is_over_) return;
    if (std::string event = response_.events->next(); !event.empty()) write(std::move(event));
  }
  void beat() override {
    if (!is_writing_ && !is_over_) write(":\n\n");
  }

 private:
  void write(std::string text) {
    is_writing_ = true;
    text_ = std::move(text);
    stream_.expires_after(kSlow);
    asio::async_write(stream_, asio::buffer(text_),
                      [self = shared_from_this()](beast::error_code error, size_t) {
                        self->is_writing_ = false;
                        if (error == beast::error::timeout)
                          self->all_.say(
                              "a reader of events took nothing for too long; it is closed and can "
                              "resume by Last-Event-ID");
                        if (error)
                          self->end();
                        else
                          self->poke();
                      });
  }

  /// A reader has nothing more to say: what comes is its end.
  void look_for_end() {
    stream_.expires_never();
    stream_.async_read_some(asio::buffer(ignored_),
                            [self = shared_from_this()](beast::error_code error, size_t) {
                              if (error || self->is_over_)
                                self->end();
                              else
                                self->look_for_end();
                            });
  }

  void end() {
    is_over_ = true;
    stream_.close();
  }

  beast::tcp_stream stream_;
  Response response_;
  Connections& all_;
  ClientCount count_;
  std::string text_;
  std::array<char, 512> ignored_{};
  bool is_writing_ = false, is_over_ = false;
};

/// Subscriptions by SubscriptionRequest, answered by ExplanationGraph and GraphUpdate.
class Socket final : public Streaming, public std::enable_shared_from_this<Socket> {
 public:
  Socket(beast::tcp_stream stream, Connections& all, ClientCount count)
      : socket_(std::move(stream)), all_(all), count_(std::move(count)) {
    all_.add(this);
  }
  ~Socket() override {
    all_.remove(this);
    all_.service().subscriptions().keep(std::move(subscription_));
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void begin(const http::request<http::empty_body>& request) {
    beast::websocket::stream_base::timeout patience{};
    patience.handshake_timeout = kRequestPatience;
    patience.idle_timeout = 2 * kSlow;
    patience.keep_alive_pings = true;
    socket_.set_option(patience);
    socket_.read_message_max(kMostMessageBytes);
    socket_.auto_fragment(false);  // into frames of 4 kB
    socket_.control_callback([this](beast::websocket::frame_type kind, beast::string_view payload) {
      if (kind != beast::websocket::frame_type::pong || subscription_ == nullptr) return;
      subscription_->note_received({payload.data(), payload.size()});
    });
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      self->is_open_ = true;
      self->read();
    });
  }
  void poke() override { write_next(); }
  void beat() override {}  // Beast sends pings by itself

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, size_t) {
      self->take(error);
    });
  }

  void take(const beast::error_code& error) {
    if (error) {
      is_open_ = false;
      return;
    }
    // A client that asks without reading the answers would fill the list of refusals.
    const bool is_too_much = refusals_.size() > static_cast<size_t>(kRequestsAtOnce);
    if (!rate_.take(RateLimit::Clock::now()) || is_too_much) {
      close(beast::websocket::close_code::policy_error, "too many requests");
      return;
    }
    const auto bytes = buffer_.data();
    const std::string_view message(static_cast<const char*>(bytes.data()), bytes.size());
    const Answered<void> taken = all_.service().subscriptions().take(message, subscription_);
    buffer_.consume(buffer_.size());
    if (!taken) refusals_.push_back(refusal_text(taken.error()));
    write_next();
    read();
  }

  static std::string refusal_text(const Refusal& refusal) {
    std::string text;
    JsonWriter json(text);
    json.open_object();
    json.field("event", "requestRefused");
    json.field("message", refusal.what);
    json.close();
    return text;
  }

  void write_next() {
    if (is_writing_ || !is_open_) return;
    if (!refusals_.empty()) {
      text_ = std::move(refusals_.front());
      refusals_.pop_front();
    } else {
      std::optional<Outgoing> out = subscription_ == nullptr ? std::nullopt : subscription_->next();
      if (!out) {
        ask_what_came();
        return;
      }
      text_ = std::move(out->text);
    }
    is_writing_ = true;
    socket_.text(true);
    socket_.async_write(asio::buffer(text_),
                        [self = shared_from_this()](beast::error_code error, size_t) {
                          self->is_writing_ = false;
                          if (error) {
                            self->is_open_ = false;
                            self->all_.say("a subscriber went away or took nothing for too long");
                          } else {
                            self->write_next();
                          }
                        });
  }

  /// A client that returns a ping has received everything before it, and misses nothing of that
  /// when it comes back.
  void ask_what_came() {
    if (is_pinging_ || subscription_ == nullptr) return;
    const std::string place = subscription_->place();
    if (place.empty() || place == asked_) return;
    asked_ = place;
    is_pinging_ = true;
    beast::websocket::ping_data payload;
    payload.assign(place.data(), place.size());
    socket_.async_ping(
        payload, [self = shared_from_this()](beast::error_code) { self->is_pinging_ = false; });
  }

  void close(beast::websocket::close_code code, const char* why) {
    is_open_ = false;
    socket_.async_close({code, why}, [self = shared_from_this()](beast::error_code) {});
  }

  beast::websocket::stream<beast::tcp_stream> socket_;
  Connections& all_;
  ClientCount count_;
  beast::flat_buffer buffer_{kMostMessageBytes};
  std::unique_ptr<Subscription> subscription_;
  std::deque<std::string> refusals_;
  std::string text_, asked_;
  RateLimit rate_{kRequestsPerSecond, kRequestsAtOnce};
  bool is_open_ = false, is_writing_ = false, is_pinging_ = false;
};

}  // namespace

void begin_events(beast::tcp_stream stream, Response response, Connections& all,
                  ClientCount count) {
  std::make_shared<EventStream>(std::move(stream), std::move(response), all, std::move(count))
      ->begin();
}

void begin_socket(beast::tcp_stream stream, const http::request<http::empty_body>& request,
                  Connections& all, ClientCount count) {
  std::make_shared<Socket>(std::move(stream), all, std::move(count))->begin(request);
}

}  // namespace xtrace::serve
