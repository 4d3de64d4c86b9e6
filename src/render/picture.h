#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/document.h"
#include "doc/page.h"

namespace xtrace {

enum class NodeShape : uint8_t { box, rounded, ellipse, cylinder };

/// How the nodes of one kind look.
struct NodeStyle {
  std::string kind;  ///< what a caption calls it
  std::string fill, border;
  NodeShape shape = NodeShape::rounded;
};

inline constexpr std::string_view kErrorColour = "#D32F2F";
inline constexpr std::string_view kInk = "#263238";          ///< text in nodes
inline constexpr std::string_view kLineColour = "#78909C";   ///< edges, and the labels of groups
inline constexpr std::string_view kFaintColour = "#CFD8DC";  ///< edges that only say what came next
inline constexpr std::string_view kFrameFill = "#FAFAFA";
inline constexpr std::string_view kFrameLine = "#CFD8DC";

/// The line of what was added, removed or changed; empty for other tones.
std::string line_colour(Tone tone);

/// The drawings of a document as one graph, ready to be written: each text is short and has nothing
/// in it that acts on a terminal, each kind has its look. Indices are as in Drawing.
struct Picture {
  static constexpr uint32_t kNone = Drawing::kNone;

  struct Group {
    std::string label;
    uint32_t parent = kNone;  ///< smaller than its own index
  };
  struct Node {
    std::string id;                  ///< unique
    std::vector<std::string> lines;  ///< one at least
    uint32_t style = 0;              ///< index into styles
    uint32_t group = kNone;
    bool error = false;
    bool thick = false;  ///< on the critical path, or its cost is unusual
    bool spike = false;  ///< its cost does
    Tone tone = Tone::plain;
    size_t count = 1;  ///< how many nodes of the drawings it represents
    std::string
        tip{};  ///< lines with `\n` between them: its id, and what the label has no room for
  };
  struct Edge {
    uint32_t from = 0, to = 0;
    std::string label, detail;
    Drawing::Stroke stroke = Drawing::Stroke::solid;
    bool error = false;
    int64_t times = 1;
    Tone tone = Tone::plain;
    /// The label and, if they are several, how many links it represents: `Read (x3)`.
    std::string caption() const;
  };

  /// What a line means.
  struct Meaning {
    Drawing::Stroke stroke = Drawing::Stroke::solid;
    std::string words;
  };

  std::string title;
  std::vector<Group> groups;  ///< none without a node in it, at most kDeepest in one another
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<NodeStyle> styles = {{}};  ///< the first one for nodes of no kind, or of several
  std::vector<Meaning> meanings;         ///< of strokes that may occur
  std::string note;                      ///< what it does not show
  bool runs = false;  ///< the outermost groups are runs, with nothing between them
};

/// Readers of both formats, and cgraph itself, descend by recursion.
inline constexpr uint32_t kDeepest = 16;

/// The picture with a caption on the first element that bears each sign (the color of a kind, a
/// thick or red border, a stroke). A legend would consist of boxes and lines that no trace has, and
/// programs that read a drawing count them.
Picture caption_signs(Picture picture);

/// The group that all others are in, which a picture need not name; kNone: there is no such one.
uint32_t whole_group(const Picture& picture);

/// Where its arrows lead: as asked, or so that it fits a page.
Direction direction_of(const Picture& picture, Direction asked);

/// Of all drawings, or of the first `most` and a node that counts the others.
Picture picture_of(const Document& document, size_t most = SIZE_MAX);

/// `text` as a line of a label, or of so many columns.
std::string line_of(std::string_view text);
std::string line_of(std::string_view text, size_t columns);

/// Keeps the `most` largest groups; the nodes of the others move to the group around them.
void limit_groups(Picture& picture, size_t most);

/// A smaller picture: up to `longest` nodes of a kind that follow one another without a fork become
/// one.
Picture merge_chains(const Picture& drawn, size_t longest);

/// A smaller picture: of each group (and of the nodes in none) `keep` nodes stay, errors, critical
/// and large ones first; the others become one.
Picture merge_groups(const Picture& picture, size_t keep);

}  // namespace xtrace
