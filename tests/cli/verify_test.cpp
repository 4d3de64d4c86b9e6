#include "cli/verify.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/reproduction.h"
#include "keep/query_index.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Words = std::vector<std::string>;

/// What a command answers, and what it prints on standard output.
struct Ran {
  Exit exit;
  std::string text;
};

Ran run_words(Words words, const Folder& folder) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return {command.error().exit, command.error().what};
  std::string path = folder.write("stdout", "");
  int kept = dup(STDOUT_FILENO), file = open(path.c_str(), O_WRONLY | O_TRUNC);
  dup2(file, STDOUT_FILENO);
  Result<Exit> exit = run(std::get<Request>(std::move(*command)));
  dup2(kept, STDOUT_FILENO);
  close(kept);
  close(file);
  if (!exit) return {exit.error().exit, exit.error().what};
  return {*exit, folder.read("stdout")};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A trace of one query of the fixture, in the folder as trace.json; `log` is its input.
std::string make_trace(const Folder& folder, const std::string& query, const std::string& log) {
  std::string trace = folder.path() + "/trace.json";
  Words words = {"trace", "-q", "--query", query, "-f", "json", "-o", trace, log};
  REQUIRE(run_words(words, folder).exit == Exit::answered);
  return trace;
}

}  // namespace

TEST_CASE("a trace that the inputs give is verified, wherever they lie now") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string trace = folder.path() + "/trace.json";
  for (const Words& options :
       {Words{}, Words{"--level", "full", "--max-text", "20"}, Words{"--limit-nodes", "1"},
        Words{"--clearance", "public"}, Words{"--no-redact", "--level", "full"},
        Words{"--reveal", "s1", "--level", "full"}}) {
    Words words = {"trace", "-q", "--query", "001", "-f", "json", "-o", trace, log};
    words.insert(words.end(), options.begin(), options.end());
    REQUIRE(run_words(words, folder).exit == Exit::answered);
    std::string moved = folder.write("moved/other.jsonl", project_file("fixtures/steps.jsonl"));
    for (const std::string& input : {log, moved}) {
      Ran verified = run_words({"trace", "-q", "--verify", trace, input}, folder);
      CHECK(verified.text ==
            trace + ": verified: the inputs reproduce the trace of query \"Q-2024-09-01-001\"\n");
      CHECK(verified.exit == Exit::answered);
    }
  }
}

TEST_CASE("each forged figure of a trace is named") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string trace = make_trace(folder, "001", log);
  std::string forged =
      replaced(folder.read("trace.json"), "\"total_latency_ms\": 520", "\"total_latency_ms\": 52");
  folder.write("trace.json", replaced(forged, "\"doc_id\": \"D10\"", "\"doc_id\": \"D11\""));
  Ran verified = run_words({"trace", "-q", "--verify", trace, log}, folder);
  CHECK(verified.exit == Exit::no);
  CHECK(verified.text ==
        trace + ": /metrics/total_latency_ms: 52, but 520 from the inputs\n" + trace +
            ": /steps/1/evidenceRefs/0/doc_id: \"D11\", but \"D10\" from the inputs\n" + trace +
            ": not reproduced from the inputs: 2 differences\n");
}

TEST_CASE("an input that was changed since is named by its digest") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string trace = make_trace(folder, "002", log);
  folder.write("steps.jsonl",
               replaced(project_file("fixtures/steps.jsonl"), "DetectIntent", "DetectIntents"));
  Ran verified = run_words({"trace", "-q", "--verify", trace, log}, folder);
  CHECK(verified.exit == Exit::no);
  CHECK(verified.text.find("/inputs/0/sha256: ") != std::string::npos);
}

TEST_CASE("what is no trace, or asks for more than a trace, is refused") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  auto verify = [&](const std::string& text) {
    return run_words({"trace", "-q", "--verify", folder.write("t.json", text), log}, folder);
  };
  const std::string path = folder.path() + "/t.json";
  CHECK(verify("{").text == "--verify: " + path + ": not valid JSON");
  CHECK(verify("[]").text == "--verify: " + path + ": not written by `xtrace trace`");
  CHECK(verify(R"({"schema":"xtrace.trace/1"})").exit == Exit::input);
  std::string target = folder.path() + "/victim";
  Ran hostile = verify(
      R"({"schema":"xtrace.trace/1","reproduction":{"command":["xtrace","trace","--query","001","-o",")" +
      target + R"("]}})");
  CHECK(hostile.exit == Exit::input);
  CHECK(hostile.text ==
        "--verify: " + path + ": its command contains '-o', which is not an option of trace");
  CHECK_FALSE(std::filesystem::exists(target));
}

