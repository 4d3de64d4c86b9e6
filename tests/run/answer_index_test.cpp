#include "run/answer_index.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <sstream>

#include "asked_input.h"
#include "keep/private_folder.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace fs = std::filesystem;

namespace {

const KeptAnswer kAnswer{Exit::no, "a note\n", "an answer\n", "a remark\n"};

/// A cache of its own while it lives, and a log that did not change lately.
class Cached {
 public:
  Cached() : before_(value_of("XDG_CACHE_HOME")) {
    setenv("XDG_CACHE_HOME", caches_.path().c_str(), 1);
    write_log("Twelve.");
  }
  ~Cached() {
    before_ ? setenv("XDG_CACHE_HOME", before_->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  }

  void write_log(const std::string& said) const {
    write("one.jsonl", Transcript("S1")
                           .user("u", "Count the beans.")
                           .answer("a", "msg_1", says(said), 100)
                           .text());
  }
  void write(const std::string& name, const std::string& bytes) const {
    const std::string path = logs_.write("logs/" + name, bytes);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(5));
  }
  std::string logs() const { return logs_.path() + "/logs"; }
  std::string log() const { return logs() + "/one.jsonl"; }
  std::string cache() const { return caches_.path() + "/xtrace"; }
  const Folder& other() const { return logs_; }

  Request request(std::vector<std::string> words = {"list"}) const {
    words.insert(words.end(), {"--config", "/dev/null", logs()});
    Result<Command> command = read_command_line(std::move(words));
    REQUIRE(command);
    return std::get<Request>(*std::move(command));
  }
  /// The answer that is kept for a command.
  std::optional<KeptAnswer> found(std::vector<std::string> words = {"list"}) const {
    return AnswerIndex(request(std::move(words))).find();
  }
  /// Asks, and keeps kAnswer as if the command had given it.
  void keep(std::vector<std::string> words = {"list"}) const {
    const Request asked = request(std::move(words));
    AnswerIndex index(asked);
    const Result<std::vector<Trace>> traces = load_runs(asked, index.take_found());
    REQUIRE(traces);
    if (index.may_keep(traces->front())) index.keep(kAnswer);
  }
  std::string kept_file() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(cache()))
      return entry.path().string();
    return {};
  }

 private:
  static std::optional<std::string> value_of(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }

  Folder caches_, logs_;
  std::optional<std::string> before_;
};

bool same(const KeptAnswer& a, const KeptAnswer& b) {
  return a.exit == b.exit && a.notes == b.notes && a.text == b.text && a.remarks == b.remarks;
}

}  // namespace

TEST_CASE("a kept answer survives being written, and no damage to any byte passes") {
  const std::string bytes = bytes_of(kAnswer, "key");
  const std::optional<KeptAnswer> read = read_kept_answer(bytes, "key");
  REQUIRE(read);
  CHECK(same(*read, kAnswer));
  CHECK(!read_kept_answer(bytes, "kez"));
  CHECK(!read_kept_answer(bytes + 'x', "key"));
  for (size_t i = 0; i < bytes.size(); ++i) {
    CHECK(!read_kept_answer(bytes.substr(0, i), "key"));
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 1);
    CHECK(!read_kept_answer(other, "key"));
  }
}

TEST_CASE("an answer is found again for the same question about the same files") {
  const Cached cached;
  CHECK(!cached.found());
  cached.keep();
  REQUIRE(cached.found());
  CHECK(same(*cached.found(), kAnswer));
  CHECK(cached.found({"list", "--jobs", "2"}));
  CHECK(file_status(cached.kept_file())->permissions == 0600);
  CHECK(file_status(cached.cache())->permissions == 0700);
}

TEST_CASE("another question about the same files is another one") {
  const Cached cached;
  cached.other().write("prices.json",
                       R"({"models": {"claude-opus-4-5": {"input": 1, "output": 2}}})");
  const std::string prices = cached.other().path() + "/prices.json";
  cached.keep();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list", "-f", "json"},
                                             {"list", "--words"},
                                             {"list", "--project", "kiln"},
                                             {"list", "--keep-personal"},
                                             {"list", "--redact", "beans"},
                                             {"list", "--quiet"},
                                             {"list", "--prices", prices},
                                             {"stats"},
                                             {"report"}})
    CHECK(!cached.found(words));
  cached.keep({"list", "--prices", prices});
  CHECK(cached.found({"list", "--prices", prices}));
  cached.other().write("prices.json",
                       R"({"models": {"claude-opus-4-5": {"input": 1, "output": 3}}})");
  CHECK(!cached.found({"list", "--prices", prices}));
}

