#include "run/written_files.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <variant>

#include "cli/command.h"
#include "cli/common_options.h"
#include "reading.h"
#include "run/facts_files.h"
#include "run/linked_runs.h"
#include "run/load_runs.h"
#include "run/shard_files.h"
#include "run/trace_files.h"

using namespace xtrace;

namespace fs = std::filesystem;

namespace {

constexpr const char* kSteps =
    R"({"queryId":"q","projectId":"p","node":"A","metrics":{"latency_ms":3}})"
    "\n";

constexpr const char* kPrices = R"({"models": {"model": {"input": 3, "output": 15}}})";

Request request_for(std::vector<std::string> words) {
  words.insert(words.end(), {"--quiet", "--config", "/dev/null"});
  Result<Command> command = read_command_line(std::move(words));
  INFO((command ? "" : command.error().what));
  REQUIRE(command);
  return std::move(std::get<Request>(*command));
}

/// Why a command does not write; `none`: it would.
std::string why_not(std::vector<std::string> words) {
  const Status safe = check_files(request_for(std::move(words)));
  if (safe) return "none";
  CHECK(safe.error().exit == Exit::usage);
  return safe.error().what;
}

std::string also_input(const std::string& option, const std::string& path) {
  return option + ": '" + path + "' is also an input; use another file";
}

}  // namespace

TEST_CASE("an input is not written to, under whatever name") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", kSteps), at = folder.path() + "/";
  fs::create_hard_link(log, at + "hard");
  fs::create_symlink(log, at + "soft");
  fs::create_directory_symlink(folder.path(), at + "here");
  for (const std::string name : {"log.jsonl", "hard", "soft", "here/log.jsonl", "./log.jsonl"}) {
    CHECK(why_not({"list", log, "-f", "text", "-o", at + name}) ==
          also_input("--output", at + name));
    CHECK(why_not({"list", at + name, "-f", "text", "-o", log}) == also_input("--output", log));
    CHECK(why_not({"trace", log, "--all", "--output-dir", at + "out", "--index", at + name}) ==
          also_input("--index", at + name));
  }
  CHECK(why_not({"list", log, "-o", at + "new"}) == "none");
}

TEST_CASE("a log below a folder that is read is not written to, but what is no log is") {
  Folder folder;
  const std::string at = folder.path() + "/";
  for (const char* name : {"logs/a.jsonl", "logs/deep/b.jsonl"}) folder.write(name, kSteps);
  folder.write("logs/page.html", "<!doctype html><title>of an earlier run</title>");
  folder.write("logs/torn.jsonl", R"({"queryId":"q","node":"A","metr)");
  folder.write("logs/torn.jsonl.gz", "\x1f\x8b\x08");
  CHECK(why_not({"stats", at + "logs", "-f", "html", "-o", at + "logs/page.html"}) == "none");
  for (const std::string name :
       {"logs/a.jsonl", "logs/deep/b.jsonl", "logs/torn.jsonl", "logs/torn.jsonl.gz"})
    CHECK(why_not({"list", at + "logs", "-f", "text", "-o", at + name}) ==
          also_input("--output", at + name));
  CHECK(why_not({"list", at + "logs/*.jsonl", "-f", "text", "-o", at + "logs/a.jsonl"}) ==
        also_input("--output", at + "logs/a.jsonl"));
  CHECK(why_not({"diff", at + "logs/a.jsonl", at + "logs/deep", "-f", "text", "-o",
                 at + "logs/deep/b.jsonl"}) == also_input("--output", at + "logs/deep/b.jsonl"));
  CHECK(why_not({"list", at + "logs", "-o", at + "logs/new.json"}) == "none");
  CHECK(why_not({"list", at + "logs/deep", "-f", "text", "-o", at + "logs/a.jsonl"}) == "none");
}

