#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "link/graph/graph.h"
#include "reading.h"

namespace xtrace {

/// A rollout, a line a second.
class Rollout {
 public:
  explicit Rollout(int start = 10) : next_(start) {}
  Rollout& line(const char* type, nlohmann::json payload) {
    nlohmann::json line = {{"timestamp", "2026-01-01T10:00:" + std::to_string(next_++) + "Z"},
                           {"type", type},
                           {"payload", std::move(payload)}};
    text_ += line.dump() + "\n";
    return *this;
  }
  Rollout& opens(const std::string& id, nlohmann::json source = "cli") {
    return line("session_meta", {{"id", id}, {"source", std::move(source)}});
  }
  Rollout& model(const char* name) { return line("turn_context", {{"model", name}}); }
  Rollout& said(const char* role, const std::string& text) {
    const char* type = std::string_view(role) == "user" ? "input_text" : "output_text";
    return line(
        "response_item",
        {{"type", "message"}, {"role", role}, {"content", {{{"type", type}, {"text", text}}}}});
  }
  Rollout& shown(const char* type, const std::string& text) {
    return line("event_msg", {{"type", type}, {"message", text}});
  }
  Rollout& uses(const char* id, const char* name, nlohmann::json arguments) {
    return line("response_item", {{"type", "function_call"},
                                  {"call_id", id},
                                  {"name", name},
                                  {"arguments", std::move(arguments)}});
  }
  Rollout& gives(const char* id, nlohmann::json output) {
    return line("response_item",
                {{"type", "function_call_output"}, {"call_id", id}, {"output", std::move(output)}});
  }
  /// A subagent by its path, and that it was begun.
  Rollout& starts(const std::string& use, const std::string& child, const char* path) {
    uses(use.c_str(), "spawn_agent", R"({"task_name":"seeds"})");
    line("event_msg", {{"type", "sub_agent_activity"},
                       {"event_id", use},
                       {"agent_thread_id", child},
                       {"agent_path", path}});
    return gives(use.c_str(), R"({"task_name":"seeds"})");
  }
  /// What an agent tells this one.
  Rollout& hears(const char* path, const std::string& text) {
    return line("response_item", {{"type", "agent_message"},
                                  {"author", path},
                                  {"content", {{{"type", "input_text"}, {"text", text}}}}});
  }
  Rollout& counted(int all, int input, int cached, int output) {
    nlohmann::json last = {
        {"input_tokens", input}, {"cached_input_tokens", cached}, {"output_tokens", output}};
    nlohmann::json sum = {{"input_tokens", all}, {"cached_input_tokens", 0}, {"output_tokens", 0}};
    return line("event_msg", {{"type", "token_count"},
                              {"info", {{"last_token_usage", last}, {"total_token_usage", sum}}}});
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
  int next_;
};

inline nlohmann::json spawned(const char* parent, const char* role) {
  return {{"subagent", {{"thread_spawn", {{"parent_thread_id", parent}, {"agent_role", role}}}}}};
}

inline Graph graph_of(const std::vector<std::string>& logs, size_t piece_bytes = 0) {
  Folder folder;
  std::vector<std::string> paths;
  paths.reserve(logs.size());
  for (const std::string& log : logs)
    paths.push_back(folder.write(std::to_string(paths.size()) + ".jsonl", log));
  LoadOptions loading;
  loading.piece_bytes = piece_bytes;
  Progress progress;
  return link(load(paths, loading, progress).value(), {});
}

}  // namespace xtrace
