#include "run/own_terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <string>

using namespace xtrace;

namespace {

/// While it lives, standard output is what `fd` is.
class Output {
 public:
  explicit Output(int fd) : before_(dup(STDOUT_FILENO)) { dup2(fd, STDOUT_FILENO); }
  ~Output() {
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }

 private:
  int before_;
};

/// While it lives, a variable is `value`, or not set at all.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* was = std::getenv(name)) before_ = was;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

bool asked_on(int fd, const Audience& audience, const char* ci = nullptr) {
  Variable in("CI", ci);
  Output out(fd);
  return is_own_terminal(audience);
}

}  // namespace

TEST_CASE("a terminal is one's own unless the answer goes elsewhere or others are to see it") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const int screen = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(screen >= 0);
  CHECK(asked_on(screen, {}));
  CHECK(asked_on(screen, {}, ""));
  CHECK_FALSE(asked_on(screen, {}, "true"));
  CHECK_FALSE(asked_on(screen, {.is_kept = true}));
  CHECK_FALSE(asked_on(screen, {.is_shared = true}));
  CHECK_FALSE(asked_on(screen, {.is_allowed = false}));
  close(screen);
  close(terminal);
}

TEST_CASE("what is no terminal is nobody's own") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_FALSE(asked_on(ends[1], {}));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("whose home it is the path to it tells, wherever homes are kept") {
  const auto user_of = [](const char* home) {
    Variable set("HOME", home);
    return own_user();
  };
  CHECK(user_of("/home/soph") == "soph");
  CHECK(user_of("/Users/soph/") == "soph");
  CHECK(user_of("/nfs/home/soph") == "soph");
  CHECK(user_of("/home/soph/work").empty());
  CHECK(user_of("/srv/soph").empty());
  CHECK(user_of("/root").empty());
  CHECK(user_of(nullptr).empty());
}
