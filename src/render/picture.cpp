#include "render/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "doc/colours.h"
#include "render/unique_ids.h"

namespace xtrace {

namespace {

// Wide enough for a tool and its target, narrow enough for two boxes side by side on a page.
constexpr size_t kColumns = 40;
// A character may carry any number of marks without growing wider.
constexpr size_t kLineBytes = 200;
constexpr size_t kLines = 10;
// Of a line that the pointer shows.
constexpr size_t kTipColumns = 160;

constexpr uint32_t kNoKind = 0;

std::string_view tone_word(Tone tone) {
  switch (tone) {
    case Tone::added: return "added";
    case Tone::removed: return "removed";
    case Tone::changed: return "changed";
    case Tone::plain:
    case Tone::heading:
    case Tone::agent:
    case Tone::spawn:
    case Tone::error:
    case Tone::quiet: break;
  }
  return {};
}

NodeShape shape_of(std::string_view kind) {
  return kind == "principal"  ? NodeShape::ellipse
         : kind == "agent"    ? NodeShape::box
         : kind == "resource" ? NodeShape::cylinder
                              : NodeShape::rounded;
}

/// Gives nodes their styles.
class NodeStyles {
 public:
  explicit NodeStyles(std::vector<NodeStyle>& styles) : styles_(styles) {
    Colours none = colours_of({});
    styles_[kNoKind] = {{}, none.fill, none.border};
  }

  uint32_t of(const Drawing::Node& node) {
    std::string_view word = tone_word(node.tone), kind = node.kind.view();
    Colours colours = word.empty() ? read_colours(node.colour.view()) : colours_of(word);
    if (colours.fill.empty()) colours = colours_of(kind);
    if (kind.empty() && word.empty() && colours.fill == styles_[kNoKind].fill) return kNoKind;
    NodeShape shape = word.empty() ? shape_of(kind) : NodeShape::rounded;
    auto [known, is_new] =
        worn_.emplace(std::pair(word.empty() ? kind : word, colours.border), styles_.size());
    if (is_new)
      styles_.push_back({line_of(word.empty() ? kind : word), std::move(colours.fill),
                         std::move(colours.border), shape});
    return known->second;
  }

