#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "asked_input.h"
#include "effort.h"
#include "hop_story.h"
#include "page_columns.h"
#include "reading.h"

using namespace xtrace;
using Json = nlohmann::json;

// `explain` of a node, the edges of `dag` and those of its page are three ways to ask for the same:
// what led to the node directly, and what it led to.

namespace {

using Words = AskedInput::Words;

/// Empty where there is no answer.
Json answer_of(const AskedInput& asked, Words words) {
  const std::string written = asked.in("json", std::move(words));
  return written.empty() ? Json() : Json::parse(written);
}

/// `req-1 NEXT_STEP`, with how sure it is; of several edges that look so, the surest.
struct Edges {
  std::map<std::string, double> all;

  void note(const std::string& edge, double confidence) {
    const auto [known, is_new] = all.emplace(edge, confidence);
    if (!is_new) known->second = std::max(known->second, confidence);
  }
  std::string text() const {
    std::string lines;
    for (const auto& [edge, confidence] : all) lines += fmt::format("{} {}\n", edge, confidence);
    return lines;
  }
};

std::string text(const Json& row, const std::string& key) {
  const auto found = row.find(key);
  return found == row.end() || !found->is_string() ? "" : found->get<std::string>();
}

/// What `dag` draws at a node: its edges in, or out.
Edges drawn(const Json& graph, const std::string& node, bool into) {
  const bool is_story = graph.contains("show");
  const std::string from = is_story ? "from" : "source", to = is_story ? "to" : "target";
  Edges edges;
  for (const Json& edge : graph["edges"]) {
    if (text(edge, into ? to : from) != node) continue;
    const std::string kind = text(edge, is_story ? "relation" : "type");
    edges.note(text(edge, into ? from : to) + " " + (into || is_story ? kind : ""),
               edge.value("confidence", 1.0));
  }
  return edges;
}

Edges explained_causes(const Json& why) {
  Edges edges;
  for (const Json& group : why["cause_groups"])
    if (text(group, "hop_kind") != "principal_to_agent")  // a user's words are no edge
      edges.note(text(group, "accessor") + " " + text(group, "hop_kind"),
                 group["direct_confidence"].get<double>());
  return edges;
}
Edges explained_effects(const Json& why, bool is_story) {
  Edges edges;
  for (const Json& effect : why["effects"])
    edges.note(text(effect, "target") + " " + (is_story ? text(effect, "hop_kind") : ""),
               effect["direct_confidence"].get<double>());
  return edges;
}

/// Of spans `explain` names the causes by their ids, of several accesses together.
void check_span(const Json& graph, const std::string& node, const Json& why) {
  std::set<std::string> causes, told;
  for (const auto& [edge, confidence] : drawn(graph, node, true).all)
    causes.insert(edge.substr(0, edge.find(' ')));
  for (const Json& group : why["cause_groups"]) {
    for (const Json& id : group.value("also_caused_by", Json::array())) told.insert(id);
    if (const Json ids = group.value("cause_ids", Json::array()); !ids.empty())
      told.insert(ids.front().get<std::string>());
  }
  CHECK(told == causes);
}

/// The text names all that the tables list: no cause and no effect is in one of them alone.
void check_text(const Json& why, const std::string& told) {
  const auto names = [&](const std::string& id) {
    const auto is_plain = [](unsigned char c) { return c > ' ' && c < 127; };  // no text escapes it
    if (std::ranges::all_of(id, is_plain)) CHECK(told.find(id) != told.npos);
  };
  for (const Json& group : why["cause_groups"]) {
    const Json ids = group.value("cause_ids", Json::array());
    if (!ids.empty())
      names(ids.front());
    else if (text(group, "hop_kind") != "principal_to_agent")
      names(text(group, "accessor"));
    for (const Json& id : group.value("also_caused_by", Json::array())) names(id);
  }
  for (const Json& effect : why["effects"]) names(text(effect, "target"));
}

/// The page draws the same edges, each as sure.
void check_page(const Json& graph, const std::string& page) {
  const bool is_story = graph.contains("show");
  const auto line = [](const std::string& source, const std::string& target, double confidence) {
    return fmt::format("{} -> {} {:.4f}", source, target, confidence);
  };
  std::vector<std::string> in_answer, in_page;
  for (const Json& edge : graph["edges"])
    in_answer.push_back(line(text(edge, is_story ? "from" : "source"),
                             text(edge, is_story ? "to" : "target"),
                             edge.value("confidence", 1.0)));
  for (const PageData::Edge& edge : PageData(page).edges())
    in_page.push_back(line(edge.source, edge.target, edge.confidence));
  std::ranges::sort(in_answer);
  std::ranges::sort(in_page);
  CHECK(in_page == in_answer);
}

size_t check(const std::string& path) {
  constexpr size_t kAsked = effort(60, 12);  // of one input
  const AskedInput asked(path);
  const Json graph = answer_of(asked, {"dag"});
  if (graph.is_null() || !graph.contains("nodes")) return 0;
  const bool is_story = graph.contains("show");
  // Neither folded steps nor a node for all the calls of an actor.
  const Words dag = is_story ? Words{"dag", "--show", "raw"} : Words{"dag", "--view", "calls"};
  const Json whole = answer_of(asked, dag);
  {
    CAPTURE(path);
    check_page(whole, asked.in("html", dag));
  }
  size_t checked = 0;
  for (const Json& node : whole["nodes"]) {
    const std::string id = text(node, "id");
    const Json why = answer_of(asked, {"explain", "--node", id, "--all-paths"});
    if (why.is_null() || text(why, "target") != id) continue;  // several have the id
    CAPTURE(path, id);
    const std::string type = text(why, "target_type");
    if (type == "hop" || type == "span") {
      check_span(whole, id, why);
    } else {
      CHECK(explained_causes(why).text() == drawn(whole, id, true).text());
      CHECK(explained_effects(why, is_story).text() == drawn(whole, id, false).text());
    }
    check_text(why, asked.in("text", {"explain", "--node", id, "--all-paths", "--unfold"}));
    if (++checked == kAsked) break;
  }
  return checked;
}

}  // namespace

TEST_CASE(
    "direct causes and effects are the edges that the graph has, and its page, as sure as these") {
  size_t checked = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(project_path("fixtures"))) {
    const std::string path = entry.path().string();
    const bool is_log = entry.path().extension() == ".jsonl" ||
                        entry.path().extension() == ".json" || entry.path().extension() == ".jsonc";
    if (is_log && path.find("/config/") == path.npos) checked += check(path);
  }
  checked += check(project_path("fixtures/story"));
  CHECK(checked > effort(500, 200));
}

TEST_CASE("a hundred chains are listed and the others counted") {
  HopStory story;
  for (int i = 0; i < 150; ++i) {
    const std::string agent = fmt::format("agent:a{}", i);
    story.hop(fmt::format("u{}", i), "user:u", agent, 100 * i, 50);
    story.hop(fmt::format("d{}", i), agent, "resource:db", 100 * i + 10, 5);
  }
  const Folder folder;
  const AskedInput asked(folder.write("hops.json", story.json()));
  const Json some = answer_of(asked, {"explain", "--node", "resource:db"});
  CHECK(some["cause_groups"].size() == 100);
  CHECK(some["cause_groups_omitted"] == 50);
  CHECK(some["accesses_omitted"] == 50);
  CHECK(some["direct_accessors"].size() == 150);
  const Json all = answer_of(asked, {"explain", "--node", "resource:db", "--all-paths"});
  CHECK(all["cause_groups"].size() == 150);
  CHECK_FALSE(all.contains("cause_groups_omitted"));
}
