#include <algorithm>
#include <cctype>

#include "render/picture.h"

namespace xtrace {

namespace {

/// Is `kind` what the line names, perhaps with a number or a label: `Explore#1: Explorer`?
bool names_kind(std::string_view line, std::string_view kind) {
  return line.starts_with(kind) &&
         (line.size() == kind.size() ||
          std::isalpha(static_cast<unsigned char>(line[kind.size()])) == 0);
}

/// Gives the first element that bears a sign a caption that is true of it.
class SignCaptions {
 public:
  explicit SignCaptions(Picture& picture)
      : picture_(picture), whole_(whole_group(picture)), captions_(picture.nodes.size()) {}

  void add() {
    caption_kinds();
    caption_first("critical path",
                  [](const Picture::Node& node) { return node.thick && !node.spike; });
    caption_first("cost spike", [](const Picture::Node& node) { return node.spike; });
    const bool is_node = caption_first(
        "failed", [](const Picture::Node& node) { return node.error && node.tone == Tone::plain; });
    if (!is_node) caption_failed_edge();
    for (const Picture::Meaning& meaning : picture_.meanings) caption_stroke(meaning);
    for (size_t at = 0; at < captions_.size(); ++at)
      if (!captions_[at].empty()) picture_.nodes[at].lines.push_back(captions_[at]);
  }

 private:
  static void append(std::string& caption, std::string_view words) {
    if (!caption.empty()) caption += " · ";
    caption += words;
  }

  /// A single kind needs no name, and no other does whose name is in the label or in its group's.
  void caption_kinds() {
    std::vector<uint32_t> first(picture_.styles.size(), Picture::kNone);
    size_t kinds = 0;
    for (uint32_t at = 0; at < picture_.nodes.size(); ++at) {
      const uint32_t style = picture_.nodes[at].style;
      if (picture_.styles[style].kind.empty() || first[style] != Picture::kNone) continue;
      first[style] = at;
      ++kinds;
    }
    if (kinds < 2) return;
    for (size_t style = 0; style < first.size(); ++style) {
      const std::string& kind = picture_.styles[style].kind;
      if (first[style] != Picture::kNone && !is_named(picture_.nodes[first[style]], kind))
        append(captions_[first[style]], kind);
    }
  }

  bool is_named(const Picture::Node& node, std::string_view kind) const {
    for (const std::string& line : node.lines)
      if (names_kind(line, kind)) return true;
    for (uint32_t at = node.group; at != Picture::kNone; at = picture_.groups[at].parent)
      if (at != whole_ && names_kind(picture_.groups[at].label, kind)) return true;
    return false;
  }

  template <class Bears>
  bool caption_first(std::string_view words, Bears bears) {
    const auto found = std::find_if(picture_.nodes.begin(), picture_.nodes.end(), bears);
    if (found == picture_.nodes.end()) return false;
    const bool has_words = std::ranges::any_of(
        found->lines, [&](const std::string& line) { return line.find(words) != line.npos; });
    if (!has_words) append(captions_[static_cast<size_t>(found - picture_.nodes.begin())], words);
    return true;
  }

  void caption_failed_edge() {
    const auto found =
        std::ranges::find_if(picture_.edges, [](const Picture::Edge& edge) { return edge.error; });
    if (found != picture_.edges.end()) found->label += found->label.empty() ? "failed" : ", failed";
  }

  /// Where edges have labels, these are what a stroke means: `spawn`, `report? 0.92`.
  void caption_stroke(const Picture::Meaning& meaning) {
    Picture::Edge* first = nullptr;
    for (Picture::Edge& edge : picture_.edges) {
      if (edge.stroke != meaning.stroke || edge.error) continue;
      if (!edge.label.empty()) return;
      if (first == nullptr) first = &edge;
    }
    if (first != nullptr) first->label = meaning.words;
  }

  Picture& picture_;
  uint32_t whole_;
  std::vector<std::string> captions_;  ///< of each node
};

}  // namespace

Picture caption_signs(Picture picture) {
  SignCaptions(picture).add();
  return picture;
}

}  // namespace xtrace
