#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "doc/document.h"
#include "doc/page.h"
#include "render/ranking.h"

namespace xtrace {

/// What a picture without Graphviz shows.
enum class PictureKind : uint8_t { timeline, causes, actors, flow };
inline constexpr std::string_view kPictureWords[] = {"timeline", "causes", "actors", "flow"};

/// Kinds of arrows on pages, each of which can be hidden.
inline constexpr std::string_view kArrowWords[] = {"results", "spawns", "reports", "errors",
                                                   "inferred"};

/// What is summed up where one figure is shown.
enum class Weight : uint8_t { cost, time, tokens };
inline constexpr std::string_view kWeightWords[] = {"cost", "time", "tokens"};

/// What the paper is like.
struct Paper {
  bool colour = false;
  size_t columns = 120;           ///< of the terminal; where there is none, a width that reads well
  bool cuts = true;               ///< nothing is wider; else a table is as wide as it must be
  bool describes_fields = false;  ///< in JSON, says of any answer what its fields mean
  Direction direction = Direction::automatic;   ///< of pictures
  PictureKind picture = PictureKind::timeline;  ///< in svg
  Weight weight = Weight::cost;                 ///< of folded stacks
  std::string table{};      ///< the one to write, in formats that hold rows alone; empty: see there
  std::string_view rows{};  ///< the table that CSV holds where none is asked for; empty: the first
  Ranking ranking{};
  std::vector<std::string> hidden_arrows{};  ///< at first, on pages: of kArrowWords
  bool has_all_panes = false;  ///< of a page, whatever its size; that of texts has them anyway
  Zone zone{};                 ///< of times in text
  bool is_opened = false;      ///< at once, in the browser of the user, who sees local times
  /// Says what the format has no room for; empty: nobody listens.
  std::function<void(const std::string& words)> remark{};
};

/// One way to put a document on paper. To add one: a file that defines it, and its name in
/// renderers.cpp.
struct Renderer {
  std::string_view name;
  std::string_view summary;
  Face face;  ///< the side of a document it shows
  void (*write)(const Document& document, const Paper& paper, std::ostream& out);
  bool needs_order = false;        ///< shows in which order the edges of a drawing came about
  bool keeps_properties = false;   ///< has room for what is known of each node and edge
  bool needs_file = false;         ///< nobody reads it as it scrolls by on a terminal
  bool needs_name = false;         ///< it is a file and nothing else, and goes where -o says
  bool adds_graph = false;         ///< behind an answer without one, the graph that it is about
  bool adds_graph_before = false;  ///< and of two runs that are compared, that of the older too
  size_t most_nodes = 0;           ///< that it has room for; 0: any number
  size_t max_text = 200;           ///< characters of a text, where --max-text is not given
  bool adds_picture = false;       ///< beside its own side, the drawing as Mermaid text
  bool takes_table = false;        ///< can be asked for one table of the answer
  bool has_one_table = false;      ///< and writes but one
  bool holds_verdicts = false;     ///< and nothing else
  const Renderer* page = nullptr;  ///< writes it instead where no one table is asked for
  bool comes_in_lines = false;     ///< also of an answer that goes on for ever, a line at a time
  bool is_of_graph = false;        ///< a format of other tools that is made of the graph's tables
  bool is_binary = false;          ///< bytes, and no text
  bool takes_weight = false;       ///< shows one of the figures that may be summed up

  /// Is there nothing to write of an answer that cannot be drawn?
  bool needs_drawing() const { return face == Face::drawing || adds_picture; }
  /// Is it a format of other tools, which `convert` writes?
  bool is_foreign() const {
    return face == Face::spans || face == Face::trajectories || face == Face::stacks || is_of_graph;
  }
};

/// Every renderer there is, in the order in which they are listed for users.
std::span<const Renderer> renderers();

// Those that are asked for by themselves.
void write_csv(const Document& document, const Paper& paper, std::ostream& out);
void write_cypher(const Document& document, const Paper& paper, std::ostream& out);
void write_cytoscape(const Document& document, const Paper& paper, std::ostream& out);
void write_d3(const Document& document, const Paper& paper, std::ostream& out);
void write_dot(const Document& document, const Paper& paper, std::ostream& out);
void write_graphml(const Document& document, const Paper& paper, std::ostream& out);
void write_json(const Document& document, const Paper& paper, std::ostream& out);
void write_markdown(const Document& document, const Paper& paper, std::ostream& out);
/// Of an answer that has an outline.
void write_markdown_page(const Document& document, const Paper& paper, std::ostream& out);
void write_mermaid(const Document& document, const Paper& paper, std::ostream& out);
void write_sequence(const Document& document, const Paper& paper, std::ostream& out);
void write_text(const Document& document, const Paper& paper, std::ostream& out);

}  // namespace xtrace
