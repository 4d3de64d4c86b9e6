#include "fuzz/fuzz.h"

#include <graphviz/cgraph.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/hash.h"
#include "base/text.h"
#include "cli/option_list.h"
#include "cypher_base.h"
#include "graph_files.h"
#include "input/common/format.h"
#include "reading.h"
#include "render/renderer.h"
#include "reread.h"
#include "view/common/view.h"

namespace xtrace {

namespace {

void expect(bool sound, const char* what, std::string_view output) {
  if (sound) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(output.size()), output.data());
  std::abort();
}

bool graphviz_reads(const std::string& text) {
  agseterr(AGMAX);
  Agraph_t* graph = agmemread(text.c_str());
  if (graph != nullptr) agclose(graph);
  return graph != nullptr;
}

/// How many nodes and edges a document draws, or a reader found.
struct Count {
  size_t nodes = 0, edges = 0;
  bool operator==(const Count&) const = default;
};

Count drawn_in(const Document& document) {
  Count count;
  for (const Section& section : document.sections())
    if (const Drawing* drawing = std::get_if<Drawing>(&section)) {
      count.nodes += drawing->nodes.size();
      count.edges += drawing->edges.size();
    }
  return count;
}

bool tells_of_a_graph(const Document& document) {
  for (const Section& section : document.sections())
    if (const Drawing* drawing = std::get_if<Drawing>(&section))
      for (const Drawing::Node& node : drawing->nodes)
        if (node.told) return true;
  return false;
}

/// Does the script make just what the document draws, however Neo4j takes escapes?
bool neo4j_reads(const std::string& text, const Document& document) {
  CypherBase base, replaced;
  try {
    base.run(text);
    replaced.run(with_escapes_replaced(text));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
  Count made{base.nodes.size(), base.edges.size()}, drawn = drawn_in(document);
  // What a log records about one thing in several drawings is one node.
  bool is_all = tells_of_a_graph(document) ? made.nodes <= drawn.nodes && made.edges <= drawn.edges
                                           : made == drawn;
  return base == replaced && is_all;
}

/// Does `read` find in the text just what the document draws?
bool graph_is_read(GraphFile (*read)(std::string_view), const std::string& text,
                   const Document& document) {
  try {
    GraphFile graph = read(text);
    return Count{graph.nodes.size(), graph.edges.size()} == drawn_in(document);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
}

/// Newlines (of CSV, as RFC 4180 has them) and Graphviz's tabs apart, nothing that a terminal would
/// obey.
bool is_quiet(std::string_view text, bool is_csv) {
  while (!text.empty()) {
    Decoded next = decode(text);
    bool blank =
        next.character == '\n' || next.character == '\t' || (is_csv && text.starts_with("\r\n"));
    if (!blank && acts_on_terminal(next.character)) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

/// Spans that were written are spans when they are read.
void expect_readable(const std::string& text) {
  Result<Trace> again = load_log(text);
  if (text.find("spanI") == std::string::npos) return;  // there were none
  expect(again.has_value(), "spans that cannot be read back", text);
  for (const Complaint& complaint : again->complaints)
    expect(complaint.kind != Complaint::Kind::damaged, complaint.what.c_str(), text);
}

/// Views that explain something want to know what.
bool ask_for_something(const Graph& graph, const OptionList& options, bool wants_story) {
  for (const OptionSpec& spec : options.specs()) {
    if (wants_story && spec.long_name() == "--view")
      *std::get<std::string*>(spec.target) = "explanation";
    if (spec.long_name() == "--all") *std::get<bool*>(spec.target) = true;
    if (spec.long_name() != "--node") continue;
    std::string& node = *std::get<std::string*>(spec.target);
    const Hops& hops = graph.hops();
    node = hops.actors.empty() ? "agent:main" : std::string(hops.actors.back().id);
    return true;
  }
  return false;
}

/// Of how many answers one is tried, which one the input decides (XTRACE_FUZZ_ONE_OF). A replay
/// looks at all of them for what is in the corpus; of mutations it is worth more to see many.
size_t one_of() {
  const char* of = std::getenv("XTRACE_FUZZ_ONE_OF");
  return of == nullptr ? 1 : std::max<size_t>(std::strtoul(of, nullptr, 10), 1);
}

void answer(const Graph& graph, Door::Level level, bool wants_story, size_t first) {
  const size_t of = one_of();
  Reread payloads(graph.trace());
  for (const ViewEntry& entry : views())
    for (const Renderer& renderer : renderers()) {
      if (renderer.needs_drawing() && !entry.draws) continue;
      if (renderer.is_foreign() != entry.converts) continue;
      if (first++ % of != 0) continue;
      std::unique_ptr<View> view = entry.make();
      OptionList options;
      view->declare(options);
      bool asks = ask_for_something(graph, options, wants_story);
      Door door(Redaction::all, level, 200);
      Question question{graph, door, renderer.face, &payloads, true, renderer.keeps_properties};
      ComparedRun before{graph, &payloads};  // of a view that compares: a run and itself
      question.before = &before;
      Result<Document> document = view->answer(question);
      // Nobody called what is asked about; nobody called anybody, so there is nothing to judge.
      bool may_be_none = asks || entry.gives_verdicts;
      if (may_be_none && !document && document.error().exit == Exit::no) continue;
      if (entry.converts && !document) continue;  // spans are no trajectories
      // taint does not search spans without texts, and says so
      if (entry.reads_texts && !document && document.error().exit == Exit::input) continue;
      expect(document.has_value(), "no answer", entry.name);
      std::ostringstream out;
      renderer.write(*document, Paper{}, out);
      std::string text = out.str();
      expect_sound(renderer, *document, text);
      if (renderer.is_foreign() && renderer.face == Face::spans && !renderer.is_binary)
        expect_readable(text);
    }
}

}  // namespace

void expect_sound(const Renderer& renderer, const Document& document, const std::string& text) {
  if (renderer.name == "json") expect(nlohmann::json::accept(text), "not JSON", text);
  if (renderer.name == "dot") expect(graphviz_reads(text), "not DOT", text);
  if (renderer.name == "cypher") expect(neo4j_reads(text, document), "not Cypher", text);
  if (renderer.name == "graphml")
    expect(graph_is_read(read_graphml, text, document), "not GraphML", text);
  if (renderer.name == "cytoscape")
    expect(graph_is_read(read_cytoscape, text, document), "not for Cytoscape.js", text);
  if (renderer.name == "d3") expect(graph_is_read(read_d3, text, document), "not for D3", text);
  if (renderer.name == "sqlite")
    expect(text.starts_with(std::string_view("SQLite format 3\0", 16)), "no database", text);
  if (!renderer.is_binary)
    expect(is_quiet(text, renderer.name == "csv"), "control characters", text);
}

void try_log(std::string_view bytes, const char* format) {
  Memory memory(bytes);
  LoadOptions loading;
  loading.format = format == nullptr ? nullptr : find_format(format);
  loading.piece_bytes = 64 + bytes.size() % 1000;  // records across the edges of pieces
  Progress progress;
  Result<Trace> trace = load({memory.path()}, loading, progress);
  if (!trace) return;
  Graph graph = link(*std::move(trace), {});
  answer(graph, bytes.size() % 2 == 0 ? Door::Level::basic : Door::Level::full,
         bytes.size() % 3 == 0, hash_of(bytes));
}

}  // namespace xtrace
