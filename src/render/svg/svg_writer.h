#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// Writes the elements of a picture: whole numbers, classes of style.h, texts that are nothing but
/// text. What belongs to one thing is in a group with a title, which readers show as a hint.
class SvgWriter {
 public:
  enum class Anchor : uint8_t { start, middle, end };

  void open_group(std::string_view hint);
  void close_group() { out_ += "</g>\n"; }
  void rect(int64_t x, int64_t y, int64_t width, int64_t height, std::string_view classes,
            int64_t round = 0);
  /// `way` is made of commands and whole numbers.
  void path(std::string_view way, std::string_view classes);
  void text(int64_t x, int64_t y, std::string_view words, std::string_view classes,
            Anchor anchor = Anchor::start);

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Appends text of an answer: no markup, nothing that is invisible.
void append_words(std::string& out, std::string_view words);

/// How wide `text` is at most, in pixels, in letters so high.
int64_t width_of(std::string_view text, int64_t height);
/// As much of it as has room.
std::string fitted(std::string_view text, int64_t room, int64_t height);

}  // namespace xtrace
