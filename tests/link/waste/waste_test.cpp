#include "link/waste/waste.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "link/activities/compaction.h"
#include "link/graph/graph.h"
#include "link/waste/found_waste.h"
#include "link/waste/wasteful_log.h"
#include "reading.h"
#include "reread.h"
#include "transcript.h"

using namespace xtrace;

namespace {

constexpr int kTimes = 20;  // each kind is planted so often, each time otherwise

/// Why caches were lost, a word each.
std::string rebuilt_in(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  std::string text;
  for (const CacheRebuild& one : find_cache_rebuilds(graph, &payloads))
    text += std::string(text.empty() ? "" : " ") + std::string(word(one.cause));
  return text;
}

int64_t compactions_in(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const std::vector<bool> found = Compactions(graph, &payloads).of_calls();
  return std::count(found.begin(), found.end(), true);
}

std::string file(int i) {
  constexpr std::array kFolders = {"src", "/code/app", "lib/deep/er", "C:/code"};
  return fmt::format("{}/part{}.cpp", kFolders[static_cast<size_t>(i) % kFolders.size()], i);
}

std::string command(int i) {
  constexpr std::array kCommands = {"make check", "pytest -q tests", "cargo test --all",
                                    "npm run build", "git status"};
  return fmt::format("{} # {}", kCommands[static_cast<size_t>(i) % kCommands.size()], i);
}

/// What is done before and behind, so that nothing is at an end.
WastefulLog begun(int i) {
  WastefulLog log;
  log.user("do it").reads(file(100 + i)).runs("ls", "a b c");
  return log;
}
std::string ended(WastefulLog& log) {
  return log.reads("src/last.cpp").says("that is all").text();
}

}  // namespace

TEST_CASE("the same step with the same result three times is a loop") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    for (int times = 0; times < 3 + i % 4; ++times) {
      if (i % 2 == 0)
        log.runs(command(i), "all as before");
      else
        log.reads(file(i));
    }
    CHECK(found_in(ended(log)) == fmt::format("loop {}", 2 + i % 4));
  }
}

TEST_CASE("two or three steps in turn that learn nothing are a loop") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    for (int times = 0; times < 2 + i % 2; ++times) {
      log.runs(command(i), "it does not work").reads(file(i));
      if (i % 3 == 0) log.runs("git diff", "nothing");
    }
    CHECK(found_in(ended(log)) == fmt::format("loop {}", 1 + i % 2));
  }
}

TEST_CASE("what failed and is tried again as it was fails in vain") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    const std::string arguments = fmt::format(R"({{"command":"{}"}})", command(i));
    log.fails("Bash", arguments, fmt::format("error: took {} ms", i));
    if (i % 2 == 0) log.reads(file(i));
    log.fails("Bash", arguments, fmt::format("error: took {} ms", i + 1));
    CHECK(found_in(ended(log)) == "failing_retry 1");
  }
}

TEST_CASE("a file read again that had not changed was in the context") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    log.reads(file(i)).reads(file(i + 30)).edits(file(i + 60));
    if (i % 2 == 0) log.runs(command(i));
    log.reads(file(i));
    CHECK(found_in(ended(log)) == "reread 1");
  }
}

TEST_CASE("another call repeated with nothing changed gives what is known") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    log.runs(command(i), "so it is").reads(file(i)).runs("grep -rn 'a|b' . 2>/dev/null | head");
    log.runs(command(i), "so it is");
    CHECK(found_in(ended(log)) == "repeated_call 1");
  }
}

