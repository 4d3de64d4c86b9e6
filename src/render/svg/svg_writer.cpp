#include "render/svg/svg_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "render/xml_text.h"

namespace xtrace {

namespace {

std::string_view anchor_of(SvgWriter::Anchor anchor) {
  switch (anchor) {
    case SvgWriter::Anchor::middle: return R"( text-anchor="middle")";
    case SvgWriter::Anchor::end: return R"( text-anchor="end")";
    default: return {};
  }
}

/// Of the height of its letters, in hundredths: more than most have, as nobody knows the font.
constexpr int64_t kColumn = 58;

}  // namespace

void append_words(std::string& out, std::string_view words) {
  for (size_t end; !words.empty(); words.remove_prefix(end)) {
    end = std::min(words.find('\n'), words.size());
    append_xml(out, printable(words.substr(0, end)));
    if (end < words.size()) {
      out += "&#10;";
      ++end;
    }
  }
}

void SvgWriter::open_group(std::string_view hint) {
  out_ += "<g><title>";
  append_words(out_, hint);
  out_ += "</title>";
}

void SvgWriter::rect(int64_t x, int64_t y, int64_t width, int64_t height, std::string_view classes,
                     int64_t round) {
  fmt::format_to(std::back_inserter(out_), R"(<rect x="{}" y="{}" width="{}" height="{}")", x, y,
                 width, height);
  if (round > 0) fmt::format_to(std::back_inserter(out_), R"( rx="{}")", round);
  fmt::format_to(std::back_inserter(out_), R"( class="{}"/>)", classes);
  out_ += '\n';
}

void SvgWriter::path(std::string_view way, std::string_view classes) {
  if (way.empty()) return;
  fmt::format_to(std::back_inserter(out_), R"(<path d="{}" class="{}"/>)", way, classes);
  out_ += '\n';
}

void SvgWriter::text(int64_t x, int64_t y, std::string_view words, std::string_view classes,
                     Anchor anchor) {
  if (words.empty()) return;
  fmt::format_to(std::back_inserter(out_), R"(<text x="{}" y="{}" class="{}"{}>)", x, y, classes,
                 anchor_of(anchor));
  append_words(out_, words);
  out_ += "</text>\n";
}

int64_t width_of(std::string_view text, int64_t height) {
  return (static_cast<int64_t>(width(text)) * height * kColumn + 99) / 100;
}

std::string fitted(std::string_view text, int64_t room, int64_t height) {
  const std::string seen = fold_white_space(printable(text));
  if (room <= 0) return {};
  return clip(seen, static_cast<size_t>(room * 100 / (height * kColumn)));
}

}  // namespace xtrace
