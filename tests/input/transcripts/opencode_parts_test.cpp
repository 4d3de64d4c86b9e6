#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

/// A session that OpenCode kept in files, a turn of which has a tool that fails.
class Storage {
 public:
  Storage() {
    session("ses_1", "");
    user("ses_1", "msg_1", "look", 1000);
    write(
        "message/ses_1/msg_2.json",
        R"({"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1788422402000,)"
        R"("completed":1788422406000},"parentID":"msg_1","modelID":"m","providerID":"p",)"
        R"("cost":0.5,"tokens":{"input":10,"output":20,"reasoning":5,"cache":{"read":30,"write":0}},)"
        R"("finish":"tool-calls"})");
    part("msg_2", "prt_1", R"("type":"step-start")");
    part("msg_2", "prt_2", R"("type":"text","text":"I look")");
    part("msg_2", "prt_3",
         R"("type":"tool","callID":"t1","tool":"bash","state":{"status":"completed",)"
         R"("input":{"command":"ls"},"output":"nothing","metadata":{"exit":1},)"
         R"("time":{"start":1788422403000,"end":1788422405000}})");
    part("msg_2", "prt_4",
         R"("type":"step-finish","reason":"tool-calls","cost":0.5,)"
         R"("tokens":{"input":10,"output":20,"reasoning":5,"cache":{"read":30,"write":0}})");
    write("message/ses_1/msg_3.json",
          R"({"id":"msg_3","sessionID":"ses_1","role":"assistant","time":{"created":1788422407000,)"
          R"("completed":1788422408000},"parentID":"msg_1","modelID":"m","finish":"stop"})");
    part("msg_3", "prt_5", R"("type":"text","text":"no pears")");
  }

  void session(const std::string& id, const std::string& parent) {
    write("session/garden/" + id + ".json",
          R"({"id":")" + id + R"(","projectID":"garden","directory":"/g","title":"Beds",)" +
              (parent.empty() ? "" : R"("parentID":")" + parent + R"(",)") +
              R"("version":"0.6","time":{"created":1788422400000,"updated":1788422409000}})");
  }
  void user(const std::string& session, const std::string& id, const std::string& text,
            int milliseconds) {
    write("message/" + session + "/" + id + ".json",
          R"({"id":")" + id + R"(","sessionID":")" + session +
              R"(","role":"user","time":{"created":)" +
              std::to_string(1788422400000 + milliseconds) + "}}");
    part(id, "prt_" + id, R"("type":"text","text":")" + text + R"(")", session);
  }
  void part(const std::string& message, const std::string& id, const std::string& fields,
            const std::string& session = "ses_1") {
    write("part/" + message + "/" + id + ".json", R"({"id":")" + id + R"(","messageID":")" +
                                                      message + R"(","sessionID":")" + session +
                                                      R"(",)" + fields + "}");
  }
  void write(const std::string& name, const std::string& text) {
    folder_.write("storage/" + name, text);
  }
  Trace read() const {
    Progress progress;
    return load({folder_.path()}, {}, progress).value();
  }

 private:
  Folder folder_;
};

const std::string kRun =
    R"({"type":"step_start","timestamp":1788422402000,"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_2","sessionID":"ses_1","type":"step-start"}})"
    "\n"
    R"({"type":"tool_use","timestamp":1788422405000,"sessionID":"ses_1","part":{"id":"prt_3","messageID":"msg_2","sessionID":"ses_1","type":"tool","callID":"t1","tool":"bash","state":{"status":"error","input":{"command":"ls"},"error":"refused","time":{"start":1788422403000,"end":1788422405000}}}})"
    "\n"
    R"({"type":"step_finish","timestamp":1788422406000,"sessionID":"ses_1","part":{"id":"prt_4","messageID":"msg_2","sessionID":"ses_1","type":"step-finish","reason":"tool-calls","cost":0.5,"tokens":{"total":65,"input":10,"output":20,"reasoning":5,"cache":{"read":30,"write":0}}}})"
    "\n"
    R"({"type":"step_start","timestamp":1788422407000,"sessionID":"ses_1","part":{"id":"prt_6","messageID":"msg_3","sessionID":"ses_1","type":"step-start"}})"
    "\n"
    R"({"type":"text","timestamp":1788422408000,"sessionID":"ses_1","part":{"id":"prt_7","messageID":"msg_3","sessionID":"ses_1","type":"text","text":"no pears","time":{"start":1788422407500,"end":1788422408000}}})"
    "\n";

}  // namespace

