#pragma once

#include <string>
#include <vector>

namespace xtrace {

/// Writes session transcripts line by line, as a coding agent does. What is not said is made up:
/// each line follows the one before it, a second later.
class Transcript {
 public:
  explicit Transcript(std::string id = "S1") : id_(std::move(id)) {}

  Transcript& user(const std::string& uuid, const std::string& text);
  /// A tool's output; `more` are further fields of the line, as `"toolUseResult": {…}`.
  Transcript& result(const std::string& uuid, const std::string& tool_use,
                     const std::string& more = {});
  /// A piece of the answer `message` with these content blocks and this many tokens put out.
  Transcript& answer(const std::string& uuid, const std::string& message, const std::string& blocks,
                     int64_t output = 1);
  /// Any other line of this type.
  Transcript& line(const std::string& uuid, const std::string& type, const std::string& more = {});
  /// A line as it is.
  Transcript& raw(const std::string& text);

  // Of the next line:
  Transcript& after(std::string uuid) { return after_ = std::move(uuid), *this; }
  Transcript& at(int seconds) { return seconds_ = seconds, *this; }
  Transcript& with(std::string fields) { return with_ = std::move(fields), *this; }
  /// Of all further lines: fields of a subagent's own lines.
  Transcript& sidechain(std::string fields = {});
  /// What follows is inside a line of the parent that tells of the subagent.
  Transcript& within(std::string tool_use, std::string agent, std::string prompt);

  const std::string& text() const { return text_; }

 private:
  void add(const std::string& uuid, const std::string& type, const std::string& fields);

  std::string id_, after_, last_, with_, always_, tool_use_, agent_, prompt_;
  std::string text_;
  int seconds_ = 0;
  bool inside_ = false;
};

std::string says(const std::string& text);
std::string thinks();
std::string uses(const std::string& id, const std::string& tool, const std::string& input = "{}");
/// A use of the tool that starts a subagent.
std::string spawns(const std::string& id, const std::string& type, const std::string& prompt,
                   const std::string& tool = "Task");

}  // namespace xtrace
