#include "render/chart/bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>

namespace xtrace {

namespace {

using Point = Actors::Point;

/// From the edge of a box to the middle of a band beside it, and between the middles of two.
constexpr int32_t kClear = 11, kApart = 12;
constexpr int32_t kEdge = 6;  ///< of the picture

/// Boxes below each other.
struct Stack {
  int32_t x = 0, width = 0;
  std::vector<uint32_t> actors;  ///< from the top
};

/// Bands that pass a column in the same gap.
struct Gap {
  int32_t from = 0, to = 0;  ///< where their middles may be
  std::vector<uint32_t> edges;
};

enum class Side : uint8_t { left, right };

class Bands {
 public:
  explicit Bands(Actors& actors)
      : actors_(actors), column_(actors.actors.size()), passes_(actors.edges.size()) {}

  void lay() {
    find_columns();
    for (uint32_t c = 0; c < columns_.size(); ++c) pass(c);
    find_ports();
    for (uint32_t e = 0; e < actors_.edges.size(); ++e) draw(e);
  }

 private:
  struct Pass {
    uint32_t column = 0;
    int32_t y = 0;
  };

  const Actors::Actor& from(uint32_t edge) const {
    return actors_.actors[actors_.edges[edge].from];
  }
  const Actors::Actor& to(uint32_t edge) const { return actors_.actors[actors_.edges[edge].to]; }
  static int32_t middle(const Actors::Actor& actor) { return actor.y + actor.height / 2; }

  void find_columns() {
    std::map<int32_t, std::vector<uint32_t>> by_x;
    for (uint32_t i = 0; i < actors_.actors.size(); ++i) by_x[actors_.actors[i].x].push_back(i);
    for (auto& [x, members] : by_x) {
      std::sort(members.begin(), members.end(),
                [&](uint32_t a, uint32_t b) { return actors_.actors[a].y < actors_.actors[b].y; });
      for (uint32_t i : members) column_[i] = static_cast<uint32_t>(columns_.size());
      columns_.push_back({x, actors_.actors[members.front()].width, std::move(members)});
    }
  }

  /// Where bands may pass a column, from the top.
  std::vector<Gap> gaps_of(const Stack& column) const {
    std::vector<Gap> gaps;
    int32_t from = kEdge;
    for (uint32_t i : column.actors) {
      const Actors::Actor& actor = actors_.actors[i];
      if (actor.y - kClear >= from) gaps.push_back({from, actor.y - kClear, {}});
      from = actor.y + actor.height + kClear;
    }
    gaps.push_back({from, std::max(from, actors_.height - kEdge), {}});
    return gaps;
  }

  /// As high as on a straight line between the ends.
  int32_t wish(uint32_t edge, const Stack& column) const {
    const Actors::Actor &a = from(edge), &b = to(edge);
    const int32_t long_way = b.x - a.x;
    return middle(a) + static_cast<int32_t>(int64_t{middle(b) - middle(a)} * (column.x - a.x) /
                                            (long_way == 0 ? 1 : long_way));
  }

  /// Finds the gaps in which bands pass a column that is neither their first nor their last.
  void pass(uint32_t column) {
    std::vector<Gap> gaps = gaps_of(columns_[column]);
    for (uint32_t e = 0; e < actors_.edges.size(); ++e) {
      const auto [first, last] =
          std::minmax(column_[actors_.edges[e].from], column_[actors_.edges[e].to]);
      if (column <= first || column >= last) continue;
      const int32_t wished = wish(e, columns_[column]);
      const auto far = [&](const Gap& gap) {
        return std::max({gap.from - wished, wished - gap.to, 0});
      };
      std::min_element(gaps.begin(), gaps.end(), [&](const Gap& a, const Gap& b) {
        return far(a) < far(b);
      })->edges.push_back(e);
    }
    for (size_t i = 0; i < gaps.size(); ++i) spread(gaps[i], i + 1 == gaps.size(), column);
  }

