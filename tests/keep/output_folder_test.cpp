#include "keep/output_folder.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <ostream>
#include <stdexcept>

#include "reading.h"

using namespace xtrace;

namespace fs = std::filesystem;

namespace {

OutputFolder open(const std::string& path, std::vector<std::string> inputs = {}) {
  return OutputFolder::open(path, Readers::umask, inputs).value();
}

Result<std::string> put(OutputFolder& out, std::string_view project, std::string_view query,
                        const std::string& text = "new") {
  return out.write(project, query, [&](std::ostream& stream) { stream << text; });
}

std::string error_of(const Result<std::string>& written) {
  if (written) return "none";
  CHECK(written.error().exit == Exit::output);
  return written.error().what;
}

std::vector<std::string> names_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("an answer stands below its project, in folders that are made for it") {
  Folder folder;
  OutputFolder out = open(folder.path() + "/a/b");
  CHECK(put(out, "shop", "q1", "one").value() == "shop/q1.json");
  CHECK(put(out, "shop", "q2").value() == "shop/q2.json");
  CHECK(put(out, "default", "q1").value() == "default/q1.json");
  CHECK(folder.read("a/b/shop/q1.json") == "one");
  CHECK(names_below(folder.path() + "/a/b") ==
        std::vector<std::string>{"default", "default/q1.json", "shop", "shop/q1.json",
                                 "shop/q2.json"});
}

TEST_CASE("files and folders get the permissions that the user's mask leaves") {
  Folder folder;
  mode_t before = umask(027);
  OutputFolder out = open(folder.path() + "/out");
  REQUIRE(put(out, "p", "q"));
  umask(before);
  std::pair<const char*, mode_t> wanted[] = {
      {"/out", 0750}, {"/out/p", 0750}, {"/out/p/q.json", 0640}};
  for (auto& [path, mode] : wanted) {
    struct stat status {};
    REQUIRE(stat((folder.path() + path).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == mode);
  }
}

TEST_CASE("private answers are their owner's alone, those that they replace too") {
  Folder folder;
  const std::string old = folder.write("p/old.json", "old");
  REQUIRE(chmod(old.c_str(), 0666) == 0);
  OutputFolder out = OutputFolder::open(folder.path(), Readers::owner, {}).value();
  for (const char* query : {"old", "new"}) {
    REQUIRE(put(out, "p", query));
    struct stat status {};
    REQUIRE(stat((folder.path() + "/p/" + query + ".json").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
  }
}

TEST_CASE("an answer is replaced by the next one, with its permissions") {
  Folder folder;
  fs::path old = folder.write("p/q.json", "the old answer, which was longer");
  REQUIRE(chmod(old.c_str(), 0604) == 0);
  OutputFolder out = open(folder.path());
  REQUIRE(put(out, "p", "q"));
  CHECK(folder.read("p/q.json") == "new");
  struct stat status {};
  REQUIRE(stat(old.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0604);
}

TEST_CASE("whatever the ids are, the answer stands two steps below the folder") {
  Folder folder;
  OutputFolder out = open(folder.path() + "/out");
  std::string first = put(out, "..", "../../etc/passwd").value();
  std::string second = put(out, "/etc", std::string(1'000'000, '/')).value();
  for (const std::string& path : {first, second}) {
    CHECK(std::count(path.begin(), path.end(), '/') == 1);
    CHECK(folder.read("out/" + path) == "new");
  }
  CHECK(first != second);
  CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a link that was put in a project's place is not followed") {
  Folder folder, elsewhere;
  fs::create_directory_symlink(elsewhere.path(), folder.path() + "/shop");
  OutputFolder out = open(folder.path());
  CHECK(error_of(put(out, "shop", "q")) ==
        "'" + folder.path() +
            "/shop' is a link that leads outside the folder; remove it, or use another folder");
  CHECK(elsewhere.names().empty());
  // One that leads nowhere yet, and one that leads to where it is.
  fs::create_symlink(elsewhere.path() + "/none", folder.path() + "/dangling");
  CHECK(error_of(put(out, "dangling", "q")).find("is a link") != std::string::npos);
  CHECK(elsewhere.names().empty());
}

TEST_CASE("a link that was put in an answer's place is replaced, not written through") {
  Folder folder, elsewhere;
  std::string victim = elsewhere.write("victim", "precious");
  fs::create_directory(folder.path() + "/p");
  fs::create_symlink(victim, folder.path() + "/p/q.json");
  OutputFolder out = open(folder.path());
  REQUIRE(put(out, "p", "q"));
  CHECK(elsewhere.read("victim") == "precious");
  CHECK(fs::is_regular_file(fs::symlink_status(folder.path() + "/p/q.json")));
}

TEST_CASE("the folder itself may be a link: the user named it") {
  Folder folder, elsewhere;
  fs::create_directory_symlink(elsewhere.path(), folder.path() + "/out");
  OutputFolder out = open(folder.path() + "/out");
  REQUIRE(put(out, "p", "q"));
  CHECK(elsewhere.read("p/q.json") == "new");
}

TEST_CASE("what stands in the way is named") {
  Folder folder;
  folder.write("file", "");
  Result<OutputFolder> out = OutputFolder::open(folder.path() + "/file/out", Readers::umask, {});
  REQUIRE_FALSE(out);
  CHECK(out.error().exit == Exit::output);
  CHECK(out.error().what ==
        "cannot create the folder '" + folder.path() + "/file/out': Not a directory");
  OutputFolder good = open(folder.path());
  CHECK(error_of(put(good, "file", "q")) ==
        "cannot write '" + folder.path() + "/file': Not a directory");
  fs::create_directories(folder.path() + "/p/q.json");
  CHECK(error_of(put(good, "p", "q")) ==
        "cannot write '" + folder.path() + "/p/q.json': Is a directory");
  CHECK(names_below(folder.path()) == std::vector<std::string>{"file", "p", "p/q.json"});
}

TEST_CASE("an answer that is not finished leaves the old one and nothing else") {
  Folder folder;
  folder.write("p/q.json", "old");
  OutputFolder out = open(folder.path());
  CHECK_THROWS(out.write("p", "q", [](std::ostream& stream) {
    stream << "half" << std::flush;
    throw std::runtime_error("a bug");
  }));
  CHECK(folder.read("p/q.json") == "old");
  CHECK(names_below(folder.path()) == std::vector<std::string>{"p", "p/q.json"});
}

TEST_CASE("an input is never replaced") {
  Folder folder;
  std::string input = folder.write("p/q.json", "the log");
  OutputFolder out = open(folder.path(), {input, folder.path() + "/none"});
  CHECK(error_of(put(out, "p", "q")) ==
        "'" + folder.path() + "/p/q.json' is also read by this command; use another folder");
  CHECK(folder.read("p/q.json") == "the log");
  CHECK(put(out, "p", "r"));
  // Under another name, it is the same file.
  fs::create_hard_link(input, folder.path() + "/p/s.json");
  CHECK(error_of(put(out, "p", "s")).find("s.json' is also read") != std::string::npos);
}

TEST_CASE("ids that differ in case alone have answers of their own on every disk") {
  Folder folder;
  for (int times = 0; times < 2; ++times) {  // the second finds what the first left
    OutputFolder out = open(folder.path());
    CHECK(put(out, "Shop", "Q1", "upper").value() == "Shop/Q1.json");
    CHECK(put(out, "Shop", "q1", "lower").value() == "Shop/q1~c75de8c1b7c3ae52.json");
    CHECK(put(out, "shop", "q1").value().starts_with("shop~"));
    CHECK(put(out, "Shop", "Q1", "upper").value() == "Shop/Q1.json");
  }
  CHECK(folder.read("Shop/Q1.json") == "upper");
  CHECK(folder.read("Shop/q1~c75de8c1b7c3ae52.json") == "lower");
  CHECK(folder.names().size() == 2);
}

TEST_CASE("there may be more projects than files can be open") {
  Folder folder;
  OutputFolder out = open(folder.path());
  for (int i = 0; i < 1100; ++i) REQUIRE(put(out, "p" + std::to_string(i), "q"));
  REQUIRE(put(out, "p0", "Q").value().starts_with("p0/Q~"));
}
