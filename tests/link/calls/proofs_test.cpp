#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "link/graph/graph.h"
#include "reading.h"

// What words, order and names in a log of model calls prove where it has no ids of its own for it.

namespace xtrace {

namespace {

std::string spoken(const std::string& role, const std::string& content) {
  return fmt::format(R"({{"role":"{}","content":{}}})", role, content);
}
std::string words_in(const std::string& words) {
  return fmt::format(R"([{{"type":"text","text":"{}"}}])", words);
}
std::string tool_use(const std::string& id, const std::string& tool, const std::string& input) {
  return fmt::format(R"([{{"type":"tool_use","id":"{}","name":"{}","input":{{{}}}}}])", id, tool,
                     input);
}
std::string tool_result(const std::string& id, const std::string& words) {
  return fmt::format(R"([{{"type":"tool_result","tool_use_id":"{}","content":"{}"}}])", id, words);
}

/// A call of one second; it begins so many seconds after nine.
std::string a_call(const std::string& id, int second, const std::string& messages,
                   const std::string& answer, const char* space = "") {
  return fmt::format(
      R"({{{5}"timestamp":"2026-03-02T09:{1:02}:{2:02}.000Z","method":"POST","url":"/v1/messages","body":{{"model":"m","messages":[{3}],"metadata":{{"user_id":"u"}}}},"response":{{"status":200,"headers":{{"request-id":"{0}"}},"body":{{"type":"message","id":"msg_{0}","role":"assistant","model":"m","content":{4},"usage":{{"input_tokens":10,"output_tokens":5}}}}}},"duration_ms":1000}})"
      "\n",
      id, second / 60, second % 60, messages, answer, space);
}

std::string links_of(const std::string& log, LinkKind kind) {
  const Graph graph = link(read_log(log), {});
  std::string all;
  for (const Link& link : graph.links())
    if (link.kind == kind)
      all += fmt::format("{}->{} {:.2f}\n", graph.trace()[graph.trace()[link.from].id],
                         graph.trace()[graph.trace()[link.to].id], confidence(link));
  return all;
}

/// A main agent's call, a helper's, and the main agent's next one. `task`: what the helper is told.
std::string helped(const std::string& tool, const std::string& prompt, const std::string& task,
                   const std::string& report) {
  const std::string asked = tool_use("t1", tool, fmt::format(R"("prompt":"{}")", prompt));
  return a_call("a", 0, spoken("user", words_in("go")), asked) +
         a_call("b", 2, spoken("user", words_in(task)), words_in("14 uses, all in tools")) +
         a_call("c", 4,
                spoken("user", words_in("go")) + "," + spoken("assistant", asked) + "," +
                    spoken("user", tool_result("t1", report)),
                words_in("done"));
}

}  // namespace

TEST_CASE("lines that a client adds behind a prompt do not hide whose subagent it is") {
  const std::string prompt = "Find all uses of the old logger.";
  CHECK(links_of(helped("Task", prompt, prompt + R"(\n\nAnswer briefly.\nIn English.)", "trimmed"),
                 LinkKind::subagent_spawn) == "a->b 0.90\n");
  CHECK(links_of(helped("Task", prompt, R"(Read this: )" + prompt, "trimmed"),
                 LinkKind::subagent_spawn) == "");
}

TEST_CASE(
    "a tool of any name starts a subagent, if its prompt and its result are a conversation's") {
  const std::string prompt = "Find all uses of the old logger.";
  const std::string log = helped("dispatch_agent", prompt, prompt, "14 uses, all in tools");
  CHECK(links_of(log, LinkKind::subagent_spawn) == "a->b 0.99\n");
  CHECK(links_of(log, LinkKind::subagent_report) == "b->c 0.99\n");
  CHECK(links_of(helped("ask_person", prompt, prompt, "I do not know"), LinkKind::subagent_spawn) ==
        "");
}

TEST_CASE("an agent in the background reports to the call that is told of its end") {
  const std::string asked =
      tool_use("t1", "Task", R"("prompt":"Find it.","run_in_background":true)");
  const std::string history =
      spoken("user", words_in("go")) + "," + spoken("assistant", asked) + "," +
      spoken("user", tool_result("t1", "Async agent launched. agentId: a77"));
  const std::string end =
      "<task-notification><task-id>a77</task-id><status>completed</status></task-notification>";
  CHECK(links_of(
            a_call("a", 0, spoken("user", words_in("go")), asked) +
                a_call("b", 2, history, words_in("I wait")) +
                a_call("c", 3, spoken("user", words_in("Find it.")), words_in("It is in a.cpp")) +
                a_call("d", 90,
                       history + "," + spoken("assistant", words_in("I wait")) + "," +
                           spoken("user", words_in(end)),
                       words_in("done")),
            LinkKind::subagent_report) == "c->d 0.80\n");
}

TEST_CASE("a record in another spelling is the same call") {
  const std::string one = a_call("a", 0, spoken("user", words_in("go")), words_in("gone"));
  const std::string other = a_call("a", 0, spoken("user", words_in("go")), words_in("gone"), " ");
  CHECK(link(read_log(one + other), {}).trace().calls.size() == 1);
  const std::string later = a_call("a", 5, spoken("user", words_in("go")), words_in("gone"), " ");
  CHECK(link(read_log(one + later), {}).trace().calls.size() == 2);
}

TEST_CASE("functions that are called without ids are answered in order") {
  const auto step = [](int second, const std::string& messages, const std::string& message) {
    return fmt::format(
        R"({{"timestamp":"2026-03-02T09:00:{0:02}.000Z","method":"POST","url":"/v1/chat/completions","body":{{"model":"gpt-4.1","messages":[{1}]}},"response":{{"status":200,"body":{{"id":"f{0}","object":"chat.completion","model":"gpt-4.1","choices":[{{"index":0,"message":{2}}}]}},"duration_ms":500}}}})"
        "\n",
        second, messages, message);
  };
  const std::string asks =
      R"({"role":"assistant","content":null,"function_call":{"name":"read","arguments":"{\"path\":\"a\"}"}})";
  const std::string go = spoken("user", R"("go")");
  const std::string told = R"({"role":"function","name":"read","content":"x"})";
  CHECK(links_of(step(0, go, asks) + step(2, go + "," + asks + "," + told,
                                          R"({"role":"assistant","content":"done"})"),
                 LinkKind::tool_result) == "f0->f2 0.90\n");
}

TEST_CASE("history and words say what came first where all calls have one time") {
  const std::string asked = tool_use("t1", "Task", R"("prompt":"Find it.")");
  const std::string reads = tool_use("t2", "Read", R"("file_path":"a")");
  const std::string log =
      a_call("c", 0,
             spoken("user", words_in("Find it.")) + "," + spoken("assistant", reads) + "," +
                 spoken("user", tool_result("t2", "ok")),
             words_in("It is in a.cpp")) +
      a_call("d", 0,
             spoken("user", words_in("go")) + "," + spoken("assistant", asked) + "," +
                 spoken("user", tool_result("t1", "It is in a.cpp")),
             words_in("done")) +
      a_call("b", 0, spoken("user", words_in("Find it.")), reads) +
      a_call("a", 0, spoken("user", words_in("go")), asked);
  CHECK(links_of(log, LinkKind::subagent_spawn) == "a->b 0.99\n");
  CHECK(links_of(log, LinkKind::tool_result) == "b->c 1.00\na->d 1.00\n");
  CHECK(links_of(log, LinkKind::subagent_report) == "c->d 0.99\n");
}

}  // namespace xtrace
