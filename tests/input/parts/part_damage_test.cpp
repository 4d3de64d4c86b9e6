#include <algorithm>
#include <catch2/catch.hpp>

#include "base/hash.h"
#include "input/parts/make_part.h"
#include "input/parts/stored_shard.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string part_of(const std::string& path, const Seal& seal = {},
                    const PartOptions& options = {}) {
  Progress progress;
  return written_part(make_part({path}, {}, options, seal, progress).value().part);
}

Result<Trace> load_all(const std::vector<std::string>& paths, bool allow_missing = false) {
  Progress progress;
  LoadOptions loading;
  loading.allow_missing = allow_missing;
  return load(paths, loading, progress);
}

/// That it cannot be answered, and why.
std::string refusal(const std::vector<std::string>& paths) {
  const Result<Trace> trace = load_all(paths);
  if (trace) return "answered";
  CHECK(trace.error().exit == Exit::input);
  return trace.error().what;
}

}  // namespace

TEST_CASE("a part that is cut off anywhere, or has another byte anywhere, is refused") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", project_file("fixtures/guess.jsonl"));
  const std::string part = part_of(log);
  REQUIRE(read_part(part, "p"));
  for (size_t at = 0; at < part.size(); ++at) {
    CHECK_FALSE(read_part(std::string_view(part).substr(0, at), "p"));
    for (const char flipped : {'\x01', '\x80'}) {
      std::string other = part;
      other[at] = static_cast<char>(other[at] ^ flipped);
      CHECK_FALSE(read_part(other, "p"));
    }
  }
}

TEST_CASE("what stands in a part is looked through even where its checksum fits") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", project_file("fixtures/trip.jsonl"));
  const FactsPart part = read_part(part_of(log), "p").value();
  const std::string& shard = part.shards.front().bytes;
  REQUIRE(StoredShard::read(shard));
  for (size_t at = 0; at < shard.size(); ++at) {
    CHECK_FALSE(StoredShard::read(std::string_view(shard).substr(0, at)));
    std::string other = shard;
    other[at] = static_cast<char>(other[at] ^ 0x15);
    FactsPart made;
    made.program = part.program;
    made.shards.emplace_back(other);
    // Nothing worse happens than that it is refused, or answered.
    load_all({folder.write("other.xfacts", written_part(std::move(made)))}, true);
  }
}

TEST_CASE("a part of another version says which versions there are") {
  const char version = GENERATE(1, 9);
  Folder folder;
  std::string part = part_of(folder.write("log.jsonl", project_file("fixtures/guess.jsonl")));
  part[kPartMagic.size()] = version;
  CHECK_THAT(read_part(part, "p").error().what,
             Catch::Contains(fmt::format("a part of version {}", int{version})));
}

TEST_CASE("a sound part whose columns are not those of this version says so") {
  Folder folder;
  FactsPart part =
      read_part(part_of(folder.write("log.jsonl", project_file("fixtures/guess.jsonl"))), "p")
          .value();
  part.shards = {PackedShard("columns of another day")};
  const std::string path = folder.write("part.xfacts", written_part(std::move(part)));
  CHECK_THAT(refusal({path}), Catch::Contains("another version or build"));
}

TEST_CASE("what lacks between parts is refused by its place, and told where that is allowed") {
  Folder folder;
  const std::string log = project_file("fixtures/trip.jsonl");
  const std::string path = folder.write("log.jsonl", log);
  auto range = [&](uint64_t begin, uint64_t end) {
    PartOptions options;
    options.range = {begin, end};
    return folder.write(std::to_string(begin) + ".xfacts", part_of(path, {}, options));
  };
  const uint64_t size = log.size();
  const std::vector<std::string> parts = {range(0, 4000), range(4000, 9000), range(9000, size)};
  REQUIRE(load_all(parts));
  CHECK_THAT(refusal({parts[0], parts[2]}), Catch::Contains("log.jsonl: bytes 4000-9000"));
  CHECK_THAT(refusal({parts[1], parts[2]}), Catch::Contains("log.jsonl: bytes 0-4000"));
  CHECK_THAT(refusal({parts[0], parts[1]}), Catch::Contains("log.jsonl: bytes 9000-"));
  const Trace trace = load_all({parts[0], parts[2]}, true).value();
  REQUIRE(trace.parts);
  CHECK(trace.parts->used == 2);
  CHECK(trace.parts->bytes_missing == 5000);
  CHECK(trace.calls.front().source.line == 1);
  CHECK(trace.calls.back().source.line == 0);
  CHECK(trace.sources.front().is_document);  // by which its places are bytes
}

