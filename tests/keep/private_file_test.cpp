#include "keep/private_file.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/system.h"
#include "reading.h"

using namespace xtrace;

TEST_CASE("a private file is its owner's alone, and replaced whole") {
  const Folder folder;
  const std::string path = folder.path() + "/caches/xtrace/a.index";
  CHECK(!read_private(path));
  REQUIRE(write_private(path, "one"));
  CHECK(file_status(path)->permissions == 0600);
  REQUIRE(write_private(path, "two"));
  CHECK(read_private(path) == "two");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path() + "/caches/xtrace"), {}) ==
        1);
}

TEST_CASE("a file that others may have written is not believed") {
  const Folder folder;
  const std::string path = folder.write("a.index", "one");
  std::filesystem::permissions(path, std::filesystem::perms(0622));
  CHECK(!read_private(path));
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  CHECK(read_private(path) == "one");
}

TEST_CASE("where nothing can be written, that is reported") {
  const Folder folder;
  const std::string file = folder.write("a", "");
  CHECK(!write_private(file + "/b.index", "one"));
}
