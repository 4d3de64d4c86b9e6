#include "serve/access_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system_random.h"

namespace xtrace::serve {

namespace {

constexpr std::string_view kNoToken =
    "the token is missing or wrong; use the address that xtrace printed, or send the token as "
    "`Authorization: Bearer TOKEN`";

/// The value of a cookie: `a=1; b=2`.
std::string_view cookie_of(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(pair.size() + 1, header.size()));
    const size_t begin = std::min(pair.find_first_not_of(' '), pair.size());
    const std::string_view word = pair.substr(begin);
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=')
      return word.substr(name.size() + 1);
  }
  return {};
}

/// Browsers say where a request comes from. A link that is opened comes from anywhere, and its page
/// is shown to nobody but who opens it.
bool is_from_elsewhere(const HttpRequest& request) {
  const std::string& site = request.fetch_site;
  const bool is_own = site.empty() || site == "same-origin" || site == "none";
  return !is_own && request.fetch_mode != "navigate";
}

}  // namespace

AccessCheck::AccessCheck(std::string token, uint16_t port)
    : token_(std::move(token)),
      port_(port),
      // Browsers keep cookies by host whatever its port is: two servers need two names.
      cookie_name_(fmt::format("xtrace-{}", port)) {}

std::optional<std::string> AccessCheck::make_token() {
  constexpr size_t kBytes = 16;  // nobody guesses 128 bits
  const std::optional<std::string> bytes = random_bytes(kBytes);
  if (!bytes) return std::nullopt;
  std::string token;
  for (const char byte : *bytes) token += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return token;
}

bool is_same_secret(std::string_view secret, std::string_view guess) {
  if (secret.size() != guess.size()) return false;  // the length is no secret
  int differs = 0;
  for (size_t i = 0; i < secret.size(); ++i) differs |= secret[i] ^ guess[i];
  return differs == 0;
}

bool AccessCheck::is_own_name(std::string_view host) const {
  const std::string port = fmt::format(":{}", port_);
  if (!host.ends_with(port)) return false;
  host.remove_suffix(port.size());
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

bool AccessCheck::knows_token(const HttpRequest& request, const Target& target) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string* in_query = target.find(kTokenParameter);
  std::string_view in_header = request.authorization;
  if (in_header.starts_with(kScheme)) in_header.remove_prefix(kScheme.size());
  bool knows = is_same_secret(token_, in_header);
  knows |= is_same_secret(token_, cookie_of(request.cookie, cookie_name_));
  knows |= in_query != nullptr && is_same_secret(token_, *in_query);
  return knows;
}

Answered<void> AccessCheck::check(const HttpRequest& request, const Target& target) const {
  if (!is_own_name(request.host))
    return refuse(421, fmt::format("the Host header names another server; use 127.0.0.1:{0}, "
                                   "[::1]:{0} or localhost:{0}",
                                   port_));
  constexpr std::string_view kHttp = "http://";
  const std::string_view origin = request.origin;
  const bool is_own_origin =
      origin.empty() || (origin.starts_with(kHttp) && is_own_name(origin.substr(kHttp.size())));
  if (!is_own_origin || is_from_elsewhere(request))
    return refuse(403, "pages of other sites may not ask; only pages that this server sent may");
  if (!knows_token(request, target)) return refuse(401, std::string(kNoToken));
  return {};
}

std::string AccessCheck::cookie_for(const Target& target) const {
  if (target.find(kTokenParameter) == nullptr) return {};
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name_, token_);
}

std::string AccessCheck::address() const {
  return fmt::format("http://127.0.0.1:{}/?{}={}", port_, kTokenParameter, token_);
}

}  // namespace xtrace::serve
