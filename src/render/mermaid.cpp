#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "base/text.h"
#include "render/mermaid_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// As with its bytes, unless whoever shows the page allows more.
constexpr size_t kMostEdges = 500;
// The shortest node takes more than ten.
constexpr size_t kMostNodes = kMostMermaidBytes / 10;

std::string text_for(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines)
    label += (label.empty() ? "" : "<br/>") + mermaid_text(line);
  return label;
}

struct Brackets {
  std::string_view open, close;
};

Brackets brackets(NodeShape shape) {
  switch (shape) {
    case NodeShape::box: return {"[", "]"};
    case NodeShape::rounded: return {"(", ")"};
    case NodeShape::ellipse: return {"([", "])"};
    case NodeShape::cylinder: return {"[(", ")]"};
  }
  return {"[", "]"};
}

/// Writes one picture as a flowchart. Ids are our own; texts of the input are in labels only.
class Flowchart {
 public:
  Flowchart(const Picture& picture, Direction asked)
      : picture_(caption_signs(picture)),
        way_(direction_of(picture_, asked) == Direction::right ? "LR" : "TB"),
        whole_(whole_group(picture_)) {}
  std::string write();

 private:
  template <typename... Values>
  void add(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
  }
  void write_group(uint32_t group, size_t depth);
  void write_note();
  void write_edges();
  void stack_runs();
  void write_classes();
  /// Another element for a list of nodes, groups or edges.
  static void append(std::string& list, std::string_view prefix, size_t number) {
    fmt::format_to(std::back_inserter(list), "{}{}{}", list.empty() ? "" : ",", prefix, number);
  }

  const Picture picture_;
  std::string_view way_;
  uint32_t whole_;                             ///< a group without a frame
  std::vector<std::vector<uint32_t>> nodes_;   ///< of each group, then those in none
  std::vector<std::vector<uint32_t>> groups_;  ///< inside each group, then those in none
  std::string text_;
};

std::string Flowchart::write() {
  size_t count = picture_.groups.size();
  nodes_.resize(count + 1);
  groups_.resize(count + 1);
  for (uint32_t at = 0; at < picture_.nodes.size(); ++at)
    nodes_[std::min<size_t>(picture_.nodes[at].group, count)].push_back(at);
  for (uint32_t at = 0; at < count; ++at)
    groups_[std::min<size_t>(picture_.groups[at].parent, count)].push_back(at);

  if (!picture_.title.empty()) add("%% {}\n", mermaid_text(picture_.title));
  add("flowchart {}\n", way_);
  write_group(static_cast<uint32_t>(count), 1);
  write_edges();
  if (picture_.runs && way_ == "TB") stack_runs();
  write_note();
  write_classes();
  return std::move(text_);
}

/// By default, they are side by side: twenty of them are too wide to be read.
void Flowchart::stack_runs() {
  std::vector<std::string> names;
  for (uint32_t at : groups_.back()) names.push_back(fmt::format("g{}", at + 1));
  for (uint32_t at : nodes_.back()) names.push_back(fmt::format("n{}", at + 1));
  for (size_t i = 1; i < names.size(); ++i) add("  {} ~~~ {}\n", names[i - 1], names[i]);
}

void Flowchart::write_group(uint32_t group, size_t depth) {
  for (uint32_t at : nodes_[group]) {
    const Picture::Node& node = picture_.nodes[at];
    auto [open, close] = brackets(picture_.styles[node.style].shape);
    add("{:{}}n{}{}\"{}\"{}:::k{}\n", "", 2 * depth, at + 1, open, text_for(node.lines), close,
        node.style + 1);
  }
  for (uint32_t at : groups_[group]) {
    if (at == whole_) {
      write_group(at, depth);
      continue;
    }
    add("{:{}}subgraph g{}[\"{}\"]\n", "", 2 * depth, at + 1,
        mermaid_text(picture_.groups[at].label));
    // Left alone, a frame with no edge across it lies the other way.
    add("{:{}}direction {}\n", "", 2 * depth + 2, way_);
    write_group(at, depth + 1);
    add("{:{}}end\n", "", 2 * depth);
  }
}

void Flowchart::write_note() {
  if (picture_.note.empty()) return;
  add("  note0[\"{}\"]:::words\n", mermaid_text(picture_.note));
  add("  classDef words fill:none,stroke:none,color:{}\n", kInk);
}

void Flowchart::write_edges() {
  std::string errors, inferred_errors, dashed, faint, added, removed, changed;
  for (size_t at = 0; at < picture_.edges.size(); ++at) {
    const Picture::Edge& edge = picture_.edges[at];
    bool follows = edge.stroke == Drawing::Stroke::faint;
    bool solid = (edge.stroke == Drawing::Stroke::solid || follows) && !edge.error;
    std::string caption = edge.caption();
    add("  n{} {}", edge.from + 1, solid ? "-->" : "-.->");
    if (!caption.empty()) add("|\"{}\"|", mermaid_text(caption));
    add(" n{}\n", edge.to + 1);
    if (edge.tone == Tone::added)
      append(added, "", at);
    else if (edge.tone == Tone::removed)
      append(removed, "", at);
    else if (edge.tone == Tone::changed)
      append(changed, "", at);
    else if (edge.error)
      append(edge.stroke == Drawing::Stroke::dotted ? inferred_errors : errors, "", at);
    else if (edge.stroke == Drawing::Stroke::dashed)
      append(dashed, "", at);
    else if (follows)
      append(faint, "", at);
  }
  // Left alone, `-.->` is dotted.
  if (!errors.empty())
    add("  linkStyle {} stroke:{},color:{},stroke-dasharray:6\n", errors, kErrorColour,
        kErrorColour);
  if (!inferred_errors.empty())
    add("  linkStyle {} stroke:{},color:{}\n", inferred_errors, kErrorColour, kErrorColour);
  if (!dashed.empty()) add("  linkStyle {} stroke-dasharray:6\n", dashed);
  auto colour = [this](const std::string& edges, Tone tone) {
    if (!edges.empty())
      add("  linkStyle {} stroke:{},color:{}\n", edges, line_colour(tone), line_colour(tone));
  };
  colour(added, Tone::added);
  colour(removed, Tone::removed);
  colour(changed, Tone::changed);
  if (!faint.empty()) add("  linkStyle {} stroke:{}\n", faint, kFaintColour);
}

