#include "keep/output.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <ostream>

#include "base/system.h"
#include "reading.h"

using namespace xtrace;

namespace {

Status put(const std::string& path, const std::string& text) {
  return write_answer(path, Readers::umask, [&](std::ostream& out) { out << text; });
}

Status put_private(const std::string& path, const std::string& text) {
  return write_answer(path, Readers::owner, [&](std::ostream& out) { out << text; });
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// While it lives, the user's mask is this one.
class Mask {
 public:
  explicit Mask(mode_t mask) : before_(umask(mask)) {}
  ~Mask() { umask(before_); }
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;

 private:
  mode_t before_;
};

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
  CHECK(mode_of(path) == 0640);
}

TEST_CASE("a new file has the permissions that the user's mask leaves") {
  Folder folder;
  const Mask mask(027);
  REQUIRE(put(folder.path() + "/out.txt", "new"));
  CHECK(mode_of(folder.path() + "/out.txt") == 0640);
}

TEST_CASE(
    "a private file is its owner's alone, whatever the mask leaves and the old file allowed") {
  Folder folder;
  const Mask mask(GENERATE(0, 0277));
  const std::string old = folder.write("old.txt", "old"), path = folder.path() + "/new.txt";
  REQUIRE(chmod(old.c_str(), 0666) == 0);
  for (const std::string& file : {old, path}) {
    REQUIRE(put_private(file, "new"));
    CHECK(mode_of(file) == 0600);
  }
}

TEST_CASE(
    "nobody can open a private file while it is written, nor one that replaces a private one") {
  Folder folder;
  const Mask mask(0);
  const std::string path = folder.write("out.txt", "old");
  REQUIRE(chmod(path.c_str(), 0600) == 0);
  const Readers readers = GENERATE(Readers::owner, Readers::umask);
  mode_t met = 0;
  REQUIRE(write_answer(path, readers, [&](std::ostream&) {
    for (const std::string& name : folder.names())
      if (name != "out.txt") met |= mode_of(folder.path() + "/" + name);
  }));
  CHECK(met == 0600);
}

TEST_CASE("a replaced file does not run as its owner any more") {
  Folder folder;
  std::string path = folder.write("out.txt", "old");
  REQUIRE(chmod(path.c_str(), 06755) == 0);
  REQUIRE(put(path, "new"));
  CHECK(mode_of(path) == 0755);
}

TEST_CASE("a file that must be new replaces nothing") {
  Folder folder;
  folder.write("out.txt", "old");
  std::filesystem::create_symlink("nowhere", folder.path() + "/link");
  const auto put_new = [&](const std::string& name) {
    return write_new(kCurrentFolder, folder.path() + "/" + name, Readers::owner,
                     [](std::ostream& out) { out << "new"; });
  };
  CHECK(put_new("out.txt") == EEXIST);
  CHECK(put_new("link") == EEXIST);
  CHECK(put_new("none/out.txt") == ENOENT);
  CHECK(folder.read("out.txt") == "old");
  CHECK(put_new("new.txt") == 0);
  CHECK(folder.read("new.txt") == "new");
  CHECK(mode_of(folder.path() + "/new.txt") == 0600);
  CHECK(folder.names() == std::vector<std::string>{"link", "new.txt", "out.txt"});
}

TEST_CASE("a file is made private where others can use it, and is not widened") {
  Folder folder;
  const std::string path = folder.write("a", "");
  for (const auto& [before, after] : {std::pair<mode_t, mode_t>{0644, 0600}, {0400, 0400}}) {
    REQUIRE(chmod(path.c_str(), before) == 0);
    CHECK(make_private(path) == 0);
    CHECK(mode_of(path) == after);
  }
  CHECK(make_private(folder.path() + "/none") == ENOENT);
}

TEST_CASE("another file of the same name as the temporary one is not written through") {
  Folder folder, elsewhere;
  const std::string victim = elsewhere.write("victim", "precious");
  const std::string path = folder.path() + "/out.txt";
  REQUIRE(write_answer(path, Readers::umask, [&](std::ostream& out) {
    // Somebody who can write there puts a link in its place: what is written has its file already.
    for (const std::string& name : folder.names()) {
      std::filesystem::remove(folder.path() + "/" + name);
      std::filesystem::create_symlink(victim, folder.path() + "/" + name);
    }
    out << "new";
  }));
  CHECK(elsewhere.read("victim") == "precious");
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
