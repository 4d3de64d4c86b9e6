#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "link/graph/graph.h"
#include "reading.h"

namespace xtrace {

/// A task of Cline or Roo Code: what was sent, what was shown, and what is noted of it.
class Task {
 public:
  explicit Task(const Folder& folder, const char* name = "t1") : folder_(folder), name_(name) {}

  Task& sends(int second, const char* role, const nlohmann::json& piece) {
    sent_.push_back({{"role", role}, {"content", {piece}}, {"ts", ms(second)}});
    return *this;
  }
  Task& shows(int second, const char* what, const nlohmann::json& text, const char* type = "say") {
    shown_.push_back({{"ts", ms(second)},
                      {"type", type},
                      {type, what},
                      {"text", text.is_string() ? text.get<std::string>() : text.dump()}});
    return *this;
  }
  Task& requests(int second, int input, double cost,
                 const nlohmann::json& more = nlohmann::json::object()) {
    nlohmann::json text = {
        {"tokensIn", input}, {"tokensOut", input > 0 ? 5 : 0}, {"cacheReads", 0}, {"cost", cost}};
    text.update(more);
    return shows(second, "api_req_started", text);
  }
  Task& condenses(int second, double cost) {
    shows(second, "condense_context", "");
    shown_.back()["contextCondense"] = {{"cost", cost}, {"summary", "s"}};
    return *this;
  }
  /// Whose model the last request asked, as Cline notes it.
  Task& of(const char* provider) {
    shown_.back()["modelInfo"] = {{"providerId", provider}, {"modelId", "m"}};
    return *this;
  }
  /// Of the last message that it sent.
  Task& counts(const nlohmann::json& metrics) {
    sent_.back()["metrics"] = metrics;
    return *this;
  }
  void write() const {
    const std::string folder = "tasks/" + name_ + "/";
    if (!sent_.empty()) folder_.write(folder + "api_conversation_history.json", sent_.dump(1));
    if (!shown_.empty()) folder_.write(folder + "ui_messages.json", shown_.dump(1));
  }
  void notes(const nlohmann::json& item) const {
    folder_.write("tasks/" + name_ + "/history_item.json", item.dump(1));
  }

  static nlohmann::json text(const char* text) { return {{"type", "text"}, {"text", text}}; }
  static nlohmann::json use(const char* id, const char* tool = "read_file") {
    return {{"type", "tool_use"}, {"id", id}, {"name", tool}, {"input", nlohmann::json::object()}};
  }
  static nlohmann::json result(const char* id) {
    return {{"type", "tool_result"}, {"tool_use_id", id}, {"content", "x"}};
  }

 private:
  static int64_t ms(int second) { return 1767261600000 + int64_t{1000} * second; }

  const Folder& folder_;
  std::string name_;
  nlohmann::json sent_ = nlohmann::json::array(), shown_ = nlohmann::json::array();
};

inline Graph graph_of_tasks(const Folder& folder) {
  Progress progress;
  return link(load({folder.path()}, {}, progress).value(), {});
}

}  // namespace xtrace
