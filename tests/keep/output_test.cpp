#include "keep/output.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <ostream>

#include "reading.h"

using namespace xtrace;

namespace {

Status put(const std::string& path, const std::string& text) {
  return write_answer(path, [&](std::ostream& out) { out << text; });
}

}  // namespace

TEST_CASE("an answer replaces the old file, and leaves nothing else behind") {
  Folder folder;
  std::string path = folder.write("out.txt", "the old answer, which was longer");
  REQUIRE(put(path, "new"));
  CHECK(folder.read("out.txt") == "new");
  CHECK(folder.names() == std::vector<std::string>{"out.txt"});
}

TEST_CASE("a replaced file keeps its permissions") {
  Folder folder;
  std::string path = folder.write("out.txt", "old");
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  REQUIRE(put(path, "new"));
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("an answer larger than any buffer is written whole") {
  Folder folder;
  std::string large(3'000'000, 'x');
  REQUIRE(put(folder.path() + "/out.txt", large));
  CHECK(folder.read("out.txt") == large);
}

TEST_CASE("what cannot be written is said, and nothing is left half-written") {
  Folder folder;
  Status written = put(folder.path() + "/none/out.txt", "new");
  REQUIRE_FALSE(written);
  CHECK(written.error().exit == Exit::output);
  CHECK(written.error().what == "cannot write '" + folder.path() +
                                    "/none/out.txt': there is no folder '" + folder.path() +
                                    "/none'");
  CHECK_FALSE(put(folder.path(), "new"));
  CHECK_FALSE(put("/dev/full", "new"));
  CHECK(folder.names().empty());
}

TEST_CASE("a file is the same under every name") {
  Folder folder;
  std::string path = folder.write("in.jsonl", "{}");
  std::filesystem::create_symlink(path, folder.path() + "/link");
  CHECK(is_same_file(path, folder.path() + "/./in.jsonl"));
  CHECK(is_same_file(path, folder.path() + "/link"));
  CHECK_FALSE(is_same_file(path, folder.path()));
  CHECK_FALSE(is_same_file(path, folder.path() + "/none"));
}

TEST_CASE("what a link leads to is replaced, and the link stays") {
  Folder folder;
  std::string path = folder.write("real.txt", "old"), link = folder.path() + "/link";
  std::filesystem::create_symlink(path, link);
  REQUIRE(put(link, "new"));
  CHECK(folder.read("real.txt") == "new");
  CHECK(std::filesystem::is_symlink(link));
}
