#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "packed.h"
#include "reading.h"
#include "sqlite/sqlite_file.h"
#include "story.h"

using namespace xtrace;

namespace fs = std::filesystem;

namespace {

std::string one_call(const std::string& call) {
  CallStory story;
  story.call(call);
  return story.log();
}

Result<Trace> load_folder(const std::vector<std::string>& paths) {
  Progress progress;
  return load(paths, {}, progress);
}

/// Sound, and no log.
std::string database_of_another() {
  Result<SqliteFile> file = SqliteFile::in_memory();
  REQUIRE(file);
  REQUIRE(file->run("CREATE TABLE notes (text)"));
  std::ostringstream bytes;
  REQUIRE(file->write(bytes));
  return bytes.str();
}

std::string ids_in(const Result<Trace>& trace) {
  std::string ids;
  for (const Call& call : trace.value().calls)
    ids += (ids.empty() ? "" : " ") + std::string((*trace)[call.id]);
  return ids;
}

std::string error_of(const Result<Trace>& trace) {
  return trace ? "none" : trace.error().what;
}

/// Root may read everything: it is somebody else while this lives.
class Nobody {
 public:
  Nobody() : was_root_(geteuid() == 0) {
    if (was_root_ && seteuid(65534) != 0) throw std::runtime_error("cannot be somebody else");
  }
  ~Nobody() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool was_root_;
};

}  // namespace

TEST_CASE("other files in a folder are passed over, and told by kind in a line each") {
  Folder folder;
  folder.write("logs/a.jsonl", one_call("a"));
  folder.write("logs/b.jsonl.gz", gzipped(one_call("b")));
  folder.write("logs/c.png", std::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  folder.write("logs/d.db", database_of_another());
  folder.write("logs/e.lock", "1234\n");
  folder.write("logs/f.tar.gz", gzipped("notes.txt\0and more"));
  folder.write("logs/g.zip", "PK\x03\x04 zipped");
  folder.write("logs/package.json", "{\n  \"name\": \"app\",\n  \"private\": true\n}\n");
  folder.write("logs/settings.json", "{\"theme\":\"dark\"}\n{\"theme\":\"light\"}\n");
  folder.write("logs/z.jsonl.zst", zstd_packed(one_call("z")));
  Result<Trace> trace = load_folder({folder.path() + "/logs"});
  CHECK(ids_in(trace) == "a b z");
  CHECK(passed_over(*trace) ==
        "1 unrecognized SQLite database; supported: OpenCode, Goose, Copilot CLI, Kiro, Amazon Q "
        "and Cursor: d.db\n1 a damaged or truncated zip archive; recover the rest with zip -FF "
        "FILE --out FIXED: g.zip\n1 binary file: c.png\n2 not JSON: e.lock f.tar.gz\n2 JSON in an "
        "unknown format: package.json settings.json");
  CHECK(complaints_of(*trace) == "");
  uint64_t skipped = 0;
  for (const Source& source : trace->sources) skipped += source.skipped;
  CHECK(skipped == 3);
}

TEST_CASE("a file of JSON that was named is told of object by object") {
  Folder folder;
  std::string path = folder.write("settings.json", "{\"theme\":\"dark\"}\n{\"theme\":\"light\"}\n");
  Result<Trace> trace = load_folder({path, folder.write("a.jsonl", one_call("a"))});
  CHECK(passed_over(*trace) == "");
  CHECK(trace->complaints.size() == 2);
}

TEST_CASE("what cannot be read below a folder costs only itself") {
  Folder folder;
  folder.write("logs/a.jsonl", one_call("a"));
  folder.write("logs/secret.jsonl", one_call("s"));
  folder.write("logs/sealed/t.jsonl", one_call("t"));
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder.path() + "/logs/secret.jsonl", fs::perms(0));
  fs::permissions(folder.path() + "/logs/sealed", fs::perms(0));
  {
    Nobody nobody;
    Result<Trace> trace = load_folder({folder.path() + "/logs"});
    CHECK(ids_in(trace) == "a");
    CHECK(passed_over(*trace) ==
          "1 cannot read the folder: Permission denied: sealed\n"
          "1 Permission denied: secret.jsonl");
    CHECK(trace->unread[0].may_hold_records);
    CHECK(trace->unread[1].may_hold_records);
    CHECK(error_of(load_folder({folder.path() + "/logs/secret.jsonl"})).find("Permission denied") !=
          std::string::npos);
    CHECK(error_of(load_folder({folder.path() + "/logs/sealed"})).find("Permission denied") !=
          std::string::npos);
  }
  fs::permissions(folder.path() + "/logs/sealed", fs::perms(0755));
}

