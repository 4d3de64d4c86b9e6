#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "made_log.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

/// A record whose answer is `text`, as it is between the quotes.
std::string record(const std::string& id, const std::string& text = "hello") {
  return fmt::format(
      R"({{"id":"{}","timestamp":"2026-03-01T10:00:00Z","body":{{"model":"m","messages":[{{"role":"user","content":"{} hi"}}]}},"response":{{"body":{{"content":"{}"}}}}}})",
      id, id, text);
}

std::string ids_in(const Trace& trace) {
  std::string ids;
  for (const Call& call : trace.calls)
    ids += (ids.empty() ? "" : " ") + std::string(trace[call.id]);
  return ids;
}

uint64_t skipped(const Trace& trace) {
  return trace.sources.front().skipped;
}

}  // namespace

TEST_CASE("what agents keep beside their sessions is called what it looks like") {
  Trace trace = read_log(R"({"display":"plan","pastedContents":{},"timestamp":1})"
                         "\n" +
                         record("a") + "\n" + R"({"custom_id":"1","method":"POST","url":"/v1"})");
  CHECK(ids_in(trace) == "a");
  CHECK_THAT(complaints_of(trace), Catch::Contains("looks like Claude Code's prompt history") &&
                                       Catch::Contains("looks like a batch request"));
}

TEST_CASE("a whole record after a torn one on its line is read, and the damage is counted") {
  const std::string torn = record("torn");
  const size_t length = GENERATE(1u, 8u, 40u, 70u, 110u, 150u);  // inside and outside of strings
  const Trace trace =
      read_log(record("a") + "\n" + torn.substr(0, length) +
               record("b", "with {braces} and \\\"quotes\\\"") + "\n" + record("c"));
  CHECK(ids_in(trace) == "a b c");
  CHECK(skipped(trace) == 1);
  CHECK_THAT(complaints_of(trace), Catch::Contains("which is used"));
}

TEST_CASE("every whole record of a damaged line is read, whatever lies between them") {
  const std::string torn = record("torn");
  const std::string cut = torn.substr(0, GENERATE(1u, 8u, 40u, 70u, 110u, 150u));
  const std::string a = record("a"), b = record("b"), c = record("c"), nul(3, '\0');
  const auto ids_of_line = [](const std::string& line) {
    return ids_in(read_log(record("first") + "\n" + line + "\n" + record("last")));
  };
  CHECK(ids_of_line(cut + a + b + c) == "first a b c last");
  CHECK(ids_of_line(a + cut + b) == "first a b last");
  CHECK(ids_of_line(a + "," + b + " , " + c + ",") == "first a b c last");
  CHECK(ids_of_line(nul + a + nul + b + cut + c) == "first a b c last");
}

TEST_CASE("NUL bytes around a record hide nothing of it") {
  const std::string zeros(GENERATE(1u, 4000u), '\0');
  const bool is_before = GENERATE(true, false);
  const Trace trace = read_log(record("a") + "\n" + (is_before ? zeros : "") + record("b") +
                               (is_before ? "" : zeros) + "\n" + record("c"));
  CHECK(ids_in(trace) == "a b c");
  CHECK(skipped(trace) == 1);
}

TEST_CASE("a whole record before a torn one on its line is read") {
  const Trace trace =
      read_log(record("a") + record("torn").substr(0, 40) + "\n" + record("b") + "\n");
  CHECK(ids_in(trace) == "a b");
  CHECK(skipped(trace) == 1);
}

TEST_CASE("an object within a damaged record or in prose is not a record") {
  const std::string line = GENERATE(as<std::string>(), R"({"id":"x" "body":{"model":"m"}})",
                                    R"(12:00 INFO done {"took": 3})", R"({"a":{"b":1})",
                                    "{\"a\":[" + record("inner"), std::string(200, '{'));
  const Trace trace = read_log(record("a") + "\n" + line + "\n" + record("b"));
  CHECK(ids_in(trace) == "a b");
  CHECK(skipped(trace) == 1);
  CHECK_THAT(complaints_of(trace), Catch::Contains("not valid JSON"));
}

