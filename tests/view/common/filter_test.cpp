#include "view/common/filter.h"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "hop_story.h"
#include "link/graph/graph.h"
#include "render/renderer.h"
#include "set.h"
#include "story.h"
#include "view/calls/select_calls.h"
#include "view/common/wanted.h"
#include "view/hops/hop_graph.h"
#include "view/hops/select_hops.h"

using namespace xtrace;

namespace {

CallStory told() {
  CallStory story;
  story.call("p").at(0).session("day").spawns("t1", "Explore", "look");
  story.call("c").at(5).session("day").says("look").uses("r1", "Grep");
  story.call("c2").at(8).session("day").after("c").reads("r1");
  story.call("p2").at(20).session("day").after("p").reads("t1").fails("overloaded_error");
  story.call("x").at(4000).session("night").uses("r2", "Read");
  story.call("y").at(4010).session("night").after("x").reads("r2").agent("Scout");
  return story;
}

Result<Selection> select(CallStory& story, std::multimap<std::string, std::string> values) {
  Filter filter;
  Set options(std::move(values));
  filter.declare(options);
  filter.declare_links(options);
  return select_calls(filter, story.graph(), Zone());
}

/// The calls that are shown, or what is wrong.
std::string shown(std::multimap<std::string, std::string> values) {
  CallStory story = told();
  Result<Selection> selection = select(story, std::move(values));
  if (!selection) return selection.error().what;
  std::string text;
  for (CallId id : story.graph().timeline().in_order())
    if (selection->shows(id))
      text += (text.empty() ? "" : " ") +
              std::string(story.graph().trace()[story.graph().trace()[id].id]);
  return text;
}

/// A user asks a chat agent, which has an agent read the database, twice at once: it is not known
/// which call led there. And a span with its parent.
HopStory told_of_hops() {
  HopStory story;
  story.hop("a", "user:u", "agent:chat", 0, 100);
  story.hop("b", "agent:chat", "agent:read", 10, 60);
  story.hop("b2", "agent:chat", "agent:read", 12, 60);
  story.hop("c", "agent:read", "resource:db", 20, 10);
  story.hop("d", "user:u", "agent:chat", 200, 100, "r2");
  story.span("e", "shop", "", 300, 50).span("f", "shop", "e", 310, 10);
  return story;
}

/// The hops that are shown, each with what shows as its cause, or what is wrong.
std::string shown_hops(std::multimap<std::string, std::string> values,
                       HopLinks links = HopLinks::causes) {
  Graph graph = told_of_hops().graph();
  Filter filter;
  Set options(std::move(values));
  filter.declare(options);
  filter.declare_links(options);
  Result<HopSelection> selection = select_hops(filter, graph.trace(), graph.hops(), links, Zone());
  if (!selection) return selection.error().what;
  std::string text;
  auto name = [&](HopId id) { return graph.hops().name_of(graph.trace(), id); };
  for (size_t i = 0; i < graph.hops().all.size(); ++i) {
    HopId id(i);
    if (!selection->shows(id)) continue;
    text += (text.empty() ? "" : " ") + name(id);
    if (selection->shows_cause_of(id)) text += "<-" + name(graph.hops()[id].cause);
  }
  return text;
}

}  // namespace

TEST_CASE("a time of day is the latest one before the newest call, and is told in full") {
  // The newest call starts 4010 s behind the first.
  CallStory story = told();
  const Time newest = story.graph().trace()[story.graph().timeline().in_order().back()].start;
  const auto period = [&](const char* since, Time before) {
    return *read_period(since, "", before);
  };
  const Period same_day = period("00:00", newest);
  REQUIRE(same_day.meant_since);
  CHECK(*same_day.meant_since == *same_day.since);
  CHECK(*same_day.since <= newest);
  CHECK(newest - *same_day.since < std::chrono::hours(24));
  // Of a time that is later in the day, the day before is meant.
  const Time noon = parse_time("2026-03-01T12:00:00Z")->time;
  CHECK(period("11:59:30", noon).since == parse_time("2026-03-01T11:59:30Z")->time);
  CHECK(period("12:01", noon).since == parse_time("2026-02-28T12:01:00Z")->time);
  CHECK_FALSE(period("2026-03-01T11:00:00Z", noon).meant_since);
  CHECK(period("5m", noon).meant_since == parse_time("2026-03-01T11:55:00Z")->time);
}