TEST_CASE("messages that OpenCode keeps in files are calls, and their parts say what was said") {
  const Trace trace = Storage().read();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  const Call &first = trace.calls[0], &second = trace.calls[1];
  CHECK(trace[first.session] == "ses_1");
  CHECK(trace[first.model] == "m");
  CHECK(first.duration == std::chrono::seconds(4));
  CHECK(first.cost == 500'000'000);
  CHECK(first.tokens.output == 20);  // with what was reasoned, until 1.2
  CHECK(first.tokens.cache_read == 30);
  CHECK(second.previous == CallId(0));
  REQUIRE(trace.tool_results.size() > 0);
  CHECK(trace.tool_results.back().is_error);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(first).prompt == "look");
  CHECK(excerpts.of(first).answer == "I look");
  CHECK(excerpts.of(second).prompt == "nothing");
  CHECK(excerpts.of(second).answer == "no pears");
}

TEST_CASE("a session in files that names its parent is that one's subagent") {
  Storage storage;
  storage.part("msg_3", "prt_8",
               R"("type":"tool","callID":"t2","tool":"task","state":{"status":"completed",)"
               R"("input":{"prompt":"Find seeds","subagent_type":"finder"},"output":"beans",)"
               R"("metadata":{"sessionId":"ses_2"},)"
               R"("time":{"start":1788422408000,"end":1788422420000}})");
  storage.session("ses_2", "ses_1");
  storage.user("ses_2", "msg_5", "Find seeds", 9000);
  storage.write("message/ses_2/msg_6.json",
                R"({"id":"msg_6","sessionID":"ses_2","role":"assistant",)"
                R"("time":{"created":1788422410000,"completed":1788422412000},"modelID":"m"})");
  storage.part("msg_6", "prt_9", R"("type":"text","text":"beans")", "ses_2");
  const Graph graph = link(storage.read(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(graph.sessions().size() == 1);
  const auto spawn = std::find_if(graph.links().begin(), graph.links().end(), [](const Link& link) {
    return link.kind == LinkKind::subagent_spawn;
  });
  REQUIRE(spawn != graph.links().end());
  CHECK(spawn->rule == Rule::agent_id);
  CHECK(trace[trace[spawn->from].id] == "msg_3");
  CHECK(trace[trace[spawn->to].id] == "msg_6");
}

namespace {

/// What is exported of that session once it was moved to the database, with a failed attempt.
std::string exported_storage() {
  return R"({"info":{"id":"ses_1","directory":"/g"},"messages":[{"info":{"id":"msg_1",)"
         R"("sessionID":"ses_1","role":"user","time":{"created":1788422401000}},)"
         R"("parts":[{"id":"prt_msg_1","type":"text","text":"look"}]},)"
         R"({"info":{"id":"msg_2","sessionID":"ses_1","role":"assistant",)"
         R"("time":{"created":1788422402000,"completed":1788422406000},"modelID":"m",)"
         R"("providerID":"p","cost":0.5,"tokens":{"input":10,"output":20,"reasoning":5,)"
         R"("cache":{"read":30,"write":0}},"finish":"tool-calls"},"parts":[)"
         R"({"id":"prt_0","type":"retry","attempt":1,"error":{"name":"APIError",)"
         R"("data":{"statusCode":529}},"time":{"created":1788422402500}},)"
         R"({"id":"prt_2","type":"text","text":"I look"},)"
         R"({"id":"prt_3","type":"tool","callID":"t1","tool":"bash","state":{)"
         R"("status":"completed","input":{"command":"ls"},"output":"nothing",)"
         R"("metadata":{"exit":1},"time":{"start":1788422403000,"end":1788422405000}}}]},)"
         R"({"info":{"id":"msg_3","sessionID":"ses_1","role":"assistant","summary":true,)"
         R"("time":{"created":1788422407000,"completed":1788422408000},"modelID":"m"},)"
         R"("parts":[{"id":"prt_5","type":"text","text":"no pears"}]}]})";
}

/// `msg_2 m 2 turn 0`: name, model, how much was said by then, each call; then how many compactions
/// and results of tools.
std::string told_of(const Graph& graph) {
  const Trace& trace = graph.trace();
  std::string told;
  size_t compacted = 0;
  for (const Call& call : trace.calls) {
    told += fmt::format("{} {} {}\n", trace[call.id], trace[call.model], call.message_count);
    compacted += call.is_compacted || call.sums_up;
  }
  size_t reads = 0;
  for (const Link& link : graph.links()) reads += link.kind == LinkKind::tool_result;
  return told + fmt::format("{} compacted, {} read", compacted, reads);
}

}  // namespace

TEST_CASE("files that OpenCode left behind when it moved to a database are not read twice") {
  Folder alone;
  alone.write("export.json", exported_storage());
  Progress progress;
  const std::string once = told_of(link(load({alone.path()}, {}, progress).value(), {}));
  CHECK(once ==
        "prt_0 m 1\n"
        "msg_2 m 1\n"
        "msg_3 m 3\n"
        "1 compacted, 1 read");
  // Before it in the order of files, and behind it.
  const std::string name = GENERATE("a.json", "z.json");
  Storage storage;
  storage.write("../" + name, exported_storage());
  storage.write("message/ses_1/msg_3.json",
                R"({"id":"msg_3","sessionID":"ses_1","role":"assistant","summary":true,)"
                R"("time":{"created":1788422407000,"completed":1788422408000},"modelID":"m"})");
  storage.part("msg_2", "prt_0",
               R"("type":"retry","attempt":1,"error":{"name":"APIError",)"
               R"("data":{"statusCode":529}},"time":{"created":1788422402500})");
  CHECK(told_of(link(storage.read(), {})) == once);
}

TEST_CASE("an attempt that an export and a copy of it tell of failed once") {
  Folder folder;
  folder.write("a.json", exported_storage());
  folder.write("b.json", exported_storage() + "\n");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  CHECK(trace.calls.size() == 3);
}

TEST_CASE("what `opencode run` prints has the parts of answers, each answer one call") {
  const Trace trace = read_log(kRun);
  CHECK(trace.sources.front().format == "opencode");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].id] == "msg_2");
  CHECK(trace.calls[0].cost == 500'000'000);
  CHECK(trace.calls[0].tokens.output == 25);  // what was reasoned stands apart, as the total tells
  REQUIRE(trace.tool_results.size() > 0);
  CHECK(trace.tool_results.back().is_error);
}

