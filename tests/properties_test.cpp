#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "json_check.h"
#include "made_log.h"
#include "reading.h"
#include "render/renderer.h"
#include "set.h"
#include "view/common/view.h"
#include "whole_trace.h"

using namespace xtrace;

namespace {

std::vector<Recipe> recipes() {
  using Envelope = Style::Envelope;
  using Vendor = Style::Vendor;
  return {
      {1, 3, 4, false, 0, {}},
      {2, 3, 4, false, 9, {}},
      {3, 2, 4, true, 3, {}},
      {4, 2, 3, false, 5, {Envelope::claude_trace, Vendor::anthropic, true, false}},
      {5, 2, 3, false, 0, {Envelope::call_log, Vendor::anthropic, false, false}},
      {6, 2, 3, false, 5, {Envelope::call_log, Vendor::openai, true, false}},
      {7, 2, 3, false, 5, {Envelope::proxy_log, Vendor::openai, false, true}},
      {8, 4, 5, false, 0, {Envelope::claude_trace, Vendor::anthropic, false, false}},
  };
}

std::string answer(const Graph& graph, std::string_view view, std::string_view format) {
  for (const ViewEntry& entry : views())
    for (const Renderer& renderer : renderers()) {
      if (entry.name != view || renderer.name != format) continue;
      Door door(Redaction::all, Door::Level::basic, 200);
      std::unique_ptr<View> asked = entry.make();
      Set everything(std::multimap<std::string, std::string>{{"--unfold", ""}});
      asked->declare(everything);
      Result<Document> document = asked->answer({graph, door, renderer.face});
      std::ostringstream out;
      renderer.write(document.value(), Paper{}, out);
      return out.str();
    }
  return "no such view or format";
}

/// What is in the one and not in the other, in words for a failing test.
std::string missing(const std::set<std::string>& from, const std::set<std::string>& in) {
  std::string text;
  for (const std::string& each : from)
    if (!in.contains(each)) text += each + '\n';
  return text;
}

/// `->` links by the ids of their ends.
std::set<std::string> links_by_id(const std::string& log) {
  return found_in(link(read_log(log), {}));
}

}  // namespace

TEST_CASE("a made-up log gives back its own truth: nothing missing, nothing more") {
  for (const Recipe& recipe : recipes()) {
    CAPTURE(recipe.seed);
    MadeLog made = make_log(recipe);
    REQUIRE(made.truth.size() > 50);
    Trace trace = read_log(made.text());
    CHECK(trace.sources.front().skipped == static_cast<uint64_t>(made.damaged));
    CHECK(trace.calls.size() + static_cast<size_t>(made.damaged) == made.lines.size());
    std::set<std::string> found = found_in(link(std::move(trace), {}));
    CHECK(missing(made.truth, found) == "");
    CHECK(missing(found, made.truth) == "");
  }
}

TEST_CASE("the Trace is the same for any number of threads and any size of pieces") {
  for (const Recipe& recipe : recipes()) {
    CAPTURE(recipe.seed);
    Folder folder;
    std::string path = folder.write("log.jsonl", make_log(recipe).text());
    LoadOptions plain;
    plain.cut_known = false;
    Progress progress;
    Trace first = load({path}, plain, progress).value();
    std::string wanted = words_of(first);
    std::string json = answer(link(std::move(first), {}), "dag", "json");
    for (unsigned jobs : {1u, 3u, 8u})
      for (uint64_t piece : {uint64_t{1} << 10, uint64_t{7} << 10, uint64_t{0}})
        for (bool cut : {false, true}) {
          CAPTURE(jobs, piece, cut);
          LoadOptions loading;
          loading.jobs = jobs;
          loading.piece_bytes = piece;
          loading.cut_known = cut;
          Trace trace = load({path}, loading, progress).value();
          CHECK((words_of(trace) == wanted));
          if (jobs != 3) continue;
          std::string again = answer(link(std::move(trace), {}), "dag", "json");
          CHECK((again == json));
        }
  }
}

TEST_CASE("the order of the lines changes no link") {
  for (const Recipe& recipe : recipes()) {
    CAPTURE(recipe.seed);
    MadeLog made = make_log(recipe);
    std::set<std::string> wanted = links_by_id(made.text());
    for (uint32_t seed : {1u, 2u, 3u}) {
      std::set<std::string> found = links_by_id(joined(shuffled(made.lines, seed)));
      CHECK(missing(wanted, found) == "");
      CHECK(missing(found, wanted) == "");
    }
  }
}