TEST_CASE("a session of Kimi is called so, and none of its lines are read as another's") {
  const char* line = GENERATE(
      R"({"type":"metadata","protocol_version":"1.4","created_at":1784300000000})",
      R"({"type":"turn.prompt","input":[{"type":"text","text":"go"}],"origin":{"kind":"user"},"time":1})",
      R"({"type":"context.append_message","message":{"role":"user","content":[{"type":"text",)"
      R"("text":"go"}],"toolCalls":[]},"time":1784300001000})",
      R"({"type":"usage.record","model":"k3","usage":{"output":2},"usageScope":"turn","time":1})",
      R"({"timestamp":1775833100.1,"message":{"type":"TurnBegin","payload":{"user_input":[]}}})",
      R"({"role":"_system_prompt","content":"x"})", R"({"role":"_usage","token_count":8123})",
      R"({"role":"_checkpoint","id":0})");
  const Trace trace = read_log(record("a") + "\n" + line);
  CHECK(ids_in(trace) == "a");
  CHECK_THAT(complaints_of(trace), Catch::Contains("looks like a Kimi session"));
}

TEST_CASE("a folder of what xtrace itself noted is told as such") {
  Folder folder;
  folder.write("audit.jsonl", R"({"rule":"email","number":1,"characters":17,"at":"answer"})");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.unread.size() == 1);
  CHECK_THAT(trace.unread[0].why, Catch::Contains("looks like xtrace's redaction log"));
}

TEST_CASE("each damaged line is named, and all sound ones are used") {
  Trace trace = read_log(record("a") + "\n" + record("b").substr(0, 60) + "\n" +  //
                         "null\n[1]\n17\n\"text\"\n" +                            //
                         R"({"some":"thing"})" + "\n" +                           //
                         "{\"a\":1]\n" + record("c") + "\n");
  CHECK(ids_in(trace) == "a c");
  CHECK(skipped(trace) == 7);
  CHECK(complaints_of(trace).find("damaged 2: ") == 0);
  CHECK(complaints_of(trace).find("damaged 3: a record is not an object") != std::string::npos);
  CHECK(complaints_of(trace).find("unknown_record 7: JSON in an unknown format") !=
        std::string::npos);
  CHECK(complaints_of(trace).find("damaged 8: ") != std::string::npos);
  CHECK(complaints_of(trace).find("thing") == std::string::npos);  // no text of the input
}

TEST_CASE("what is wrong is said in words") {
  auto complaint = [](const std::string& line) {
    return complaints_of(read_log(record("a") + "\n" + line + "\n"));
  };
  CHECK(complaint(record("b", "\xff\xfe")) == "damaged 2: not valid UTF-8");
  CHECK(complaint(record("b", "a\tb")) == "damaged 2: control character inside a string");
  CHECK(complaint(record("b", "a\\qb")) == "damaged 2: invalid escape in a string");
  CHECK(complaint(R"({"id":"b","n":1e9999999,"body":{"messages":[]}})") ==
        "damaged 2: invalid or too large number");
  CHECK(complaint(record("b").substr(0, 30)) == "damaged 2: cut off inside a string");
  CHECK(complaint("{\"body\":{}") == "damaged 2: not valid JSON: cut off, or unbalanced brackets");
  CHECK(complaint("{\"body\":" + std::string(2000, '[') + std::string(2000, ']') + "}") ==
        "damaged 2: nested more than 1024 levels deep");
}

TEST_CASE("two objects on one line are two records, and no damage") {
  Trace trace = read_log(record("a") + record("b") + "\n" + record("c") + " " + record("d") + "\n");
  CHECK(ids_in(trace) == "a b c d");
  CHECK(skipped(trace) == 0);
  CHECK(trace.calls[1].source.line == 1);
  CHECK(trace.calls[1].source.offset == record("a").size());
  CHECK(trace.calls[3].source.line == 2);
}

TEST_CASE("of two objects on one line a damaged one costs only itself") {
  Trace trace = read_log(record("a") + "\n" + record("b") + R"({"n": 01})" + record("c") + "\n");
  CHECK(ids_in(trace) == "a b c");
  CHECK(skipped(trace) == 1);
}

