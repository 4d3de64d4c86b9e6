#include "input/transcripts/task_notification.h"

#include <string>

namespace xtrace {

namespace {

/// What stands between the tag's first opening and its last closing: a result may hold tags itself.
std::string_view inside(std::string_view text, std::string_view tag) {
  const std::string opening = '<' + std::string(tag) + '>';
  const size_t begin = text.find(opening);
  const size_t end = text.rfind("</" + opening.substr(1));
  if (begin == text.npos || end == text.npos || end < begin + opening.size()) return {};
  return text.substr(begin + opening.size(), end - begin - opening.size());
}

}  // namespace

TaskNotification read_task_notification(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n");
  if (begin == text.npos || !text.substr(begin).starts_with("<task-notification>")) return {};
  // Of several only the first is read.
  text = text.substr(0, text.find("<task-notification>", begin + 1));
  const std::string_view head = text.substr(0, text.find("<result>"));
  const std::string_view result = inside(text, "result");
  if (result.empty()) return {};
  return {inside(head, "task-id"), result, inside(head, "status") == "failed"};
}

}  // namespace xtrace
