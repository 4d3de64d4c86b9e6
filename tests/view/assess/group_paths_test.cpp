#include "view/assess/group_paths.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

constexpr std::string_view kShop = "logs/-home-ida-shop/s1.jsonl";

}  // namespace

TEST_CASE("files of the same folders are one resource") {
  CHECK(group_path("src/a/b/x.cpp", "log.jsonl", 2) == "src/a/");
  CHECK(group_path("src/a/y.cpp", "log.jsonl", 2) == "src/a/");
  CHECK(group_path("src/x.cpp", "log.jsonl", 2) == "src/");
  CHECK(group_path("x.cpp", "log.jsonl", 2) == "./");
  CHECK(group_path("src/a/", "log.jsonl", 2) == "src/a/");
  CHECK(group_path("src\\a\\x.cpp", "log.jsonl", 1) == "src/");
}

TEST_CASE("folders count from the project where the transcript's folder is named for it") {
  CHECK(group_path("/home/ida/shop/src/a/x.cpp", kShop, 2) == "src/a/");
  CHECK(group_path("/home/ida/shop/x.cpp", kShop, 2) == "./");
  CHECK(group_path("/home/ida/shop/x.cpp", kShop, 0) == "./");
}

TEST_CASE("outside a project they count from the home folder or the root") {
  CHECK(group_path("/home/ida/notes/x.md", kShop, 1) == "~/notes/");
  CHECK(group_path("~/notes/x.md", kShop, 1) == "~/notes/");
  CHECK(group_path("/etc/ssl/cert.pem", kShop, 1) == "/etc/");
  CHECK(group_path("/etc/hosts", kShop, 0) == "/");
}

TEST_CASE("what a path takes back is not counted") {
  CHECK(group_path("./src/stock/../till/x.cpp", "log.jsonl", 2) == "src/till/");
  CHECK(group_path("../other/src/x.cpp", "log.jsonl", 1) == "../other/");
  CHECK(group_path("/../etc/hosts", "log.jsonl", 1) == "/etc/");
}

TEST_CASE("the project is known by its folder though the user's name is hidden in the path") {
  const char* source = "logs/-home-ida-shop/a.jsonl";
  const char* user = "/home/[REDACTED:home:#0123456789abcdef.3]";
  CHECK(group_path(std::string(user) + "/shop/src/till/a.cpp", source, 2) == "src/till/");
  CHECK(group_path(std::string(user) + "/till/src/a.cpp", source, 2) == "~/till/src/");
  CHECK(group_path(std::string(user) + "/shop/a.cpp", "logs/-home-[REDACTED:home:1]-shop/a.jsonl",
                   2) == "./");
}
