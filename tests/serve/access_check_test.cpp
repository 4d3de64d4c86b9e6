#include "serve/access_check.h"

#include <catch2/catch.hpp>

using namespace xtrace::serve;

namespace {

constexpr const char* kToken = "0123456789abcdef";
const AccessCheck kAccess(kToken, 4711);

/// The status that a request gets; 200: it may ask.
int status_of(const HttpRequest& request) {
  const Answered<Target> target = read_target(request.target);
  REQUIRE(target);
  const Answered<void> checked = kAccess.check(request, *target);
  return checked ? 200 : checked.error().status;
}

HttpRequest request_with_token() {
  return {.method = "GET",
          .target = "/dag",
          .host = "127.0.0.1:4711",
          .authorization = std::string("Bearer ") + kToken};
}

}  // namespace

TEST_CASE("a token is accepted as header, cookie or parameter, and no other is") {
  HttpRequest request = request_with_token();
  CHECK(status_of(request) == 200);
  for (const char* wrong : {"", "Bearer ", "Bearer 0123456789abcdeF", "Basic 0123456789abcdef",
                            "Bearer 0123456789abcdef0", "Bearer 0123456789abcde"}) {
    INFO(wrong);
    request.authorization = wrong;
    CHECK(status_of(request) == 401);
  }
  request.cookie = "a=1; xtrace-4711=0123456789abcdef; b=2";
  CHECK(status_of(request) == 200);
  for (const char* wrong : {"xtrace-4712=0123456789abcdef", "xtrace-4711=", "xtrace-4711",
                            "axtrace-4711=0123456789abcdef"}) {
    INFO(wrong);
    request.cookie = wrong;
    CHECK(status_of(request) == 401);
  }
  request.target = "/dag?token=0123456789abcdef";
  CHECK(status_of(request) == 200);
  request.target = "/dag?token=0123456789abcdee";
  CHECK(status_of(request) == 401);
}

TEST_CASE("a request by another name or from another site is refused before its token is read") {
  HttpRequest request = request_with_token();
  for (const char* own : {"127.0.0.1:4711", "localhost:4711", "[::1]:4711"}) {
    request.host = own;
    CHECK(status_of(request) == 200);
    request.origin = std::string("http://") + own;
    CHECK(status_of(request) == 200);
    request.origin.clear();
  }
  for (const char* other : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:4711", "evil.example",
                            "127.0.0.1.evil.example:4711", "127.0.0.1:4711:4711", "127.0.0.2:4711",
                            "localhost.:4711", "0.0.0.0:4711", "xlocalhost:4711"}) {
    INFO(other);
    request.host = other;
    CHECK(status_of(request) == 421);
  }
  request.host = "127.0.0.1:4711";
  for (const char* other : {"null", "http://evil.example", "https://127.0.0.1:4711",
                            "http://127.0.0.1:4712", "http://127.0.0.1", "file://"}) {
    INFO(other);
    request.origin = other;
    CHECK(status_of(request) == 403);
  }
  request.origin.clear();
  request.fetch_site = "same-site";  // a page of another port of this machine, which has no Origin
  CHECK(status_of(request) == 403);
  request.fetch_site = "cross-site";
  CHECK(status_of(request) == 403);
  request.fetch_mode = "navigate";  // a link in a mail
  CHECK(status_of(request) == 200);
}

TEST_CASE("a page that is opened with the token gets it as a cookie that scripts cannot read") {
  const Answered<Target> with = read_target("/?token=0123456789abcdef"), without = read_target("/");
  CHECK(kAccess.cookie_for(*with) ==
        "xtrace-4711=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict");
  CHECK(kAccess.cookie_for(*without).empty());
  CHECK(kAccess.address() == "http://127.0.0.1:4711/?token=0123456789abcdef");
}

TEST_CASE("tokens have 128 random bits") {
  const std::optional<std::string> one = AccessCheck::make_token(),
                                   other = AccessCheck::make_token();
  REQUIRE(one);
  REQUIRE(other);
  CHECK(one->size() == 32);
  CHECK(one->find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(*one != *other);
}
