#include "input/parts/manifest.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "input/excerpt.h"
#include "input/parts/make_part.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// Maps a log, and notes the part.
struct Noted {
  std::string part, line;
};

Noted map(const Folder& folder, const std::string& log, const PartOptions& options,
          const std::string& name) {
  Progress progress;
  FactsPart part = make_part({log}, {}, options, Seal(), progress).value().part;
  const std::string bytes = written_part(part);
  return {folder.write(name, bytes), manifest_line(part, bytes, name).value()};
}

Noted map_range(const Folder& folder, uint64_t begin, uint64_t end, const std::string& name) {
  PartOptions options;
  options.range = {begin, end};
  return map(folder, "fixtures/trip.jsonl", options, name);
}

Result<Trace> load_noted(const std::vector<std::string>& parts, const std::string& manifest,
                         bool allow_missing = false) {
  LoadOptions loading;
  loading.manifest = manifest;
  loading.allow_missing = allow_missing;
  Progress progress;
  return load(parts, loading, progress);
}

}  // namespace

TEST_CASE("a manifest tells of every range and every log that is in no part") {
  Folder folder;
  const Noted first = map_range(folder, 0, 9000, "1.xfacts");
  const Noted second = map_range(folder, 9000, 16000, "2.xfacts");
  const Noted third = map_range(folder, 16000, 38951, "3.xfacts");
  const Noted other = map(folder, "fixtures/guess.jsonl", {}, "guess.xfacts");
  const std::string manifest =
      folder.write("made.jsonl", first.line + second.line + third.line + other.line);

  SECTION("nothing lacks") {
    Result<Trace> all = load_noted({first.part, second.part, third.part, other.part}, manifest);
    REQUIRE(all);
    CHECK(all->parts->used == 4);
    CHECK(all->parts->missing.empty());
  }
  SECTION("a range lacks") {
    Result<Trace> none = load_noted({first.part, third.part, other.part}, manifest);
    REQUIRE_FALSE(none);
    CHECK(none.error().exit == Exit::input);
    CHECK_THAT(none.error().what, Catch::Contains("fixtures/trip.jsonl: bytes 9000-16000"));
    Result<Trace> some = load_noted({first.part, third.part, other.part}, manifest, true);
    REQUIRE(some);
    CHECK(some->parts->used == 3);
    CHECK(some->parts->missing ==
          std::vector<std::string>{"fixtures/trip.jsonl: bytes 9000-16000"});
    CHECK(some->parts->bytes_missing == 7000);
  }
  SECTION("a whole log lacks, of which no part tells") {
    CHECK(load_noted({first.part, second.part, third.part}, ""));
    Result<Trace> none = load_noted({first.part, second.part, third.part}, manifest);
    REQUIRE_FALSE(none);
    CHECK_THAT(none.error().what, Catch::Contains(": fixtures/guess.jsonl;"));
    Result<Trace> some = load_noted({first.part, second.part, third.part}, manifest, true);
    REQUIRE(some);
    CHECK(some->parts->used == 3);
    CHECK(some->parts->missing.size() == 1);
  }
  SECTION("what is not in the manifest is held against itself") {
    const std::string short_one = folder.write("short.jsonl", other.line);
    CHECK_FALSE(load_noted({first.part, third.part, other.part}, short_one));
    CHECK(load_noted({other.part, first.part, second.part, third.part}, short_one));
  }
  SECTION("a manifest that is none, or damaged, is named") {
    for (const std::string& text :
         {std::string("{}\n"), std::string(), first.line.substr(0, first.line.size() / 2)}) {
      Result<Trace> none = load_noted({first.part}, folder.write("bad.jsonl", text));
      REQUIRE_FALSE(none);
      CHECK(none.error().exit == Exit::input);
      CHECK_THAT(none.error().what, Catch::Contains("bad.jsonl"));
    }
  }
}

TEST_CASE("a part that is made twice is noted once") {
  Folder folder;
  const Noted made = map_range(folder, 0, 9000, "1.xfacts");
  const std::string manifest = folder.path() + "/made.jsonl";
  REQUIRE(append_to_manifest(manifest, made.line));
  REQUIRE(append_to_manifest(manifest, made.line));
  CHECK(folder.read("made.jsonl") == made.line);
  const Noted other = map_range(folder, 9000, 16000, "2.xfacts");
  REQUIRE(append_to_manifest(manifest, other.line));
  REQUIRE(append_to_manifest(manifest, other.line));
  CHECK(folder.read("made.jsonl") == made.line + other.line);
  Status nowhere = append_to_manifest("/nowhere/made.jsonl", made.line);
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().exit == Exit::output);
}