  /// Side by side, in the order in which they come and go.
  void spread(Gap& gap, bool is_lowest, uint32_t column) {
    const auto many = static_cast<int32_t>(gap.edges.size());
    if (many == 0) return;
    const Stack& passed = columns_[column];
    std::stable_sort(gap.edges.begin(), gap.edges.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(wish(a, passed), middle(to(a))) < std::pair(wish(b, passed), middle(to(b)));
    });
    // Below all boxes there is always room for some.
    if (is_lowest) gap.to = std::max(gap.to, gap.from + std::min(many - 1, 5) * kApart);
    const int32_t apart = many == 1 ? 0 : std::min(kApart, (gap.to - gap.from + 6) / (many - 1));
    std::vector<int32_t> heights;
    for (uint32_t e : gap.edges) {
      const int32_t wished = std::clamp(wish(e, passed), gap.from, gap.to);
      heights.push_back(heights.empty() ? wished : std::max(wished, heights.back() + apart));
    }
    // What was pushed out below pushes back; half of a narrow gap is on either side.
    int32_t most = std::max(gap.to, gap.from + (many - 1) * apart - 3);
    for (size_t i = heights.size(); i-- > 0; most -= apart) heights[i] = std::min(heights[i], most);
    for (size_t i = 0; i < heights.size(); ++i) {
      passes_[gap.edges[i]].push_back({column, heights[i]});
      actors_.height = std::max(actors_.height, heights[i] + kEdge);
    }
  }

  struct Port {
    uint32_t edge = 0;
    bool is_begin = false;
    int32_t towards = 0;  ///< how high it goes on
  };

  /// Bands at one side of a box are below each other in the order of their continuations.
  void find_ports() {
    std::map<std::pair<uint32_t, Side>, std::vector<Port>> ports;
    for (uint32_t e = 0; e < actors_.edges.size(); ++e) {
      const Actors::Edge& edge = actors_.edges[e];
      if (edge.from == edge.to) continue;
      std::vector<Pass>& passes = passes_[e];
      if (is_back(e)) std::reverse(passes.begin(), passes.end());
      ports[{edge.from, is_back(e) ? Side::left : Side::right}].push_back(
          {e, true, passes.empty() ? middle(to(e)) : passes.front().y});
      ports[{edge.to, is_ahead(e) ? Side::left : Side::right}].push_back(
          {e, false, passes.empty() ? middle(from(e)) : passes.back().y});
    }
    port_.resize(actors_.edges.size());
    for (auto& [of, list] : ports) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Port& a, const Port& b) { return a.towards < b.towards; });
      const auto gaps = static_cast<int32_t>(list.size()) - 1;
      const Actors::Actor& actor = actors_.actors[of.first];
      const int32_t room = std::min(actor.height - 10, kApart * gaps);
      for (int32_t i = 0; i <= gaps; ++i) {
        const Port& port = list[static_cast<size_t>(i)];
        (port.is_begin ? port_[port.edge].first : port_[port.edge].second) =
            middle(actor) - room / 2 + (gaps == 0 ? 0 : room * i / gaps);
      }
    }
  }

  bool is_ahead(uint32_t e) const {
    return column_[actors_.edges[e].to] > column_[actors_.edges[e].from];
  }
  bool is_back(uint32_t e) const {
    return column_[actors_.edges[e].to] < column_[actors_.edges[e].from];
  }

  static void curve(std::vector<Point>& way, int32_t out, Point to) {
    const Point from = way.back();
    way.insert(way.end(), {{from.x + out, from.y}, {to.x - out, to.y}, to});
  }

  void draw(uint32_t e) {
    Actors::Edge& edge = actors_.edges[e];
    const Actors::Actor &a = from(e), &b = to(e);
    const int32_t right = a.x + a.width;
    if (edge.from == edge.to) {
      const int32_t y = middle(a);
      edge.way = {{right, y - 8}, {right + 40, y - 32}, {right + 40, y + 32}, {right, y + 8}};
      return;
    }
    const auto [begin, end] = port_[e];
    const bool is_back = this->is_back(e), is_ahead = this->is_ahead(e);
    edge.way = {{is_back ? a.x : right, begin}};
    if (!is_back && !is_ahead) {
      // Within a column it swings out to the right, and not into the next one.
      const int32_t out = std::min(36 + std::abs(end - begin) / 8, 140);
      edge.way.insert(edge.way.end(), {{right + out, begin}, {right + out, end}, {right, end}});
      return;
    }
    for (const Pass& pass : passes_[e]) {
      const Stack& column = columns_[pass.column];
      const int32_t near = is_back ? column.x + column.width : column.x;
      const int32_t far = is_back ? column.x : column.x + column.width;
      curve(edge.way, (near - edge.way.back().x) / 2, {near, pass.y});
      curve(edge.way, (far - near) / 3, {far, pass.y});
    }
    const int32_t reached = is_back ? b.x + b.width : b.x;
    curve(edge.way, (reached - edge.way.back().x) / 2, {reached, end});
  }

  Actors& actors_;
  std::vector<uint32_t> column_;  ///< of each actor
  std::vector<Stack> columns_;
  std::vector<std::vector<Pass>> passes_;          ///< of each edge, in the order of its way
  std::vector<std::pair<int32_t, int32_t>> port_;  ///< how high each edge begins and ends
};

