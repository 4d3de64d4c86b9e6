#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "link/blame/blame.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

/// A log of one agent that uses a tool in each call.
class DeskLog {
 public:
  explicit DeskLog(const std::string& task) { add("user", fmt::format(R"("{}")", task)); }

  void use(const std::string& tool, const std::string& arguments, const std::string& result,
           bool failed = false) {
    const std::string id = fmt::format("toolu_{}", ++uses_);
    const std::string content = fmt::format(
        R"([{{"type":"tool_use","id":"{}","name":"{}","input":{}}}])", id, tool, arguments);
    call(content);
    add("assistant", content);
    std::string text;
    for (char c : result) text += c == '"' ? std::string("\\\"") : std::string(1, c);
    add("user",
        fmt::format(R"([{{"type":"tool_result","tool_use_id":"{}","content":"{}","is_error":{}}}])",
                    id, text, failed));
  }
  void reply(const std::string& text) {
    call(fmt::format(R"([{{"type":"text","text":"{}"}}])", text));
  }
  int uses() const { return uses_; }
  const std::string& text() const { return log_; }

 private:
  void add(std::string_view role, const std::string& content) {
    messages_ += fmt::format(R"({}{{"role":"{}","content":{}}})", messages_.empty() ? "" : ",",
                             role, content);
  }
  void call(const std::string& content) {
    ++calls_;
    log_ += fmt::format(
        R"({{"timestamp":"2026-05-04T09:{:02}:{:02}Z","direction":"request","method":"POST",)"
        R"("path":"/v1/messages","body":{{"model":"m","max_tokens":9,"messages":[{}]}},)"
        R"("response":{{"status":200,"headers":{{"request-id":"req_{}"}},"body":{{"id":"m_{}",)"
        R"("type":"message","role":"assistant","model":"m","content":{},"stop_reason":"end_turn",)"
        R"("usage":{{"input_tokens":9,"output_tokens":9}}}},"duration_ms":500}}}})"
        "\n",
        calls_ / 60, calls_ % 60, messages_, calls_, calls_, content);
  }

  int uses_ = 0, calls_ = 0;
  std::string messages_, log_;
};

/// The tool use that failed last without being mended; `last`: none did.
std::string symptom_of(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const StepGraph steps =
      steps_of_calls(graph, std::vector<bool>(graph.trace().calls.size(), true), {});
  const BlameFindings found = find_candidates({graph, &payloads, steps, {}, {}, nullptr});
  if (found.from == SymptomFrom::last) return "last";
  return std::string(graph.trace()[steps.steps[found.symptom].use]);
}

/// `toolu_3 strong near_miss`, a line each; weak ones are left out.
std::vector<std::string> candidates_in(const std::string& log) {
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("log", log)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  std::vector<uint32_t> links(graph.links().size());
  std::iota(links.begin(), links.end(), 0);
  const StepGraph steps =
      steps_of_calls(graph, std::vector<bool>(graph.trace().calls.size(), true), links);
  std::vector<std::string> found;
  for (const BlameCandidate& one :
       find_candidates({graph, &payloads, steps, {}, {}, nullptr}).candidates) {
    if (one.strength == Strength::weak) continue;
    const GraphStep& step = steps.steps[one.step];
    std::string line = step.use ? std::string(graph.trace()[step.use]) : "call";
    for (const FoundSignal& signal : one.signals) line += fmt::format(" {}", word(signal.signal));
    found.push_back(std::move(line));
  }
  return found;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("two digits that are swapped are nearly the value that a tool gave") {
  DeskLog log("Refund the kettle.");
  log.use("lookup", R"({"name":"Ada"})", R"({"account":48213975})");
  log.use("refund", R"({"account":48231975})", "done");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_2 near_miss"});
}

TEST_CASE("a value that nobody gave is ungrounded, unless a model chooses such values") {
  DeskLog log("Refund order 99812 for the kettle.");
  log.use("refund", R"({"order":99812,"limit":750000})", "done");
  log.use("refund", R"({"order":67142})", "done");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_2 ungrounded"});
}

TEST_CASE("a value that only a model gave is no ground, and how long to wait is no value") {
  DeskLog log("Run it.");
  log.use("run", R"({"order":30117})", "done");
  log.use("run", R"({"order":30171})", "done");
  log.use("run", R"({"yield_time_ms":30000,"order":30171})", "done");
  log.use("run", R"({"yield_time_ms":10000,"max_lines":20000,"order":30171})", "done");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_1 ungrounded", "toolu_2 ungrounded"});
}

TEST_CASE("a default hides a value that a result gave, unless the value was used") {
  DeskLog log("Refund.");
  log.use("policy", "{}", R"({"fee":12505})");
  log.use("refund", R"({"fee":0})", "done");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_2 unread_evidence"});
  DeskLog used("Refund.");
  used.use("policy", "{}", R"({"fee":12505})");
  used.use("refund", R"({"fee":12505})", "done");
  used.use("close", R"({"fee":0})", "done");
  used.reply("Done.");
  CHECK(candidates_in(used.text()) == Lines{});
}

TEST_CASE("a failure that a later success mends is weak") {
  DeskLog log("Refund.");
  log.use("policy", R"({"of":"kettles"})", "timed out", true);
  log.use("policy", R"({"of":"kettles"})", "30 days");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{});
}

