#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <unordered_map>

#include "render/mermaid_text.h"
#include "render/picture.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// Mermaid would draw more, and nobody would read them.
constexpr size_t kMostMessages = 500;
constexpr size_t kFootBytes = 300;  // for what is said of the rest

/// Mermaid draws replies as `-->>`: what is unsure has the open arrow of `--)`, and says so.
std::string_view arrow(const Picture::Edge& edge) {
  bool sure = edge.stroke != Drawing::Stroke::dotted;
  if (edge.error) return sure ? "-x" : "--x";
  return sure ? "->>" : "--)";
}

/// A Mermaid sequence diagram of the drawings of a document, a run each: who called whom, in the
/// order of the edges. Nodes of one id are one participant, in whichever run they are.
class Sequence {
 public:
  explicit Sequence(const Document& document) : picture_(picture_of(document)) {
    for (const Section& section : document.sections())
      if (const Drawing* drawing = std::get_if<Drawing>(&section)) runs_.push_back(drawing);
  }

  std::string write();

 private:
  struct Part {
    std::string text;
    size_t messages = 0;
  };
  /// As much of a run as there is room for.
  Part part_of(size_t run, size_t first_node, size_t first_edge);
  std::string message(size_t run, const Picture::Edge& edge, size_t from, size_t to) const;
  size_t participant(const Drawing::Node& node, const Picture::Node& drawn);
  static std::string note(size_t first, size_t last, const std::string& text) {
    return first == last ? fmt::format("  Note over p{}: {}\n", first, text)
                         : fmt::format("  Note over p{},p{}: {}\n", first, last, text);
  }

  Picture picture_;
  std::vector<const Drawing*> runs_;
  std::unordered_map<std::string_view, size_t> numbers_;  ///< of participants, from 1
  std::vector<std::string> participants_;                 ///< a line each
  size_t bytes_ = kFootBytes;                             ///< of all there will be
  size_t messages_ = 0;
};

std::string Sequence::write() {
  std::string text;
  size_t shown = 0, left_out = 0;
  for (size_t node = 0, edge = 0; shown < runs_.size() && left_out == 0; ++shown) {
    size_t known = participants_.size(), count = runs_[shown]->edges.size();
    Part part = part_of(shown, node, edge);
    if (part.messages < count && shown > 0) {  // half of a run is for those who have no whole one
      participants_.resize(known);
      break;
    }
    text += part.text;
    left_out = count - part.messages;
    node += runs_[shown]->nodes.size();
    edge += count;
  }
  std::string rest = left_out == 0 ? "" : fmt::format("{} more calls", left_out);
  if (size_t runs = runs_.size() - shown; runs > 0)
    rest += fmt::format("{}{} more run{}", rest.empty() ? "" : ", ", runs, runs == 1 ? "" : "s");
  if (!picture_.note.empty() && !participants_.empty())
    text += note(1, participants_.size(), mermaid_text(picture_.note));
  if (!rest.empty() && !participants_.empty())
    text +=
        note(1, participants_.size(),
             fmt::format("{} omitted (limits: {} characters for Mermaid, {} calls for readability)",
                         rest, kMostMermaidBytes, kMostMessages));
  std::string all = "sequenceDiagram\n";
  for (const std::string& participant : participants_) all += participant;
  return all + text;
}

Sequence::Part Sequence::part_of(size_t run, size_t first_node, size_t first_edge) {
  const Drawing& drawing = *runs_[run];
  auto end_of = [&](uint32_t node) {
    return participant(drawing.nodes[node - first_node], picture_.nodes[node]);
  };
  std::string title =
      runs_.size() == 1 || drawing.edges.empty()
          ? ""
          : mermaid_text(fmt::format("{}: {}", run + 1, line_of(drawing.title.view())));
  bytes_ += title.empty() ? 0 : note(participants_.size(), SIZE_MAX, title).size();
  Part part;
  size_t first = SIZE_MAX, last = 0;
  for (const Picture::Edge& edge :
       std::span(picture_.edges).subspan(first_edge, drawing.edges.size())) {
    size_t known = participants_.size(), from = end_of(edge.from), to = end_of(edge.to);
    std::string line = message(run, edge, from, to);
    bytes_ += line.size();
    if (bytes_ > kMostMermaidBytes || messages_ == kMostMessages) {
      participants_.resize(known);
      break;
    }
    part.text += line;
    ++part.messages;
    ++messages_;
    first = std::min({first, from, to});
    last = std::max({last, from, to});
  }
  if (!title.empty() && part.messages > 0) part.text.insert(0, note(first, last, title));
  return part;
}

/// `2.6 agent_to_agent (0.75)`: where there are several runs each counts anew.
std::string Sequence::message(size_t run, const Picture::Edge& edge, size_t from, size_t to) const {
  std::string text = edge.label;
  if (!edge.detail.empty()) text += (text.empty() ? "" : " ") + edge.detail;
  if (edge.times > 1) text += fmt::format(" (x{})", edge.times);
  return fmt::format("  p{}{}p{}: {}{}\n", from, arrow(edge), to,
                     runs_.size() == 1 ? "" : fmt::format("{}.", run + 1), mermaid_text(text));
}

size_t Sequence::participant(const Drawing::Node& node, const Picture::Node& drawn) {
  auto [number, is_new] = numbers_.emplace(node.id.view(), participants_.size() + 1);
  if (is_new) {
    participants_.push_back(fmt::format("  participant p{} as {}\n", number->second,
                                        mermaid_text(drawn.lines.front())));
    bytes_ += participants_.back().size();
  }
  return number->second;
}

}  // namespace

void write_sequence(const Document& document, const Paper&, std::ostream& out) {
  out << Sequence(document).write();
}

extern constinit const Renderer kSequenceRenderer = {
    .name = "sequence",
    .summary = "sequence diagram (Mermaid)",
    .face = Face::drawing,
    .write = write_sequence,
    .needs_order = true,
};

}  // namespace xtrace