/// At `percent` of the part of a way that begins at `first`.
Point at(const std::vector<Point>& way, size_t first, int percent) {
  const double t = percent / 100.0, u = 1 - t;
  const std::array share = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
  double x = 0, y = 0;
  for (size_t i = 0; i < share.size(); ++i) {
    x += share[i] * way[first + i].x;
    y += share[i] * way[first + i].y;
  }
  return {static_cast<int32_t>(std::lround(x)), static_cast<int32_t>(std::lround(y))};
}

/// How many bands cross each small field of the picture.
class Ground {
 public:
  /// Adds a band, or takes it away.
  void add(const std::vector<Point>& way, int by) {
    std::pair<int32_t, int32_t> last{-1, -1};
    for (size_t first = 0; first + 3 < way.size(); first += 3)
      for (int percent = 0; percent <= 100; percent += 2) {
        const Point point = at(way, first, percent);
        const std::pair field(point.x / kWide, point.y / kHigh);
        if (field != last) fields_[key(field.first, field.second)] += by;
        last = field;
      }
  }
  /// How much of it a number at this spot would cover.
  int at_number(Point spot) const {
    int sum = 0;
    for (int32_t x = (spot.x - 14) / kWide; x <= (spot.x + 14) / kWide; ++x)
      for (int32_t y = (spot.y - 7) / kHigh; y <= (spot.y + 7) / kHigh; ++y)
        if (const auto found = fields_.find(key(x, y)); found != fields_.end())
          sum += found->second;
    return sum;
  }

 private:
  static constexpr int32_t kWide = 8, kHigh = 5;
  static int64_t key(int32_t x, int32_t y) { return int64_t{x} << 32 | static_cast<uint32_t>(y); }

  std::unordered_map<int64_t, int> fields_;
};

/// Spots upon each band, those first that others do not cross.
void find_spots(Actors& actors) {
  constexpr size_t kMost = 6;
  Ground ground;
  for (const Actors::Edge& edge : actors.edges) ground.add(edge.way, 1);
  for (Actors::Edge& edge : actors.edges) {
    ground.add(edge.way, -1);
    // Near the end before all: whoever asks, asks several.
    std::vector<std::pair<int, Point>> spots;
    for (size_t last = edge.way.size() - 1; last > 0; last -= 3)
      for (int percent : {76, 60, 44, 30, 16, 88}) {
        const Point spot = at(edge.way, last - 3, percent);
        spots.emplace_back(ground.at_number(spot), spot);
      }
    std::stable_sort(spots.begin(), spots.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    spots.resize(std::min(kMost, spots.size()));
    for (const auto& [crossed, spot] : spots) edge.spots.push_back(spot);
    ground.add(edge.way, 1);
  }
}

}  // namespace

void lay_bands(Actors& actors) {
  Bands(actors).lay();
  find_spots(actors);
}

}  // namespace xtrace
