#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "render/chart/actors.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

std::string way_of(const std::vector<Actors::Point>& points) {
  std::string way;
  for (size_t i = 0; i < points.size(); ++i)
    way += fmt::format("{}{} {}", i == 0 ? "M" : i == 1 ? "C" : " ", points[i].x, points[i].y);
  return way;
}

/// Where numbers are on their bands, so that none hides another or a name.
class Numbers {
 public:
  explicit Numbers(const Actors& actors) {
    for (const Actors::Actor& actor : actors.actors)
      taken_.push_back(
          {actor.x + actor.width / 2, actor.y + actor.height / 2, actor.width, actor.height});
  }

  /// Upon its band, else up to four lines above or below; nowhere, if all of that is taken: the
  /// hint of the band has the number as well.
  std::optional<Actors::Point> place(const std::vector<Actors::Point>& spots, int64_t width) {
    for (const int32_t lines : {0, 1, -1, 2, -2, 3, -3, 4, -4})
      for (const auto& [x, y] : spots)
        if (const Actors::Point at{x, y + lines * kLine}; is_free(at, width)) {
          taken_.push_back({at.x, at.y, width, kLine});
          return at;
        }
    return std::nullopt;
  }

 private:
  static constexpr int32_t kLine = 13;
  struct Taken {
    int64_t x = 0, y = 0, width = 0, height = 0;  ///< x and y of its middle
  };

  bool is_free(Actors::Point at, int64_t width) const {
    return std::none_of(taken_.begin(), taken_.end(), [&](const Taken& other) {
      return std::abs(other.x - at.x) * 2 < other.width + width &&
             std::abs(other.y - at.y) * 2 < other.height + kLine;
    });
  }

  std::vector<Taken> taken_;
};

/// The figure that the bands of a picture show, and its words.
struct Bands {
  int64_t Actors::Edge::*width;  ///< and the number of each
  std::string_view what;         ///< that number, and what its calls are
  std::string_view counted = "call", ends = "actor", none;
};

std::string hint_of(const Actors& actors, const Actors::Edge& edge, const Bands& bands) {
  std::string hint =
      fmt::format("{} → {}\n{}", actors.actors[edge.from].label, actors.actors[edge.to].label,
                  tell_many(edge.calls, bands.counted));
  if (edge.bytes > 0) hint += " · " + tell_count(edge.bytes) + " bytes";
  if (edge.tokens > 0)
    hint += fmt::format(" · {}{} tokens", edge.is_estimated ? "~" : "", tell_count(edge.tokens));
  if (edge.cost_nusd > 0) hint += " · " + tell_cost(edge.cost_nusd);
  if (edge.time_us > 0) hint += " · " + tell_length(edge.time_us);
  if (edge.failed > 0) hint += fmt::format(" · {} failed", edge.failed);
  return hint;
}

/// Places them below the head, and closer if they are too many for a page.
void fit(Actors& actors, int64_t top) {
  constexpr int64_t kRoom = kMostHeight - 220;
  const double share =
      std::min(1.0, static_cast<double>(kRoom) / static_cast<double>(std::max(1, actors.height)));
  const auto lower = [&](int32_t y) {
    return static_cast<int32_t>(top) + static_cast<int32_t>(std::lround(y * share));
  };
  const int32_t right = static_cast<int32_t>(kPictureMargin) - 16;
  for (Actors::Actor& actor : actors.actors) {
    actor.y = lower(actor.y);
    actor.height = std::max(20, static_cast<int32_t>(std::lround(actor.height * share)));
    actor.x += right;
  }
  for (Actors::Edge& edge : actors.edges)
    for (std::vector<Actors::Point>* points : {&edge.way, &edge.spots})
      for (Actors::Point& point : *points) point = {point.x + right, lower(point.y)};
  actors.height = static_cast<int32_t>(std::lround(actors.height * share));
}