TEST_CASE("parts that tell differently of the same bytes are refused, equal ones count once") {
  Folder folder;
  const std::string log = project_file("fixtures/guess.jsonl");
  const std::string path = folder.write("log.jsonl", log);
  const std::string part = folder.write("a.xfacts", part_of(path));
  const uint64_t records = load_all({part})->sources.front().records;
  const std::string again = folder.write("b.xfacts", part_of(path));
  CHECK(load_all({part, again})->sources.front().records == records);
  PartOptions half;
  half.range = {0, log.size() / 2};
  const std::string other = folder.write("c.xfacts", part_of(path, {}, half));
  CHECK_THAT(refusal({part, other}), Catch::Contains("cover the same bytes"));
}

TEST_CASE("parts of two keys are refused") {
  Folder folder;
  const std::string a = folder.write("a.jsonl", project_file("fixtures/guess.jsonl"));
  const std::string b = folder.write("b.jsonl", project_file("fixtures/fork.jsonl"));
  const Seal one(std::string(32, '1')), two(std::string(32, '2'));
  const std::string first = folder.write("a.xfacts", part_of(a, one));
  CHECK_THAT(refusal({first, folder.write("b.xfacts", part_of(b, two))}),
             Catch::Contains("another key"));
  CHECK_THAT(refusal({first, folder.write("b.xfacts", part_of(b))}),
             Catch::Contains("--open-hashes"));
  CHECK(load_all({first, folder.write("b.xfacts", part_of(b, one))}));
}

TEST_CASE("what is no part is named, in a folder of parts or by the name of one") {
  Folder folder;
  const std::string log = folder.write("log.jsonl", project_file("fixtures/guess.jsonl"));
  Folder parts;
  parts.write("a.xfacts", part_of(log));
  REQUIRE(load_all({parts.path()}));
  parts.write("b.txt", "half of a part");
  CHECK_THAT(refusal({parts.path()}), Catch::Contains("b.txt: not a part"));
  CHECK_THAT(refusal({folder.write("c.xfacts", "{}\n")}), Catch::Contains("c.xfacts: not a part"));
}

TEST_CASE("of what holds nothing of use there is a part that says so") {
  Folder folder;
  for (const char* text : {"", "not JSON at all\n", "{\"a\": 1}\n"}) {
    CAPTURE(text);
    const std::string part = part_of(folder.write("log.txt", text));
    CHECK(read_part(part, "p"));
    const std::string log = folder.write("good.jsonl", project_file("fixtures/guess.jsonl"));
    const Result<Trace> trace =
        load_all({folder.write("a.xfacts", part), folder.write("b.xfacts", part_of(log))});
    REQUIRE(trace);
    CHECK(trace->calls.size() == 4);
  }
}

TEST_CASE("half of a document is refused") {
  Folder folder;
  const std::string path = folder.write("trust.json", project_file("fixtures/trust.json"));
  PartOptions half;
  half.range = {0, 100};
  Progress progress;
  const Result<PartMade> made = make_part({path}, {}, half, {}, progress);
  REQUIRE_FALSE(made);
  CHECK(made.error().exit == Exit::usage);
  CHECK_THAT(made.error().what, Catch::Contains("trust.json"));
}

TEST_CASE("what somebody said is in no part, nor a hash of it that can be tried") {
  Folder folder;
  const std::string path = folder.write("log.jsonl", project_file("fixtures/trip.jsonl"));
  const Seal seal(std::string(32, '1'));
  const FactsPart keyed = read_part(part_of(path, seal), "p").value();
  const FactsPart open = read_part(part_of(path), "p").value();
  const auto hashes = [](const FactsPart& part) {
    PartBody body = StoredShard::read(part.shards.front().bytes).value();
    std::vector<Shard> shards;
    shards.push_back(std::move(body.shard));
    const RawTrace trace = merge(std::move(shards), std::vector<Source>(1));
    std::vector<uint64_t> all;
    for (const Message& message : trace.messages) all.push_back(message.said);
    for (const ToolUse& use : trace.tool_uses) {
      all.push_back(use.arguments);
      if (use.command) all.push_back(hash_of(trace[use.command]));
    }
    for (const Prompt& prompt : trace.prompts) all.push_back(hash_of(trace[prompt.hash]));
    std::erase(all, 0);
    return all;
  };
  const std::vector<uint64_t> sealed = hashes(keyed), plain = hashes(open);
  REQUIRE(sealed.size() == plain.size());
  REQUIRE(sealed.size() > 20);
  for (uint64_t hash : plain) CHECK(std::find(sealed.begin(), sealed.end(), hash) == sealed.end());
}