 private:
  std::vector<NodeStyle>& styles_;
  std::map<std::pair<std::string_view, std::string>, uint32_t> worn_;
};

/// What the pointer shows: the id, the lines that a label cuts, and what the drawing says beside.
std::string tip_of(const Drawing::Node& node, const std::string& id,
                   const std::vector<std::string>& lines) {
  std::string tip = line_of(id, kTipColumns);
  size_t cut = 0;
  for (const Text& text : node.lines)
    if (!text.empty() && (cut >= lines.size() || lines[cut++] != text.view()) && cut <= kLines)
      tip += '\n' + line_of(text.view(), kTipColumns);
  if (!node.tip.empty()) tip += '\n' + line_of(node.tip.view(), kTipColumns);
  return tip;
}

std::vector<std::string> lines_of(const Drawing::Node& node, const std::string& id) {
  std::vector<std::string> lines;
  for (const Text& text : node.lines)
    if (!text.empty() && lines.size() < kLines) lines.push_back(line_of(text.view()));
  if (lines.empty()) lines.push_back(id.empty() ? "?" : line_of(id));
  if (node.lines.size() > kLines) lines.back() = "…";
  return lines;
}

void add_groups(const Drawing& drawing, uint32_t around, Picture& picture) {
  uint32_t first = static_cast<uint32_t>(picture.groups.size());
  std::vector<uint32_t> depths;
  for (const Drawing::Group& group : drawing.groups) {
    uint32_t parent = group.parent == Drawing::kNone ? around : group.parent + first;
    uint32_t depth = group.parent == Drawing::kNone ? 1 : depths[group.parent] + 1;
    if (depth == kDeepest) {
      --depth;
      parent = picture.groups[parent].parent;
    }
    depths.push_back(depth);
    picture.groups.push_back({line_of(group.label.view()), parent});
  }
}

/// Once, however many drawings share it.
void add_meaning(const Drawing::Meaning& meaning, Picture& picture) {
  bool known =
      std::any_of(picture.meanings.begin(), picture.meanings.end(),
                  [&](const Picture::Meaning& other) { return other.stroke == meaning.stroke; });
  if (!known) picture.meanings.push_back({meaning.stroke, line_of(meaning.words.view())});
}

/// Draws node i as node into[i] of `nodes`. Edges that are the same then become one.
Picture redrawn(const Picture& picture, const std::vector<uint32_t>& into,
                std::vector<Picture::Node> nodes) {
  std::vector<Picture::Edge> edges;
  for (const Picture::Edge& edge : picture.edges) {
    uint32_t from = into[edge.from], to = into[edge.to];
    bool inside = from == to && (edge.from != edge.to || nodes[to].count > 1);
    if (!inside)
      edges.push_back(
          {from, to, edge.label, edge.detail, edge.stroke, edge.error, edge.times, edge.tone});
  }
  using Edge = const Picture::Edge&;
  auto place = [](Edge edge) {
    return std::tuple(edge.from, edge.to, edge.stroke, edge.error, edge.tone);
  };
  std::stable_sort(edges.begin(), edges.end(),
                   [&](Edge left, Edge right) { return place(left) < place(right); });
  Picture smaller = picture;
  smaller.nodes = std::move(nodes);
  smaller.edges.clear();
  smaller.runs = false;
  for (Picture::Edge& edge : edges) {
    if (smaller.edges.empty() || place(smaller.edges.back()) != place(edge)) {
      smaller.edges.push_back(std::move(edge));
      continue;
    }
    Picture::Edge& same = smaller.edges.back();
    same.times += edge.times;
    if (same.label != edge.label) same.label.clear();
  }
  return smaller;
}

/// One node for `members`, with the labels still to be written.
Picture::Node sum(const Picture& picture, std::span<const uint32_t> members) {
  Picture::Node whole = picture.nodes[members[0]];
  for (uint32_t at : members.subspan(1)) {
    const Picture::Node& node = picture.nodes[at];
    whole.count += node.count;
    whole.error |= node.error;
    whole.thick |= node.thick;
    whole.spike |= node.spike;
    if (whole.style != node.style) whole.style = kNoKind;
    if (whole.tone != node.tone) whole.tone = Tone::plain;
  }
  return whole;
}

/// Node indices by group, those in none last; in a group the most telling come first.
std::vector<std::vector<uint32_t>> by_group(const Picture& picture) {
  std::vector<int64_t> links(picture.nodes.size());
  for (const Picture::Edge& edge : picture.edges)
    for (uint32_t end : {edge.from, edge.to}) links[end] += edge.times;
  std::vector<std::vector<uint32_t>> members(picture.groups.size() + 1);
  for (uint32_t at = 0; at < picture.nodes.size(); ++at)
    members[std::min<size_t>(picture.nodes[at].group, picture.groups.size())].push_back(at);
  auto rank = [&](uint32_t at) {
    const Picture::Node& node = picture.nodes[at];
    return std::tuple(node.error || node.thick, node.count, links[at]);
  };
  for (std::vector<uint32_t>& group : members)
    std::stable_sort(group.begin(), group.end(),
                     [&](uint32_t left, uint32_t right) { return rank(left) > rank(right); });
  return members;
}

}  // namespace

std::string line_colour(Tone tone) {
  std::string_view word = tone_word(tone);
  return word.empty() ? std::string() : colours_of(word).border;
}

std::string line_of(std::string_view text) {
  return line_of(text, kColumns);
}

std::string line_of(std::string_view text, size_t columns) {
  // Of a megabyte only the start is looked at.
  std::string_view start = head(text, kLineBytes);
  std::string clipped = clip(printable(start), columns);
  std::string line(head(clipped, kLineBytes));
  bool cut = start.size() < text.size() || line.size() < clipped.size();
  return cut && !line.ends_with("…") ? line + "…" : line;
}

std::string Picture::Edge::caption() const {
  if (times <= 1) return label;
  return fmt::format("{}{}(x{})", label, label.empty() ? "" : " ", times);
}

Picture picture_of(const Document& document, size_t most) {
  std::vector<const Drawing*> drawings;
  for (const Section& section : document.sections())
    if (const Drawing* drawing = std::get_if<Drawing>(&section)) drawings.push_back(drawing);
  size_t count = drawings.size();
  drawings.resize(std::min(most, count));

  Picture picture;
  picture.meanings.push_back({Drawing::Stroke::dotted, "uncertain"});
  NodeStyles styles(picture.styles);
  UniqueIds ids;
  for (const Drawing* drawing : drawings) {
    uint32_t around = Picture::kNone, first_group = static_cast<uint32_t>(picture.groups.size());
    uint32_t first_node = static_cast<uint32_t>(picture.nodes.size());
    picture.title = line_of(drawing->title.view());
    if (count > 1) {  // one graph with a frame around each
      around = first_group++;
      picture.groups.push_back({std::exchange(picture.title, {}), Picture::kNone});
    }
    add_groups(*drawing, around, picture);
    for (const Drawing::Node& node : drawing->nodes) {
      std::string id = ids.printed(node.id.view());
      std::vector<std::string> lines = lines_of(node, id);
      uint32_t group = node.group == Drawing::kNone ? around : node.group + first_group;
      std::string tip = tip_of(node, id, lines);
      picture.nodes.push_back({std::move(id), std::move(lines), styles.of(node), group, node.error,
                               node.critical || node.spike, node.spike, node.tone, 1,
                               std::move(tip)});
    }
    for (const Drawing::Meaning& meaning : drawing->meanings) add_meaning(meaning, picture);
    if (!drawing->note.empty()) picture.note = line_of(drawing->note.view(), kTipColumns);
    for (const Drawing::Edge& edge : drawing->edges)
      picture.edges.push_back({edge.from + first_node, edge.to + first_node,
                               line_of(edge.label.view()), line_of(edge.detail.view()), edge.stroke,
                               edge.error, edge.times, edge.tone});
  }
  picture.runs = count > 1;
  if (size_t more = count - drawings.size(); more > 0) {
    std::string line = fmt::format("{} more run{}", more, more == 1 ? "" : "s");
    picture.nodes.push_back({ids.printed(line), {line}, kNoKind});
  }
  limit_groups(picture, picture.groups.size());
  return picture;
}

uint32_t whole_group(const Picture& picture) {
  uint32_t whole = Picture::kNone;
  for (uint32_t at = 0; at < picture.groups.size(); ++at) {
    if (picture.groups[at].parent != Picture::kNone) continue;
    if (whole != Picture::kNone) return Picture::kNone;
    whole = at;
  }
  return picture.groups.size() > 1 ? whole : Picture::kNone;
}

Direction direction_of(const Picture& picture, Direction asked) {
  if (asked != Direction::automatic) return asked;
  Blueprint blueprint;
  for (const Picture::Node& node : picture.nodes) blueprint.add_box(node.lines);
  for (const Picture::Edge& edge : picture.edges)
    blueprint.arrows.push_back({edge.from, edge.to, 0.8 * Blueprint::width_of(edge.caption())});
  return direction_for(blueprint, asked);
}

void limit_groups(Picture& picture, size_t most) {
  size_t count = picture.groups.size();
  std::vector<size_t> nodes(count);  // in the group and in those inside it
  for (const Picture::Node& node : picture.nodes)
    if (node.group != Picture::kNone) ++nodes[node.group];
  for (size_t at = count; at-- > 0;)
    if (uint32_t parent = picture.groups[at].parent; parent != Picture::kNone)
      nodes[parent] += nodes[at];

  // A group is as large as those in it and comes before them: no kept one loses the one around it.
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t left, uint32_t right) { return nodes[left] > nodes[right]; });
  order.resize(std::min(most, count));
  std::vector<bool> kept(count);
  for (uint32_t at : order) kept[at] = nodes[at] > 0;

  std::vector<Picture::Group> groups;
  std::vector<uint32_t> home(count);  // where the nodes of a group go
  for (size_t at = 0; at < count; ++at) {
    Picture::Group& group = picture.groups[at];
    if (group.parent != Picture::kNone) group.parent = home[group.parent];
    home[at] = kept[at] ? static_cast<uint32_t>(groups.size()) : group.parent;
    if (kept[at]) groups.push_back(std::move(group));
  }
  picture.groups = std::move(groups);
  for (Picture::Node& node : picture.nodes)
    if (node.group != Picture::kNone) node.group = home[node.group];
}

