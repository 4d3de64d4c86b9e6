#include "link/waste/wasteful_log.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace xtrace {

namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string text_block(const std::string& text) {
  return fmt::format(R"({{"type":"text","text":{}}})", quoted(text));
}

}  // namespace

void WastefulLog::message(const std::string& role, const std::string& blocks) {
  messages_ += fmt::format(R"({}{{"role":"{}","content":[{}]}})", messages_.empty() ? "" : ",",
                           role, blocks);
  sent_ += static_cast<int64_t>(blocks.size()) * 10 / 33;
}

void WastefulLog::call(const std::string& blocks) {
  constexpr int kDay = 1772323200;  // 2026-03-01
  const int64_t read = loses_ ? 0 : kept_;
  log_ += fmt::format(
      R"({{"id":"call{}","timestamp":{},"timestamp_end":{},"request":{{"model":"claude-sonnet-4-5",)"
      R"({}{}"messages":[{}]}},"response":{{"id":"call{}","content":[{}],"usage":{{"input_tokens":5,)"
      R"("output_tokens":{},"cache_read_input_tokens":{},"cache_creation_input_tokens":{}}}}}}})"
      "\n",
      calls_, kDay + time_, kDay + time_ + took_,
      system_.empty() ? "" : fmt::format(R"("system":{},)", nlohmann::json(system_).dump()),
      tools_.empty() ? "" : fmt::format(R"("tools":{},)", tools_), messages_, calls_, blocks,
      blocks.size() * 10 / 33 + 1, read, sent_ - read);
  kept_ = sent_;
  loses_ = false;
  ++calls_;
  time_ += took_ + 1;
  took_ = 2;
  message("assistant", blocks);
}

WastefulLog& WastefulLog::user(const std::string& text) {
  time_ += 10;
  message("user", text_block(text));
  return *this;
}

WastefulLog& WastefulLog::uses(const std::vector<Use>& together) {
  std::string asked, told;
  for (const Use& use : together) {
    const std::string comma = asked.empty() ? "" : ",";
    const std::string id = fmt::format("use{}", used_++);
    asked += fmt::format(R"({}{{"type":"tool_use","id":"{}","name":"{}","input":{}}})", comma, id,
                         use.tool, use.arguments);
    told +=
        fmt::format(R"({}{{"type":"tool_result","tool_use_id":"{}","content":{},"is_error":{}}})",
                    comma, id, quoted(use.result), use.is_error);
  }
  call(asked);
  message("user", told);
  return *this;
}

WastefulLog& WastefulLog::reads(const std::string& file, const std::string& text) {
  return use("Read", fmt::format(R"({{"file_path":"{}"}})", file), text + " of " + file);
}

WastefulLog& WastefulLog::edits(const std::string& file, const std::string& to) {
  return use("Edit",
             fmt::format(R"({{"file_path":"{}","old_string":"a","new_string":"{}"}})", file, to),
             "the file was changed");
}

WastefulLog& WastefulLog::runs(const std::string& command, const std::string& output) {
  return use("Bash", fmt::format(R"({{"command":{}}})", quoted(command)), output);
}

WastefulLog& WastefulLog::says(const std::string& text) {
  call(text_block(text));
  return *this;
}

std::string many_words(const std::string& beginning, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += fmt::format("{}{} ", beginning, i);
  return text;
}

}  // namespace xtrace