TEST_CASE("only the same file or nearly the same arguments mend a failure") {
  DeskLog log("Write both files.");
  log.use("Write", R"({"file_path":"/w/a.ts","content":"1"})", "File has not been read yet", true);
  log.use("Write", R"({"file_path":"/w/b.ts","content":"2"})", "written");
  log.use("convert", R"({"to":"carats","of":"ring"})", "busy", true);
  log.use("convert", R"({"to":"carat","of":"ring"})", "7");
  log.reply("Done.");
  // It is what is asked about, and so no candidate.
  CHECK(symptom_of(log.text()) == "toolu_1");
  CHECK(candidates_in(log.text()) == Lines{});
  DeskLog mended("Write a file.");
  mended.use("Write", R"({"file_path":"/w/a.ts","content":"1"})", "not read yet", true);
  mended.use("Edit", R"({"file_path":"/w/a.ts","old":"","new":"1"})", "edited");
  mended.reply("Done.");
  CHECK(symptom_of(mended.text()) == "last");
}

TEST_CASE("a step that only looks and finds nothing is weak, if the agent found another way") {
  DeskLog log("Find it.");
  log.use("Grep", R"({"pattern":"kettle","path":"/w/shop"})", "no such folder", true);
  log.use("Grep", R"({"pattern":"Teapot","path":"/w/stock"})", "a.md");
  log.reply("Done.");
  CHECK(symptom_of(log.text()) == "last");
  CHECK(candidates_in(log.text()) == Lines{});
}

TEST_CASE("what the failure of a check follows from explains it") {
  DeskLog log("Refund.");
  log.use("lookup", "{}", R"({"account":48213975})");
  log.use("refund", R"({"account":48231975})", R"({"receipt":"rf55121aq"})");
  log.use("verify", R"({"receipt":"rf55121aq"})", "no such account", true);
  log.use("note", R"({"about":"kettles"})", "noted");
  log.reply("It failed.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_2 near_miss"});
}

TEST_CASE("the same failure three times counts where it began") {
  DeskLog log("Convert.");
  for (int i = 0; i < 4; ++i) log.use("convert", R"({"to":"carats"})", "unknown unit", true);
  log.use("convert", R"({"to":"grams"})", "7");
  log.reply("Done.");
  CHECK(candidates_in(log.text()) == Lines{"toolu_1 error_unmended retry_storm"});
}

TEST_CASE("who stops the model and says something interrupted it, who says nothing did not") {
  const auto said = [](int second, const std::string& message) {
    return fmt::format(
        R"({{"type":"message","timestamp":"2026-05-04T09:00:{:02}.000Z","message":{}}})"
        "\n",
        second, message);
  };
  const auto model = [](const std::string& text, const std::string& reason) {
    return fmt::format(
        R"({{"role":"assistant","content":[{}],"provider":"anthropic","model":"m","usage":)"
        R"({{"input":9,"output":9}},"stopReason":"{}"}})",
        text.empty() ? "" : R"({"type":"text","text":")" + text + R"("})", reason);
  };
  const std::string asks = R"({"role":"user","content":[{"type":"text","text":"Mend it."}]})";
  const std::string begin =
      R"({"type":"session","id":"s-1","timestamp":"2026-05-04T09:00:00.000Z","cwd":"/w"})"
      "\n" +
      said(1, asks) + said(2, model("", "aborted"));
  CHECK(candidates_in(begin +
                      said(3, R"({"role":"user","content":[{"type":"text","text":)"
                              R"("In the other file!"}]})") +
                      said(4, model("Done.", "stop"))) == Lines{"call interrupted"});
  CHECK(candidates_in(begin + said(4, model("Done.", "stop"))) == Lines{});
}

TEST_CASE("one planted fault is found wherever it is, and nothing without one") {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<int>(random() % n); };
    const int orders = 2 + below(5), faulty = below(static_cast<uint32_t>(orders));
    const bool has_fault = seed % 4 != 0;
    DeskLog log("Refund all orders.");
    std::string expected;
    for (int order = 0; order < orders; ++order) {
      const std::string account = fmt::format("{}{}", 1357 + below(800), 2468 + below(1000));
      log.use("lookup", fmt::format(R"({{"name":"n{}"}})", order),
              fmt::format(R"({{"account":{}}})", account));
      if (below(3) == 0) {
        log.use("policy", fmt::format(R"({{"page":"p{}"}})", order), "timed out", true);
        log.use("policy", fmt::format(R"({{"page":"p{}"}})", order), "30 days");
      }
      std::string given = account;
      const bool is_faulty = has_fault && order == faulty;
      if (is_faulty) std::swap(given[3], given[4]);
      if (given == account && is_faulty) given[2] = given[2] == '9' ? '1' : '9';
      log.use("refund", fmt::format(R"({{"account":{}}})", given), "done");
      if (is_faulty) expected = fmt::format("toolu_{} near_miss", log.uses());
    }
    log.reply("Done.");
    INFO("seed " << seed << "\n" << log.text());
    CHECK(candidates_in(log.text()) == (has_fault ? Lines{expected} : Lines{}));
  }
}
