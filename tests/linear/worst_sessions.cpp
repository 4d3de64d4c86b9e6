#include <fmt/format.h>

#include "linear/making.h"
#include "linear/worst_case.h"

namespace xtrace {

namespace {

std::string moment(size_t second) {
  return fmt::format("2026-02-{:02}T{:02}:{:02}:{:02}.000Z", 1 + second / 86400 % 28,
                     second / 3600 % 24, second / 60 % 60, second % 60);
}

std::string record(std::string_view fields) {
  return fmt::format("{{{}}}\n", fields);
}
std::string at(size_t second, std::string_view fields) {
  return record(fmt::format(R"({},"timestamp":"{}")", fields, moment(second)));
}

/// All prompts that an answer follows, asked again as often as there are.
std::string rewinds(size_t n) {
  return at(0, R"("sessionId":"S","projectHash":"p")") +
         lines(n,
               [](size_t i) {
                 return at(i, fmt::format(R"("id":"u{0}","type":"user","content":"q{0}")", i));
               }) +
         at(n, R"("id":"A","type":"gemini","content":"a","model":"gemini-m",)"
               R"("tokens":{"input":5,"output":5})") +
         lines(n, [](size_t) { return record(R"("$rewindTo":"A")"); });
}

std::string codex(size_t second, std::string_view type, std::string_view payload) {
  return at(second, fmt::format(R"("type":"{}","payload":{{{}}})", type, payload));
}
std::string codex_says(size_t second, std::string_view role, std::string_view words) {
  return codex(second, "response_item",
               fmt::format(R"("type":"message","role":"{}","content":)"
                           R"([{{"type":"output_text","text":"{}"}}])",
                           role, words));
}
std::string codex_takes_back(size_t second, size_t turns) {
  return codex(second, "event_msg",
               fmt::format(R"("type":"thread_rolled_back","num_turns":{})", turns));
}
std::string codex_prompts(size_t n) {
  return codex(0, "session_meta", R"("id":"S","cwd":"/x")") +
         lines(n, [](size_t i) { return codex_says(i, "user", nth("q", i)); });
}
std::string codex_answer(size_t second) {
  return codex_says(second, "user", "z") + codex_says(second + 1, "assistant", "a");
}
std::string rollbacks(size_t n) {
  return codex_prompts(n) + lines(n, [n](size_t i) { return codex_takes_back(n + i, 1); }) +
         codex_answer(2 * n);
}
std::string rollback_of_all(size_t n) {
  return codex_prompts(n) + codex_takes_back(n, n) + codex_answer(n + 1);
}
/// Each takes over what the one before says.
std::string forks_of_forks(size_t n) {
  return lines(n, [](size_t i) {
    const std::string from =
        i == 0 ? "" : fmt::format(R"(,"forked_from_id":"{}")", nth("f", i - 1));
    return codex(3 * i, "session_meta",
                 fmt::format(R"("id":"{}","cwd":"/x"{})", nth("f", i), from)) +
           codex_says(3 * i, "user", "q") + codex_says(3 * i + 1, "assistant", "a") +
           codex_says(3 * i + 2, "user", nth("own", i));
  });
}

std::string copilot(size_t second, std::string_view type, std::string_view data) {
  return at(second, fmt::format(R"("type":"{}","data":{{{}}},"id":"e{}","parentId":null)", type,
                                data, second));
}
std::string aborts_of_many_tools(size_t n) {
  const std::string requests = listed(n, [](size_t i) {
    return fmt::format(R"({{"toolCallId":"{}","name":"bash","arguments":{{}}}})", nth("t", i));
  });
  return copilot(0, "session.start", R"("sessionId":"S","version":1,"producer":"copilot-agent")") +
         copilot(1, "user.message", R"("content":"q")") +
         copilot(2, "assistant.message",
                 fmt::format(R"("messageId":"m","content":"a","toolRequests":[{}])", requests)) +
         lines(n, [](size_t i) { return copilot(i + 3, "abort", R"("reason":"user initiated")"); });
}

/// A line of Claude Code's.
std::string claude(size_t second, std::string_view id, std::string_view after,
                   std::string_view fields) {
  const std::string parent = after.empty() ? "null" : fmt::format("\"{}\"", after);
  return at(second,
            fmt::format(R"("parentUuid":{},"uuid":"{}","sessionId":"S",{})", parent, id, fields));
}
std::string claude_asks(std::string_view words) {
  return fmt::format(R"("type":"user","message":{{"role":"user","content":"{}"}})", words);
}
std::string claude_answers(std::string_view message, std::string_view blocks) {
  return fmt::format(
      R"("type":"assistant","requestId":"r-{0}","message":{{"id":"{0}","role":"assistant",)"
      R"("model":"claude-m","content":[{1}],"usage":{{"input_tokens":10,"output_tokens":1}}}})",
      message, blocks);
}
/// Each time it is told what to do next, and its parent what it said in the end.
std::string resumed_agent(size_t n) {
  constexpr std::string_view kSide = R"("isSidechain":true,"agentId":"g",)";
  const auto side = [&](const std::string& fields) { return std::string(kSide) + fields; };
  return claude(0, "u", "", claude_asks("q")) +
         claude(1, "a", "u", claude_answers("m", use("T", "Task", R"({"prompt":"p"})"))) +
         lines(n, [&](size_t i) {
           return claude(3 * i + 2, nth("s", i), i == 0 ? "" : nth("b", i - 1),
                         side(claude_asks(nth("p", i)))) +
                  claude(3 * i + 3, nth("b", i), nth("s", i),
                         side(claude_answers(nth("n", i), use(nth("x", i), "Read")))) +
                  claude(3 * i + 4, nth("r", i), "a",
                         fmt::format(
                             R"("type":"user","message":{{"role":"user","content":[)"
                             R"({{"type":"tool_result","tool_use_id":"T","content":"done"}}]}},)"
                             R"("toolUseResult":{{"status":"completed","agentId":"g","content":[],)"
                             R"("usage":{{"input_tokens":{},"output_tokens":9}}}})",
                             i + 7));
         });
}
/// The same answer, told to have ended with more every time.
std::string ends_of_one_agent(size_t n) {
  constexpr std::string_view kSide = R"("isSidechain":true,"agentId":"g",)";
  const auto side = [&](const std::string& fields) { return std::string(kSide) + fields; };
  return claude(0, "u", "", claude_asks("q")) +
         claude(1, "a", "u", claude_answers("m", use("T", "Task", R"({"prompt":"p"})"))) +
         claude(2, "s", "", side(claude_asks("p"))) +
         lines(n,
               [&](size_t i) {
                 return claude(3 + i, nth("b", i), i == 0 ? "s" : nth("b", i - 1),
                               side(claude_answers("n", use(nth("x", i), "Read"))));
               }) +
         lines(n, [&](size_t i) {
           return claude(
               3 + n + i, nth("r", i), "a",
               fmt::format(R"("type":"user","message":{{"role":"user","content":[)"
                           R"({{"type":"tool_result","tool_use_id":"T","content":"done"}}]}},)"
                           R"("toolUseResult":{{"status":"completed","agentId":"g","content":[],)"
                           R"("usage":{{"input_tokens":10,"output_tokens":{}}}}})",
                           i + 7));
         });
}

std::string tools_of_one_message(size_t n) {
  return record(
      fmt::format(R"("id":"c","created_at":"{}","messages":[{{"role":"user","content":"q"}},)"
                  R"({{"role":"assistant","content":"","tool_calls":[{}]}}])",
                  moment(0), listed(n, [](size_t i) {
                    return fmt::format(R"({{"id":"{}","name":"read"}})", nth("t", i));
                  })));
}

/// What a session used up by then, told twice.
std::string models_of_totals(size_t n) {
  return lines(2, [n](size_t run) {
    return record(fmt::format(
        R"("type":"result","subtype":"success","is_error":false,"session_id":"S","uuid":"r{0}",)"
        R"("num_turns":1,"result":"x","total_cost_usd":{0},)"
        R"("usage":{{"input_tokens":1,"output_tokens":1}},"modelUsage":{{{1}}})",
        run + 1, listed(n, [run](size_t i) {
          return fmt::format(R"("{}":{{"inputTokens":{},"outputTokens":5,"costUSD":1}})",
                             nth("model", i), run + 5);
        })));
  });
}

/// Commands that a task ran in one millisecond.
std::string commands_at_one_time(size_t n) {
  const auto shown = [](std::string_view type, std::string_view what, std::string_view text) {
    return fmt::format(R"({{"ts":1772000000000,"type":"{0}","{0}":"{1}","text":"{2}"}})", type,
                       what, text);
  };
  return "[" + shown("say", "task", "do") +
         lines(n,
               [&](size_t i) {
                 return "," +
                        shown("say", "api_req_started",
                              R"({\"request\":\"r\",\"tokensIn\":5,\"tokensOut\":6})") +
                        "," + shown("ask", "command", nth("ls", i)) + "," +
                        shown("say", "command_output", "o");
               }) +
         "]\n";
}

/// Of Cursor's, in plain text: what tools gave comes in no order.
std::string cursor_tools(size_t n) {
  return "user:\n<user_query>\nq\n</user_query>\n\nassistant:\n" +
         lines(n, [](size_t i) { return "[Tool call] " + nth("t", i) + "\n"; }) +
         lines(n, [n](size_t i) { return "[Tool result] " + nth("t", n - 1 - i) + "\n"; });
}

constexpr WorstCase kCases[] = {
    {"gemini-rewinds", rewinds},
    {"codex-rollbacks", rollbacks},
    {"codex-rollback-of-all", rollback_of_all},
    {"codex-forks-of-forks", forks_of_forks},
    {"copilot-aborts-of-many-tools", aborts_of_many_tools},
    {"transcript-resumed-agent", resumed_agent},
    {"transcript-ends-of-one-agent", ends_of_one_agent},
    {"conversation-tools-of-one-message", tools_of_one_message},
    {"totals-of-many-models", models_of_totals},
    {"cline-commands-at-one-time", commands_at_one_time},
    {"cursor-tools-of-one-answer", cursor_tools},
};

}  // namespace

std::span<const WorstCase> worst_sessions() {
  return kCases;
}

}  // namespace xtrace