TEST_CASE("a subagent that asks what another one had asked redoes its work") {
  for (int i = 0; i < kTimes; ++i) {
    Transcript log(fmt::format("S{}", i));
    const auto works = [&](const std::string& agent) {
      log.within("t" + agent, agent, "look for " + agent);
      log.user(agent + "u", "look for " + agent);
      for (int at = 0; at < 4 + i % 3; ++at) {
        const std::string use = fmt::format("{}{}", agent, at);
        log.answer(
            use + "a", use + "m",
            xtrace::uses(use, "Read", fmt::format(R"({{"file_path":"{}"}})", file(at + i * 10))));
        log.result(use + "r", use);
      }
      log.answer(agent + "e", agent + "em", says("found it"));
    };
    log.user("u", "go");
    log.answer("a", "m",
               spawns("tx", "Explore", "look for x") + "," + spawns("ty", "Explore", "look for y"));
    works("x");
    works("y");
    CHECK(found_in(log.text()) == fmt::format("redone_work {}", 4 + i % 3));
    CHECK(wastes_in(log.text(), [](const Waste& one) {
            return std::string(one.is_parallel ? "parallel" : "one after the other");
          }) == "one after the other");
  }
}

TEST_CASE("what a cache had held and is written anew is told with why") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log;
    log.begins_with(20000 + 1000 * i).user("do it").reads(file(i)).edits(file(i));
    if (i % 2 == 0) log.waits(400);
    log.loses_cache().runs(command(i));
    CHECK(found_in(ended(log)) == "cache_rebuild 1");
  }
}

TEST_CASE("a cache that no request asked for is the provider's, who may drop it") {
  const auto call = [](int nth, const std::string& messages, int cached) {
    return fmt::format(
        R"({{"id":"c{0}","timestamp":"2026-01-10T12:0{0}:00Z","request":{{"model":"gpt-5","messages":[{1}]}},"response":{{"id":"r{0}","model":"gpt-5","choices":[{{"message":{{"role":"assistant","content":"so {0}"}}}}],"usage":{{"prompt_tokens":20000,"completion_tokens":9,"total_tokens":20009,"prompt_tokens_details":{{"cached_tokens":{2}}}}}}}}})"
        "\n",
        nth, messages, cached);
  };
  const std::string asked = R"({"role":"user","content":"look"})";
  const std::string log =
      call(1, asked, 19000) +
      call(2, asked + R"(,{"role":"assistant","content":"so 1"},{"role":"user","content":"more"})",
           0);
  CHECK(rebuilt_in(log) == "unknown");
  CHECK(found_in(log) == "");
}

TEST_CASE("a context window that is nearly full is told once for all its calls") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log;
    log.begins_with(158000 + 1000 * i).user("do it").reads(file(i)).edits(file(i));
    CHECK(found_in(ended(log)) == "full_context 4");
  }
}

TEST_CASE("tools that each request offers and nobody uses are carried along") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log;
    std::string tools = R"({"name":"Read","description":"reads","input_schema":{}})";
    for (int at = 0; at < 2 + i; ++at)
      tools += fmt::format(
          R"(,{{"name":"mcp__shop__{}","description":"{}","input_schema":{{"type":"object"}}}})",
          at, many_words("word", 120));
    log.offers("[" + tools + "]").user("do it");
    for (int at = 0; at < 6; ++at) log.reads(file(at));
    CHECK(found_in(ended(log)) == "unused_tools 8");
  }
}

TEST_CASE("a request carried in vain what its own list offers") {
  std::string tools = R"({"name":"Read","description":"reads","input_schema":{}})";
  const std::string reading = tools;
  for (int at = 0; at < 5; ++at)
    tools += fmt::format(R"(,{{"name":"shop_{}","description":"{}","input_schema":{{}}}})", at,
                         many_words("word", 120));
  WastefulLog log;
  log.offers("[" + tools + "]").user("do it").reads(file(0)).reads(file(1));
  log.offers("[" + reading + "]");
  for (int at = 2; at < 9; ++at) log.reads(file(at));
  CHECK(wastes_in(ended(log), [](const Waste& one) {
          return fmt::format("{} {}: {} tools, evidence {}", word(one.kind), one.times,
                             one.tools.size(), one.evidence.size());
        }) == "unused_tools 2: 5 tools, evidence 2");
}