TEST_CASE("what was noted lies beside parts without harm") {
  Folder folder;
  const Noted made = map(folder, "fixtures/guess.jsonl", {}, "parts/guess.xfacts");
  folder.write("parts/guess.xfacts.json", made.line);
  CHECK(load_noted({folder.path() + "/parts"}, folder.path() + "/parts/guess.xfacts.json"));
}

TEST_CASE("logs are read again where they lie now") {
  Folder folder;
  const std::string text = project_file("fixtures/guess.jsonl");
  const std::string old = folder.write("old/guess.jsonl", text);
  const Noted made = map(folder, old, {}, "guess.xfacts");
  std::filesystem::rename(folder.path() + "/old", folder.path() + "/new");
  auto seekable = [&](std::vector<std::pair<std::string, std::string>> roots) {
    LoadOptions loading;
    loading.roots = std::move(roots);
    Progress progress;
    return load({made.part}, loading, progress).value().sources.front().seekable;
  };
  const std::string from = folder.path() + "/old", to = folder.path() + "/new";
  CHECK_FALSE(seekable({}));
  CHECK(seekable({{from, to}}));
  CHECK(seekable({{from + "/", to + "/"}}));
  CHECK(seekable({{"/mnt", "/nowhere"}, {from, to}}));
  CHECK_FALSE(seekable({{folder.path() + "/ol", folder.path() + "/ne"}}));  // half of a name
}

TEST_CASE("what is no log itself is made one again to go back to it") {
  Folder folder;
  const std::string path =
      folder.write("history.md",
                   "\n# aider chat started at 2026-01-01 10:00:00\n\n"
                   "#### look  \n\nI look.\n\n> Tokens: 12 sent, 9 received.  \n");
  const Noted made = map(folder, path, {}, "history.xfacts");
  Progress progress;
  const Trace trace = load({made.part}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.sources.front().seekable);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls.front()).prompt == "look");
  folder.write("history.md", "gone\n");
  CHECK_FALSE(load({made.part}, {}, progress).value().sources.front().seekable);
}

TEST_CASE("arguments stand in parts as hashes, equal for equal ones") {
  Folder folder;
  PartOptions options;
  options.arguments = true;
  const std::string secret = "rm -rf /tmp/private-thing";
  const std::string log = folder.write(
      "log.jsonl",
      R"({"request_id": "a", "timestamp": "2026-03-01T09:30:00Z", "request": {"model": "m", "messages": [)"
      R"({"role": "user", "content": "go"}]}, "response": {"id": "x", "model": "m", "content": [)"
      R"({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": ")" +
          secret +
          R"(", "note": "twice"}},)"
          R"({"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": ")" +
          secret + R"(", "note": "else"}}]}})" + "\n");
  Progress progress;
  const Seal seal(std::string(Seal::kKeyBytes, 'k'));
  const FactsPart part = make_part({log}, {}, options, seal, progress).value().part;
  CHECK(part.has_arguments);
  const std::string path = folder.write("a.xfacts", written_part(part));
  LoadOptions loading;
  loading.keep_arguments = true;
  const Trace trace = load({path}, loading, progress).value();
  REQUIRE(trace.arguments.size() == 4);
  std::vector<std::string> values;
  for (const Argument& argument : trace.arguments) values.emplace_back(trace[argument.value]);
  CHECK(trace[trace.arguments[0].name] == "command");
  CHECK(values[0] == values[2]);
  CHECK(values[1] != values[3]);
  for (const std::string& value : values) {
    CHECK(value.size() == 17);
    CHECK(value.front() == '#');
  }
  for (size_t i = 0; i < trace.strings.size(); ++i)
    CHECK(trace.strings[StringId(i)].find("private-thing") == std::string_view::npos);

  SECTION("parts without them are refused where they are asked for") {
    const FactsPart plain = make_part({log}, {}, {}, seal, progress).value().part;
    CHECK_FALSE(plain.has_arguments);
    Result<Trace> none = load({folder.write("b.xfacts", written_part(plain))}, loading, progress);
    REQUIRE_FALSE(none);
    CHECK(none.error().exit == Exit::usage);
    CHECK_THAT(none.error().what, Catch::Contains("--arguments"));
  }
}

TEST_CASE("a key that others may read is told of") {
  Folder folder;
  const std::string key = folder.write("k", std::string(Seal::kKeyBytes, 'k'));
  chmod(key.c_str(), 0644);
  CHECK_THAT(warning_of_key(key), Catch::Contains("chmod 600 " + key));
  CHECK(read_key(key));
  chmod(key.c_str(), 0600);
  CHECK(warning_of_key(key).empty());
}
