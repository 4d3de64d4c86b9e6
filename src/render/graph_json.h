#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "doc/document.h"

namespace xtrace {

/// The fields of a JSON object, as add_fields() of elements.h gives them.
class JsonFields {
 public:
  explicit JsonFields(JsonWriter& json) : json_(json) {}
  void add(std::string_view name, std::string_view text) { json_.field(name, text); }
  void add(std::string_view name, const Cell& cell);

 private:
  JsonWriter& json_;
};

/// Writes a graph as JSON, one object a line. No text in it can end the script element of a page
/// into which it is pasted.
class GraphJson {
 public:
  explicit GraphJson(std::ostream& out) : out_(out) {}
  ~GraphJson() { send(); }
  GraphJson(const GraphJson&) = delete;
  GraphJson& operator=(const GraphJson&) = delete;

  JsonWriter& json() { return json_; }
  /// Opens an object of the list at hand, which close_element() ends.
  JsonWriter& open_element();
  void close_element();
  void end_line() { text_ += '\n'; }

 private:
  void send();

  std::ostream& out_;
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace xtrace