TEST_CASE("a record may be pretty-printed over many lines") {
  std::string pretty;
  for (char c : record("a")) {
    pretty += c;
    if (c == ',' || c == '{') pretty += "\n  ";
  }
  SECTION("alone") {
    Trace trace = read_log(pretty);
    CHECK(ids_in(trace) == "a");
    CHECK(skipped(trace) == 0);
  }
  SECTION("one behind another, each found at its first line") {
    std::string other = pretty;
    other.replace(other.find("\"a\""), 3, "\"b\"");
    Trace trace = read_log(pretty + "\n" + other);
    CHECK(ids_in(trace) == "a b");
    CHECK(trace.calls[0].source.line == 1);
    CHECK(trace.calls[1].source.line > 5);
  }
}

TEST_CASE("a document may hold an item of its list a line") {
  Trace trace = read_log(R"({"resourceSpans":[{"scopeSpans":[{"spans":[)"
                         "\n"
                         R"({"traceId":"0a","spanId":"01","name":"a","startTimeUnixNano":"1"},)"
                         "\n"
                         R"({"traceId":"0a","spanId":"02","name":"b","startTimeUnixNano":"2"})"
                         "\n]}]}]}\n");
  CHECK(trace.spans.size() == 2);
  CHECK(trace.sources[0].skipped == 0);
}

TEST_CASE("a file may be one array of records") {
  std::string log = "[\n" + record("a") + ",\n" + record("b") + "\n]\n";
  SECTION("a record a line") {}
  SECTION("on one line") {
    log = "[" + record("a") + ", " + record("b") + "]";
  }
  Trace trace = read_log(log);
  CHECK(ids_in(trace) == "a b");
  CHECK(skipped(trace) == 0);
}

TEST_CASE("byte order marks, carriage returns and blank lines are no damage") {
  Trace trace = read_log("\xef\xbb\xbf" + record("a") + "\r\n\r\n   \n\t\n" + record("b") +
                         "\r\n\n" + record("c"));
  CHECK(ids_in(trace) == "a b c");
  CHECK(skipped(trace) == 0);
  CHECK(trace.calls[1].source.line == 5);
  CHECK(trace.calls[2].source.line == 7);
}

TEST_CASE("half of a surrogate pair is read as U+FFFD and counted, its record kept") {
  Trace trace = read_log(record("a", "x\\ud800y") + "\n" + record("b", "\\udc00") + "\n" +
                         record("c", "\\ud83d\\ude00 whole") + "\n" +
                         record("d", "a backslash \\\\ud800 is none") + "\n");
  CHECK(ids_in(trace) == "a b c d");
  CHECK(skipped(trace) == 0);
  CHECK(trace.repaired == 2);
  CHECK(complaints_of(trace) ==
        "repaired 1: incomplete surrogate pair read as U+FFFD\nrepaired 2: incomplete surrogate "
        "pair read as U+FFFD");
}

TEST_CASE("also where it stands in one of two records on a line") {
  Trace trace = read_log(record("a") + record("b", "\\ud800") + "\n");
  CHECK(ids_in(trace) == "a b");
  CHECK(skipped(trace) == 0);
  CHECK(trace.repaired == 1);
}

TEST_CASE("lines out of order in time are normal") {
  CallStory story;
  story.call("b").at(10).after("a");
  story.call("a").at(0);
  CHECK(complaints_of(story.graph().trace()) == "");
  CHECK(story.links() == "a->b continuation 1.00");
}

TEST_CASE("damage is named by the same lines, however the file is cut into pieces") {
  MadeLog made = make_log({21, 2, 3, false, 12, {}});
  std::set<std::string> said;
  for (uint64_t piece : {uint64_t{100}, uint64_t{1000}, uint64_t{4096}, uint64_t{0}}) {
    LoadOptions loading;
    loading.piece_bytes = piece;
    loading.jobs = 2;
    said.insert(complaints_of(read_log(made.text(), loading)));
  }
  CHECK(said.size() == 1);
  std::string complaints = *said.begin();
  for (size_t i = 0; i < made.lines.size(); ++i) {
    bool sound = made.lines[i].starts_with("{\"id\"") && made.lines[i].ends_with("}");
    bool named = complaints.find(fmt::format(" {}: ", i + 1)) != std::string::npos;
    if (!sound) CHECK(named);
  }
}