TEST_CASE("what is read next to the inputs is not written to") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", kSteps), key = folder.write("key", "k"),
                    notes = folder.write("notes", ""), prices = folder.write("prices", kPrices),
                    rules = folder.write("rules", project_file("fixtures/redaction.json"));
  const auto also_read = [](const std::string& path) {
    return "--output: '" + path + "' is also read by this command; use another file";
  };
  CHECK(why_not({"list", log, "--key", key, "-o", key}) == also_read(key));
  CHECK(why_not({"list", log, "--manifest", key, "-o", key}) == also_read(key));
  CHECK(why_not({"list", log, "--prices", prices, "-o", prices}) == also_read(prices));
  CHECK(why_not({"list", log, "--redact-patterns", rules, "-o", rules}) == also_read(rules));
  CHECK(why_not({"dag", log, "--view", "explanation", "--annotations", notes, "-o", notes}) ==
        also_read(notes));
}

TEST_CASE("a trace does not replace a file that its command reads") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", kSteps), out = folder.path() + "/out";
  const std::string prices = folder.write("out/p/q.json", kPrices);
  const Request request =
      request_for({"trace", log, "--all", "--prices", prices, "--output-dir", out});
  REQUIRE(check_files(request));
  Result<std::vector<Trace>> traces = load_runs(request);
  REQUIRE(traces);
  const Result<Exit> written =
      write_trace_files(request, link_runs(*std::move(traces), request.link_options()));
  REQUIRE_FALSE(written);
  CHECK(written.error().what ==
        "'" + prices + "' is also read by this command; use another folder");
  CHECK(folder.read("out/p/q.json") == kPrices);
}

TEST_CASE("a part replaces neither a log or a part, nor the key, and is its owner's alone") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", kSteps), part = folder.path() + "/a.xfacts";
  FactsRequest request;
  request.inputs = {log};
  request.output = part;
  request.open_hashes = request.quiet = true;
  REQUIRE(write_facts(request));
  CHECK(fs::status(part).permissions() == fs::perms(0600));
  const auto why = [&] {
    const Status written = write_facts(request);
    return written ? "none" : written.error().what;
  };
  request.output = log;
  CHECK(why() == also_input("--output", log));
  request.inputs = {folder.path()};
  request.output = part;
  CHECK(why() == also_input("--output", part));
  request.manifest = request.output;
  CHECK(why() == "--manifest: '" + part + "' is also the output; use another file");
  request.output = folder.path() + "/new.xfacts";
  request.manifest = log;
  CHECK(why() == also_input("--manifest", log));
  request.manifest.clear();
  request.inputs = {log};
  request.key = request.output = folder.write("key", std::string(32, 'k'));
  CHECK(why() == "--output: '" + request.key + "' is also read by this command; use another file");
  CHECK(folder.read("key") == std::string(32, 'k'));
  CHECK(folder.read("log.jsonl") == kSteps);
}

TEST_CASE("a plan does not replace a log of its name") {
  Folder folder;
  const std::string log = folder.write("plan.json", kSteps);
  ShardRequest request;
  request.inputs = {folder.path()};
  request.folder = folder.path();
  request.shards = 2;
  request.quiet = true;
  const Status written = write_shards(request);
  REQUIRE_FALSE(written);
  CHECK(written.error().what == also_input("--output", log));
  CHECK(folder.names() == std::vector<std::string>{"plan.json"});
}

TEST_CASE("output that may hold more than level basic is its owner's alone") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", kSteps), out = folder.path() + "/out";
  const auto readers = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"list", log, "-o", out});
    return readers_of(request_for(std::move(more)));
  };
  CHECK(readers({}) == Readers::umask);
  CHECK(readers({"--share"}) == Readers::umask);
  CHECK(readers({"--level", "full"}) == Readers::owner);
  CHECK(readers({"--no-redact"}) == Readers::owner);
  CHECK(readers({"--keep-personal"}) == Readers::owner);
  CHECK(readers({"--words"}) == Readers::owner);
  CHECK(readers({"--reveal", "q"}) == Readers::owner);
}