TEST_CASE("a request that sums up with tools of its own offers the others no more") {
  std::string tools;
  for (int at = 0; at < 5; ++at)
    tools += fmt::format(R"({}{{"name":"tool{}","description":"{}","input_schema":{{}}}})",
                         at > 0 ? "," : "", at, many_words("word", 120));
  WastefulLog log;
  log.begins_with(20000).system("help").offers("[" + tools + "]").user("do it");
  for (int at = 0; at < 6; ++at) log.reads(file(at));
  log.system("You are tasked with summarizing conversations.")
      .offers(R"([{"name":"Read","description":"reads","input_schema":{}}])")
      .loses_cache()
      .user("Sum it up.");
  CHECK(found_in(log.says("It was done.").text()) == "unused_tools 6");
  CHECK(rebuilt_in(log.text()) == "compaction");
  CHECK(compactions_in(log.text()) == 1);
}

TEST_CASE("a compaction that is tried again counts with the attempt that went well") {
  Transcript log;
  log.user("u1", "go");
  log.answer("a1", "m1", says("on it"));
  log.line("c1", "system", R"("subtype":"compact_boundary","compactMetadata":{"trigger":"auto"})");
  log.user("u2", "This session is being continued");
  log.line("e1", "system", R"("subtype":"api_error","error":{"status":529},"retryAttempt":1)");
  log.answer("a2", "m2", says("done"));
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log.text())}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const std::vector<bool> found = Compactions(graph, &payloads).of_calls();
  std::string outcomes;
  for (CallId id : graph.timeline().in_order())
    if (found[id.index]) outcomes += word(graph.trace()[id].outcome);
  CHECK(graph.trace().calls.size() == 3);
  CHECK(outcomes == "ok");
}

TEST_CASE("the call that makes OpenCode's summary is no cache lost") {
  const auto answer = [](const std::string& id, const std::string& more, int read, int input) {
    return fmt::format(
        R"({{"info":{{"role":"assistant","id":"{}","sessionID":"ses_1","modelID":"claude-sonnet-4-5","providerID":"anthropic","time":{{"created":1788422402000,"completed":1788422403000}},"tokens":{{"input":{},"output":9,"cache":{{"read":{},"write":0}}}}{}}},"parts":[{{"type":"text","text":"so"}}]}})",
        id, input, read, more);
  };
  const auto user = [](const std::string& id) {
    return fmt::format(
        R"({{"info":{{"role":"user","id":"{}","sessionID":"ses_1","time":{{"created":1788422401000}}}},"parts":[{{"type":"text","text":"{} says"}}]}})",
        id, id);
  };
  const std::string log = R"({"info":{"id":"ses_1","directory":"/g"},"messages":[)" +
                          user("msg_1") + "," + answer("msg_2", "", 9000, 80) + "," +
                          user("msg_3") + "," +
                          answer("msg_4", R"(,"mode":"compaction","summary":true)", 0, 9200) + "]}";
  CHECK(rebuilt_in(log) == "compaction");
  CHECK(found_in(log) == "");
  CHECK(compactions_in(log) == 1);
}

TEST_CASE("a system prompt of another kind makes no compaction") {
  WastefulLog log;
  log.begins_with(20000).system("help").user("do it").reads(file(1));
  log.system("You name files.").user("Name it.");
  CHECK(compactions_in(log.says("part").text()) == 0);
}