TEST_CASE("what names no zone is of the zone in which answers are told") {
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  const Zone local = Zone::local();
  const Time newest = parse_time("2026-11-01T07:30:00Z")->time;  // clocks went back at 06:00
  const auto since = [&](const char* text) {
    const Period period = *read_period(text, "", newest, local);
    return format_time({*period.since, 0}) + (period.meant_since ? " meant" : "");
  };
  CHECK(since("23:55") == "2026-11-01T03:55:00Z meant");
  CHECK(since("00:30") == "2026-11-01T04:30:00Z meant");
  CHECK(since("2026-11-01") == "2026-11-01T04:00:00Z meant");
  CHECK(since("2026-11-01 02:15") == "2026-11-01T07:15:00Z meant");
  CHECK(since("2026-11-01T02:15:30") == "2026-11-01T07:15:30Z meant");
  CHECK(since("2026-11-01T02:15:30Z") == "2026-11-01T02:15:30Z");
  CHECK(*read_period("2026-11-01 02:15", "", newest)->since ==
        parse_time("2026-11-01T02:15:00Z")->time);
}

TEST_CASE("days are the zone's: a period includes its last one whole, and names count from now") {
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  setenv("SOURCE_DATE_EPOCH", "1793592000", 1);  // Monday, 2026-11-02T04:00:00Z, a Sunday there
  const Zone local = Zone::local();
  const Time newest = parse_time("2026-10-20T12:00:00Z")->time;
  const auto period = [&](const char* since, const char* until, const Zone& zone) {
    const Period read = *read_period(since, until, newest, zone);
    const auto show = [](std::optional<Time> time) {
      return time ? format_time(
                        {*time, time->time_since_epoch().count() % 1000 ? uint8_t{9} : uint8_t{0}})
                  : std::string();
    };
    return show(read.since) + "/" + show(read.until);
  };
  CHECK(period("", "2026-11-01", {}) == "/2026-11-01T23:59:59.999999999Z");
  // The clocks go back that day, which therefore lasts 25 hours.
  CHECK(period("2026-11-01", "2026-11-01", local) ==
        "2026-11-01T04:00:00Z/2026-11-02T04:59:59.999999999Z");
  CHECK(period("today", "", {}) == "2026-11-02T00:00:00Z/");
  CHECK(period("today", "", local) == "2026-11-01T04:00:00Z/");
  CHECK(period("Yesterday", "yesterday", {}) ==
        "2026-11-01T00:00:00Z/2026-11-01T23:59:59.999999999Z");
  CHECK(period("monday", "", {}) == "2026-11-02T00:00:00Z/");
  CHECK(period("mon", "", local) == "2026-10-26T04:00:00Z/");
  CHECK(period("7d", "", {}) == "2026-10-26T04:00:00Z/");
  CHECK(period("2h", "", {}) == "2026-10-20T10:00:00Z/");
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST_CASE("a period that ends before it begins is a mistake") {
  const Time noon = parse_time("2026-03-01T12:00:00Z")->time;
  CHECK(read_period("10:00", "09:00", noon).error().what ==
        "--since 2026-03-01T10:00:00Z is after --until 2026-03-01T09:00:00Z");
  CHECK(read_period("09:00", "09:00", noon));
}

TEST_CASE("without a filter everything is shown") {
  CHECK(shown({}) == "p c c2 p2 x y");
}

TEST_CASE("by session, by its whole name or its beginning") {
  CHECK(shown({{"--session", "day"}}) == "p c c2 p2");
  CHECK(shown({{"--session", "nigh"}}) == "x y");
  CHECK(shown({{"--session", "day"}, {"--session", "night"}}) == "p c c2 p2 x y");
  CHECK(shown({{"--session", "nihgt"}}) == "there is no session 'nihgt'; did you mean 'night'?");
}

TEST_CASE("of model calls a run is a session") {
  CHECK(shown({{"--run", "day"}}) == "p c c2 p2");
  CHECK(shown({{"--run", "nihgt"}}) == "there is no run 'nihgt'; did you mean 'night'?");
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
  CHECK(shown({{"--since", "soon"}}).find("--since: 'soon' is not a time; use ") == 0);
}

TEST_CASE("filters narrow one another") {
  CHECK(
      shown({{"--session", "day"}, {"--agent", "Explore"}, {"--until", "2026-03-01T10:00:06Z"}}) ==
      "c");
}

TEST_CASE("a link to a hidden call is counted, not shown") {
  CallStory story = told();
  Selection selection = select(story, {{"--agent", "Explore"}}).value();
  CHECK(selection.hidden.nodes == 4);
  CHECK(selection.links.size() == 2);  // c to c2: the result and the next turn
  CHECK(selection.hidden.edges ==
        static_cast<int64_t>(story.graph().links().size() - selection.links.size()));
}

TEST_CASE("links are filtered by type and by how sure they are") {
  CallStory story = told();
  CHECK(select(story, {{"--edge", "subagent_spawn"}})->links.size() == 1);
  CHECK(select(story, {{"--edge", "subagent_spawn"}, {"--edge", "retry"}})->links.size() == 1);
  CHECK(select(story, {{"--min-confidence", "1"}})->hidden.edges == 2);  // spawn and report
  CHECK(select(story, {{"--min-confidence", "1"}})->hidden.nodes == 0);
}

TEST_CASE("a call without a time is in no stretch of time") {
  CallStory story;
  story.call("a").without_time();
  story.call("b");
  CHECK(select(story, {{"--since", "2026-01-01"}})->hidden.nodes == 1);
  CHECK(select(story, {{"--until", "2030-01-01"}})->hidden.nodes == 1);
}

TEST_CASE("model calls have no edges of spans") {
  CHECK(shown({{"--edge", "parent"}}) ==
        "--edge 'parent': no such type here; links of model calls have the types tool_result, "
        "subagent_spawn, "
        "subagent_report, continuation, retry, content_reuse, file_handoff, sequential");
}

TEST_CASE("hops are chosen by run, actor and time") {
  CHECK(shown_hops({}) == "a b<-a b2<-a c<-b2 d e f<-e");
  CHECK(shown_hops({{"--run", "r2"}}) == "d");
  CHECK(shown_hops({{"--session", "r2"}}) == "d");
  CHECK(shown_hops({{"--agent", "read"}}) == "b b2 c<-b2");
  CHECK(shown_hops({{"--agent", "resource:db"}}) == "c");
  CHECK(shown_hops({{"--tool", "Bash"}}) == "there is no tool 'Bash'; the input contains no tool");
}

TEST_CASE("edges of spans are chosen by type and by how sure they are") {
  CHECK(shown_hops({{"--edge", "parent"}}) == "a b b2 c d e f<-e");
  CHECK(shown_hops({{"--edge", "causal"}}) == "a b<-a b2<-a c<-b2 d e f");
  CHECK(shown_hops({{"--edge", "causal"}, {"--edge", "parent"}}) == "a b<-a b2<-a c<-b2 d e f<-e");
  CHECK(shown_hops({{"--min-confidence", "1"}}) == "a b<-a b2<-a c d e f<-e");
  CHECK(shown_hops({{"--edge", "retry"}}) ==
        "--edge 'retry': no such type here; edges between spans have the types parent, causal");
}

TEST_CASE("where an answer tells of chains, hops are chosen by how sure theirs is") {
  CHECK(shown_hops({{"--min-confidence", "1"}}, HopLinks::chains) == "a b<-a b2<-a d e f<-e");
  CHECK(shown_hops({{"--edge", "causal"}}, HopLinks::chains).find("--edge: ") == 0);
}

TEST_CASE("what nobody asked about is not hidden by a filter") {
  Graph graph = told_of_hops().graph();
  const Hops& hops = graph.hops();
  Filter filter;
  Set options({{"--run", "r1"}, {"--agent", "read"}});
  filter.declare(options);
  HopSelection selection =
      select_hops(filter, graph.trace(), hops, HopLinks::causes, Zone()).value();
  CHECK(selection.hidden.nodes == 4);  // a, d, e, f
  CHECK(selection.hidden.edges == 3);  // from a to b and b2, from e to f
  selection.narrow(hops, [&](HopId id) { return hops.name_of(graph.trace(), id) != "b"; });
  CHECK_FALSE(selection.shows(hops.find(graph.trace(), "b")));
  CHECK(selection.shows(hops.find(graph.trace(), "b2")));
  CHECK(selection.hidden.nodes == 4);
  CHECK(selection.hidden.edges == 2);
}

TEST_CASE("a text says why a cause is not shown") {
  Graph graph = told_of_hops().graph();
  Door door(Redaction::all, Door::Level::basic, 200);
  auto text = [&](std::multimap<std::string, std::string> values) {
    Filter filter;
    Set options(std::move(values));
    filter.declare(options);
    filter.declare_links(options);
    std::ostringstream out;
    write_text(graph_of_hops({graph, door, Face::outline}, filter, false).value(), Paper{}, out);
    return out.str();
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text({}), !Contains("less sure") && !Contains("hidden"));
  CHECK_THAT(text({{"--min-confidence", "0.9"}}), Contains("read → db") &&
                                                      Contains("cause below confidence 0.9") &&
                                                      Contains("1 cause hidden by filters"));
  CHECK_THAT(text({{"--agent", "db"}}),
             Contains("cause hidden") && Contains("6 spans and 4 causes hidden by filters"));
}

TEST_CASE("calls that cost less than --min-cost, or of which it is not known, are hidden") {
  CallStory story;
  story.call("a").model("gpt-4").tokens(1000, 0);    // $0.03
  story.call("b").model("gpt-4").tokens(10'000, 0);  // $0.30
  story.call("c").tokens(1'000'000, 0);
  auto hidden = [&](const char* dollars) {
    Result<Selection> selection = select(story, {{"--min-cost", dollars}});
    return selection ? std::to_string(selection->hidden.nodes) : selection.error().what;
  };
  CHECK(hidden("0.3") == "2");
  CHECK(hidden("0.300000001") == "3");
  CHECK(hidden("$0.03") == "1");
  CHECK(hidden("0") == "1");
  CHECK(hidden("-1") == "--min-cost: '-1' is not an amount in dollars, such as 0.05");
}
