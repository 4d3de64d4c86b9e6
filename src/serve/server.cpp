#include "serve/server.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <ostream>

#include "base/system.h"
#include "base/system_random.h"
#include "keep/output.h"
#include "run/browser.h"
#include "serve/connection.h"

namespace xtrace::serve {

namespace {

using asio::ip::tcp;

/// Proxies and browsers close a connection that is silent for a minute or less.
constexpr std::chrono::seconds kBeat{15};

tl::unexpected<Error> cannot_serve(std::string_view what, const beast::error_code& error) {
  return fail(Exit::usage, fmt::format("serve: cannot {}: {}", what, error.message()));
}

/// One loop for everything: what comes in from the logs, and what clients ask.
class Server {
 public:
  Server(const Request& owner, const FollowSettings& settings, MakeRequest make_request,
         std::string run)
      : service_(owner, settings, std::move(make_request), std::move(run)),
        connections_(service_, owner.verbose) {}

  Result<uint16_t> listen(uint16_t port);
  Status begin() { return service_.begin(); }
  void set_access(AccessCheck access) { service_.set_access(std::move(access)); }
  Result<Exit> run();

 private:
  beast::error_code listen_on(const tcp::endpoint& endpoint);
  void accept(tcp::acceptor& acceptor);
  void wait_for_logs();
  void look();
  void beat();
  void wait_for_interrupt(Interrupts& interrupts, asio::posix::stream_descriptor& notices);

  Service service_;
  Connections connections_;
  asio::io_context context_{1};  // below it are its connections, which end first
  std::vector<std::unique_ptr<tcp::acceptor>> acceptors_;
  std::map<int, std::unique_ptr<asio::posix::stream_descriptor>> waiting_;
  asio::steady_timer look_timer_{context_}, beat_timer_{context_};
  std::chrono::steady_clock::time_point look_after_{};
  bool is_looking_ = false, is_interrupted_ = false;
  Status failed_;
};

beast::error_code Server::listen_on(const tcp::endpoint& endpoint) {
  auto acceptor = std::make_unique<tcp::acceptor>(context_);
  beast::error_code error;
  acceptor->open(endpoint.protocol(), error);
  if (error) return error;
  acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (endpoint.protocol() == tcp::v6()) acceptor->set_option(asio::ip::v6_only(true), error);
  acceptor->bind(endpoint, error);
  if (error) return error;
  acceptor->listen(static_cast<int>(kMostClients), error);
  if (!error) acceptors_.push_back(std::move(acceptor));
  return error;
}

/// Both addresses with one port, or the older one where the machine has no other.
Result<uint16_t> Server::listen(uint16_t port) {
  constexpr int kTries = 16;  // another program may have a free port on the other address
  for (int left = kTries;; --left) {
    acceptors_.clear();
    beast::error_code error = listen_on({asio::ip::address_v4::loopback(), port});
    if (error) return cannot_serve(fmt::format("listen on 127.0.0.1:{}", port), error);
    const uint16_t chosen = acceptors_.front()->local_endpoint(error).port();
    error = listen_on({asio::ip::address_v6::loopback(), chosen});
    if (error != asio::error::address_in_use) return chosen;
    if (port != 0 || left == 0)
      return cannot_serve(fmt::format("listen on [::1]:{}", chosen), error);
  }
}

void Server::accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) connections_.take(std::move(socket));
    accept(acceptor);
  });
}

/// Waits until a log may have grown. What takes long to read gets half of the time at most.
void Server::wait_for_logs() {
  Feed& feed = service_.feed();
  std::vector<int> fds;
  feed.add_to(fds);
  std::erase_if(waiting_, [&](auto& one) {
    const bool is_over = std::ranges::find(fds, one.first) == fds.end();
    if (is_over) one.second->release();
    return is_over;
  });
  for (const int fd : fds) {
    auto& waiting = waiting_[fd];
    if (waiting != nullptr) continue;
    waiting = std::make_unique<asio::posix::stream_descriptor>(context_);
    beast::error_code error;
    waiting->assign(fd, error);  // a file that cannot be waited for is looked at now and then
    if (!error)
      waiting->async_wait(asio::posix::stream_descriptor::wait_read,
                          [this, fd](beast::error_code stopped) {
                            if (stopped == asio::error::operation_aborted) return;
                            if (const auto one = waiting_.find(fd); one != waiting_.end()) {
                              one->second->release();
                              waiting_.erase(one);
                            }
                            look_timer_.expires_at(look_after_);
                            look_timer_.async_wait([this](beast::error_code ended) {
                              if (!ended) look();
                            });
                          });
  }
  look_timer_.expires_at(std::max(feed.next_moment(), look_after_));
  look_timer_.async_wait([this](beast::error_code ended) {
    if (!ended) look();
  });
}

