#pragma once

#include <fmt/format.h>

#include <string>

#include "link/graph/graph.h"
#include "prices/price.h"
#include "reading.h"

namespace xtrace {

/// A log of one conversation whose calls have the times and tokens that are recorded, at list
/// prices.
class LedgerLog {
 public:
  struct Usage {
    int64_t input = 10, output = 10, read = 0, written = 0;
  };

  /// Says something, as a user does.
  LedgerLog& user(const std::string& text) {
    return message("user", fmt::format(R"({{"type":"text","text":"{}"}})", text));
  }
  /// Tells the model something that nobody said.
  LedgerLog& system(const std::string& text) {
    return message("system", fmt::format(R"({{"type":"text","text":"{}"}})", text));
  }
  /// A result of a tool.
  LedgerLog& result(const std::string& use) {
    return message(
        "user",
        fmt::format(R"({{"type":"tool_result","tool_use_id":"{}","content":"done"}})", use));
  }
  /// A call from `start` to `end`, in seconds; it uses this tool, or none.
  LedgerLog& call(const std::string& id, int start, int end, Usage usage,
                  const std::string& use = {}, const std::string& tool = "Bash") {
    const std::string answer =
        use.empty()
            ? fmt::format(R"({{"type":"text","text":"answer {}"}})", id)
            : fmt::format(R"({{"type":"tool_use","id":"{}","name":"{}","input":{{}}}})", use, tool);
    begin(id, start, end);
    log_ += fmt::format(R"("response":{{"id":"{}","content":[{}],"usage":{{"input_tokens":{},)"
                        R"("output_tokens":{},"cache_read_input_tokens":{},)"
                        R"("cache_creation_input_tokens":{}}}}}}})"
                        "\n",
                        id, answer, usage.input, usage.output, usage.read, usage.written);
    return message("assistant", answer);
  }
  /// One that fails.
  LedgerLog& failed(const std::string& id, int start, int end) {
    begin(id, start, end);
    log_ += R"("response":{"type":"error","error":{"type":"overloaded_error"}}})"
            "\n";
    return *this;
  }
  /// What another log tells, behind this one.
  LedgerLog& and_also(const LedgerLog& other) { return log_ += other.log_, *this; }
  /// What all further calls are offered, as JSON.
  LedgerLog& tools(std::string declared) { return tools_ = std::move(declared), *this; }
  /// Of all further calls.
  LedgerLog& model(std::string name) { return model_ = std::move(name), *this; }

  Graph graph() const { return priced(read_log(log_)); }
  /// From a file there, whose requests can be read again as long as it is.
  Graph graph(const Folder& folder) const {
    Progress progress;
    return priced(load({folder.write("log.jsonl", log_)}, {}, progress).value());
  }

 private:
  static Graph priced(Trace trace) {
    LinkOptions options;
    options.prices = &list_prices();
    return link(std::move(trace), options);
  }
  LedgerLog& message(const std::string& role, const std::string& block) {
    messages_ += fmt::format(R"({}{{"role":"{}","content":[{}]}})", messages_.empty() ? "" : ",",
                             role, block);
    return *this;
  }
  void begin(const std::string& id, int start, int end) {
    constexpr int kDay = 1772323200;  // 2026-03-01
    log_ += fmt::format(R"({{"id":"{}","timestamp":{},"timestamp_end":{},)"
                        R"("request":{{"model":"{}","tools":[{}],"messages":[{}]}},)",
                        id, kDay + start, kDay + end, model_, tools_, messages_);
  }

  std::string model_ = "claude-sonnet-4-5", tools_, messages_, log_;
};

/// The activity of a call.
inline const Activity& activity(const Graph& graph, std::string_view id) {
  for (CallId call : graph.timeline().in_order())
    if (graph.trace()[graph.trace()[call].id] == id) return graph.activities().of(call);
  return graph.activities().all.front();
}

}  // namespace xtrace
