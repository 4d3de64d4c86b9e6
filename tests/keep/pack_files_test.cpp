#include "keep/pack_files.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace xtrace;

namespace {

namespace fs = std::filesystem;

/// A folder that is gone when the test is over.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / "xtrace_pack_files_test") {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

const PackFiles kFiles = {{"README.md", "# A pack\n"}, {"empty", ""}, {"traces/a/b.json", "{}\n"}};

}  // namespace

TEST_CASE("a pack is read as it was written, from a folder and from an archive") {
  const Scratch scratch;
  for (const char* name : {"pack", "pack.zip"}) {
    REQUIRE(write_pack(scratch / name, Readers::umask, kFiles));
    const Result<PackFiles> read = read_pack(scratch / name);
    REQUIRE(read);
    CHECK(*read == kFiles);
  }
  CHECK(scratch.entries() == 2);
}

TEST_CASE("a pack replaces nothing") {
  const Scratch scratch;
  REQUIRE(write_pack(scratch / "pack", Readers::umask, kFiles));
  const Status again = write_pack(scratch / "pack/", Readers::umask, {{"other", "file"}});
  REQUIRE(!again);
  CHECK(again.error().exit == Exit::output);
  CHECK(*read_pack(scratch / "pack") == kFiles);
}

TEST_CASE("what is no file of a pack is found") {
  const Scratch scratch;
  REQUIRE(write_pack(scratch / "pack", Readers::umask, kFiles));
  SECTION("a link") {
    fs::create_symlink("README.md", scratch / "pack/link");
  }
  SECTION("an empty folder") {
    fs::create_directory(scratch / "pack/more");
  }
  const Result<PackFiles> read = read_pack(scratch / "pack");
  REQUIRE(!read);
  CHECK(read.error().exit == Exit::no);
}

TEST_CASE("a pack that is not there cannot be read") {
  const Scratch scratch;
  const Result<PackFiles> read = read_pack(scratch / "nothing");
  REQUIRE(!read);
  CHECK(read.error().exit == Exit::input);
}

TEST_CASE("equal files are equal archives, and every byte of an archive counts") {
  const std::string zip = *stored_zip(kFiles);
  CHECK(zip == *stored_zip(PackFiles(kFiles)));
  for (size_t i = 0; i < zip.size(); ++i) {
    std::string changed = zip;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const Result<PackFiles> read = read_stored_zip(changed);
    CHECK((!read || *read != kFiles));
  }
  for (size_t size = 0; size < zip.size(); ++size) CHECK(!read_stored_zip(zip.substr(0, size)));
  CHECK(!read_stored_zip(zip + ' '));
}

TEST_CASE("a private pack is its owner's alone, with its folder") {
  const Scratch scratch;
  for (const char* name : {"pack", "pack.zip"})
    REQUIRE(write_pack(scratch / name, Readers::owner, kFiles));
  CHECK(fs::status(scratch / "pack").permissions() == fs::perms(0700));
  for (const char* name : {"pack/README.md", "pack/traces/a/b.json", "pack.zip"})
    CHECK(fs::status(scratch / name).permissions() == fs::perms(0600));
}
