#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/waste/found_waste.h"
#include "link/waste/wasteful_log.h"

using namespace xtrace;

namespace {

WastefulLog asked_to_work() {
  WastefulLog log;
  log.user("do it").reads("src/first.cpp");
  return log;
}

/// `loop 3 at 0.9`, a line each.
std::string sure_in(WastefulLog& log) {
  log.reads("src/last.cpp").says("that is all");
  return wastes_in(log.text(), [](const Waste& one) {
    return fmt::format("{} {} at {}{}", word(one.kind), one.times, one.confidence,
                       one.is_polling ? ", polling" : "");
  });
}

std::string of_pytest() {
  return R"({"command":"pytest -q --lf"})";
}

}  // namespace

TEST_CASE("what does something each time is not repeated in vain") {
  WastefulLog keys = asked_to_work();
  for (int i = 0; i < 4; ++i)
    keys.use("mcp__browser__browser_press_key", R"({"key":"ArrowDown"})", "pressed");
  CHECK(sure_in(keys) == "");
  WastefulLog twice = asked_to_work();
  for (int i = 0; i < 2; ++i) twice.use("mcp__shop__order", R"({"what":"tea"})", "ordered");
  CHECK(sure_in(twice) == "");
}

TEST_CASE("of a command that nobody knows it is less sure that it was repeated in vain") {
  WastefulLog twice = asked_to_work();
  twice.runs("alembic downgrade -1", "done").runs("alembic downgrade -1", "done");
  CHECK(sure_in(twice) == "repeated_call 1 at 0.4");
  WastefulLog often = asked_to_work();
  for (int i = 0; i < 4; ++i) often.runs("./next_batch.sh", "100 rows");
  CHECK(sure_in(often) == "loop 3 at 0.4");
  WastefulLog test = asked_to_work();
  test.runs("cd app && npm test", "all pass").runs("cd app && npm test", "all pass");
  CHECK(sure_in(test) == "repeated_call 1 at 0.9");
}

TEST_CASE("how long tests took, and why they are run, does not tell them apart") {
  WastefulLog log = asked_to_work();
  for (int i = 0; i < 4; ++i)
    log.use("Bash", fmt::format(R"({{"command":"pytest -q","description":"Try no {}"}})", i),
            fmt::format("3 passed in 0.{}s", i));
  CHECK(sure_in(log) == "loop 3 at 0.9");
  WastefulLog clock = asked_to_work();
  for (int i = 0; i < 4; ++i) clock.runs("date", fmt::format("12:30:0{}", i));
  CHECK(sure_in(clock) == "");
}

TEST_CASE("edits that are undone and made again are a loop") {
  WastefulLog log = asked_to_work();
  for (int i = 0; i < 3; ++i)
    log.edits("src/a.cpp", "b")
        .runs("npm test", "1 of 2 fail")
        .edits("src/a.cpp", "c")
        .runs("npm test", "1 of 2 fail");
  CHECK(sure_in(log) == "loop 2 at 0.8");
}

