#include "render/svg/style.h"

#include <fmt/format.h>

#include "doc/hues.h"

namespace xtrace {

namespace {

// The colours of pages. Plain classes, no variables: more programs than browsers read pictures.
// Nothing has an id, so several pictures may be in one page.
constexpr std::string_view kStyle = R"(<style>
.xt text{font-family:system-ui,"Segoe UI",Helvetica,Arial,sans-serif;font-size:11px;fill:#1c2026}
.xt .title{font-size:16px;font-weight:600}
.xt .sums{font-size:12px}
.xt .soft{fill:#555d69}
.xt .small{font-size:10px}
.xt .number{font-variant-numeric:tabular-nums}
.xt .name{font-weight:600}
.xt .bad,.xt .number.bad{fill:#b3261e;font-weight:700}
.xt .halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
.xt .ground{fill:#fff}
.xt .panel{fill:#f5f6f8}
.xt .rule{fill:none;stroke:#d8dce2}
.xt .edge,.xt .wait,.xt .axis{fill:none;stroke:#848d9a}
.xt .dash{stroke-dasharray:5 3}
.xt .guess{stroke-dasharray:1 3}
.xt .doubt{stroke-dasharray:1 5;stroke-opacity:.7}
.xt .arrow{fill:none;stroke:#555d69}
.xt .tip{fill:#555d69;stroke:#555d69}
.xt .open{fill:#fff;stroke:#555d69}
.xt .arrow.error{stroke:#b3261e}
.xt .tip.error{fill:#b3261e;stroke:#b3261e}
.xt .path{fill:none;stroke:#1c2026;stroke-width:3}
.xt .step{fill:none;stroke:#1c2026}
.xt .tool{fill:#848d9a}
.xt .tool.failed,.xt .notch{fill:#b3261e}
.xt .box{fill:#f5f6f8;stroke:#848d9a}
.xt .failed{stroke:#b3261e;stroke-width:2}
.xt .target{stroke:#1a5fb4;stroke-width:3}
.xt .flow{fill:none;stroke:#1a5fb4;stroke-opacity:.35}
.xt .flow.failed{stroke:#b3261e;stroke-opacity:.35}
.xt .w2{stroke-width:2}.xt .w3{stroke-width:3}.xt .w4{stroke-width:4}.xt .w5{stroke-width:5}.xt .w6{stroke-width:6}
.xt .w7{stroke-width:7}.xt .w8{stroke-width:8}.xt .w9{stroke-width:9}.xt .w10{stroke-width:10}.xt .w11{stroke-width:11}
.xt .w12{stroke-width:12}.xt .w13{stroke-width:13}.xt .w14{stroke-width:14}
@LIGHT@
.xt .on{fill:#000}.xt .on4,.xt .on7{fill:#fff}
@media (prefers-color-scheme:dark){
.xt text{fill:#e4e7ec}
.xt .soft{fill:#a0a9b6}
.xt .bad,.xt .number.bad{fill:#ff786e}
.xt .halo{stroke:#15181d}
.xt .ground{fill:#15181d}
.xt .panel{fill:#1c2027}
.xt .rule{stroke:#333a45}
.xt .edge,.xt .wait,.xt .axis{stroke:#798494}
.xt .arrow{stroke:#a0a9b6}
.xt .tip{fill:#a0a9b6;stroke:#a0a9b6}
.xt .open{fill:#15181d;stroke:#a0a9b6}
.xt .arrow.error{stroke:#ff786e}
.xt .tip.error{fill:#ff786e;stroke:#ff786e}
.xt .path,.xt .step{stroke:#e4e7ec}
.xt .tool{fill:#798494}
.xt .tool.failed,.xt .notch{fill:#ff786e}
.xt .box{fill:#1c2027;stroke:#798494}
.xt .failed{stroke:#ff786e}
.xt .target{stroke:#82b1ff}
.xt .flow{stroke:#82b1ff}
.xt .flow.failed{stroke:#ff786e}
@DARK@
.xt .on{fill:#000}
}
</style>
)";

/// With the hues filled in: `.xt .h0{fill:#b67e00}.xt .h1{fill:#4590ba}…`
const std::string& style() {
  static const std::string kWhole = [] {
    std::string whole(kStyle);
    for (const auto& [mark, colour] :
         {std::pair("@LIGHT@", &Hue::light), std::pair("@DARK@", &Hue::dark)}) {
      std::string rules;
      for (size_t i = 0; i < std::size(kHuePalette); ++i)
        rules +=
            fmt::format(".xt .h{}{{fill:{}}}{}", i, kHuePalette[i].*colour, i == 4 ? "\n" : "");
      whole.replace(whole.find(mark), std::string_view(mark).size(), rules);
    }
    return whole;
  }();
  return kWhole;
}

constexpr int64_t kNoteHeight = 16;

}  // namespace

int64_t top_below(const Caption& caption) {
  return caption.sums.empty() ? 44 : 64;
}

std::string whole_picture(const Caption& caption, int64_t width, int64_t bottom,
                          const std::string& body) {
  const int64_t notes = static_cast<int64_t>(caption.notes.size());
  const int64_t height = bottom + notes * kNoteHeight + kPictureMargin;
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="xt" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">)",
      width, height);
  out += "\n<title>";
  append_words(out, caption.title);
  out += "</title>\n<desc>";
  append_words(out, caption.sums);
  for (const std::string& note : caption.notes) {
    out += "&#10;";
    append_words(out, note);
  }
  out += "</desc>\n";
  out += style();
  if (!caption.own_style.empty()) out += "<style>" + caption.own_style + "</style>\n";
  SvgWriter svg;
  const int64_t room = width - 2 * kPictureMargin;
  svg.rect(0, 0, width, height, "ground");
  constexpr int64_t kTitleSize = 18;  // 16, and bold
  svg.text(kPictureMargin, 30, fitted(caption.title, room, kTitleSize), "title");
  svg.text(kPictureMargin, 50, fitted(caption.sums, room, 12), "sums soft number");
  for (int64_t i = 0; i < notes; ++i)
    svg.text(kPictureMargin, bottom + i * kNoteHeight + 12,
             fitted(caption.notes[static_cast<size_t>(i)], room, 11), "soft");
  out += svg.take();
  out += body;
  out += "</svg>\n";
  return out;
}

}  // namespace xtrace
