#include <catch2/catch.hpp>

#include "cli/command.h"

using namespace xtrace;

namespace {

std::string told(const std::string& what, size_t columns) {
  return error_text(Error{Exit::usage, what}, columns);
}

}  // namespace

TEST_CASE("an error that is wider than the terminal goes on below, at words") {
  CHECK(told("unknown command 'dga'; did you mean 'dag'?\ntry: xtrace --help", 40) ==
        "xtrace: unknown command 'dga'; did you\n  mean 'dag'?\ntry: xtrace --help\n");
  CHECK(told("one\n  a list of some of the words there are here", 24) ==
        "xtrace: one\n  a list of some of\n    the words there are\n    here\n");
}

TEST_CASE("an error that fits stays as it is, and so do names that no blank parts") {
  CHECK(told("fits  here", 40) == "xtrace: fits  here\n");
  CHECK(told("/a/path/that/is/longer/than/any/line/of/it", 20) ==
        "xtrace:\n  /a/path/that/is/longer/than/any/line/of/it\n");
}
