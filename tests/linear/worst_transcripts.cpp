#include <fmt/format.h>

#include "linear/making.h"
#include "linear/worst_case.h"

namespace xtrace {

namespace {

std::string moment(size_t second) {
  return fmt::format("2026-02-{:02}T{:02}:{:02}:{:02}.000Z", 1 + second / 86400 % 28,
                     second / 3600 % 24, second / 60 % 60, second % 60);
}

/// A line of Claude Code's.
struct Line {
  std::string uuid, parent;
  size_t second = 0;
  std::string more;  ///< further fields
  std::string session = "S";
};

std::string line(const Line& one) {
  return fmt::format(R"({{"parentUuid":{},"sessionId":"{}","uuid":"{}","timestamp":"{}",{}}})"
                     "\n",
                     one.parent.empty() ? "null" : "\"" + one.parent + "\"", one.session, one.uuid,
                     moment(one.second), one.more);
}

std::string user(std::string_view text) {
  return fmt::format(R"("type":"user","message":{{"role":"user","content":"{}"}})", text);
}
std::string result(std::string_view id, std::string_view more = "") {
  return fmt::format(R"("type":"user","message":{{"role":"user","content":[{{"type":"tool_result",)"
                     R"("tool_use_id":"{}","content":"done"}}]}}{})",
                     id, more);
}
std::string assistant(std::string_view message, std::string_view blocks) {
  return fmt::format(
      R"("type":"assistant","requestId":"r-{0}","message":{{"id":"{0}","role":"assistant",)"
      R"("model":"claude-m","content":[{1}],"usage":{{"input_tokens":10,"output_tokens":1}}}})",
      message, blocks);
}
std::string task(std::string_view id, std::string_view prompt) {
  return use(id, "Task", fmt::format(R"({{"subagent_type":"scout","prompt":"{}"}})", prompt));
}

std::string chain(size_t n) {
  return lines(n, [](size_t i) {
    return line({nth("u", i), i == 0 ? "" : nth("a", i - 1), 2 * i, user(nth("q", i))}) +
           line({nth("a", i), nth("u", i), 2 * i + 1, assistant(nth("m", i), text(nth("a", i)))});
  });
}
std::string tools(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line({nth("a", i), i == 0 ? "u" : nth("r", i - 1), 2 * i,
                        assistant(nth("m", i), use(nth("t", i), "Read"))}) +
                  line({nth("r", i), nth("a", i), 2 * i + 1, result(nth("t", i))});
         });
}
/// Each call sends once more what all tools before it brought in: `cached` of it from a cache.
std::string carried(size_t n, size_t (*cached)(size_t sent)) {
  return line({"u", "", 0, user("q")}) + lines(n, [&](size_t i) {
           const size_t sent = 1000 + 20 * i;
           const std::string said = fmt::format(
               R"("type":"assistant","requestId":"r-{0}","message":{{"id":"m{0}","role":"assistant",)"
               R"("model":"claude-opus-4-5","content":[{1}],"usage":{{"input_tokens":{2},)"
               R"("cache_read_input_tokens":{3},"output_tokens":1}}}})",
               i, use(nth("t", i), "Read"), sent - cached(sent), cached(sent));
           return line({nth("a", i), i == 0 ? "u" : nth("r", i - 1), 2 * i, said}) +
                  line({nth("r", i), nth("a", i), 2 * i + 1, result(nth("t", i))});
         });
}
std::string carried_cached(size_t n) {
  return carried(n, [](size_t sent) { return sent - 20; });
}
std::string carried_uncached(size_t n) {
  return carried(n, [](size_t) -> size_t { return 500; });
}
std::string carried_half_cached(size_t n) {
  return carried(n, [](size_t sent) { return sent / 2; });
}
std::string children_of_one(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line({nth("a", i), "u", i, assistant(nth("m", i), text(nth("a", i)))});
         });
}
std::string one_uuid(size_t n) {
  return lines(n, [](size_t i) {
    return line({"u", "u", 2 * i, user(nth("q", i))}) +
           line({"u", "u", 2 * i + 1, assistant(nth("m", i), text(nth("a", i)))});
  });
}
std::string pieces_of_one_answer(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line(
               {nth("a", i), i == 0 ? "u" : nth("a", i - 1), i, assistant("m", text(nth("a", i)))});
         });
}
std::string one_message_id(size_t n) {
  return lines(n, [](size_t i) {
    return line({nth("u", i), i == 0 ? "" : nth("a", i - 1), 2 * i, user(nth("q", i))}) +
           line({nth("a", i), nth("u", i), 2 * i + 1, assistant("m", text(nth("a", i)))});
  });
}
std::string compactions(size_t n) {
  return lines(n, [](size_t i) {
    std::string before = i == 0 ? "" : nth("a", i - 1);
    return line(
               {nth("b", i), "", 4 * i,
                R"("type":"system","subtype":"compact_boundary","content":"x","logicalParentUuid":")" +
                    before + "\""}) +
           line({nth("s", i), nth("b", i), 4 * i + 1,
                 R"("isCompactSummary":true,)" + user(nth("so", i))}) +
           line({nth("u", i), nth("s", i), 4 * i + 2, user(nth("q", i))}) +
           line({nth("a", i), nth("u", i), 4 * i + 3, assistant(nth("m", i), text("a"))});
  });
}
std::string one_tool_id(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line({nth("a", i), i == 0 ? "u" : nth("r", i - 1), 2 * i,
                        assistant(nth("m", i), use("t", "Read"))}) +
                  line({nth("r", i), nth("a", i), 2 * i + 1, result("t")});
         });
}
std::string results_of_one_use(size_t n) {
  return line({"u", "", 0, user("q")}) + line({"a", "u", 1, assistant("m", use("t", "Read"))}) +
         lines(n, [](size_t i) {
           return line({nth("r", i), i == 0 ? "a" : nth("r", i - 1), i + 2, result("t")});
         });
}
std::string agents_of_one_prompt(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line({nth("a", i), i == 0 ? "u" : nth("r", i - 1), 5 * i,
                        assistant(nth("m", i), task(nth("t", i), "look"))}) +
                  line({nth("x", i), "", 5 * i + 1,
                        fmt::format(R"("isSidechain":true,"agentId":"g-{}",)", i) + user("look")}) +
                  line({nth("y", i), nth("x", i), 5 * i + 2,
                        fmt::format(R"("isSidechain":true,"agentId":"g-{}",)", i) +
                            assistant(nth("n", i), text("seen"))}) +
                  line({nth("r", i), nth("a", i), 5 * i + 3, result(nth("t", i))});
         });
}
std::string agents_of_one_answer(size_t n) {
  return line({"u", "", 0, user("q")}) +
         line({"a", "u", 1,
               assistant("m", listed(n, [](size_t i) { return task(nth("t", i), "look"); }))}) +
         lines(n,
               [](size_t i) {
                 std::string side = fmt::format(R"("isSidechain":true,"agentId":"g-{}",)", i);
                 return line({nth("x", i), "", i + 2, side + user("look")}) +
                        line({nth("y", i), nth("x", i), i + 3,
                              side + assistant(nth("n", i), text("seen"))});
               }) +
         lines(n, [n](size_t i) {
           return line(
               {nth("r", i), i == 0 ? "a" : nth("r", i - 1), n + i + 4, result(nth("t", i))});
         });
}
std::string one_agent_id(size_t n) {
  return lines(n, [](size_t i) {
    constexpr std::string_view kSide = R"("isSidechain":true,"agentId":"g",)";
    return line({nth("x", i), "", 2 * i, std::string(kSide) + user("look")}) +
           line({nth("y", i), nth("x", i), 2 * i + 1,
                 std::string(kSide) + assistant(nth("n", i), text("seen"))});
  });
}
std::string nested_agents(size_t n) {
  return lines(n, [](size_t i) {
    std::string side = fmt::format(R"("isSidechain":true,"agentId":"g-{}",)", i);
    return line({nth("x", i), "", 2 * i, side + user(nth("look", i))}) +
           line({nth("y", i), nth("x", i), 2 * i + 1,
                 side + assistant(nth("n", i), task(nth("t", i), nth("look", i + 1)))});
  });
}
std::string one_title(size_t n) {
  return lines(n, [](size_t i) {
    std::string session = nth("S", i);
    return line({nth("u", i), "", 2 * i, user("q"), session}) +
           line({nth("a", i), nth("u", i), 2 * i + 1, assistant(nth("m", i), text("a")), session}) +
           fmt::format(R"({{"type":"custom-title","customTitle":"work","sessionId":"{}"}})"
                       "\n",
                       session);
  });
}
std::string titles_of_one(size_t n) {
  return chain(1) + lines(n, [](size_t i) {
           return fmt::format(R"({{"type":"custom-title","customTitle":"work {}","sessionId":"S"}})"
                              "\n",
                              i);
         });
}
std::string without_parents(size_t n) {
  return lines(n, [](size_t i) {
    return line({nth("u", i), "", 2 * i, user("q")}) +
           line({nth("a", i), nth("gone", i), 2 * i + 1, assistant(nth("m", i), text("a"))});
  });
}
/// Each line stands behind the one that follows it in the file.
std::string backwards(size_t n) {
  return lines(n, [n](size_t i) {
    size_t k = n - i;
    return line({nth("a", k), nth("u", k), 2 * k + 1, assistant(nth("m", k), text("a"))}) +
           line({nth("u", k), nth("a", k - 1), 2 * k, user(nth("q", k))});
  });
}
std::string circle(size_t n) {
  return lines(n, [n](size_t i) {
    return line({nth("u", i), nth("a", (i + n - 1) % n), 2 * i, user(nth("q", i))}) +
           line({nth("a", i), nth("u", i), 2 * i + 1, assistant(nth("m", i), text("a"))});
  });
}
std::string errors(size_t n) {
  return line({"u", "", 0, user("q")}) + lines(n, [](size_t i) {
           return line({nth("a", i), i == 0 ? "u" : nth("a", i - 1), i,
                        R"("isApiErrorMessage":true,)" +
                            assistant(nth("m", i), text("API Error: 529 overloaded"))});
         });
}
std::string one_time(size_t n) {
  return lines(n, [](size_t i) {
    return line({nth("u", i), i == 0 ? "" : nth("a", i - 1), 0, user(nth("q", i))}) +
           line({nth("a", i), nth("u", i), 0, assistant(nth("m", i), text(nth("a", i)))});
  });
}
/// Tools that run side by side, all for as long as all others.
std::string tools_at_once(size_t n) {
  return line({"u", "", 0, user("q")}) +
         lines(n,
               [](size_t i) {
                 return line({nth("a", i), i == 0 ? "u" : nth("a", i - 1), i,
                              assistant("m", use(nth("t", i), "Bash", R"({"command":"make"})"))});
               }) +
         lines(n, [n](size_t i) {
           return line({nth("r", i), i == 0 ? nth("a", n - 1) : nth("r", i - 1), n + i,
                        result(nth("t", i), R"(,"toolUseResult":{"durationMs":100000})")});
         });
}
/// All asked for in one record and answered in another, each for a moment of its own.
std::string tools_of_one_line(size_t n) {
  std::string uses, results;
  for (size_t i = 0; i < n; ++i) {
    uses += (i == 0 ? "" : ",") + use(nth("t", i), "Bash", R"({"command":"make"})");
    results += std::string(i == 0 ? "" : ",") +
               R"({"type":"tool_result","content":"x","tool_use_id":")" + nth("t", i) + "\"}";
  }
  return line({"u", "", 0, user("q")}) + line({"a", "u", 1, assistant("m", uses)}) +
         line({"r", "a", 9, R"("message":{"role":"user","content":[)" + results + "]}"}) +
         line({"b", "r", 10, assistant("m2", text("done"))});
}
std::string codex(size_t n) {
  auto item = [](size_t i, std::string_view payload) {
    return fmt::format(R"({{"timestamp":"{}","type":"response_item","payload":{}}})"
                       "\n",
                       moment(i), payload);
  };
  return fmt::format(
             R"({{"timestamp":"{}","type":"session_meta","payload":{{"id":"S","cwd":"/x"}}}})"
             "\n",
             moment(0)) +
         lines(n, [&](size_t i) {
           return item(
                      3 * i,
                      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]})") +
                  item(
                      3 * i + 1,
                      R"({"type":"function_call","name":"shell_command","arguments":"{}","call_id":"t"})") +
                  item(3 * i + 2,
                       R"({"type":"function_call_output","call_id":"t","output":"done"})");
         });
}
std::string pi(size_t n) {
  return R"({"type":"session","id":"S","timestamp":"2026-02-01T00:00:00.000Z","cwd":"/x"})"
         "\n" +
         lines(n, [](size_t i) {
           auto message = [&](size_t second, std::string_view fields) {
             return fmt::format(R"({{"type":"message","timestamp":"{}","message":{{{}}}}})"
                                "\n",
                                moment(second), fields);
           };
           return message(3 * i, R"("role":"user","content":[{"type":"text","text":"q"}])") +
                  message(
                      3 * i + 1,
                      R"("role":"assistant","content":[{"type":"toolCall","id":"t","name":"read",)"
                      R"("arguments":{"path":"a"}}],"model":"m")") +
                  message(3 * i + 2, R"("role":"toolResult","toolCallId":"t","toolName":"read",)"
                                     R"("content":[{"type":"text","text":"done"}])");
         });
}
std::string conversation(size_t n) {
  return R"({"id":"g","system_prompt":"look","created_at":"2026-02-01T00:00:00Z","messages":[)" +
         listed(
             n,
             [](size_t i) {
               return fmt::format(
                   R"({{"role":"user","content":"q","timestamp":"{}"}},)"
                   R"({{"role":"assistant","content":"a","timestamp":"{}","metadata":{{"tool_calls":)"
                   R"([{{"id":"t","name":"read","arguments":{{}}}}],"tool_results":)"
                   R"([{{"tool_call_id":"t","content":"done","success":true}}]}}}})",
                   moment(2 * i), moment(2 * i + 1));
             }) +
         "]}\n";
}
std::string atif(size_t n) {
  return R"({"schema_version":"ATIF-v1.4","session_id":"S","agent":{"name":"x","version":"1","model_name":"m"},"steps":[)" +
         listed(
             n,
             [](size_t i) {
               return fmt::format(
                   R"({{"step_id":{},"timestamp":"{}","source":"agent","message":"a","tool_calls":)"
                   R"([{{"tool_call_id":"t","function_name":"read","arguments":{{}}}}],)"
                   R"("observation":{{"results":[{{"source_call_id":"t","content":"done"}}]}}}})",
                   i + 1, moment(i));
             }) +
         "]}\n";
}
std::string copilot(size_t at, std::string_view type, std::string_view data) {
  return fmt::format(R"({{"type":"{}","data":{{{}}},"id":"e{}","timestamp":"{}","parentId":null}})"
                     "\n",
                     type, data, at, moment(at));
}
std::string begun_copilot(std::string_view requests) {
  return copilot(0, "session.start", R"("sessionId":"S","version":1,"producer":"copilot-agent")") +
         copilot(1, "user.message", R"("content":"q")") +
         copilot(2, "assistant.message",
                 fmt::format(R"("messageId":"m","content":"a","toolRequests":[{}])", requests));
}
/// What was asked is never owed an answer, as one tool never ends.
std::string aborts(size_t n) {
  return begun_copilot(R"({"toolCallId":"never","name":"bash","arguments":{}})") +
         lines(n, [&](size_t i) {
           return copilot(2 * i + 3, "tool.execution_complete",
                          fmt::format(R"("toolCallId":"{}","success":true)", nth("t", i))) +
                  copilot(2 * i + 4, "abort", R"("reason":"user initiated")");
         });
}
/// Each is asked with what all before it were: a tool's result, or a prompt where no tool is left.
std::string attempts(size_t n) {
  const std::string requests = listed(n / 2, [](size_t i) {
    return fmt::format(R"({{"toolCallId":"{}","name":"bash","arguments":{{}}}})", nth("t", i));
  });
  return begun_copilot(requests) + lines(n, [&](size_t i) {
           const std::string asked =
               i < n / 2 ? copilot(2 * i + 3, "tool.execution_complete",
                                   fmt::format(R"("toolCallId":"{}","success":true)", nth("t", i)))
                         : copilot(2 * i + 3, "user.message",
                                   fmt::format(R"("content":"{}")", nth("q", i)));
           return asked + copilot(2 * i + 4, "session.error", R"("errorType":"query")");
         });
}
/// None of them took over anything.
std::string forks(size_t n) {
  const auto item = [](size_t at, std::string_view type, const std::string& payload) {
    return fmt::format(R"({{"timestamp":"{}","type":"{}","payload":{{{}}}}})"
                       "\n",
                       moment(at), type, payload);
  };
  const auto answer = [&](size_t at, std::string_view said) {
    return item(at, "response_item",
                fmt::format(R"("type":"message","role":"assistant","content":)"
                            R"([{{"type":"output_text","text":"{}"}}])",
                            nth(said, at)));
  };
  return item(0, "session_meta", R"("id":"P","cwd":"/x")") +
         lines(n, [&](size_t i) { return answer(i + 1, "p"); }) + lines(n, [&](size_t i) {
           return item(n + 2 * i + 1, "session_meta",
                       fmt::format(R"("id":"{}","cwd":"/x","forked_from_id":"P")", nth("f", i))) +
                  answer(n + 2 * i + 2, "q");
         });
}

