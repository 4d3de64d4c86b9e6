#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "doc/document.h"

namespace xtrace {

/// The fields of a JSON object, put together one by one.
class JsonFields {
 public:
  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, const Cell& cell);
  /// `{"id": "a", "times": 2}`
  std::string text() const { return '{' + fields_ + '}'; }

 private:
  void begin(std::string_view name);

  std::string fields_;
};

/// Writes lists of JSON objects, one object a line. No text in them can end the script element of a
/// page into which they are pasted.
class JsonLists {
 public:
  /// At the end of `margin`, blanks, stand the names of the lists.
  JsonLists(std::ostream& out, std::string_view margin) : out_(out), margin_(margin) {}

  void open(std::string_view name);  ///< `"nodes": [`
  void add(std::string_view object);
  void close();

 private:
  std::ostream& out_;
  std::string_view margin_;
  bool any_ = false;  ///< the list at hand has objects
};

/// `text` as a JSON string, or an object's text, without a `<`.
std::string safe_in_pages(std::string_view json);

}  // namespace xtrace
