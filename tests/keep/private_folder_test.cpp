#include "keep/private_folder.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "reading.h"

using namespace xtrace;

namespace fs = std::filesystem;

namespace {

PrivateFolder made(const std::string& path) {
  std::optional<PrivateFolder> folder = PrivateFolder::make(path);
  REQUIRE(folder);
  return *std::move(folder);
}

}  // namespace

TEST_CASE("a private folder and its files are their owner's alone") {
  const Folder caches;
  const std::string path = caches.path() + "/of/xtrace";
  CHECK(!PrivateFolder::open(path));
  const PrivateFolder folder = made(path);
  REQUIRE(folder.write("a.index", "one"));
  CHECK(file_status(path)->permissions == 0700);
  CHECK(file_status(path + "/a.index")->permissions == 0600);
  CHECK(PrivateFolder::open(path)->read("a.index") == "one");
  CHECK(!folder.read("b.index"));
}

TEST_CASE("no home is made for a user who has none") {
  const Folder homes;
  CHECK(!PrivateFolder::make(homes.path() + "/nobody/.cache/xtrace"));
  CHECK(!fs::exists(homes.path() + "/nobody"));
}

TEST_CASE("a private file is replaced whole") {
  const Folder caches;
  const PrivateFolder folder = made(caches.path() + "/xtrace");
  REQUIRE(folder.write("a.index", "one"));
  REQUIRE(folder.write("a.index", "two"));
  CHECK(folder.read("a.index") == "two");
  CHECK(folder.size().files == 1);
  CHECK(folder.size().bytes == 3);
}

TEST_CASE("a file that is longer than expected is not read") {
  const Folder caches;
  const PrivateFolder folder = made(caches.path() + "/xtrace");
  REQUIRE(folder.write("a.index", "four"));
  CHECK(folder.read("a.index", 4) == "four");
  CHECK(!folder.read("a.index", 3));
}

TEST_CASE("a file or folder that others may have written to is not believed") {
  const Folder caches;
  const std::string path = caches.path() + "/xtrace";
  const PrivateFolder folder = made(path);
  REQUIRE(folder.write("a.index", "one"));
  fs::permissions(path + "/a.index", fs::perms(0622));
  CHECK(!folder.read("a.index"));
  fs::permissions(path, fs::perms(0777));
  CHECK(!PrivateFolder::open(path));
  CHECK(!PrivateFolder::make(path));
}

TEST_CASE("a folder that others could read is closed to them") {
  const Folder caches;
  const std::string path = caches.path() + "/xtrace";
  fs::create_directory(path);
  fs::permissions(path, fs::perms(0755));
  made(path);
  CHECK(file_status(path)->permissions == 0700);
}

TEST_CASE("a link never leads out of a private folder") {
  const Folder caches, elsewhere;
  const std::string path = caches.path() + "/xtrace", other = elsewhere.write("a", "theirs");
  const PrivateFolder folder = made(path);
  fs::create_symlink(other, path + "/a.index");
  CHECK(!folder.read("a.index"));
  REQUIRE(folder.write("a.index", "ours"));
  CHECK(elsewhere.read("a") == "theirs");
  CHECK(folder.read("a.index") == "ours");
  fs::create_directory_symlink(elsewhere.path(), caches.path() + "/linked");
  CHECK(!PrivateFolder::make(caches.path() + "/linked"));
}

TEST_CASE("the oldest files leave when there are too many, and no others") {
  const Folder caches;
  const std::string path = caches.path() + "/xtrace";
  const PrivateFolder folder = made(path);
  const auto write = [&](const std::string& name, int hours_old) {
    REQUIRE(folder.write(name, "12345"));
    fs::last_write_time(path + '/' + name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours_old));
  };
  write("answer-new", 0);
  write("answer-old", 3);
  write("answer-middle", 1);
  write("sessions", 9);
  folder.bound("answer-", {2, 100});
  CHECK(!folder.read("answer-old"));
  CHECK(folder.size().files == 3);
  folder.bound("answer-", {2, 9});
  CHECK(!folder.read("answer-middle"));
  CHECK(folder.read("answer-new"));
  CHECK(folder.read("sessions"));
}

TEST_CASE("where nothing can be written, that is reported") {
  const Folder caches;
  const std::string file = caches.write("a", "");
  CHECK(!PrivateFolder::make(file + "/xtrace"));
  CHECK(!PrivateFolder::make(""));
}