TEST_CASE("work that has its reasons is no waste") {
  for (int i = 0; i < kTimes; ++i) {
    // Read again after an edit, also where that was taken back.
    WastefulLog edited = begun(i);
    edited.reads(file(i)).edits(file(i)).reads(file(i)).edits(file(i), "c").reads(file(i));
    CHECK(found_in(ended(edited)) == "");
    // After a patch of several files, of which it is not the first.
    WastefulLog patched = begun(i);
    patched.reads(file(i));
    patched.use("apply_patch",
                fmt::format(R"({{"input":"*** Begin Patch\n*** Add File: /new.py\n+x\n)"
                            R"(*** Update File: {}\n*** End Patch"}})",
                            file(i)),
                "Success");
    CHECK(found_in(ended(patched.reads(file(i)))) == "");
    // After a shell that patched another one and did something with this.
    WastefulLog shell = begun(i);
    shell.reads(file(i));
    shell.use(
        "Bash",
        fmt::format(R"({{"command":"apply_patch <<E\n*** Begin Patch\n*** Update File: /x.py\n)"
                    R"(*** End Patch\nE\nsed -i s/x/y/ {}"}})",
                    file(i)),
        "Success");
    CHECK(found_in(ended(shell.reads(file(i)))) == "");
    // After a command that may have changed any file, though it names none.
    for (const char* command : {"git checkout other && git status", "make format"}) {
      WastefulLog rewritten = begun(i);
      rewritten.reads(file(i)).runs(command).reads(file(i));
      CHECK(found_in(ended(rewritten)) == "");
    }
    // Another part of the file, and another text.
    WastefulLog parts = begun(i);
    for (int at = 0; at < 5; ++at)
      parts.use("Read", fmt::format(R"({{"file_path":"{}","offset":{}}})", file(i), at * 100),
                "a part of it");
    parts.reads(file(i), "one").reads(file(i), "two");
    CHECK(found_in(ended(parts)) == "");
    // A test that is run again after each change, with the same outcome.
    WastefulLog tested = begun(i);
    for (int at = 0; at < 4; ++at)
      tested.edits(file(i + at), fmt::format("{}", at)).runs(command(i), "all tests pass");
    CHECK(found_in(ended(tested)) == "");
    // One that fails, and is run again after a change or an installation.
    WastefulLog fixed = begun(i);
    const std::string arguments = fmt::format(R"({{"command":"{}"}})", command(i));
    fixed.fails("Bash", arguments, "1 failed").edits(file(i)).fails("Bash", arguments, "1 failed");
    fixed.runs("pip install shop").fails("Bash", arguments, "1 failed");
    CHECK(found_in(ended(fixed)) == "");
    // What a user asks for again.
    WastefulLog asked = begun(i);
    asked.runs(command(i), "so it is").says("so it is").user("look again");
    asked.runs(command(i), "so it is");
    CHECK(found_in(ended(asked)) == "");
    // A file that is read again as the user spoke of it.
    for (const std::string& asks :
         std::vector<std::string>{"I changed it", "look again", "see " + file(i)}) {
      WastefulLog reread = begun(i);
      reread.reads(file(i)).says("so it is").user(asks).reads(file(i));
      CHECK(found_in(ended(reread)) == "");
    }
    // What a program writes, after it may have run.
    WastefulLog built = begun(i);
    built.reads("/p/dist/a.js").runs("npm run build").reads("/p/dist/a.js");
    CHECK(found_in(ended(built)) == "");
    // What may go away by itself is tried once more.
    WastefulLog network = begun(i);
    network.fails("Bash", arguments, "ECONNRESET").fails("Bash", arguments, "ECONNRESET");
    CHECK(found_in(ended(network)) == "");
    // What succeeds at the second attempt.
    WastefulLog tried = begun(i);
    tried.fails("Bash", arguments, "no network").runs(command(i), "done");
    CHECK(found_in(ended(tried)) == "");
    // What is written to a file by a command may be what is read again.
    WastefulLog generated = begun(i);
    generated.reads(file(i)).runs("./generate > " + file(i)).reads(file(i));
    CHECK(found_in(ended(generated)) == "");
  }
}

TEST_CASE("who waits for something asks again, and that is said with less confidence") {
  for (int i = 0; i < kTimes; ++i) {
    WastefulLog log = begun(i);
    for (int at = 0; at < 4; ++at) {
      if (i % 2 == 0)
        log.runs(fmt::format("sleep 5 && tail -3 run{}.log", i), "still at it");
      else
        log.use("BashOutput", fmt::format(R"({{"bash_id":"{}"}})", i), "still at it");
    }
    const std::string text = ended(log);
    CHECK(found_in(text) == "loop 3");
    CHECK(found_in(text, 0.5) == "");
  }
}
