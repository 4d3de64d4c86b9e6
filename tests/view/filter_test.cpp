#include "view/filter.h"

#include <catch2/catch.hpp>
#include <map>

#include "story.h"

using namespace xtrace;

namespace {

/// Options from a map, as the command line would set them.
class Set final : public Options {
 public:
  explicit Set(std::multimap<std::string, std::string> values) : values_(std::move(values)) {}
  void add(std::string_view name, bool& value, std::string_view) override {
    value = values_.contains(std::string(name));
  }
  void add(std::string_view name, std::string& value, std::string_view, std::string_view,
           std::vector<std::string_view>) override {
    if (auto set = values_.find(std::string(name)); set != values_.end()) value = set->second;
  }
  void add(std::string_view name, std::vector<std::string>& values, std::string_view,
           std::string_view, std::vector<std::string_view>) override {
    auto [begin, end] = values_.equal_range(std::string(name));
    for (auto at = begin; at != end; ++at) values.push_back(at->second);
  }
  void add(std::string_view name, double& value, std::string_view, std::string_view) override {
    if (auto set = values_.find(std::string(name)); set != values_.end())
      value = std::stod(set->second);
  }

 private:
  std::multimap<std::string, std::string> values_;
};

Story told() {
  Story story;
  story.call("p").at(0).session("day").spawns("t1", "Explore", "look");
  story.call("c").at(5).session("day").says("look").uses("r1", "Grep");
  story.call("c2").at(8).session("day").after("c").reads("r1");
  story.call("p2").at(20).session("day").after("p").reads("t1").fails("overloaded_error");
  story.call("x").at(4000).session("night").uses("r2", "Read");
  story.call("y").at(4010).session("night").after("x").reads("r2").agent("Scout");
  return story;
}

Result<Selection> select(Story& story, std::multimap<std::string, std::string> values) {
  Filter filter;
  Set options(std::move(values));
  filter.declare(options);
  filter.declare_links(options);
  return filter.select(story.graph());
}

/// The calls that are shown, or what is wrong.
std::string shown(std::multimap<std::string, std::string> values) {
  Story story = told();
  Result<Selection> selection = select(story, std::move(values));
  if (!selection) return selection.error().what;
  std::string text;
  for (EventId id : story.graph().timeline().in_order())
    if (selection->shows(id))
      text += (text.empty() ? "" : " ") +
              std::string(story.graph().trace()[story.graph().trace()[id].id]);
  return text;
}

}  // namespace

TEST_CASE("without a filter everything is shown") {
  CHECK(shown({}) == "p c c2 p2 x y");
}

TEST_CASE("by session, by its whole name or its beginning") {
  CHECK(shown({{"--session", "day"}}) == "p c c2 p2");
  CHECK(shown({{"--session", "nigh"}}) == "x y");
  CHECK(shown({{"--session", "day"}, {"--session", "night"}}) == "p c c2 p2 x y");
  CHECK(shown({{"--session", "nihgt"}}) == "there is no session 'nihgt'; did you mean 'night'?");
}

TEST_CASE("by agent, by tool, by status") {
  CHECK(shown({{"--agent", "Explore"}}) == "c c2");
  CHECK(shown({{"--agent", "main"}}) == "p p2");
  CHECK(shown({{"--agent", "explore"}}) == "there is no agent 'explore'; did you mean 'Explore'?");
  CHECK(shown({{"--tool", "Grep"}}) == "c");
  CHECK(shown({{"--tool", "Grep"}, {"--tool", "Read"}}) == "c x");
  CHECK(shown({{"--tool", "Grpe"}}) == "there is no tool 'Grpe'; did you mean 'Grep'?");
  CHECK(shown({{"--status", "error"}}) == "p2");
}

TEST_CASE("by time, absolute or back from the newest call") {
  CHECK(shown({{"--since", "2026-03-01T11:00:00Z"}}) == "x y");
  CHECK(shown({{"--until", "2026-03-01T10:00:05Z"}}) == "p c");
  CHECK(shown({{"--since", "5m"}}) == "x y");
  CHECK(shown({{"--since", "10s"}}) == "x y");
  CHECK(shown({{"--since", "9s"}}) == "y");
  CHECK(shown({{"--since", "2026-03-02"}}) == "");
  CHECK(shown({{"--since", "soon"}}).find("--since: 'soon' is no time; write ") == 0);
}

TEST_CASE("filters narrow one another") {
  CHECK(
      shown({{"--session", "day"}, {"--agent", "Explore"}, {"--until", "2026-03-01T10:00:06Z"}}) ==
      "c");
}

TEST_CASE("a link to a hidden call is counted, not shown") {
  Story story = told();
  Selection selection = select(story, {{"--agent", "Explore"}}).value();
  CHECK(selection.hidden_events == 4);
  CHECK(selection.links.size() == 2);  // c to c2: the result and the next turn
  CHECK(selection.hidden_links ==
        static_cast<int64_t>(story.graph().links().size() - selection.links.size()));
}

TEST_CASE("links are filtered by type and by how sure they are") {
  Story story = told();
  CHECK(select(story, {{"--edge", "subagent_spawn"}})->links.size() == 1);
  CHECK(select(story, {{"--edge", "subagent_spawn"}, {"--edge", "retry"}})->links.size() == 1);
  CHECK(select(story, {{"--min-confidence", "1"}})->hidden_links == 1);
  CHECK(select(story, {{"--min-confidence", "1"}})->hidden_events == 0);
}

TEST_CASE("a call without a time is in no stretch of time") {
  Story story;
  story.call("a").without_time();
  story.call("b");
  CHECK(select(story, {{"--since", "2026-01-01"}})->hidden_events == 1);
  CHECK(select(story, {{"--until", "2030-01-01"}})->hidden_events == 1);
}