void draw_actor(const Actors::Actor& actor, uint32_t hue, SvgWriter& svg) {
  svg.open_group(fmt::format("{}\n{}", actor.label, actor.kind));
  svg.rect(actor.x, actor.y, actor.width, actor.height, "box", actor.kind == "agent" ? 12 : 2);
  if (actor.kind == "agent")
    svg.rect(actor.x + 10, actor.y + actor.height / 2 - 5, 10, 10, fmt::format("h{}", hue), 2);
  const int64_t x = actor.x + (actor.kind == "agent" ? 26 : 10);
  const std::string kind = actor.kind == "agent" ? "" : actor.kind;
  const int64_t kind_room = kind.empty() || kind == actor.label ? 0 : width_of(kind, 10) + 8;
  svg.text(x, actor.y + actor.height / 2 + 4,
           fitted(actor.label, actor.x + actor.width - 8 - kind_room - x, 11), "name");
  if (kind_room > 0)
    svg.text(actor.x + actor.width - 8, actor.y + actor.height / 2 + 4, kind, "soft small",
             SvgWriter::Anchor::end);
  svg.close_group();
}

std::string bands_picture(const Chart& chart, Actors actors, const Bands& bands) {
  const Hues hues(chart);
  Caption caption{title_of(chart), sums_of(chart), {}, hues.own_style()};
  const int64_t top = top_below(caption);
  fit(actors, top);
  int64_t most = 1;
  bool has_failed = false;
  for (const Actors::Edge& edge : actors.edges) most = std::max(most, edge.*bands.width);
  SvgWriter svg, numbers;
  Numbers places(actors);
  for (const Actors::Edge& edge : actors.edges) {
    const int64_t value = edge.*bands.width;
    const int64_t wide = std::max<int64_t>(
        1, static_cast<int64_t>(14 * static_cast<double>(value) / static_cast<double>(most)));
    has_failed |= edge.failed > 0;
    svg.open_group(hint_of(actors, edge, bands));
    svg.path(way_of(edge.way), fmt::format("flow{} w{}", edge.failed > 0 ? " failed" : "", wide));
    svg.close_group();
    const bool is_about = edge.is_estimated && bands.width == &Actors::Edge::tokens;
    std::string words = (is_about ? "~" : "") + tell_count(value);
    if (edge.failed > 0) words += fmt::format(" ! {}", edge.failed);
    if (const auto at = places.place(edge.spots, width_of(words, 11)))
      numbers.text(at->x, at->y + 4, words, edge.failed > 0 ? "number halo bad" : "number halo",
                   SvgWriter::Anchor::middle);
  }
  for (const Actors::Actor& actor : actors.actors) {
    const StringId type = chart.texts.find(actor.label);
    draw_actor(actor, hues.of(type).hue, svg);
  }
  caption.notes.push_back(
      fmt::format("width and number = {}{}", bands.what, has_failed ? "; ! = failures" : ""));
  if (actors.hidden > 0)
    caption.notes.push_back(fmt::format(
        "{} with the fewest {}s not shown",
        tell_many(static_cast<int64_t>(actors.hidden), fmt::format("more {}", bands.ends)),
        bands.counted));
  if (actors.edges.empty()) caption.notes = {std::string(bands.none)};
  const int64_t width = std::max<int64_t>(900, actors.width + kPictureMargin + 44);
  return whole_picture(caption, width, top + actors.height + 8, svg.take() + numbers.take());
}

}  // namespace

std::string actors_picture(const Chart& chart) {
  return bands_picture(chart, actors_of(chart),
                       {.width = &Actors::Edge::calls,
                        .what = "calls",
                        .none = "No calls between actors are recorded."});
}

std::string flow_picture(const Chart& chart) {
  Bands bands{.width = &Actors::Edge::tokens,
              .what = "tokens that results of tools brought into calls that used other tools",
              .counted = "result",
              .ends = "tool",
              .none = "No call read the result of a tool."};
  const bool has_tokens =
      std::ranges::any_of(chart.flows, [](const Chart::Flow& flow) { return flow.tokens > 0; });
  if (!has_tokens) {
    bands.width = &Actors::Edge::calls;
    bands.what = "results of tools that calls read before they used other tools";
  }
  return bands_picture(chart, flows_of(chart), bands);
}

}  // namespace xtrace
