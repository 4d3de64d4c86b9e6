#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

Json user(const std::string& text) {
  return {{"role", "user"}, {"content", text}};
}
Json assistant(const std::string& text) {
  return {{"role", "assistant"}, {"content", text}};
}

/// A log of calls that were asked with whatever a client made of the history.
class Log {
 public:
  Log& call(const std::string& id, const std::vector<Json>& messages, const std::string& answer) {
    return call(id, messages, std::vector<Json>{{{"type", "text"}, {"text", answer}}});
  }
  Log& call(const std::string& id, const std::vector<Json>& messages,
            const std::vector<Json>& content) {
    Json line = {
        {"id", id},
        {"timestamp", fmt::format("2026-03-02T09:00:{:02}.000Z", seconds_)},
        {"timestamp_end", fmt::format("2026-03-02T09:00:{:02}.000Z", seconds_ + 1)},
        {"session_id", "s"},
        {"request", {{"model", "m"}, {"messages", messages}}},
        {"response",
         {{"id", "msg_" + id}, {"type", "message"}, {"role", "assistant"}, {"content", content}}}};
    seconds_ += 2;
    text_ += line.dump() + "\n";
    return *this;
  }

  /// "a->b truncated 2" for each call that goes on with another.
  std::string continuations() const {
    Graph graph = link(read_log(text_), {});
    std::string text;
    for (const Link& link : graph.links())
      if (link.kind == LinkKind::continuation)
        text += fmt::format("{}->{} {} {}\n", name(graph, link.from), name(graph, link.to),
                            word(link.rule), link.dropped);
    return text;
  }

  /// "a->b" for each tool result that a call reads.
  std::string results() const {
    Graph graph = link(read_log(text_), {});
    std::string text;
    for (const Link& link : graph.links())
      if (link.kind == LinkKind::tool_result)
        text += fmt::format("{}->{}\n", name(graph, link.from), name(graph, link.to));
    return text;
  }

 private:
  static std::string_view name(const Graph& graph, CallId id) {
    return graph.trace()[graph.trace()[id].id];
  }
  std::string text_;
  int seconds_ = 0;
};

}  // namespace

TEST_CASE("a result that a cut history repeats is linked once") {
  const Json use = {
      {"type", "tool_use"}, {"id", "toolu_1"}, {"name", "Read"}, {"input", Json::object()}};
  const Json asked = {{"role", "assistant"}, {"content", {use}}};
  const Json result = {
      {"role", "user"},
      {"content", {{{"type", "tool_result"}, {"tool_use_id", "toolu_1"}, {"content", "pears"}}}}};
  Log log;
  log.call("a", {user("one")}, std::vector<Json>{use})
      .call("b", {user("one"), asked, result}, "second")
      .call("c", {asked, result, assistant("second"), user("three")}, "third");
  CHECK(log.continuations() ==
        "a->b messages_and_answer 0\n"
        "b->c truncated 1\n");
  CHECK(log.results() == "a->b\n");
}

TEST_CASE("a history cut to its last messages goes on with the call whose answer it ends with") {
  Log log;
  log.call("a", {user("one")}, "first")
      .call("b", {user("one"), assistant("first"), user("two")}, "second")
      .call("c", {user("two"), assistant("second"), user("three")}, "third")
      .call("d", {user("three"), assistant("third"), user("four")}, "fourth");
  CHECK(log.continuations() ==
        "a->b messages_and_answer 0\n"
        "b->c truncated 2\n"
        "c->d truncated 2\n");
}

TEST_CASE("a summary in place of old messages is told as one, with how many went") {
  Log log;
  log.call("a", {user("one")}, "first")
      .call("b", {user("one"), assistant("first"), user("two")}, "second")
      .call("c", {user("A summary."), user("two"), assistant("second"), user("three")}, "third");
  CHECK(log.continuations() ==
        "a->b messages_and_answer 0\n"
        "b->c summary 2\n");
}

TEST_CASE("a reminder that changes does not part a conversation") {
  Log log;
  auto reminded = [](const std::string& text) {
    return Json{{"role", "user"},
                {"content",
                 {{{"type", "text"}, {"text", "<system-reminder>" + text + "</system-reminder>"}},
                  {{"type", "text"}, {"text", "one"}}}}};
  };
  log.call("a", {reminded("monday")}, "first")
      .call("b", {reminded("tuesday"), assistant("first"), user("two")}, "second");
  CHECK(log.continuations() == "a->b rewritten 0\n");
}

TEST_CASE("the id of a tool use tells who asked for it, whatever became of the history") {
  std::vector<Json> use = {{{"type", "tool_use"}, {"id", "t1"}, {"name", "Read"}}};
  std::vector<Json> result = {{{"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", "x"}}};
  Log log;
  log.call("a", {user("one")}, use)
      .call("b",
            {user("something else"),
             {{"role", "assistant"}, {"content", use}},
             {{"role", "user"}, {"content", result}}},
            "done");
  CHECK(log.continuations() == "a->b rewritten 0\n");
}

TEST_CASE("the same short answer to another question proves nothing") {
  Log log;
  log.call("a", {user("one")}, "OK")
      .call("b", {user("two"), assistant("OK"), user("three")}, "done");
  CHECK(log.continuations() == "");
}