TEST_CASE("a file for each query holds what asking for it alone gives") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string kept = folder.path() + "/kept", index = folder.path() + "/index.sqlite";
  Ran all =
      run_words({"trace", "-q", "--all", "--output-dir", kept, "--index", index, log}, folder);
  CHECK(all.exit == Exit::answered);
  CHECK(all.text == kept + "/ops-handbook/Q-2024-09-01-001.json\n" + kept +
                        "/ops-handbook/Q-2024-09-01-002.json\n");
  CHECK(std::filesystem::exists(index));
  for (const std::string query : {"Q-2024-09-01-001", "Q-2024-09-01-002"}) {
    std::string alone = folder.path() + "/alone.json";
    REQUIRE(
        run_words({"trace", "-q", "--query", query, "-f", "json", "-o", alone, log}, folder).exit ==
        Exit::answered);
    CHECK(folder.read("alone.json") == folder.read("kept/ops-handbook/" + query + ".json"));
  }
}

TEST_CASE("hostile names of queries and projects write nowhere else") {
  Folder folder;
  std::string log;
  const Words hostile = {"../../escaped", "/etc/passwd", "..", "a/../../b", "con", "-rf", "x\\ny"};
  for (const std::string& project : hostile)
    for (const std::string& query : hostile)
      log += fmt::format(R"({{"queryId":"{}","projectId":"{}",)"
                         R"("node":"Plan","timestamp":"2026-01-01T10:00:00Z"}})"
                         "\n",
                         query, project);
  std::string path = folder.write("below/steps.jsonl", log), kept = folder.path() + "/below/kept";
  std::filesystem::create_directory(kept);
  Ran all = run_words({"trace", "-q", "--all", "--output-dir", kept, path}, folder);
  CHECK(all.exit == Exit::answered);
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    std::string at = entry.path().string();
    if (!entry.is_regular_file() || at == path || at == folder.path() + "/stdout") continue;
    CHECK(at.starts_with(kept + "/"));
    ++files;
  }
  CHECK(files == hostile.size() * hostile.size());
}

TEST_CASE("ids that are replaced keep their traces apart, and can be asked for and verified") {
  Folder folder;
  std::string log;
  for (const char* who : {"alice", "bob"})
    log +=
        std::string(R"({"queryId":"q-)") + who + "@" + R"(garden.example","node":"Plan"})" + "\n";
  std::string path = folder.write("steps.jsonl", log), kept = folder.path() + "/kept";
  Ran all = run_words({"trace", "-q", "--all", "--output-dir", kept, path}, folder);
  REQUIRE(all.exit == Exit::answered);
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kept)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    CHECK(run_words({"trace", "-q", "--verify", entry.path().string(), path}, folder).exit ==
          Exit::answered);
  }
  CHECK(files == 2);
  CHECK(run_words({"trace", "-q", "--query", "[REDACTED:email:2]", "-f", "json", path}, folder)
            .exit == Exit::answered);
}

TEST_CASE("a trace that says something twice is refused, and inputs may be alike") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string same = folder.write("same.jsonl", project_file("fixtures/steps.jsonl"));
  std::string trace = folder.path() + "/trace.json";
  REQUIRE(run_words({"trace", "-q", "--query", "001", "-f", "json", "-o", trace, log, same}, folder)
              .exit == Exit::answered);
  CHECK(run_words({"trace", "-q", "--verify", trace, log, same}, folder).exit == Exit::answered);
  folder.write("trace.json", replaced(folder.read("trace.json"),
                                      "\"queryId\":", "\"queryId\": \"Q-0\", \"queryId\":"));
  CHECK(run_words({"trace", "-q", "--verify", trace, log, same}, folder).text ==
        "--verify: " + trace + ": an object has a duplicate key");
  folder.write("trace.json", R"({"schema":"xtrace.trace/1","inputs":5,"reproduction":{"command":)"
                             R"(["xtrace","trace","--query","001"]}})");
  CHECK(run_words({"trace", "-q", "--verify", trace, log, same}, folder).exit == Exit::no);
}

TEST_CASE("redaction rules are known by what they say, and the verifier names their file") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string rules = folder.write("rules.json", R"({"patterns": ["weekly"]})");
  std::string trace = folder.path() + "/trace.json";
  REQUIRE(run_words({"trace", "-q", "--query", "001", "--level", "full", "--redact-patterns", rules,
                     "-f", "json", "-o", trace, log},
                    folder)
              .exit == Exit::answered);
  Ran without = run_words({"trace", "-q", "--verify", trace, log}, folder);
  CHECK(without.exit == Exit::input);
  CHECK(without.text.find("it was made with the redaction rules sha256:") != std::string::npos);
  std::string moved = folder.write("moved.json", R"({"patterns": ["weekly"]})");
  CHECK(
      run_words({"trace", "-q", "--verify", trace, "--redact-patterns", moved, log}, folder).exit ==
      Exit::answered);
}