Picture merge_chains(const Picture& drawn, size_t longest) {
  std::vector<uint32_t> into(drawn.nodes.size());
  std::iota(into.begin(), into.end(), 0u);
  Picture picture = redrawn(drawn, into, drawn.nodes);

  std::vector<uint32_t> ways_in(into.size()), ways_out(into.size());
  for (const Picture::Edge& edge : picture.edges) ++ways_out[edge.from], ++ways_in[edge.to];
  std::vector<uint32_t> next(into.size(), Picture::kNone);
  std::vector<bool> follows(into.size());
  for (const Picture::Edge& edge : picture.edges) {
    const Picture::Node &from = picture.nodes[edge.from], &to = picture.nodes[edge.to];
    if (ways_out[edge.from] != 1 || ways_in[edge.to] != 1 || edge.error || from.error || to.error ||
        from.style != to.style || from.group != to.group || from.thick != to.thick)
      continue;
    next[edge.from] = edge.to;
    follows[edge.to] = true;
  }

  std::vector<Picture::Node> nodes;
  std::vector<uint32_t> chain;
  into.assign(into.size(), Picture::kNone);
  auto add_from = [&](uint32_t at) {
    while (at != Picture::kNone && into[at] == Picture::kNone) {
      chain.clear();
      for (; at != Picture::kNone && into[at] == Picture::kNone && chain.size() < longest;
           at = next[at]) {
        into[at] = static_cast<uint32_t>(nodes.size());
        chain.push_back(at);
      }
      Picture::Node& node = nodes.emplace_back(sum(picture, chain));
      if (chain.size() == 1) continue;
      std::string first = node.lines[0], last = picture.nodes[chain.back()].lines[0];
      if (first != last) first = clip(first, kColumns / 2) + " … " + clip(last, kColumns / 2);
      node.lines = {fmt::format("{} steps", node.count), first};
    }
  };
  for (uint32_t at = 0; at < into.size(); ++at)
    if (!follows[at]) add_from(at);
  for (uint32_t at = 0; at < into.size(); ++at) add_from(at);  // what is left are rings
  return redrawn(picture, into, std::move(nodes));
}