TEST_CASE("links that lead upwards or nowhere are reported and not followed") {
  Folder folder;
  std::string logs = folder.path() + "/logs";
  folder.write("logs/a.jsonl", one_call("a"));
  fs::create_directory_symlink(logs, logs + "/again");
  fs::create_directory_symlink(".", logs + "/dot");
  fs::create_symlink("self", logs + "/self");
  fs::create_symlink("pong", logs + "/ping");
  fs::create_symlink("ping", logs + "/pong");
  fs::create_symlink("gone.jsonl", logs + "/dangling");
  Result<Trace> trace = load_folder({logs});
  CHECK(ids_in(trace) == "a");
  CHECK(passed_over(*trace) ==
        "4 broken link: dangling ping pong self\n2 link to a folder above it: again dot");
}

TEST_CASE("a linked folder is read once, by its own name if it has one in the input") {
  Folder folder;
  std::string logs = folder.path() + "/logs";
  folder.write("logs/b/own.jsonl", one_call("own"));
  folder.write("elsewhere/deep/far.jsonl", one_call("far"));
  fs::create_directory_symlink("b", logs + "/a");  // sorts before it
  fs::create_directory_symlink("../elsewhere", logs + "/c");
  fs::create_directory_symlink("../elsewhere/deep", logs + "/d");
  fs::create_directory_symlink("../deep", folder.path() + "/elsewhere/deep/round");
  Result<Trace> trace = load_folder({logs});
  CHECK(ids_in(trace) == "own far");
  CHECK(trace->sources[0].path == logs + "/b/own.jsonl");
  CHECK(trace->sources[1].path == logs + "/c/deep/far.jsonl");
  CHECK(passed_over(*trace) == "2 same as another input: a d\n1 link to a folder above it: round");
}

TEST_CASE("two folders that link to each other are read once each") {
  Folder folder;
  folder.write("one/1.jsonl", one_call("1"));
  folder.write("two/2.jsonl", one_call("2"));
  fs::create_directory_symlink("../two", folder.path() + "/one/two");
  fs::create_directory_symlink("../one", folder.path() + "/two/one");
  Result<Trace> trace = load_folder({folder.path() + "/one"});
  CHECK(ids_in(trace) == "1 2");
  CHECK(trace->sources.size() == 2);
}

TEST_CASE("a link to a folder is followed where the user named it") {
  Folder folder;
  folder.write("logs/a.jsonl", one_call("a"));
  fs::create_directory_symlink(folder.path() + "/logs", folder.path() + "/link");
  CHECK(ids_in(load_folder({folder.path() + "/link"})) == "a");
}

TEST_CASE("a file with two names is read once, by its own") {
  Folder folder;
  std::string logs = folder.path() + "/logs";
  folder.write("logs/b.jsonl", one_call("b"));
  fs::create_symlink("b.jsonl", logs + "/a-link.jsonl");
  fs::create_symlink("b.jsonl", logs + "/c-link.jsonl");
  fs::create_hard_link(logs + "/b.jsonl", logs + "/d.jsonl");
  Result<Trace> trace = load_folder({logs});
  CHECK(ids_in(trace) == "b");
  CHECK(trace->sources.size() == 1);
  CHECK(trace->sources.front().path == logs + "/b.jsonl");
  CHECK(passed_over(*trace) == "3 same as another input: a-link.jsonl c-link.jsonl d.jsonl");
  CHECK(trace->calls.size() == 1);
  CHECK(trace->sources.front().copies == 0);
}

TEST_CASE("a link out of the folder is read") {
  Folder folder;
  folder.write("elsewhere.jsonl", one_call("e"));
  fs::create_directory(folder.path() + "/logs");
  fs::create_symlink("../elsewhere.jsonl", folder.path() + "/logs/link.jsonl");
  CHECK(ids_in(load_folder({folder.path() + "/logs"})) == "e");
}