TEST_CASE("the ends of every link exist, and it goes forward in time or is blamed on a clock") {
  for (const Recipe& recipe : recipes()) {
    CAPTURE(recipe.seed);
    Graph graph = link(read_log(make_log(recipe).text()), {});
    for (const Link& link : graph.links()) {
      REQUIRE(link.from.index < graph.trace().calls.size());
      REQUIRE(link.to.index < graph.trace().calls.size());
      REQUIRE(link.from != link.to);
      bool forward = graph.timeline()[link.from].start <= graph.timeline()[link.to].start;
      CHECK((forward || graph.against_the_clock(link)));
      double sure = confidence(link);
      CHECK((sure > 0 && sure <= 1));
    }
  }
}

TEST_CASE("a log that grows keeps the ids it had") {
  MadeLog made = make_log({11, 3, 3, false, 0, {}});
  // Some records of one id, some with none: a copy of a line with the id taken out.
  std::vector<std::string> lines = made.lines;
  for (size_t i = 0; i < made.lines.size(); i += 7) {
    std::string line = made.lines[i];
    size_t id = line.find("\"id\":\"c"), end = line.find(',', id);
    lines.push_back(line.erase(id, end + 1 - id));
  }
  auto names = [](const Trace& trace) {
    std::map<uint32_t, std::string> by_line;
    for (const Call& call : trace.calls) by_line[call.source.line] = trace[call.id];
    return by_line;
  };
  std::map<uint32_t, std::string> all = names(read_log(joined(lines)));
  for (size_t length : {size_t{10}, lines.size() / 2, lines.size() - 1}) {
    std::vector<std::string> part(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(length));
    for (const auto& [line, name] : names(read_log(joined(part)))) CHECK(all[line] == name);
  }
}

TEST_CASE("the JSON of every view parses, and has no key twice") {
  for (const Recipe& recipe : recipes()) {
    CAPTURE(recipe.seed);
    Graph graph = link(read_log(make_log(recipe).text()), {});
    for (const char* view : {"dag", "list"}) {
      std::string text = answer(graph, view, "json");
      REQUIRE(nlohmann::json::accept(text));
      CHECK_FALSE(has_key_twice(text));
    }
    nlohmann::json json = nlohmann::json::parse(answer(graph, "dag", "json"));
    CHECK(json["nodes"].size() == graph.trace().calls.size());
    CHECK(json["edges"].size() == graph.links().size());
    CHECK(json["metrics"]["total_edges"] == graph.links().size());
  }
}

TEST_CASE("times centuries apart, and calls that lasted for ever, break nothing") {
  CallStory story;
  story.call("a").uses("t1", "Read").at(0).took(3e9);
  story.call("b").after("a").reads("t1").spawns("t2", "", "look").at(-1e10);
  story.call("c").says("look").at(7.4e9);
  for (const char* view : {"dag", "list", "convert"})
    for (const Renderer& renderer : renderers())
      if (renderer.is_foreign() == (std::string_view(view) == "convert"))
        // Of calls that cost nothing there is no sum to show.
        CHECK((renderer.takes_weight || !answer(story.graph(), view, renderer.name).empty()));
}

TEST_CASE("Graphviz draws the DOT of any log") {
  if (std::system("command -v dot > /dev/null 2>&1") != 0) {
    WARN("Graphviz is not installed");
    return;
  }
  for (const Recipe& recipe : {recipes()[1], recipes()[3]}) {
    CAPTURE(recipe.seed);
    Graph graph = link(read_log(make_log(recipe).text()), {});
    Folder folder;
    std::string path = folder.write("picture.dot", answer(graph, "dag", "dot"));
    REQUIRE(
        std::system(
            fmt::format(
                "dot -Gnslimit=1 -Gnslimit1=1 -Gsplines=false -Tplain {0} > {0}.plain 2> {0}.err",
                path)
                .c_str()) == 0);
    CHECK(folder.read("picture.dot.err") == "");
    std::istringstream plain(folder.read("picture.dot.plain"));
    size_t nodes = 0, edges = 0;
    for (std::string line; std::getline(plain, line);) {
      if (line.starts_with("node ")) ++nodes;
      if (line.starts_with("edge ")) ++edges;
    }
    CHECK(nodes == graph.trace().calls.size());
    CHECK(edges > 0);
  }
}
