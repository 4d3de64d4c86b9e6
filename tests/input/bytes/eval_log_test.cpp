#include <catch2/catch.hpp>

#include "base/sha256.h"
#include "packed.h"
#include "reading.h"

using namespace xtrace;

namespace {

const std::string kHeader =
    R"({"version":2,"status":"success","eval":{"run_id":"R","task":"garden"},"stats":{}})";

/// A sample in which a model is asked once, with `padding` more bytes; its lines are broken as
/// inspect_ai breaks them.
std::string sample(int id, const std::string& padding = "") {
  return "{\n  \"id\": " + std::to_string(id) +
         ",\n  \"epoch\": 1,\r\n  \"uuid\": \"u\",\n  \"padding\": \"" + padding +
         "\",\n  \"events\": [{\"event\": \"model\", \"uuid\": \"m" + std::to_string(id) +
         "\", \"timestamp\": \"2026-09-03T10:00:01+02:00\", \"model\": \"openai/gpt-5.2\", "
         "\"completed\": \"2026-09-03T10:00:03+02:00\", \"output\": {\"model\": \"gpt-5.2\", "
         "\"usage\": {\"input_tokens\": 900, \"output_tokens\": 40, \"total_tokens\": 940, "
         "\"input_tokens_cache_read\": 700}}}]}\n";
}

ZipFile file(const std::string& name, const std::string& text,
             ZipFile::How how = ZipFile::How::deflated) {
  return {name, text, how, false};
}

Result<Trace> load_eval(const std::string& path) {
  Progress progress;
  LoadOptions loading;
  loading.digests = true;
  return load({path}, loading, progress);
}

std::string runs_of(const Trace& trace) {
  std::string runs;
  for (const Span& span : trace.spans) runs += std::string(trace[span.trace]) + " ";
  return runs;
}

}  // namespace

TEST_CASE("the samples of an .eval archive are read where it lies, however each is packed") {
  const ZipFile::How how =
      GENERATE(ZipFile::How::stored, ZipFile::How::deflated, ZipFile::How::zstd);
  const std::string archive =
      zipped({file("_journal/start.json", kHeader), file("samples/1_epoch_1.json", sample(1), how),
              file("samples/2_epoch_1.json", sample(2), how),
              file("summaries.json", R"([{"id":1}])"), file("header.json", kHeader, how)});
  Folder folder;
  const std::string path = folder.write("logs/a.eval", archive);
  const std::string named = GENERATE(true, false) ? path : folder.path() + "/logs";
  const Trace trace = load_eval(named).value();
  CHECK(runs_of(trace) == "R-1-1 R-2-1 ");
  CHECK(complaints_of(trace).empty());
  CHECK(trace.gen_ai.at(0).tokens.input == 200);
  CHECK(trace.spans.at(1).source.line == 2);
  const Source& source = trace.sources.front();
  CHECK(source.format == "inspect_ai");
  CHECK(source.records == 4);
  CHECK(source.bytes == archive.size());
  CHECK(source.unpacked_bytes > sample(1).size());
  CHECK(source.sha256 == sha256_of_file(path, archive.size()).value());
}

TEST_CASE("an .eval archive of a run that goes on has no header yet") {
  Folder folder;
  const std::string path = folder.write(
      "a.eval", zipped({file("_journal/start.json", R"({"version":2,"eval":{"run_id":"R"}})"),
                        file("samples/1_epoch_1.json", sample(1))}));
  CHECK(runs_of(load_eval(path).value()) == "R-1-1 ");
}

TEST_CASE("of a sample that was written again the last counts") {
  Folder folder;
  const std::string path = folder.write(
      "a.eval", zipped({file("header.json", kHeader), file("samples/1_epoch_1.json", sample(7)),
                        file("samples/1_epoch_1.json", sample(8))}));
  CHECK(runs_of(load_eval(path).value()) == "R-8-1 ");
}

TEST_CASE("a sample that is damaged is counted and said, and the others are read") {
  Folder folder;
  const std::string path = folder.write(
      "a.eval", zipped({file("header.json", kHeader),
                        {"samples/1_epoch_1.json", sample(1), ZipFile::How::deflated, true},
                        file("samples/2_epoch_1.json", sample(2))}));
  const Trace trace = load_eval(path).value();
  CHECK(runs_of(trace) == "R-2-1 ");
  CHECK(trace.sources.front().skipped == 1);
  CHECK(complaints_of(trace) == "damaged 1: not valid JSON: cut off, or unbalanced brackets");
}

TEST_CASE("an archive that is cut off, or none of inspect_ai, is refused with a way out") {
  Folder folder;
  const std::string whole =
      zipped({file("header.json", kHeader), file("samples/1_epoch_1.json", sample(1))});
  for (size_t size : {whole.size() - 30, whole.size() / 2, size_t{4}}) {
    Result<Trace> trace = load_eval(folder.write("a.eval", whole.substr(0, size)));
    REQUIRE_FALSE(trace);
    CHECK(trace.error().exit == Exit::input);
    CHECK(trace.error().what.find("a.eval: a damaged or truncated zip archive; ") !=
          std::string::npos);
  }
  Result<Trace> trace = load_eval(folder.write("b.zip", zipped({file("a.jsonl", "{}")})));
  REQUIRE_FALSE(trace);
  CHECK(trace.error().what.find("unpack it and name the folder") != std::string::npos);
  SECTION("below a folder they are passed over") {
    folder.write("c.eval", whole);
    const Trace all = load_eval(folder.path()).value();
    CHECK(runs_of(all) == "R-1-1 ");
    CHECK(all.unread.size() == 2);
  }
}

TEST_CASE("an .eval archive that is a bomb is refused, however it is one") {
  const std::string blanks(70 << 20, ' ');
  std::vector<ZipFile> files = {file("header.json", kHeader)};
  SECTION("by one sample") {
    files.push_back(file("samples/1_epoch_1.json", sample(1, blanks)));
  }
  SECTION("by many") {
    const std::string some(8 << 20, ' ');
    for (int i = 0; i < 10; ++i)
      files.push_back(file("samples/" + std::to_string(i) + ".json", sample(i, some)));
  }
  SECTION("by its header") {
    files = {file("header.json", kHeader + blanks)};
  }
  Folder folder;
  Result<Trace> trace = load_eval(folder.write("a.eval", zipped(files)));
  REQUIRE_FALSE(trace);
  CHECK(trace.error().exit == Exit::input);
  CHECK(trace.error().what.find("like a decompression bomb") != std::string::npos);
}

TEST_CASE("a log of 2024 keeps its events in a transcript, and older ones have none") {
  std::string old = sample(1);
  old.replace(old.find("\"events\": ["), 11, "\"transcript\": {\"content\": {}, \"events\": [");
  old.replace(old.rfind("]}"), 2, "]}}");
  std::erase(old, '\n');
  const Trace trace = read_log(old);
  CHECK(runs_of(trace) == "1-1 ");
  const Trace older = read_log(
      R"({"version":1,"status":"success","eval":{"run_id":"R","task":"t"},"samples":[{"id":1,"epoch":1,"messages":[]}]})"
      "\n");
  CHECK(older.spans.empty());
  CHECK(complaints_of(older) == "field 1: a sample without events, so it has no calls");
}