TEST_CASE("a file that is named twice is read once") {
  Folder folder;
  std::string path = folder.write("logs/a.jsonl", one_call("a"));
  Result<Trace> trace = load_folder({path, folder.path() + "/logs", path});
  CHECK(ids_in(trace) == "a");
  CHECK(trace->sources.front().copies == 0);
  CHECK(passed_over(*trace) == "2 same as another input: a.jsonl a.jsonl");
  CHECK_FALSE(trace->unread.front().may_hold_records);
}

TEST_CASE("pipes, sockets and devices in a folder are never opened") {
  Folder folder;
  folder.write("logs/a.jsonl", one_call("a"));
  REQUIRE(mkfifo((folder.path() + "/logs/fifo").c_str(), 0600) == 0);
  sockaddr_un address{AF_UNIX, {}};
  std::string path = folder.path() + "/logs/socket";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  Result<Trace> trace = load_folder({folder.path() + "/logs"});
  close(server);
  CHECK(ids_in(trace) == "a");
  CHECK(passed_over(*trace) == "2 pipe, socket or device: fifo socket");
}

TEST_CASE("a hidden folder is read if it is named") {
  Folder folder;
  folder.write(".tool/projects/a.jsonl", one_call("a"));
  CHECK(ids_in(load_folder({folder.path() + "/.tool/projects"})) == "a");
  CHECK(error_of(load_folder({folder.path()})) ==
        "no files in '" + folder.path() + "'; hidden files are read only if named");
}

TEST_CASE("the hidden folders in which agents keep their logs are read, and no others") {
  Folder folder;
  folder.write("home/.claude/projects/x/a.jsonl", one_call("a"));
  folder.write("home/.local/share/opencode/storage/b.jsonl", one_call("b"));
  folder.write("home/.local/share/other/c.jsonl", one_call("c"));
  folder.write("home/.git/d.jsonl", one_call("d"));
  folder.write("home/garden/.codex/e.jsonl", one_call("e"));
  Result<Trace> trace = load_folder({folder.path() + "/home"});
  CHECK(ids_in(trace) == "a b e");
  CHECK(passed_over(*trace) == "1 hidden folder; to read it, name it on the command line: .git");
}

TEST_CASE("a pattern that no file is named like stands for those it fits, in order") {
  Folder folder;
  folder.write("logs/b.jsonl", one_call("b"));
  folder.write("logs/B.jsonl", one_call("B"));
  folder.write("logs/a.jsonl", one_call("a"));
  folder.write("logs/c.txt", "not a log");
  std::string logs = folder.path() + "/logs/";
  CHECK(ids_in(load_folder({logs + "*.jsonl"})) == "B a b");
  CHECK(ids_in(load_folder({logs + "[ab].jsonl"})) == "a b");
  CHECK(ids_in(load_folder({logs + "{b,a}.jsonl"})) == "a b");
  CHECK(ids_in(load_folder({folder.path() + "/lo?s"})) == "B a b");
  CHECK(error_of(load_folder({logs + "*.txt"}))
            .starts_with(logs + "c.txt: not JSON; expected a log"));
  folder.write("logs/*.jsonl", one_call("star"));
  CHECK(ids_in(load_folder({logs + "*.jsonl"})) == "star");
}

TEST_CASE("of a path that leads nowhere the nearest is named") {
  Folder folder;
  std::string path = folder.write("logs/session.jsonl", one_call("a"));
  CHECK(error_of(load_folder({folder.path() + "/logs/sesion.jsonl"})) ==
        "cannot open '" + folder.path() +
            "/logs/sesion.jsonl': No such file or directory; did you "
            "mean '" +
            path + "'?");
  CHECK(error_of(load_folder({folder.path() + "/lgos/*.jsonl"}))
            .find("did you mean '" + folder.path() + "/logs'?") != std::string::npos);
  CHECK(error_of(load_folder({folder.path() + "/logs/*.json"}))
            .starts_with("no file matches '" + folder.path() + "/logs/*.json'"));
}
