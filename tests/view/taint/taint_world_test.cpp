#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "asked_input.h"
#include "base/json_writer.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// A conversation of an agent that reads from a source and from a trusted tool, is told things, and
/// acts. It keeps book of who had each token first, and never looks for it in a text.
class TaintWorld {
 public:
  explicit TaintWorld(uint32_t seed) : random_(seed) {
    for (int i = 0; i < kTokens; ++i) tokens_.push_back(make_token(i));
    say("Begin.");
    const int steps = 6 + pick(14);
    for (int i = 0; i < steps; ++i) step();
    call("", "", "");
  }

  const std::string& log() const { return log_; }
  /// Tool uses: source and sink.
  const std::set<std::pair<std::string, std::string>>& truth() const { return truth_; }

 private:
  static constexpr int kTokens = 4;
  enum class First : uint8_t { nobody, source, other };
  struct Known {
    First first = First::nobody;
    std::string source;
    bool is_said = false;
  };

  int pick(int most) { return static_cast<int>(random_() % static_cast<uint32_t>(most)); }

  std::string make_token(int kind) {
    std::string digits;
    for (int i = 0; i < 9; ++i) digits += static_cast<char>('1' + pick(9));
    switch (kind % 4) {
      case 0: return digits;
      case 1: return "ada" + digits + "@mill.example";
      case 2: return "https://mill" + digits + ".example/p-" + digits;
      default: return "KX" + digits + "-LT";
    }
  }

  void say(const std::string& text) {
    messages_.push_back(R"({"role": "user", "content": )" + json_of(text) + "}");
  }

  static std::string json_of(const std::string& text) {
    std::string json;
    append_json(json, text);
    return json;
  }

  /// A model call that uses a tool, or answers.
  std::string call(const std::string& tool, const std::string& argument, const std::string& given) {
    const std::string number = std::to_string(++calls_);
    std::string content = R"([{"type": "text", "text": "Next."}])";
    if (!tool.empty())
      content = R"([{"type": "tool_use", "id": "toolu_)" + number + R"(", "name": ")" + tool +
                R"(", "input": {")" + argument + "\": " + json_of(given) + "}}]";
    std::string messages;
    for (const std::string& message : messages_)
      messages += (messages.empty() ? "" : ", ") + message;
    const std::string minute = (calls_ < 10 ? "0" : "") + number;
    log_ +=
        R"({"timestamp": "2026-05-01T09:)" + minute +
        R"(:00Z", "body": {"model": "claude-sonnet-4-5", "messages": [)" + messages +
        R"(]}, "response": {"status": 200, "duration_ms": 900.0, "headers": {"request-id": "req_)" +
        number + R"("}, "body": {"id": "msg_)" + number +
        R"(", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": )" +
        content + R"(, "usage": {"input_tokens": 9, "output_tokens": 9}}}})" + "\n";
    messages_.push_back(R"({"role": "assistant", "content": )" + content + "}");
    return "toolu_" + number;
  }

  void result(const std::string& use, const std::string& text) {
    messages_.push_back(R"({"role": "user", "content": [{"type": "tool_result", "tool_use_id": ")" +
                        use + R"(", "content": )" + json_of(text) + "}]}");
  }

  void step() {
    const std::string& token = tokens_[static_cast<size_t>(pick(kTokens))];
    Known& known = known_[token];
    switch (pick(4)) {
      case 0: {  // a source brings it
        const std::string use = call("WebSearch", "query", "news");
        result(use, "It names " + token + " today.");
        if (known.first == First::nobody) known = {First::source, use, known.is_said};
        break;
      }
      case 1: {  // a tool that is no source brings it
        const std::string use = call("get_card", "of", "all");
        result(use, "The card has " + token + ".");
        if (known.first == First::nobody) known.first = First::other;
        break;
      }
      case 2: {  // a user says it
        call("", "", "");
        say("Take " + token + " for it.");
        if (known.first == First::nobody) known.first = First::other;
        known.is_said = true;
        break;
      }
      default: {  // the agent acts with it
        const std::string use = call("Bash", "command", "tool --with '" + token + "'");
        if (known.first == First::source && !known.is_said) truth_.insert({known.source, use});
        if (known.first == First::nobody) known.first = First::other;
        result(use, "ok");
      }
    }
  }

  std::mt19937 random_;
  std::vector<std::string> tokens_, messages_;
  std::map<std::string, Known> known_;
  std::set<std::pair<std::string, std::string>> truth_;
  std::string log_;
  int calls_ = 0;
};

/// The flows that an answer lists in JSON: source and sink.
std::set<std::pair<std::string, std::string>> flows_in(const std::string& answer) {
  std::set<std::pair<std::string, std::string>> flows;
  const auto id_behind = [&](size_t at) {
    const size_t begin = answer.find("\"id\": \"", at) + 7;
    return answer.substr(begin, answer.find('"', begin) - begin);
  };
  for (size_t at = answer.find("\"source\": {"); at != answer.npos;
       at = answer.find("\"source\": {", at + 1))
    flows.insert({id_behind(at), id_behind(answer.find("\"sink\": {", at))});
  return flows;
}

}  // namespace

TEST_CASE("in made-up conversations exactly the flows that their books have are found") {
  size_t with_flows = 0, clean = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    const TaintWorld world(seed);
    Folder folder;
    const AskedInput input(folder.write("log.jsonl", world.log()));
    const std::string answer = input.in("json", {"taint"});
    INFO("seed " << seed << "\n" << answer);
    CHECK(flows_in(answer) == world.truth());
    (world.truth().empty() ? clean : with_flows) += 1;
    for (const char* part : {"mill.example", "@mill", "KX1", "-LT"})
      CHECK(answer.find(part) == answer.npos);
  }
  CHECK(with_flows > 10);
  CHECK(clean > 5);
}