TEST_CASE("a torn first line does not take the others with it") {
  Trace trace = read_log(record("a").substr(40) + "\n" + record("b") + "\n");
  CHECK(ids_in(trace) == "b");
  trace = read_log(record("a").substr(0, 40) + "\n" + record("b") + "\n");
  CHECK(ids_in(trace) == "b");
  CHECK(skipped(trace) == 1);
}

TEST_CASE("a last line that is not finished may still be being written, and is counted") {
  Trace trace = read_log(record("a") + "\n" + record("b").substr(0, 50));
  CHECK(ids_in(trace) == "a");
  CHECK(skipped(trace) == 1);
  CHECK(complaints_of(trace) ==
        "unfinished 2: the last line is incomplete (is the file still being written?)");
  // Also in the middle of a character, and behind a whole record.
  std::string word = record("b", "\xc3\xa9");
  trace = read_log(record("a") + word.substr(0, word.find('\xa9')));
  CHECK(ids_in(trace) == "a");
  CHECK(complaints_of(trace).find("unfinished 1: ") == 0);
  std::string document = "[\n" + record("a") + ",\n" + record("b").substr(0, 50);
  trace = read_log(document);
  CHECK(ids_in(trace) == "a");
  CHECK(complaints_of(trace).find("unfinished 3: ") == 0);
}

TEST_CASE("a torn line that others follow, or that is closed, is damage") {
  CHECK(complaints_of(read_log(record("a").substr(0, 50) + "\n")).find("damaged 1: ") == 0);
  CHECK(complaints_of(read_log(record("a") + "\n{\"a\":1]}")).find("damaged 2: ") == 0);
  CHECK(complaints_of(read_log(record("a") + "\nnull")).find("damaged 2: ") == 0);
}

TEST_CASE("of thousands of damaged lines all are counted and some are named") {
  std::string log = record("a") + "\n";
  for (int i = 0; i < 3000; ++i) log += "{broken\n";
  Trace trace = read_log(log);
  CHECK(skipped(trace) == 3000);
  CHECK(trace.complaints.size() >= 50);
  CHECK(trace.complaints.size() <= 200);
}

TEST_CASE("fields of the wrong type are as good as missing") {
  for (const char* wrong :
       {"null", "17", "true", "\"text\"", "[]", "{}", "[[]]", "[null]", "-0.5"}) {
    CAPTURE(wrong);
    std::string log = fmt::format(
        R"({{"id":{0},"timestamp":{0},"session_id":{0},"agent_type":{0},"body":{{"model":{0},"system":{0},"messages":{0},"tools":{0},"metadata":{0}}},"response":{{"status":{0},"headers":{0},"body":{0},"timestamp":{0},"duration_ms":{0}}},"error":{0}}})"
        "\n",
        wrong);
    Trace trace = read_log(log);
    CHECK(trace.calls.size() == 1);
    log = fmt::format(
        R"({{"body":{{"messages":[{{"role":{0},"content":{0},"tool_calls":{0}}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":{0},"content":{0}}},{{"type":"tool_use","id":{0},"name":{0},"input":{0}}},{{"type":{0}}},{0}]}},{0}]}},"response":{{"body":{{"id":{0},"content":[{0}],"usage":{0},"stop_reason":{0},"choices":{0}}}}}}})"
        "\n",
        wrong);
    CHECK(read_log(log).calls.size() == 1);
  }
}

TEST_CASE("what a list holds in place of records is no damaged JSON") {
  for (const std::string list : {"[1,2,3]", "[null]", "[null, true, -1.5e3]"}) {
    const Trace trace = read_log(list + "\n");
    REQUIRE_FALSE(trace.complaints.empty());
    CHECK(complaints_of(trace).find("a record is not an object") != std::string::npos);
    CHECK(complaints_of(trace).find("not valid JSON") == std::string::npos);
  }
}
