#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace xtrace::mcp {

/// Returns a long answer page by page, whole lines at a time. The newest answers are kept, so that
/// a page continues the one before it although the log has grown.
class Pages {
 public:
  /// The beginning of an answer, in at most so many tokens (see estimate_tokens()). If there is
  /// more, the last line has the cursor of the next page.
  std::string first(std::string answer, size_t max_tokens);
  /// The page that a cursor names; nothing if its answer is not kept any more, or never was.
  std::optional<std::string> next(std::string_view cursor, size_t max_tokens) const;

 private:
  struct Kept {
    std::string name;  ///< the hash of the text, so that equal questions get equal cursors
    std::string text;
  };
  static std::string page(const Kept& kept, size_t begin, size_t max_tokens);

  std::deque<Kept> kept_;  ///< the newest first
};

}  // namespace xtrace::mcp
