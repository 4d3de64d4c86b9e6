#include "render/graph_json.h"

#include <ostream>
#include <utility>

#include "render/json_text.h"

namespace xtrace {

void JsonFields::begin(std::string_view name) {
  if (!fields_.empty()) fields_ += ", ";
  append_json(fields_, name);
  fields_ += ": ";
}

void JsonFields::add(std::string_view name, std::string_view text) {
  begin(name);
  append_json(fields_, text);
}

void JsonFields::add(std::string_view name, const Cell& cell) {
  begin(name);
  append_json(fields_, cell);
}

void JsonLists::open(std::string_view name) {
  out_ << margin_ << '"' << name << "\": [";
  any_ = false;
}

void JsonLists::add(std::string_view object) {
  out_ << (std::exchange(any_, true) ? ",\n" : "\n") << margin_ << "  " << safe_in_pages(object);
}

void JsonLists::close() {
  if (any_) out_ << '\n' << margin_;
  out_ << ']';
}

std::string safe_in_pages(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (char c : json)  // outside of strings JSON has none
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace xtrace
