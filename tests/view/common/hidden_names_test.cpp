#include "view/common/hidden_names.h"

#include <catch2/catch.hpp>

#include "base/address.h"

using namespace xtrace;

TEST_CASE("a name of which a piece is hidden may be what the rest of it allows") {
  const char* hidden = "resource:file:[REDACTED:home:#0123456789abcdef.9]/notes.txt";
  CHECK(may_fit_wildcards("resource:file:/home/ada/*", hidden));
  CHECK(may_fit_wildcards("*/notes.txt", hidden));
  CHECK(may_fit_wildcards("resource:file:/home/ada/notes.txt", hidden));
  CHECK_FALSE(may_fit_wildcards("resource:file:/home/ada/keys.txt", hidden));
  CHECK_FALSE(may_fit_wildcards("tool:Read", hidden));
  CHECK(may_fit_wildcards("user:ada", "user:[REDACTED:email:1]"));
  CHECK(may_fit_wildcards("*", "[REDACTED:email"));
}

TEST_CASE("two names are one if what is hidden in them allows that") {
  CHECK(may_be_same("/home/ada/a", "/home/ada/a"));
  CHECK(may_be_same("/home/ada/a", "/home/[REDACTED:home:1]/a"));
  CHECK(may_be_same("/home/[REDACTED:home]/a", "/home/ada/a"));
  CHECK(may_be_same("/home/[REDACTED:home]/a", "[REDACTED:path]a"));
  CHECK_FALSE(may_be_same("/home/[REDACTED:home:1]/a", "/home/ada/b"));
  CHECK_FALSE(may_be_same("/home/ada/a", "/home/ida/a"));
}

TEST_CASE("a star in a name is a star, and in a pattern anything") {
  CHECK_FALSE(may_be_same("/home/ida/src/*", "/home/[REDACTED:home:1]/src/a.pem"));
  CHECK(may_be_same("/home/ida/src/*", "/home/[REDACTED:home:1]/src/*"));
  CHECK(may_fit_wildcards("/home/ida/src/*", "/home/[REDACTED:home:1]/src/a.pem"));
}

TEST_CASE("where nothing is hidden a name fits or does not") {
  CHECK_FALSE(may_fit_wildcards("user:*", "user:ada"));
}

TEST_CASE("a pattern that what stands before the hidden piece rules out is not met") {
  const char* hidden = "/home/[REDACTED:home:1]/notes.txt";
  CHECK(may_match_hidden(Pattern::compile("^/home/ada/.*$").value(), hidden));
  CHECK(may_match_hidden(Pattern::compile("keys").value(), hidden));
  CHECK_FALSE(may_match_hidden(Pattern::compile("^/etc/.*$").value(), hidden));
  CHECK_FALSE(may_match_hidden(Pattern::compile("^/home/ada$").value(), "/home/ada"));
}

TEST_CASE("the host of an address is whole though a piece of it is hidden") {
  CHECK(host_of("http://[REDACTED:ipv4:#0123456789abcdef.11]:8080/a#b") ==
        "[REDACTED:ipv4:#0123456789abcdef.11]:8080");
  CHECK(host_of("https://[REDACTED:url_password:#0123456789abcdef.7]@a.example?q") == "a.example");
  CHECK(host_of("https://[REDACTED:ipv4:#01") == "[REDACTED:ipv4:#01");
  CHECK(host_of("https://a.example#b") == "a.example");
  CHECK(host_of("http://[::1]:8080/a") == "[::1]:8080");
}