TEST_CASE("an answer is not found if a file changed, came or went") {
  const Cached cached;
  cached.keep();
  SECTION("in its size") {
    cached.write_log("Twelve beans.");
  }
  SECTION("in its contents alone, at the same size and time") {
    const FileTime before = file_status(cached.log())->changed;
    std::string bytes = cached.other().read("logs/one.jsonl");
    bytes.replace(bytes.find("Twelve"), 6, "Eleven");
    const fs::file_time_type time = fs::last_write_time(cached.log());
    cached.write("one.jsonl", bytes);
    fs::last_write_time(cached.log(), time);
    REQUIRE(file_status(cached.log())->changed == before);
  }
  SECTION("in its time alone") {
    fs::last_write_time(cached.log(),
                        fs::last_write_time(cached.log()) + std::chrono::nanoseconds(1));
  }
  SECTION("since it was replaced by an equal one") {
    const fs::file_time_type time = fs::last_write_time(cached.log());
    fs::rename(cached.log(), cached.other().path() + "/before");
    fs::copy(cached.other().path() + "/before", cached.log());
    fs::last_write_time(cached.log(), time);
  }
  SECTION("since another one came") {
    cached.write("two.jsonl", "");
  }
  SECTION("since it has another name") {
    fs::rename(cached.log(), cached.logs() + "/two.jsonl");
  }
  CHECK(!cached.found());
}

TEST_CASE("no answer is kept about a file that changed just now") {
  const Cached cached;
  fs::last_write_time(cached.log(), fs::file_time_type::clock::now());
  cached.keep();
  CHECK(!fs::exists(cached.cache()));
}

TEST_CASE("a time of change that a clock will show again is one that changes unseen") {
  const Time now = Time(std::chrono::seconds(1000)) + std::chrono::milliseconds(500);
  CHECK(may_change_unseen({1000, 499'999'999}, now));
  CHECK(!may_change_unseen({1000, 400'000'001}, now));
  CHECK(may_change_unseen({999, 0}, now));  // by a clock of two seconds
  CHECK(!may_change_unseen({998, 0}, now));
  CHECK(may_change_unseen({2000, 1}, now));
}

TEST_CASE("what shows more than a list does by default is not kept") {
  const Cached cached;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list", "--level", "full"},
                                             {"list", "--no-redact"},
                                             {"list", "--no-cache"},
                                             {"list", "--set", "cache=false"},
                                             {"dag"}})
    cached.keep(words);
  CHECK(!fs::exists(cached.cache()));
}

TEST_CASE("an answer that depends on the time of day is not kept") {
  const auto keep = [](const Cached& cached, const std::string& since) {
    const Request asked = cached.request({"list", "--since", since});
    AnswerIndex index(asked);
    Result<std::vector<Trace>> traces = load_runs(asked, index.take_found());
    REQUIRE(traces);
    REQUIRE(index.may_keep(traces->front()));
    const LinkedRuns runs = link_runs(*std::move(traces), asked.link_options());
    const Result<std::unique_ptr<Door>> door = open_door(asked, runs);
    REQUIRE(door);
    REQUIRE(answer(asked, runs, **door));
    index.keep(kAnswer);
    return cached.found({"list", "--since", since}).has_value();
  };
  const Cached cached;
  CHECK(!keep(cached, "9999d"));
  CHECK(keep(cached, "2020-01-01"));
}

TEST_CASE("XTRACE_CACHE=off keeps nothing and finds nothing") {
  const Cached cached;
  cached.keep();
  setenv("XTRACE_CACHE", "off", 1);
  const bool is_found = cached.found().has_value();
  unsetenv("XTRACE_CACHE");
  CHECK(!is_found);
  CHECK(cached.found());
}

TEST_CASE("a damaged or foreign answer is replaced") {
  const Cached cached;
  cached.keep();
  const std::string path = cached.kept_file();
  SECTION("cut") {
    fs::resize_file(path, fs::file_size(path) - 1);
  }
  SECTION("empty") {
    fs::resize_file(path, 0);
  }
  SECTION("written to by others") {
    fs::permissions(path, fs::perms(0666));
  }
  SECTION("a link") {
    fs::rename(path, cached.other().path() + "/elsewhere");
    fs::create_symlink(cached.other().path() + "/elsewhere", path);
  }
  CHECK(!cached.found());
  cached.keep();
  CHECK(cached.found());
}

TEST_CASE("a stream is copied as it passes, unless it grows too long") {
  std::ostringstream out;
  CopyingBuffer copying(out);
  std::ostream copied(&copying);
  copied << "one" << 2 << '\n';
  CHECK(out.str() == "one2\n");
  CHECK(copying.take() == "one2\n");
  CopyingBuffer endless(out);
  std::ostream more(&endless);
  for (int i = 0; i < 5; ++i) more << std::string(1 << 20, 'x');
  CHECK(!endless.take());
  CHECK(out.str().size() == 5 + (5 << 20));
}