TEST_CASE("prices are known by what they are, and the verifier names their file") {
  Folder folder;
  const std::string prices = R"({"models": {"gpt-4o": {"input": 1, "output": 2}}})";
  std::string log = folder.write("calls.jsonl", project_file("fixtures/costs.jsonl"));
  std::string file = folder.write("prices.json", prices);
  std::string trace = folder.path() + "/trace.json";
  Words words = {"trace", "-q",   "--query", "req_cost_1", "--prices", file,
                 "-f",    "json", "-o",      trace,        log};
  REQUIRE(run_words(words, folder).exit == Exit::answered);
  Ran without = run_words({"trace", "-q", "--verify", trace, log}, folder);
  CHECK(without.exit == Exit::input);
  CHECK(without.text.find("it was made with the prices sha256:") != std::string::npos);
  CHECK(without.text.find("pass their file with --prices") != std::string::npos);
  std::string moved = folder.write("moved.json", prices);
  CHECK(run_words({"trace", "-q", "--verify", trace, "--prices", moved, log}, folder).exit ==
        Exit::answered);
}

TEST_CASE("what a configuration hides or shows is recorded, and no other has a say") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string config =
      folder.write("config.json", R"({"redactPII": false, "redactionPatterns": ["weekly"]})");
  std::string trace = folder.path() + "/trace.json";
  Words words = {"trace",    "-q",     "--query", "001",  "--level", "full", "--config", config,
                 "--redact", "a{2,3}", "-f",      "json", "-o",      trace,  log};
  REQUIRE(run_words(words, folder).exit == Exit::answered);
  nlohmann::json command =
      nlohmann::json::parse(folder.read("trace.json"))["reproduction"]["command"];
  CHECK(command.dump().find("--config") == std::string::npos);
  CHECK(command.dump().find("weekly") == std::string::npos);
  Words kept = command.get<Words>();
  CHECK(std::count(kept.begin(), kept.end(), "--keep-personal") == 1);
  CHECK(std::count(kept.begin(), kept.end(), "--redact") == 2);
  Ran without = run_words({"trace", "-q", "--verify", trace, log}, folder);
  CHECK(without.exit == Exit::input);
  CHECK(without.text.find("it was made with the redaction pattern sha256:") != std::string::npos);
  Words again = {"trace", "-q", "--verify", trace, log, "--redact", "a{2,3}", "--redact", "weekly"};
  CHECK(run_words(again, folder).exit == Exit::answered);
  again = {"trace", "-q", "--verify", trace, log, "--redact", "a{2,3}", "--config", config};
  CHECK(run_words(again, folder).exit == Exit::answered);

  // One made without a configuration is verified under one.
  REQUIRE(
      run_words({"trace", "-q", "--query", "001", "-f", "json", "-o", trace, log}, folder).exit ==
      Exit::answered);
  again = {"trace", "-q", "--verify", trace, "--config", config, log};
  CHECK(run_words(again, folder).exit == Exit::answered);
}

TEST_CASE("how an answer looks and where its parts lie is no part of how to make it again") {
  const Folder folder;
  const std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  const std::string trace = folder.path() + "/trace.json";
  const Words words = {"trace",  "-q",         "--query", "001",   "-f",
                       "json",   "--level",    "full",    "--utc", "--no-pager",
                       "--root", "/mnt=/home", "-o",      trace,   log};
  REQUIRE(run_words(words, folder).exit == Exit::answered);
  const auto command = nlohmann::json::parse(folder.read("trace.json"))["reproduction"]["command"];
  CHECK(command.dump().find("--level") != std::string::npos);
  for (const char* word : {"--utc", "--no-pager", "--root"})
    CHECK(command.dump().find(word) == std::string::npos);
}

TEST_CASE("of a folder every trace below it is verified, and what is none is said") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string out = folder.path() + "/out";
  REQUIRE(run_words({"trace", "-q", "--all", "--output-dir", out, log}, folder).exit ==
          Exit::answered);
  Ran verified = run_words({"trace", "-q", "--verify", out, log}, folder);
  CHECK(verified.exit == Exit::answered);
  CHECK(verified.text.ends_with(out + ": 2 of 2 files verified\n"));

  std::string one = "out/ops-handbook/Q-2024-09-01-002.json";
  folder.write(one, replaced(folder.read(one), "\"Reduce\"", "\"Reduced\""));
  verified = run_words({"trace", "-q", "--verify", out, log}, folder);
  CHECK(verified.exit == Exit::no);
  CHECK(verified.text.ends_with(out + ": 1 of 2 files verified\n"));

  folder.write("none/notes.txt", "");
  CHECK(run_words({"trace", "-q", "--verify", folder.path() + "/none", log}, folder).exit ==
        Exit::input);
  folder.write("other/a.json", "{}");
  folder.write("other/b.json", "[]");
  CHECK(run_words({"trace", "-q", "--verify", folder.path() + "/other", log}, folder).exit ==
        Exit::input);
}

