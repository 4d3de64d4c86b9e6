#include "render/graph_json.h"

#include <ostream>

#include "render/json_cells.h"

namespace xtrace {

void JsonFields::add(std::string_view name, const Cell& cell) {
  json_.key(name);
  write_cell(json_, cell);
}

JsonWriter& GraphJson::open_element() {
  json_.open_object();
  return json_;
}

void GraphJson::close_element() {
  json_.close();
  constexpr size_t kMuch = 64 << 10;
  if (text_.size() > kMuch) send();
}

void GraphJson::send() {
  std::string safe;
  safe.reserve(text_.size());
  for (char c : text_)  // outside of strings JSON has none
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  out_ << safe;
  text_.clear();
}

}  // namespace xtrace