TEST_CASE("an error that `opencode run` prints is a call that failed") {
  const Trace trace = read_log(
      kRun +
      R"({"type":"error","timestamp":1788422410000,"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"Overloaded","statusCode":529}}})"
      "\n");
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[2].outcome == Outcome::error);
  CHECK(trace[trace.calls[2].error] == "http_529");
}

TEST_CASE("an agent and one that it started may call their tool uses the same") {
  Storage storage;
  const auto answers = [&](const std::string& session, const std::string& id, int second) {
    storage.write("message/" + session + "/" + id + ".json",
                  R"({"id":")" + id + R"(","sessionID":")" + session +
                      R"(","role":"assistant","modelID":"m","time":{"created":17884224)" +
                      std::to_string(second) + R"(000,"completed":17884224)" +
                      std::to_string(second) + "500}}");
  };
  const auto starts = [&](const std::string& session, const std::string& message,
                          const std::string& other) {
    storage.part(message, "prt_" + other,
                 R"("type":"tool","callID":"t7","tool":"task","state":{"status":"completed",)"
                 R"("input":{"prompt":"go to )" +
                     other + R"("},"output":"done","metadata":{"sessionId":")" + other + R"("}})",
                 session);
  };
  starts("ses_1", "msg_3", "ses_2");
  storage.session("ses_2", "ses_1");
  storage.user("ses_2", "msg_5", "go to ses_2", 9000);
  answers("ses_2", "msg_6", 10);
  starts("ses_2", "msg_6", "ses_3");
  storage.session("ses_3", "ses_2");
  storage.user("ses_3", "msg_7", "go to ses_3", 10600);
  answers("ses_3", "msg_8", 11);
  const Graph graph = link(storage.read(), {});
  const Trace& trace = graph.trace();
  std::string spawns;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn)
      spawns += std::string(trace[trace[link.from].id]) + "->" +
                std::string(trace[trace[link.to].id]) + " ";
  CHECK(spawns == "msg_3->msg_6 msg_6->msg_8 ");
}

