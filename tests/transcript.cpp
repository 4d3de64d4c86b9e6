#include "transcript.h"

#include <fmt/format.h>

namespace xtrace {

namespace {

std::string message_of(const std::string& role, const std::string& content) {
  return fmt::format(R"("message":{{"role":"{}","content":{}}})", role, content);
}

}  // namespace

Transcript& Transcript::user(const std::string& uuid, const std::string& text) {
  add(uuid, "user", message_of("user", "\"" + text + "\""));
  return *this;
}

Transcript& Transcript::result(const std::string& uuid, const std::string& tool_use,
                               const std::string& more) {
  std::string block =
      fmt::format(R"([{{"type":"tool_result","tool_use_id":"{}","content":"done"}}])", tool_use);
  add(uuid, "user", message_of("user", block) + (more.empty() ? "" : ",") + more);
  return *this;
}

Transcript& Transcript::answer(const std::string& uuid, const std::string& message,
                               const std::string& blocks, int64_t output) {
  add(uuid, "assistant",
      fmt::format(R"("requestId":"req_{0}","message":{{"id":"{0}","role":"assistant",)"
                  R"("model":"claude-m","content":[{1}],)"
                  R"("usage":{{"input_tokens":10,"output_tokens":{2}}}}})",
                  message, blocks, output));
  return *this;
}

Transcript& Transcript::line(const std::string& uuid, const std::string& type,
                             const std::string& more) {
  add(uuid, type, more);
  return *this;
}

Transcript& Transcript::raw(const std::string& text) {
  text_ += text + "\n";
  return *this;
}

Transcript& Transcript::sidechain(std::string fields) {
  always_ = R"("isSidechain":true)" + (fields.empty() ? "" : "," + std::move(fields));
  last_.clear();
  return *this;
}

Transcript& Transcript::within(std::string tool_use, std::string agent, std::string prompt) {
  inside_ = true;
  tool_use_ = std::move(tool_use);
  agent_ = std::move(agent);
  prompt_ = std::move(prompt);
  return *this;
}

void Transcript::add(const std::string& uuid, const std::string& type, const std::string& fields) {
  std::string time =
      fmt::format(R"("timestamp":"2026-02-01T10:{:02}:{:02}.000Z")", seconds_ / 60, seconds_ % 60);
  std::string common = fmt::format(R"("type":"{}","uuid":"{}",{})", type, uuid, time);
  for (const std::string& more : {fields, with_})
    if (!more.empty()) common += "," + more;
  if (inside_) {
    std::string ids = agent_.empty() ? "" : fmt::format(R"("agentId":"{}",)", agent_);
    std::string prompt = prompt_.empty() ? "" : fmt::format(R"("prompt":"{}",)", prompt_);
    std::string parent =
        tool_use_.empty() ? "" : fmt::format(R"("parentToolUseID":"{}",)", tool_use_);
    raw(fmt::format(R"({{"type":"progress","uuid":"p-{}","sessionId":"{}",{},{})"
                    R"("data":{{"type":"agent_progress",{}{}"message":{{{}}}}}}})",
                    uuid, id_, time, parent, ids, prompt, common));
  } else {
    const std::string& before = after_.empty() ? last_ : after_;
    std::string after = before.empty() || before == "-" ? "null" : "\"" + before + "\"";
    raw(fmt::format(R"({{"parentUuid":{},"sessionId":"{}",{}{}{}}})", after, id_, always_,
                    always_.empty() ? "" : ",", common));
    last_ = uuid;
  }
  after_.clear();
  with_.clear();
  ++seconds_;
}

std::string says(const std::string& text) {
  return fmt::format(R"({{"type":"text","text":"{}"}})", text);
}
std::string thinks() {
  return R"({"type":"thinking","thinking":"hm"})";
}
std::string uses(const std::string& id, const std::string& tool, const std::string& input) {
  return fmt::format(R"({{"type":"tool_use","id":"{}","name":"{}","input":{}}})", id, tool, input);
}
std::string spawns(const std::string& id, const std::string& type, const std::string& prompt,
                   const std::string& tool) {
  return uses(id, tool, fmt::format(R"({{"subagent_type":"{}","prompt":"{}"}})", type, prompt));
}

}  // namespace xtrace