Picture merge_groups(const Picture& picture, size_t keep) {
  std::vector<std::vector<uint32_t>> groups = by_group(picture);
  std::vector<uint32_t> into(picture.nodes.size());
  std::vector<Picture::Node> nodes;
  for (size_t group = 0; group < groups.size(); ++group) {
    std::span<uint32_t> all = groups[group];
    // A node says more than `1 more`.
    size_t staying = keep > 0 && all.size() < keep + 2 ? all.size() : std::min(keep, all.size());
    std::sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(staying));
    for (uint32_t at : all.first(staying)) {
      into[at] = static_cast<uint32_t>(nodes.size());
      nodes.push_back(picture.nodes[at]);
    }
    std::span<uint32_t> others = all.subspan(staying);
    if (others.empty()) continue;
    for (uint32_t at : others) into[at] = static_cast<uint32_t>(nodes.size());
    Picture::Node& node = nodes.emplace_back(sum(picture, others));
    node.lines.resize(1);
    if (node.count > 1)
      node.lines = {fmt::format("{} {}", node.count, keep > 0 ? "more" : "nodes")};
    if (keep > 0 || group == picture.groups.size()) continue;
    node.lines.insert(node.lines.begin(), picture.groups[group].label);
    node.group = picture.groups[group].parent;
  }
  Picture smaller = redrawn(picture, into, std::move(nodes));
  limit_groups(smaller, smaller.groups.size());
  return smaller;
}

}  // namespace xtrace
