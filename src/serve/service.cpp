#include "serve/service.h"

#include <fmt/format.h>

#include <chrono>

#include "base/json_writer.h"
#include "serve/live_page.h"

namespace xtrace::serve {

namespace {

/// The explanation graph: what `follow` prints.
class GraphEvents final : public EventSource {
 public:
  explicit GraphEvents(Subscription subscription) : subscription_(std::move(subscription)) {}
  std::string next() override {
    const std::optional<Outgoing> out = subscription_.next();
    return out ? event_text(out->event, out->text, out->id) : std::string();
  }

 private:
  Subscription subscription_;
};

/// That the log grew; who was away learns the same.
class CountEvents final : public EventSource {
 public:
  explicit CountEvents(const Feed& feed) : feed_(feed) {}
  std::string next() override {
    if (has_sent_ && sent_ == feed_.version()) return {};
    has_sent_ = true;
    sent_ = feed_.version();
    std::string data;
    JsonWriter json(data);
    json.open_object();
    json.field("version", sent_);
    json.close();
    return event_text("change", data);
  }

 private:
  const Feed& feed_;
  uint64_t sent_ = 0;
  bool has_sent_ = false;
};

/// Steps of a query that are new or not what they were.
class StepEvents final : public EventSource {
 public:
  StepEvents(const Feed& feed, Answers& answers, Asked asked, std::vector<std::string> first)
      : feed_(feed),
        answers_(answers),
        asked_(std::move(asked)),
        steps_(std::move(first)),
        sent_(steps_.size()),
        version_(feed.version()) {}

  std::string next() override {
    if (at_ == steps_.size()) look();
    while (at_ < steps_.size()) {
      const size_t step = at_++;
      if (sent_[step] == steps_[step]) continue;
      sent_[step] = steps_[step];
      return event_text("step", steps_[step], fmt::format("{}", step + 1));
    }
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The whole log is read for it, so it gets a fifth of the time at most.
  void look() {
    const Clock::time_point now = Clock::now();
    if (version_ == feed_.version() || now - looked_ < 5 * took_) return;
    version_ = feed_.version();
    Answered<std::vector<std::string>> steps = answers_.steps(asked_);
    looked_ = Clock::now();
    took_ = looked_ - now;
    if (!steps) return;  // the query may come back with the next record
    steps_ = *std::move(steps);
    sent_.resize(steps_.size());
    at_ = 0;
  }

  const Feed& feed_;
  Answers& answers_;
  Asked asked_;
  std::vector<std::string> steps_, sent_;
  size_t at_ = 0;
  uint64_t version_;
  Clock::time_point looked_{};
  Clock::duration took_{};
};

/// Scripts in an answer that a browser shows, such as a picture, run nowhere.
constexpr std::string_view kInert =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/// The live page reads why its frame holds no explorer.
constexpr std::string_view kForOwnFrame = "default-src 'none'; frame-ancestors 'self'";

Response text_response(std::string_view type, SharedText body, std::string_view policy) {
  Response response;
  response.content_type = type;
  response.body = std::move(body);
  response.headers.emplace_back("Content-Security-Policy", policy);
  return response;
}

}  // namespace

Response response_of(const Refusal& refusal) {
  Response response = text_response(
      "application/json", std::make_shared<const std::string>(error_json(refusal)), kForOwnFrame);
  response.status = refusal.status;
  if (refusal.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (refusal.status == 405) response.headers.emplace_back("Allow", "GET, HEAD");
  if (refusal.status == 429 || refusal.status == 503)
    response.headers.emplace_back("Retry-After", "1");
  return response;
}

Service::Service(const Request& owner, const FollowSettings& settings, MakeRequest make_request,
                 std::string run)
    : owner_(owner),
      feed_(std::move(run), owner, settings, {.most_updates = settings.max_queued}),
      subscriptions_(feed_),
      answers_(owner, feed_, std::move(make_request)) {}

Answered<Response> Service::begin_events(const Asked& asked, const HttpRequest& request) {
  Response response;
  response.content_type = "text/event-stream";
  if (asked.route->reply == Reply::counts) {
    response.events = std::make_unique<CountEvents>(feed_);
    return response;
  }
  if (asked.route->reply == Reply::steps) {
    Answered<std::vector<std::string>> steps = answers_.steps(asked);
    if (!steps) return tl::unexpected(steps.error());
    response.events = std::make_unique<StepEvents>(feed_, answers_, asked, *std::move(steps));
    return response;
  }
  Answered<Subscription> subscription =
      subscriptions_.make(asked.subscription, request.last_event_id);
  if (!subscription) return tl::unexpected(subscription.error());
  response.events = std::make_unique<GraphEvents>(*std::move(subscription));
  return response;
}

Answered<Response> Service::try_reply(const HttpRequest& request) {
  const Answered<Target> target = read_target(request.target);
  if (!target) return tl::unexpected(target.error());
  if (Answered<void> allowed = access_->check(request, *target); !allowed)
    return tl::unexpected(allowed.error());
  if (request.method != "GET" && request.method != "HEAD")
    return refuse(405, "this server only reads: use GET or HEAD");
  const Answered<Asked> asked = read_asked(*target, request.is_upgrade, owner_.level);
  if (!asked) return tl::unexpected(asked.error());
  switch (asked->route->reply) {
    case Reply::live_page: {
      Response response =
          text_response("text/html; charset=utf-8", live_page(), live_page_policy());
      if (std::string cookie = access_->cookie_for(*target); !cookie.empty())
        response.headers.emplace_back("Set-Cookie", std::move(cookie));
      return response;
    }
    case Reply::page:
    case Reply::answer: {
      Answered<SharedText> text = answers_.answer(*asked);
      if (!text) return tl::unexpected(text.error());
      return text_response(content_type_of(asked->format), *std::move(text),
                           asked->route->reply == Reply::page ? "frame-ancestors 'self'" : kInert);
    }
    case Reply::socket: {
      Response response;
      response.is_socket = true;
      return response;
    }
    case Reply::graph:
    case Reply::counts:
    case Reply::steps: return begin_events(*asked, request);
  }
  return refuse(500, "this is a bug in xtrace: a route without a reply");
}

Response Service::reply(const HttpRequest& request) {
  Answered<Response> response = try_reply(request);
  return response ? *std::move(response) : response_of(response.error());
}

}  // namespace xtrace::serve