TEST_CASE("a summary asked for behind an answer that was stopped is no other try of it") {
  const auto message = [](const std::string& id, const std::string& role, int second,
                          const std::string& more, const std::string& part) {
    return R"({"info":{"id":")" + id + R"(","sessionID":"ses_1","role":")" + role +
           R"(","modelID":"opus","time":{"created":176722560)" + std::to_string(second) + "000}" +
           more + R"(},"parts":[)" + part + "]}";
  };
  const std::string log =
      R"({"info":{"id":"ses_1","directory":"/garden"},"messages":[)" +
      message("u1", "user", 0, "", R"({"type":"text","text":"dig"})") + "," +
      message("a1", "assistant", 1, R"(,"error":{"name":"MessageAbortedError"})", "") + "," +
      message("u2", "user", 2, "", R"({"type":"compaction","auto":false})") + "," +
      message("a2", "assistant", 3, R"(,"summary":true)", R"({"type":"text","text":"we dug"})") +
      "]}";
  const Graph graph = link(read_log(log), {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.links().empty());
}

namespace {

/// Two steps and the beginning of a third, as all answers to a prompt were one message until 1.0.
struct SteppedMessage {
  std::string info =
      R"({"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1788422402000,)"
      R"("completed":1788422411000},"modelID":"m","providerID":"p","cost":0.75,)"
      R"("tokens":{"input":20,"output":6,"reasoning":0,"cache":{"read":120,"write":0}}})";
  std::vector<std::string> parts = {
      R"("type":"step-start")", tool("t1", 3, 5),
      finish("0.25", 10, 5),    R"("type":"step-start")",
      tool("t2", 6, 8),         finish("0.5", 20, 6),
      R"("type":"step-start")", R"("type":"text","text":"no pears")",
  };

  static std::string tool(const std::string& id, int start, int end) {
    return R"("type":"tool","callID":")" + id +
           R"(","tool":"bash","state":{"status":"completed","input":{"command":"ls )" + id +
           R"("},"output":"o","time":{"start":178842240)" + std::to_string(start) +
           R"(000,"end":178842240)" + std::to_string(end) + "000}}";
  }
  static std::string finish(const std::string& cost, int input, int output) {
    return R"("type":"step-finish","cost":)" + cost + R"(,"tokens":{"input":)" +
           std::to_string(input) + R"(,"output":)" + std::to_string(output) +
           R"(,"reasoning":0,"cache":{"read":100,"write":0}})";
  }
  std::string part(size_t nth) const {
    return R"({"id":"prt_)" + std::to_string(nth) +
           R"(","messageID":"msg_2","sessionID":"ses_1",)" + parts[nth] + "}";
  }

  std::string exported() const {
    std::string all;
    for (size_t i = 0; i < parts.size(); ++i) all += (i == 0 ? "" : ",") + part(i);
    return R"({"info":{"id":"ses_1","directory":"/g"},"messages":[{"info":{"id":"msg_1",)"
           R"("sessionID":"ses_1","role":"user","time":{"created":1788422401000}},)"
           R"("parts":[{"id":"prt_u","messageID":"msg_1","type":"text","text":"look"}]},{"info":)" +
           info + R"(,"parts":[)" + all + "]}]}";
  }
  /// As it is exported, or kept in files.
  Trace read(bool is_exported) const {
    const auto write = [&](const std::string& name, const std::string& text) {
      folder_.write(name, text);
    };
    if (is_exported) {
      write("session.json", exported());
    } else {
      write("storage/message/ses_1/msg_1.json",
            R"({"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1788422401000}})");
      write(
          "storage/part/msg_1/prt_u.json",
          R"({"id":"prt_u","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"look"})");
      write("storage/message/ses_1/msg_2.json", info);
      for (size_t i = 0; i < parts.size(); ++i)
        write("storage/part/msg_2/prt_" + std::to_string(i) + ".json", part(i));
    }
    Progress progress;
    return load({folder_.path()}, {}, progress).value();
  }

 private:
  Folder folder_;
};

}  // namespace