constexpr WorstCase kCases[] = {
    {"transcript-chain", chain},
    {"transcript-tools", tools},
    {"transcript-carried-cached", carried_cached},
    {"transcript-carried-uncached", carried_uncached},
    {"transcript-carried-half-cached", carried_half_cached},
    {"transcript-children-of-one", children_of_one},
    {"transcript-one-uuid", one_uuid},
    {"transcript-pieces-of-one-answer", pieces_of_one_answer},
    {"transcript-one-message-id", one_message_id},
    {"transcript-compactions", compactions},
    {"transcript-one-tool-id", one_tool_id},
    {"transcript-results-of-one-use", results_of_one_use},
    {"transcript-agents-of-one-prompt", agents_of_one_prompt},
    {"transcript-agents-of-one-answer", agents_of_one_answer},
    {"transcript-one-agent-id", one_agent_id},
    {"transcript-nested-agents", nested_agents},
    {"transcript-one-title", one_title},
    {"transcript-titles-of-one", titles_of_one},
    {"transcript-without-parents", without_parents},
    {"transcript-backwards", backwards},
    {"transcript-circle", circle},
    {"transcript-errors", errors},
    {"transcript-one-time", one_time},
    {"transcript-tools-at-once", tools_at_once},
    {"transcript-tools-of-one-line", tools_of_one_line},
    {"codex-one-tool-id", codex},
    {"codex-forks-of-one", forks},
    {"copilot-aborts", aborts},
    {"copilot-attempts", attempts},
    {"pi-one-tool-id", pi},
    {"conversation-one-tool-id", conversation},
    {"atif-one-tool-id", atif},
};

}  // namespace

std::span<const WorstCase> worst_transcripts() {
  return kCases;
}

}  // namespace xtrace