void Server::look() {
  if (is_looking_) return;
  is_looking_ = true;
  const auto before = std::chrono::steady_clock::now();
  failed_ = service_.feed().look();
  is_looking_ = false;
  if (!failed_) {
    context_.stop();
    return;
  }
  connections_.poke_all();
  const auto after = std::chrono::steady_clock::now();
  look_after_ = after + (after - before);
  wait_for_logs();
}

void Server::beat() {
  beat_timer_.expires_after(kBeat);
  beat_timer_.async_wait([this](beast::error_code ended) {
    if (ended) return;
    connections_.beat_all();
    beat();
  });
}

void Server::wait_for_interrupt(Interrupts& interrupts, asio::posix::stream_descriptor& notices) {
  notices.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this, &interrupts, &notices](beast::error_code error) {
                       if (error) return;
                       is_interrupted_ = interrupts.came();
                       if (is_interrupted_)
                         context_.stop();
                       else
                         wait_for_interrupt(interrupts, notices);
                     });
}

Result<Exit> Server::run() {
  keep_large_tables();
  Interrupts interrupts;
  asio::posix::stream_descriptor notices(context_);
  beast::error_code error;
  notices.assign(interrupts.fd(), error);
  if (error) return cannot_serve("wait for signals", error);
  wait_for_interrupt(interrupts, notices);
  for (const auto& acceptor : acceptors_) accept(*acceptor);
  wait_for_logs();
  beat();
  context_.run();
  notices.release();
  for (auto& [fd, waiting] : waiting_) waiting->release();
  interrupts.let_through();
  if (!failed_) return tl::unexpected(failed_.error());
  return is_interrupted_ ? Exit::interrupted : Exit::answered;
}

/// A page that leads to the address, which holds the token: other users of the machine see the
/// words of commands, and not what is in this file.
class AddressFile {
 public:
  explicit AddressFile(const std::string& address) {
    path_ = temporary_page("serve");
    if (path_.empty()) return;
    is_there_ = write_whole(kCurrentFolder, path_, Readers::owner, [&](std::ostream& out) {
                  out << "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=" << address
                      << "\">\n";
                }) == 0;
  }
  ~AddressFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  AddressFile(const AddressFile&) = delete;
  AddressFile& operator=(const AddressFile&) = delete;

  bool is_there() const { return is_there_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_there_ = false;
};

}  // namespace

Result<Exit> serve(const Request& owner, const ServeSettings& settings, MakeRequest make_request) {
  const Result<FollowSettings> follow = settings_of(*owner.view->follow_options());
  if (!follow) return tl::unexpected(follow.error());
  std::optional<std::string> token = AccessCheck::make_token(), run = AccessCheck::make_token();
  if (!token || !run)
    return fail(Exit::usage, "serve: the system gives no random bytes for a token");
  constexpr size_t kRunDigits = 8;  // enough to know another run's events by
  Server server(owner, *follow, std::move(make_request), run->substr(0, kRunDigits));
  const Result<uint16_t> port = server.listen(follow->port);
  if (!port) return tl::unexpected(port.error());
  const AccessCheck access(*std::move(token), *port);
  server.set_access(access);
  if (Status begun = server.begin(); !begun) return tl::unexpected(begun.error());
  fmt::print(stderr, "serving at {} until Ctrl+C\n", access.address());
  std::optional<AddressFile> page;
  if (settings.opens_page) {
    page.emplace(access.address());
    const Status opened = page->is_there() ? open_in_browser(page->path()) : Status();
    if (!opened) fmt::print(stderr, "{}\n", opened.error().what);
  }
  return server.run();
}

}  // namespace xtrace::serve