TEST_CASE("each step of a message is a call, whether it is exported or kept in files") {
  const bool is_exported = GENERATE(true, false);
  const SteppedMessage message;
  const Graph graph = link(message.read(is_exported), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  std::string told;
  for (const Call& call : trace.calls)
    told += fmt::format("{} {} {}/{} ${} at {} took {}\n", trace[call.id], trace[call.model],
                        call.tokens.input, call.tokens.output, call.cost,
                        (call.start.time_since_epoch().count() / 1'000'000) % 100'000,
                        call.duration == kNoDuration ? -1 : call.duration.count() / 1'000'000);
  CHECK(told ==
        "msg_2 m 10/5 $250000000 at 2000 took 1000\n"
        "msg_2/2 m 20/6 $500000000 at 5000 took 1000\n"
        "msg_2/3 m -1/-1 $-1 at 8000 took 3000\n");
  std::string reads;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result)
      reads += fmt::format("{}>{} ", trace[trace[link.from].id], trace[trace[link.to].id]);
  CHECK(reads == "msg_2>msg_2/2 msg_2/2>msg_2/3 ");
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls.back()).answer == "no pears");
}

TEST_CASE("steps that are exported and kept in files as well are told once") {
  const SteppedMessage message;
  Folder folder;
  folder.write("session.json", message.exported());
  folder.write("storage/message/ses_1/msg_2.json", message.info);
  for (size_t i = 0; i < message.parts.size(); ++i)
    folder.write("storage/part/msg_2/prt_" + std::to_string(i) + ".json", message.part(i));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  std::string told;
  for (const Call& call : trace.calls)
    told += fmt::format("{} {}/{} ", trace[call.id], call.tokens.input, call.tokens.output);
  CHECK(told == "msg_2 10/5 msg_2/2 20/6 msg_2/3 -1/-1 ");
}

TEST_CASE("an error ends the last step of a message, not those before it") {
  SteppedMessage message;
  message.info.insert(message.info.size() - 1, R"(,"error":{"name":"MessageAbortedError"})");
  const Trace trace = message.read(GENERATE(true, false));
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].outcome == Outcome::ok);
  CHECK(trace.calls[1].outcome == Outcome::ok);
  CHECK(trace.calls[2].outcome == Outcome::error);
}

TEST_CASE("how long the last step of a message takes nobody knows before the message is whole") {
  SteppedMessage message;
  const size_t end = message.info.find(R"(,"completed")");
  message.info.erase(end, message.info.find('}', end) - end);
  const Trace trace = message.read(GENERATE(true, false));
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[1].duration == std::chrono::seconds(1));
  CHECK(trace.calls[2].start == Time(std::chrono::seconds(1788422408)));
  CHECK(trace.calls[2].duration == kNoDuration);
}

TEST_CASE("an attempt that failed on the way is no step") {
  SteppedMessage message;
  message.parts = {R"("type":"step-start")", R"("type":"text","text":"no")",
                   R"("type":"step-start")", R"("type":"text","text":"no pears")",
                   SteppedMessage::finish("0.25", 10, 5)};
  const Trace trace = message.read(GENERATE(true, false));
  CHECK(trace.calls.size() == 1);
}

TEST_CASE("an answer that nobody told the end of began when it was made, and took nobody knows") {
  SteppedMessage message;
  const size_t end = message.info.find(R"(,"completed")");
  message.info.erase(end, message.info.find('}', end) - end);
  message.parts = {R"("type":"step-start")", R"("type":"text","text":"no")"};
  const Trace trace = message.read(GENERATE(true, false));
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].start == Time(std::chrono::seconds(1788422402)));
  CHECK(trace.calls[0].duration == kNoDuration);
}
