#include "run/own_index.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "reading.h"
#include "run/own_logs.h"
#include "run/request.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// Logs in a folder, which are the local ones while it lives.
class OwnFolder : public Folder {
 public:
  OwnFolder() { set_own_logs({path()}); }
  ~OwnFolder() { set_own_logs({}); }
};

Request quiet_request() {
  Request request;
  request.quiet = true;
  return request;
}

OwnIndex fresh_index() {
  OwnIndex index;
  REQUIRE(update_index(index, quiet_request()));
  return index;
}

/// All but the order of groups and the keys: files, sessions and sums, a line each.
std::vector<std::string> index_lines(const OwnIndex& index) {
  std::vector<std::string> lines;
  for (const IndexedGroup& group : index.groups) {
    std::string files;
    for (const IndexedFile& file : group.files)
      files += std::filesystem::path(file.path).filename().string() + " ";
    lines.push_back(files);
    for (const IndexedSession& session : group.sessions)
      lines.push_back(session.id + " " + std::to_string(session.calls) + " " +
                      std::to_string(session.used.cost));
    for (const IndexedPeriod& period : group.periods)
      lines.push_back(std::to_string(period.quarter) + ": " + std::to_string(period.used.cost));
  }
  std::ranges::sort(lines);
  return lines;
}

std::string session_log(const std::string& id, const std::string& name, int seconds = 0) {
  return Transcript(id)
      .at(seconds)
      .user(name + "-u", "Count the beans.")
      .answer(name + "-a", "msg_" + name, says("Twelve."), 100)
      .text();
}

int64_t cost_of_days(const OwnIndex& index) {
  int64_t cost = 0;
  for (const IndexedGroup& group : index.groups)
    for (const IndexedPeriod& period : group.periods)
      cost += std::max<int64_t>(period.used.cost, 0);
  return cost;
}

}  // namespace

TEST_CASE("an index survives being written, and damage or another key does not pass") {
  const OwnFolder logs;
  logs.write("a1.jsonl", session_log("S1", "one"));
  logs.write("b2.jsonl", session_log("S2", "two"));
  const OwnIndex index = fresh_index();
  const std::string bytes = bytes_of(index, 7);
  const std::optional<OwnIndex> read = read_index(bytes, 7);
  REQUIRE(read);
  CHECK(index_lines(*read) == index_lines(index));
  CHECK(!read_index(bytes, 8));
  CHECK(!read_index("", 7));
  for (size_t at : {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    CHECK(!read_index(damaged, 7));
    CHECK(!read_index(bytes.substr(0, at), 7));
  }
}

TEST_CASE("an index holds no words of a session") {
  const OwnFolder logs;
  logs.write("a1.jsonl", Transcript("S1")
                             .user("u", "Count the beans.")
                             .answer("a", "msg_a", says("Twelve of them."))
                             .raw(R"({"type":"summary","summary":"The bean count","leafUuid":"a"})")
                             .text());
  const std::string bytes = bytes_of(fresh_index(), 7);
  CHECK(bytes.find("bean") == bytes.npos);
  CHECK(bytes.find("Twelve") == bytes.npos);
}

TEST_CASE("whatever changes, an index equals one that is made anew") {
  const OwnFolder logs;
  const std::string one = session_log("S1", "one"), two = session_log("S2", "two", 2000);
  logs.write("a1.jsonl", one);
  logs.write("b2.jsonl", two);
  OwnIndex index = fresh_index();
  CHECK(index.groups.size() == 2);
  CHECK(!*update_index(index, quiet_request()));

  logs.write("a1.jsonl", one + session_log("S1", "three", 4000));  // it grows
  CHECK(*update_index(index, quiet_request()));
  CHECK(index_lines(index) == index_lines(fresh_index()));

  const int64_t before = cost_of_days(index);
  // A resumed session, whose file begins with a copy of another one.
  logs.write("c3.jsonl", one + session_log("S3", "four", 6000));
  CHECK(*update_index(index, quiet_request()));
  CHECK(index.groups.size() == 2);
  CHECK(index_lines(index) == index_lines(fresh_index()));
  CHECK(cost_of_days(index) * 3 ==
        before * 4);  // four replies of one price, one of them twice in logs

  std::filesystem::remove(logs.path() + "/a1.jsonl");
  CHECK(*update_index(index, quiet_request()));
  CHECK(index_lines(index) == index_lines(fresh_index()));
  CHECK(cost_of_days(index) == before);

  for (const char* name : {"b2.jsonl", "c3.jsonl"})
    std::filesystem::remove(logs.path() + "/" + name);
  logs.write("d.txt", "no log\n");
  CHECK(*update_index(index, quiet_request()));
  CHECK(cost_of_days(index) == 0);
}

TEST_CASE("documents below a folder of logs are read together, a log in lines by itself") {
  const OwnFolder logs;
  logs.write("a1.jsonl", session_log("S1", "one"));
  logs.write("a1.meta.json", "{}");
  logs.write("b2.jsonl", session_log("S2", "two"));
  logs.write("parts/x.json", "{}");
  logs.write("parts/y.json", "{}");
  std::vector<size_t> sizes;
  for (const IndexedGroup& group : fresh_index().groups) sizes.push_back(group.files.size());
  std::ranges::sort(sizes);
  CHECK(sizes == std::vector<size_t>{1, 2, 2});
}

TEST_CASE("the newest session is found, or one by the beginning of its id") {
  OwnIndex index;
  IndexedGroup& group = index.groups.emplace_back();
  for (const auto& [id, end] : {std::pair("abc1", 5), std::pair("abc2", 9)}) {
    IndexedSession& session = group.sessions.emplace_back();
    session.id = id;
    session.end = Time(std::chrono::seconds(end));
  }
  CHECK(index.find("")->id == "abc2");
  CHECK(index.find("abc1")->id == "abc1");
  CHECK(index.find("abc")->id == "abc2");
  CHECK(index.find("b") == nullptr);
}

TEST_CASE("a day of any zone is a sum of quarters of an hour") {
  OwnIndex index;
  Usage used;
  used.cost = 5;
  constexpr int64_t kDay = 96;
  index.groups.resize(1);
  index.groups[0].periods = {
      {kDay - 1, used}, {kDay, used}, {2 * kDay - 1, used}, {2 * kDay, used}};
  CHECK(index.used_on("1970-01-02", Zone()).cost == 10);
  CHECK(index.used_on("1970-01-01", Zone()).cost == 5);
  CHECK(index.used_on("1970-01-05", Zone()).cost == kNoCount);
}
