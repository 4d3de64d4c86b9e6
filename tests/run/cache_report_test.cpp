#include "run/cache_report.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "keep/private_folder.h"
#include "reading.h"

using namespace xtrace;
using Catch::Matchers::Contains;

TEST_CASE("a report on the cache names its folder, its size and how to delete it") {
  const Folder caches;
  const std::string path = caches.path() + "/it's";
  CHECK_THAT(cache_report(path, {}), Contains("index: " + path + ", 0 files\n"));
  CHECK_THAT(cache_report(path, {}), !Contains("delete:"));
  REQUIRE(PrivateFolder::open(path)->write("a.index", std::string(1001, 'a')));
  CHECK_THAT(cache_report(path, {}), Contains(path + ", 1 file, 2 kB\n"));
  CHECK_THAT(cache_report(path, {}), Contains("rm -r '" + caches.path() + "/it'\\''s'\n"));
}

TEST_CASE("a report on the cache states what turned it off, and what is left of it") {
  const Folder caches;
  const std::string path = caches.path() + "/xtrace";
  CHECK_THAT(cache_report(path, "XTRACE_CACHE=off"),
             Contains("index: turned off by XTRACE_CACHE=off; no files in " + path + '\n'));
  CHECK(!std::filesystem::exists(path));
  REQUIRE(PrivateFolder::make(path)->write("a.index", "a"));
  CHECK_THAT(cache_report(path, "--no-cache"),
             Contains("index: turned off by --no-cache; " + path + ", 1 file, 1 kB\n"));
  CHECK_THAT(cache_report(path, "--no-cache"), Contains("delete: rm -r") && !Contains("turn off:"));
}

TEST_CASE("a report on the cache states why nothing is kept") {
  const Folder caches;
  CHECK_THAT(cache_report("", {}), Contains("neither XDG_CACHE_HOME nor HOME"));
  CHECK_THAT(cache_report(caches.write("a", ""), {}), Contains("is a file, not a folder"));
  std::filesystem::create_directory_symlink(caches.path(), caches.path() + "/link");
  CHECK_THAT(cache_report(caches.path() + "/link", {}), Contains("is a link, not a folder"));
  CHECK_THAT(cache_report(caches.path() + "/a/b", {}), Contains("cannot be written"));
}