void Flowchart::write_classes() {
  std::vector<bool> worn(picture_.styles.size());
  std::string groups, errors, critical;
  for (size_t at = 0; at < picture_.groups.size(); ++at)
    if (at != whole_) append(groups, "g", at + 1);
  for (size_t at = 0; at < picture_.nodes.size(); ++at) {
    const Picture::Node& node = picture_.nodes[at];
    worn[node.style] = true;
    if (node.error && node.tone == Tone::plain) append(errors, "n", at + 1);
    if (node.thick) append(critical, "n", at + 1);
  }
  for (size_t at = 0; at < picture_.styles.size(); ++at)
    if (worn[at])
      add("  classDef k{} fill:{},stroke:{},color:{}\n", at + 1, picture_.styles[at].fill,
          picture_.styles[at].border, kInk);
  auto add_class = [this](std::string_view name, const std::string& members,
                          const std::string& style) {
    if (!members.empty()) add("  classDef {} {}\n  class {} {}\n", name, style, members, name);
  };
  add_class("frame", groups,
            fmt::format("fill:{},stroke:{},color:{}", kFrameFill, kFrameLine, kLineColour));
  add_class("error", errors, fmt::format("stroke:{},stroke-width:2px", kErrorColour));
  add_class("critical", critical, "stroke-width:4px");
}

/// Draws `picture` if Mermaid will take it.
bool draw(const Picture& picture, Direction asked, std::string_view remark, std::string& text) {
  const size_t invisible = picture.runs ? picture.groups.size() : 0;  // at most
  if (picture.edges.size() + invisible >= kMostEdges || picture.nodes.size() >= kMostNodes)
    return false;
  text = std::string(remark) + Flowchart(picture, asked).write();
  return text.size() < kMostMermaidBytes;
}

/// Draws less and less of `picture` until Mermaid takes it.
std::string draw_collapsed(const Picture& whole, Direction asked) {
  std::string text;
  auto fits = [&](const Picture& smaller) {
    std::string remark = fmt::format(
        "%% xtrace: {} nodes collapsed to {}, {} edges to {}: the limit of Mermaid is {} edges and "
        "{} characters\n",
        whole.nodes.size(), smaller.nodes.size(), whole.edges.size(), smaller.edges.size(),
        kMostEdges, kMostMermaidBytes);
    Picture noted = smaller;
    noted.note = fmt::format("{} of {} boxes (limit of Mermaid); -f dot shows all",
                             smaller.nodes.size(), whole.nodes.size());
    return draw(noted, asked, remark, text);
  };
  // A node takes about a hundred bytes.
  constexpr size_t kNodes = kMostMermaidBytes / 100;
  size_t shortest = 1 + std::max(whole.nodes.size() / kNodes, whole.edges.size() / kMostEdges);
  for (size_t longest : {shortest, 2 * shortest, 4 * shortest})
    if (fits(merge_chains(whole, longest))) return text;
  Picture chains = merge_chains(whole, whole.nodes.size());
  if (fits(chains)) return text;
  for (size_t keep = kNodes / (chains.groups.size() + 1); keep > 0; keep /= 2)
    if (fits(merge_groups(chains, keep))) return text;
  Picture groups = merge_groups(chains, 0);
  if (fits(groups)) return text;
  // Too many groups: now they are nodes themselves, and most of them go.
  limit_groups(groups, 0);
  for (size_t keep = kNodes; keep > 0; keep /= 2)
    if (fits(merge_groups(groups, keep))) return text;
  fits(merge_groups(groups, 0));  // one node
  return text;
}

/// Draws the first of several runs, as many as Mermaid takes and a reader may want; false: not even
/// one.
bool draw_first(const Document& document, Direction asked, std::string& text) {
  auto is_drawing = [](const Section& section) { return std::holds_alternative<Drawing>(section); };
  auto count = static_cast<size_t>(
      std::count_if(document.sections().begin(), document.sections().end(), is_drawing));
  for (size_t most : {20u, 10u, 5u, 2u, 1u}) {
    std::string remark = fmt::format(
        "%% xtrace: the first {} of {} runs: the limit of Mermaid is {} edges and {} characters\n",
        most, count, kMostEdges, kMostMermaidBytes);
    if (most < count && draw(picture_of(document, most), asked, remark, text)) return true;
  }
  return false;
}

}  // namespace

void write_mermaid(const Document& document, const Paper& paper, std::ostream& out) {
  Picture picture = picture_of(document);
  std::string text;
  if (draw(picture, paper.direction, "", text) || draw_first(document, paper.direction, text))
    out << text;
  else
    out << draw_collapsed(picture, paper.direction);
}

extern constinit const Renderer kMermaidRenderer = {
    .name = "mermaid",
    .summary = "diagram source (Mermaid), e.g. for Markdown",
    .face = Face::drawing,
    .write = write_mermaid,
};

}  // namespace xtrace
