#include "base/system.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>

#include "base/system_mapping.h"
#include "reading.h"

using namespace xtrace;

namespace {

struct PipeEnds {
  PipeEnds() {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    from = File(ends[0]);
    to = File(ends[1]);
  }
  File from, to;
};

/// While it lives, standard input is this file.
class AsStandardInput {
 public:
  explicit AsStandardInput(int fd) : before_(dup(kStandardInput)) { dup2(fd, kStandardInput); }
  ~AsStandardInput() {
    if (before_ < 0) {
      close(kStandardInput);
      return;
    }
    dup2(before_, kStandardInput);
    close(before_);
  }
  AsStandardInput(const AsStandardInput&) = delete;
  AsStandardInput& operator=(const AsStandardInput&) = delete;

 private:
  int before_;
};

File opened(const std::string& path, Access access = Access::read) {
  File file = open_file(path, access);
  REQUIRE(file.is_open());
  return file;
}

}  // namespace

TEST_CASE("a read returns fewer bytes than asked for only at the end of the file") {
  Folder folder;
  const File file = opened(folder.write("a", "0123456789"));
  std::string room(8, ' ');
  CHECK(read_at(file.fd(), room.data(), 8, 0) == 8u);
  CHECK(room == "01234567");
  CHECK(read_at(file.fd(), room.data(), 8, 8) == 2u);
  CHECK(room.substr(0, 2) == "89");
  CHECK(read_at(file.fd(), room.data(), 8, 10) == 0u);
  CHECK_FALSE(read_at(-1, room.data(), 8, 0));
  CHECK(errno == EBADF);
}

TEST_CASE("bytes are appended, replaced at a place, and cut off") {
  Folder folder;
  const std::string path = folder.path() + "/a";
  CHECK(write_all(opened(path, Access::append).fd(), "one "));
  CHECK(write_all(opened(path, Access::append).fd(), "two"));
  CHECK(folder.read("a") == "one two");
  const File file = opened(path, Access::write);
  CHECK(write_at(file.fd(), "six", 4));
  CHECK(resize_file(file.fd(), 6));
  CHECK(folder.read("a") == "one si");
}

TEST_CASE("a link is itself as an entry of a folder, and its target by its path") {
  Folder folder;
  const std::string path = folder.write("file", "12345"), link = folder.path() + "/link";
  std::filesystem::create_symlink(path, link);
  CHECK(file_status(link)->is_regular());
  CHECK(file_status(link)->bytes == 5);
  CHECK(file_status(link)->id == file_status(path)->id);
  CHECK(entry_status(kCurrentFolder, link)->is_link());
  CHECK(file_status(folder.path())->is_folder());
  CHECK_FALSE(file_status(folder.path() + "/none"));
  CHECK(errno == ENOENT);
}

TEST_CASE("a folder is made and opened within another, but not through a link") {
  Folder folder;
  const File root = opened(folder.path(), Access::list);
  CHECK(make_folder(root.fd(), "inner"));
  CHECK(make_folder(root.fd(), "inner"));
  CHECK(open_folder(root.fd(), "inner").is_open());
  std::filesystem::create_directory_symlink("/tmp", folder.path() + "/link");
  CHECK_FALSE(open_folder(root.fd(), "link").is_open());
  const std::vector<std::string> names = list_folder(root.fd()).value();
  CHECK(std::ranges::count(names, "inner") == 1);
  CHECK(std::ranges::count(names, "link") == 1);
}

TEST_CASE("a file without a name is private and leaves nothing behind") {
  Folder folder;
  {
    const File file = make_nameless_file(folder.path());
    REQUIRE(file.is_open());
    CHECK(file_status(file.fd())->permissions == 0600);
    CHECK(write_all(file.fd(), "secret"));
  }
  CHECK(folder.names().empty());
}

TEST_CASE("a temporary file replaces a file at once, or is removed") {
  Folder folder;
  const std::string path = folder.write("out", "old");
  const bool becomes = GENERATE(true, false);
  {
    TemporaryFile file(kCurrentFolder, path, 0666);
    REQUIRE(file.fd() >= 0);
    CHECK(write_all(file.fd(), "new"));
    CHECK(folder.read("out") == "old");
    if (becomes) CHECK(file.become(path));
  }
  CHECK(folder.read("out") == (becomes ? "new" : "old"));
  CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a temporary file that must be new leaves what has its name") {
  Folder folder;
  const std::string path = folder.path() + "/out";
  const bool exists = GENERATE(true, false);
  if (exists) folder.write("out", "old");
  {
    TemporaryFile file(kCurrentFolder, path, 0600);
    CHECK(write_all(file.fd(), "new"));
    CHECK(file.become_new(path) != exists);
    if (exists) CHECK(errno == EEXIST);
  }
  CHECK(folder.read("out") == (exists ? "old" : "new"));
  CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a pipe is waited for until it has bytes, room or no reader") {
  PipeEnds pipe;
  CHECK_FALSE(can_read(pipe.from.fd()));
  CHECK(can_write(pipe.to.fd()));
  while (can_write(pipe.to.fd())) REQUIRE(write_now(pipe.to.fd(), std::string(9000, 'x')) > 0u);
  CHECK(can_read(pipe.from.fd()));
  std::string room(100, ' ');
  CHECK(read_from(pipe.from.fd(), room.data(), room.size()) == 100u);
  CHECK_FALSE(has_lost_reader(pipe.to.fd()));
  pipe.from = File();
  CHECK(has_lost_reader(pipe.to.fd()));
}

