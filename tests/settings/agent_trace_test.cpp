#include "settings/agent_trace.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/murmur3.h"
#include "base/sha256.h"
#include "reading.h"

namespace xtrace {
namespace {

AgentTraces read(const std::string& text) {
  const Folder folder;
  const Result<AgentTraces> traces =
      read_agent_traces(folder.write("traces.jsonl", text),
                        [](std::string_view path) { return path == "src/a.cpp"; });
  REQUIRE(traces);
  return *traces;
}

constexpr char kRecord[] =
    R"({"version": "0.1.0", "id": "r1", "timestamp": "2026-03-01T09:00:00Z", "vcs": {"type": "git", "revision": "c0ffee"}, "tool": {"name": "cursor"}, "files": [{"path": "src/b.cpp", "conversations": []}, {"path": "src/a.cpp", "conversations": [{"url": "https://host.test/conversations/talk-17?x=1", "contributor": {"type": "ai", "model_id": "vendor/model"}, "ranges": [{"start_line": 2, "end_line": 5, "content_hash": "murmur3:9f2e8a1b"}, {"start_line": 9, "end_line": 9, "contributor": {"type": "human"}}, {"start_line": 4, "end_line": 3}], "related": [{"type": "session", "url": "file:///home/me/logs/session-9.jsonl"}]}]}], "metadata": {"tool_use_id": "toolu_1", "dev.vendor": {"deep": ["more-1", 7]}}})"
    "\n";

TEST_CASE("a record attributes ranges of a file to a conversation") {
  const AgentTraces traces = read(kRecord);
  CHECK(traces.records == 1);
  REQUIRE(traces.entries.size() == 1);
  const AgentTraceEntry& entry = traces.entries.front();
  CHECK(entry.record == "r1");
  CHECK(entry.revision == "c0ffee");
  CHECK(entry.tool == "cursor");
  REQUIRE(entry.ranges.size() == 2);  // one that ends before it begins is none
  CHECK(entry.ranges[0].first == 2);
  CHECK(entry.ranges[0].last == 5);
  CHECK(entry.ranges[0].model == "vendor/model");
  CHECK(entry.ranges[1].contributor == "human");
  for (const char* id : {"talk-17", "session-9", "toolu_1", "more-1"}) {
    INFO(id);
    CHECK(std::ranges::find(entry.ids, id) != entry.ids.end());
  }
}

TEST_CASE("lines that are no records are counted, and a file without any is an error") {
  const AgentTraces traces = read("\n{\"version\": 1}\nnonsense\n" + std::string(kRecord));
  CHECK(traces.records == 1);
  CHECK(traces.damaged == 2);
  CHECK(traces.first_damaged == 2);
  const Folder folder;
  const auto none = read_agent_traces(folder.write("traces.jsonl", "nonsense\n"),
                                      [](std::string_view) { return true; });
  REQUIRE_FALSE(none);
  CHECK(none.error().exit == Exit::input);
}

TEST_CASE("MurmurHash3 has the values that its author published") {
  CHECK(murmur3_of("") == 0);
  CHECK(murmur3_of("test") == 0xba6bd213);
  CHECK(murmur3_of("Hello, world!") == 0xc0363e43);
  CHECK(murmur3_of("The quick brown fox jumps over the lazy dog") == 0x2e4ff723);
}

TEST_CASE("a hash is that of a text, with or without a line break at its end") {
  CHECK(has_content_hash("test", "murmur3:ba6bd213") == true);
  CHECK(has_content_hash("test\n", "murmur3:BA6BD213") == true);
  CHECK(has_content_hash("tests", "murmur3:ba6bd213") == false);
  CHECK(has_content_hash("test", "sha256:" + sha256_of("test\n")) == true);
  CHECK(has_content_hash("test", "sha256:" + sha256_of("test").substr(0, 16)) == true);
  CHECK_FALSE(has_content_hash("test", "whirl:12"));
  CHECK_FALSE(has_content_hash("test", "ba6bd213"));
}

TEST_CASE("records are found in the folder of a file or above it, as far as its repository goes") {
  const Folder folder;
  const std::string source = folder.write("repo/src/a.cpp", "x\n");
  CHECK(find_agent_traces(source).empty());
  folder.write(".agent-trace/traces.jsonl", kRecord);
  CHECK(find_agent_traces(source) == folder.path() + "/.agent-trace/traces.jsonl");
  folder.write("repo/.git/HEAD", "ref");
  CHECK(find_agent_traces(source).empty());
  folder.write("repo/.agent-trace/traces.jsonl", kRecord);
  CHECK(find_agent_traces(source) == folder.path() + "/repo/.agent-trace/traces.jsonl");
}

}  // namespace
}  // namespace xtrace