TEST_CASE("several files and folders are verified at once, each file once") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string out = folder.path() + "/out";
  REQUIRE(run_words({"trace", "-q", "--all", "--output-dir", out, log}, folder).exit ==
          Exit::answered);
  std::string trace = make_trace(folder, "001", log);
  Ran verified = run_words({"trace", "-q", "--verify", trace, "--verify", out, "--verify",
                            out + "/ops-handbook/../ops-handbook/Q-2024-09-01-001.json", log},
                           folder);
  CHECK(verified.exit == Exit::answered);
  CHECK(verified.text.ends_with("together: 3 of 3 files verified\n"));
}

TEST_CASE("a second trace behind one --verify is no log that the first was made from") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string trace = make_trace(folder, "001", log), other = folder.path() + "/other.json";
  std::filesystem::copy_file(trace, other);
  const Ran ran = run_words({"trace", "-q", "--verify", trace, other, log}, folder);
  CHECK(ran.exit == Exit::usage);
  CHECK_THAT(ran.text, Catch::Contains("put --verify before each trace"));
  CHECK(run_words({"trace", "-q", "--verify", trace, "--verify", other, log}, folder).exit ==
        Exit::answered);
}

TEST_CASE("an index that says other than the traces is named, row by row") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string out = folder.path() + "/out", index = folder.path() + "/index.sqlite";
  REQUIRE(run_words({"trace", "-q", "--all", "--output-dir", out, "--index", index, log}, folder)
              .exit == Exit::answered);
  Words words = {"trace", "-q", "--verify", out, "--index", index, log};
  Ran verified = run_words(words, folder);
  CHECK(verified.exit == Exit::answered);
  CHECK(verified.text.ends_with(index + ": verified: it matches the traces\n"));

  QueryRow row = read_index(index)->front();
  QueryRow forged = row;
  SECTION("a figure differs") {
    forged.total_cost_usd = 0.5;
    REQUIRE(index_queries(index, {&forged, 1}));
    verified = run_words(words, folder);
    CHECK(verified.text.find("total_cost_usd is 0.5, but 0.0042 in the trace") !=
          std::string::npos);
    CHECK(verified.text.ends_with("does not match the traces: 1 difference\n"));
  }
  SECTION("a figure is missing") {
    forged.total_tokens_in.reset();
    REQUIRE(index_queries(index, {&forged, 1}));
    verified = run_words(words, folder);
    CHECK(verified.text.find("total_tokens_in is null, but 700 in the trace") != std::string::npos);
  }
  SECTION("a row has no trace") {
    forged.query_id = "Q-none";
    forged.trace_ref = "ops-handbook/Q-none.json";
    REQUIRE(index_queries(index, {&forged, 1}));
    verified = run_words(words, folder);
    CHECK(verified.text.find(R"(query "Q-none": no trace "ops-handbook/Q-none.json")") !=
          std::string::npos);
  }
  SECTION("a trace has no row") {
    REQUIRE(std::filesystem::remove(index));
    REQUIRE(index_queries(index, {&row, 1}));
    verified = run_words(words, folder);
    CHECK(verified.text.find("no row for the trace of query \"Q-2024-09-01-002\"") !=
          std::string::npos);
  }
  SECTION("the trace is another file than was noted") {
    std::string path = out + "/" + *row.trace_ref;
    folder.write("out/" + *row.trace_ref, folder.read("out/" + *row.trace_ref) + "\n");
    verified = run_words(words, folder);
    CHECK(verified.text.find("trace_sha256 is") != std::string::npos);
  }
  CHECK(verified.exit == Exit::no);
}

TEST_CASE("of one trace, only its own row is asked for; what is no index is refused") {
  Folder folder;
  std::string log = folder.write("steps.jsonl", project_file("fixtures/steps.jsonl"));
  std::string out = folder.path() + "/out", index = folder.path() + "/index.sqlite";
  REQUIRE(run_words({"trace", "-q", "--all", "--output-dir", out, "--index", index, log}, folder)
              .exit == Exit::answered);
  std::string one = out + "/ops-handbook/Q-2024-09-01-002.json";
  CHECK(run_words({"trace", "-q", "--verify", one, "--index", index, log}, folder).exit ==
        Exit::answered);
  std::string missing = folder.path() + "/none.sqlite";
  CHECK(run_words({"trace", "-q", "--verify", one, "--index", missing, log}, folder).exit ==
        Exit::input);
  CHECK_FALSE(std::filesystem::exists(missing));
  CHECK(run_words({"trace", "-q", "--verify", one, "--index", log, log}, folder).exit ==
        Exit::input);
}