TEST_CASE("a pattern expands braces, also nested ones, and leaves others as they are") {
  Folder folder;
  for (const char* name : {"a1", "b1", "c1", "{1", "}", "x{y}"}) folder.write(name, "");
  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found = expand_pattern(folder.path() + "/" + pattern);
    for (std::string& path : found) path = path.substr(folder.path().size() + 1);
    std::sort(found.begin(), found.end());
    return found;
  };
  using Names = std::vector<std::string>;
  CHECK(names("{a,{b,c}}1") == Names{"a1", "b1", "c1"});
  CHECK(names("{a}1") == Names{"a1"});
  CHECK(names("{a,b}{1,2}") == Names{"a1", "b1"});
  CHECK(names("{?") == Names{"{1"});
  CHECK(names("x\\{*") == Names{"x{y}"});
  CHECK(names("}*") == Names{"}"});
}

TEST_CASE("a watched folder reports that a file came, and not that it grew") {
  Folder folder;
  FolderWatch watch;
  REQUIRE(watch.add(folder.path()));
  CHECK_FALSE(can_read(watch.fd()));
  const std::string path = folder.write("a", "1");
  CHECK(can_read(watch.fd()));
  CHECK(watch.read_notices());
  CHECK(write_all(opened(path, Access::append).fd(), "2"));
  CHECK(can_read(watch.fd()));
  CHECK_FALSE(watch.read_notices());
}

TEST_CASE("a command reads what is written to standard output while it is piped") {
  Folder folder;
  {
    const PipedCommand command(
        "cat > " + folder.path() + "/out; printf $MADE_UP >> " + folder.path() + "/out",
        {{"MADE_UP", "+default"}});
    CHECK(write_all(kStandardOutput, "text"));
  }
  CHECK(folder.read("out") == "text+default");
}

TEST_CASE("a file has a position, and a pipe none") {
  Folder folder;
  const File file = opened(folder.write("a", "0123456789"));
  move_to(file.fd(), 4);
  CHECK(position_of(file.fd()) == 4u);
  CHECK_FALSE(position_of(PipeEnds().from.fd()));
}

TEST_CASE("what a mapped file loses reads as zeros, and is known") {
  Folder folder;
  std::string path = folder.write("file", std::string(1 << 20, 'x'));
  File file = opened(path);
  Mapping mapping(file.fd(), 1 << 20), other(file.fd(), 4096);
  REQUIRE(mapping.size() == 1 << 20);
  CHECK(mapping.start()[600'000] == 'x');
  CHECK_FALSE(mapping.became_shorter());
  std::filesystem::resize_file(path, 5000);
  CHECK(mapping.start()[600'000] == '\0');
  CHECK(mapping.start()[(1 << 20) - 1] == '\0');
  CHECK(mapping.start()[4999] == 'x');
  CHECK(mapping.became_shorter());
  CHECK(other.start()[4095] == 'x');
  CHECK_FALSE(other.became_shorter());
}

TEST_CASE("a pipe that brings nothing is silent until somebody writes to it or closes it") {
  PipeEnds ends;
  const AsStandardInput input(ends.from.fd());
  CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::silent);
  REQUIRE(write_all(ends.to.fd(), "{"));
  CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::bytes);
  char byte = 0;
  REQUIRE(read_from(kStandardInput, &byte, 1) == 1u);
  ends.to = File();
  CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::empty);
}

TEST_CASE("a file offers what is left of it, and a device nothing") {
  Folder folder;
  {
    const File file = opened(folder.write("a", "0"));
    const AsStandardInput input(file.fd());
    CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::bytes);
    move_to(kStandardInput, 1);
    CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::empty);
  }
  const File device = opened("/dev/null");
  const AsStandardInput input(device.fd());
  CHECK(probe_standard_input(std::chrono::milliseconds(1)) == StandardInput::none);
}
