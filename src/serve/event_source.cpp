#include "serve/event_source.h"

#include <fmt/format.h>

namespace xtrace::serve {

std::string event_text(std::string_view event, std::string_view data, std::string_view id) {
  std::string text = id.empty() ? std::string() : fmt::format("id: {}\n", id);
  return text += fmt::format("event: {}\ndata: {}\n\n", event, data);
}

}  // namespace xtrace::serve