TEST_CASE("what looks something up with a prompt is repeated as any other look") {
  WastefulLog log = asked_to_work();
  for (int i = 0; i < 2; ++i)
    log.use("WebFetch", R"({"url":"https://a.example/x","prompt":"the price"})", "it costs 5");
  CHECK(sure_in(log) == "repeated_call 1 at 0.9");
}

TEST_CASE("a file is read again in vain though a user spoke of something else meanwhile") {
  WastefulLog log = asked_to_work();
  log.reads("src/a.cpp").says("done").user("go on").reads("src/a.cpp");
  CHECK(sure_in(log) == "reread 1 at 0.6");
  WastefulLog told = asked_to_work();
  told.reads("src/a.cpp").reads("src/a.cpp", "File unchanged since last read. It is above.");
  CHECK(sure_in(told) == "reread 1 at 0.95");
  WastefulLog tested = asked_to_work();
  tested.reads("src/a.cpp").runs("pytest src/a.cpp", "ok").reads("src/a.cpp");
  CHECK(sure_in(tested) == "reread 1 at 0.95");
}

TEST_CASE("who waits before asking again polls") {
  WastefulLog log = asked_to_work();
  for (int i = 0; i < 3; ++i)
    log.use("mcp__ci__get_build", R"({"id":5})", "running").runs(fmt::format("sleep 6{}", i), "");
  CHECK(sure_in(log) == "repeated_call 2 at 0.4, polling");
}

TEST_CASE("what fails otherwise than before was not tried in vain") {
  WastefulLog other = asked_to_work();
  other.fails("Bash", of_pytest(), "no server").fails("Bash", of_pytest(), "1 failed in 2.5s");
  CHECK(sure_in(other) == "");
  WastefulLog same = asked_to_work();
  same.fails("Bash", of_pytest(), "1 failed in 2.4s")
      .fails("Bash", of_pytest(), "1 failed in 2.5s");
  CHECK(sure_in(same) == "failing_retry 1 at 0.9");
}

TEST_CASE("rounds that fail otherwise each time are no loop") {
  const auto tests_fail = [](int first, int by) {
    WastefulLog log = asked_to_work();
    for (int i = 0; i < 3; ++i)
      log.fails("Bash", of_pytest(), fmt::format("{} failed in 0.{}s", first - i * by, i));
    return sure_in(log);
  };
  CHECK(tests_fail(5, 2) == "");
  CHECK(tests_fail(5, 0) == "loop 2 at 0.9");
  const auto migrates = [](int first, int by) {
    WastefulLog log = asked_to_work();
    for (int i = 0; i < 3; ++i)
      log.runs("./apply_next_migration.sh", "applied")
          .fails("Bash", of_pytest(), fmt::format("{} failed", first - i * by));
    return sure_in(log);
  };
  CHECK(migrates(5, 2) == "");
  CHECK(migrates(5, 0) == "loop 2 at 0.4");
}

TEST_CASE("a command that puts out nothing each time has the same result") {
  WastefulLog nothing = asked_to_work();
  for (int i = 0; i < 4; ++i) nothing.runs("grep -rn foo src", "");
  CHECK(sure_in(nothing) == "loop 3 at 0.9");
  WastefulLog pictures = asked_to_work();  // of which a log keeps no text
  for (int i = 0; i < 4; ++i) pictures.use("view_screen", R"({"id":1})", "");
  CHECK(sure_in(pictures) == "");
}

TEST_CASE("who is refused at a file for the same reason again tried in vain, whatever it gives") {
  constexpr const char* kReason = "File has not been read yet. Read it first.";
  const auto refused = [](WastefulLog& log, const char* tool, const char* arguments) {
    log.fails(tool, arguments, kReason);
  };
  WastefulLog log = asked_to_work();
  refused(log, "Edit", R"({"file_path":"/a.cpp","old_string":"a"})");
  refused(log, "Edit", R"({"file_path":"/a.cpp","old_string":"b"})");
  refused(log, "Write", R"({"file_path":"/a.cpp","content":"c"})");
  CHECK(sure_in(log) == "failing_retry 2 at 0.8");
  WastefulLog other_file = asked_to_work();
  refused(other_file, "Edit", R"({"file_path":"/a.cpp","old_string":"a"})");
  refused(other_file, "Edit", R"({"file_path":"/b.cpp","old_string":"a"})");
  CHECK(sure_in(other_file) == "");
  WastefulLog read_it = asked_to_work();
  refused(read_it, "Edit", R"({"file_path":"/a.cpp","old_string":"a"})");
  read_it.use("Read", R"({"file_path":"/a.cpp"})", "its lines");
  refused(read_it, "Edit", R"({"file_path":"/a.cpp","old_string":"b"})");
  CHECK(sure_in(read_it) == "");
}
