#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/base64.h"
#include "base/one_of.h"
#include "base/sha256.h"
#include "charted.h"
#include "doc/add_row.h"
#include "page_columns.h"
#include "render/html/assets.h"
#include "render/html/columns.h"
#include "render/html/static_part.h"
#include "render/renderer.h"

namespace xtrace {
extern const Renderer kHtmlRenderer;
}

using namespace xtrace;

namespace {

std::string page_of(const Charted& charted) {
  std::ostringstream out;
  kHtmlRenderer.write(charted.document(), {}, out);
  return out.str();
}

using Numbers = std::vector<int64_t>;

}  // namespace

TEST_CASE("base64 pads what is no multiple of three") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("a column has the fewest bytes that hold its largest number, lowest bytes first") {
  PageColumns columns;
  columns.add("small", {1, 255});
  columns.add("large", {256, 1});
  columns.add("signed", {10, 7, 12}, "zd");
  columns.add_text("be");
  columns.add_text("hind");
  CHECK(gunzipped(columns.pack()) == std::string("\x01\xff"
                                                 "\x00\x01\x01\x00"
                                                 "\x14\x05\x0a"
                                                 "behind",
                                                 15));
}

TEST_CASE("a count that no double holds exactly is the largest that one does") {
  PageColumns columns;
  columns.add_nullable("tokens", 2, [](size_t at) {
    return at == 0 ? std::numeric_limits<int64_t>::max() : int64_t{7};
  });
  CHECK(gunzipped(columns.pack()) == std::string("\0\x08\0\0\0\0\0\0\0\0\0\0\x20\0", 14));
}

TEST_CASE("a page holds the rows of the answer in columns") {
  const PageData columns(
      page_of(Charted({{"b", 3, 2, "a", "sub", "x.jsonl:9", "error", 500}, {"a", 1, 1}, {"c"}},
                      {{"a", "b", 0.5}})));
  CHECK(columns.head["nodes"] == 3);
  CHECK(columns.head["edges"] == 1);
  CHECK(columns["skip"] == Numbers{2, 1, 1});
  CHECK(columns["parent"] == Numbers{0, 1, 0});
  CHECK(columns.head["tick_us"] == 1000);
  CHECK(columns.head["epoch_us"] == 1000000);
  CHECK(columns["start"] == Numbers{0, 2000, 2000});
  CHECK(columns["timed"] == Numbers{1, 1, 0});
  CHECK(columns["duration"] == Numbers{1001, 2001, 0});
  CHECK(columns["cost"] == Numbers{0, 501, 0});
  CHECK(columns["place"] == Numbers{2, 10, 2});
  CHECK((columns["flags"][1] & 64) == 64);
  CHECK(columns["degree"] == Numbers{0, 1, 0});
  CHECK(columns["e_source"] == Numbers{1});
  CHECK(columns["e_confidence"] == Numbers{5000});
  CHECK(columns.texts.ends_with("abc"));
  int64_t failed = 0;
  for (const nlohmann::json& edge : columns.head["actors"]["edges"])
    failed += edge["failed"].get<int64_t>();
  CHECK(failed == 1);
}

TEST_CASE("a page says why a call failed") {
  const PageData columns(page_of(Charted(
      {{"a", 1, 1},
       {.id = "b", .start_s = 2, .took_s = 1, .status = "error", .error = "overloaded_error"}})));
  CHECK(columns["error"][0] == 0);
  CHECK(columns["error"][1] > 0);
  CHECK(columns.texts.find("overloaded_error") != std::string::npos);
}

TEST_CASE("what passed is ok, which a page does not say twice") {
  const std::string page = page_of(Charted({{.id = "a", .status = "OK", .error = "PASSED"}}));
  CHECK(page.find("<bdi>PASSED</bdi>") != std::string::npos);
}

TEST_CASE("a page says which tool of a call failed and why, also without scripts") {
  const std::string page =
      page_of(Charted({{.id = "a", .tool = "Bash", .tool_error = "make: no rule"}}));
  CHECK(page.find("<bdi>Bash failed: make: no rule</bdi>") != std::string::npos);
  const PageData columns(page);
  CHECK(columns["t_error"] == Numbers{1});
  CHECK(columns.texts.find("make: no rule") != std::string::npos);
}

TEST_CASE("of two runs that are compared a page holds the new one, and the older one behind it") {
  const Charted now({{"a", 100, 1}, {"b", 102, 1}}), before({{"a", 1, 1}, {"b", 3, 1, "a"}});
  Document document("diff");
  for (auto [name, run] : {std::pair(kGraphBefore, &before), std::pair(kGraphBehind, &now)})
    document.add(Group{name, [of = run](const Group::Each& each) { each(of->document()); }});
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  const PageData columns(out.str());
  CHECK(columns.head["nodes"] == 4);
  CHECK(columns.texts.ends_with("aba~2b~2"));
  CHECK(columns.head["epoch_us"] == 1000000);
  CHECK(columns["start"] == Numbers{99000, 101000, 0, 2000});
  CHECK(columns["parent"] == Numbers{0, 0, 0, 1});
  // One agent of one session, and yet a lane in each run, the older one above.
  CHECK(columns["lane_old"] == Numbers{1, 0});
  CHECK(columns["lane"] == Numbers{1, 1, 0, 0});
  CHECK(out.str().find("4 rows of both runs, 2 of the new one") != std::string::npos);
  CHECK(read_chart(document).marks.size() == 2);
}

TEST_CASE("a page explains the signs of its timeline, and none that it is without") {
  const auto signs = [](const Charted& charted) {
    return PageData(page_of(charted)).head["signs"].get<std::vector<std::string>>();
  };
  using Signs = std::vector<std::string>;
  CHECK(signs(Charted({{"a", 1, 1}})) == Signs{});
  CHECK(signs(Charted({{"a", 1, 1}, {"b", 3, 1, "a", "sub", "x.jsonl:9", "error"}},
                      {{"a", "b", 0.5}})) == Signs{"! failed"});
  // What has no time has no mark.
  CHECK(signs(Charted({{"a", -1, -1, {}, "main", "a.jsonl:1", "error"}})) == Signs{});
}

TEST_CASE("pages that compare, sum up or judge are without who called whom") {
  Document document("diff");
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  CHECK_FALSE(PageData(out.str()).head.contains("actors"));
  size_t without = 0;
  for (const PageSources& sources : kPageSources) {
    const bool has_actors =
        sources.script.text.find("Calls between actors") != std::string_view::npos;
    CHECK(has_actors == !is_one_of(sources.name, {"differences", "figures", "verdicts"}));
    CHECK((sources.style.text.find(".flow{") != std::string_view::npos) == has_actors);
    without += has_actors ? 0 : 1;
  }
  CHECK(without == 6);  // small and large
}

TEST_CASE("small pages keep to their budget, large ones to one of their own") {
  constexpr size_t kShell = 96 << 10, kAllPanes = 42 << 10;  // bytes
  const auto bytes_of = [](const PageSources& sources) {
    return kPageFrame.size() + sources.style.text.size() + sources.script.text.size();
  };
  CHECK(bytes_of(kPageSources.front()) <= kShell);
  size_t large = 0;
  for (const PageSources& sources : kPageSources) {
    const auto has = [&](std::string_view script, std::string_view style) {
      return sources.script.text.find(script) != std::string_view::npos &&
             sources.style.text.find(style) != std::string_view::npos;
    };
    CHECK(has("c-call", ".c-call{") == sources.is_large);
    CHECK(
        (sources.script.text.find("From results of tools") != std::string_view::npos) ==
        (sources.is_large && is_one_of(sources.name, {"graph", "findings", "steps", "sequence"})));
    if (!sources.is_large) continue;
    ++large;
    const auto small = std::find_if(
        kPageSources.begin(), kPageSources.end(),
        [&](const PageSources& one) { return one.name == sources.name && !one.is_large; });
    REQUIRE(small != kPageSources.end());
    CHECK(bytes_of(sources) - bytes_of(*small) <= kAllPanes);
  }
  CHECK(large == 7);
}

TEST_CASE("a page shows local times only where it is opened at once") {
  std::ostringstream out;
  Paper paper;
  paper.is_opened = true;
  const Charted charted({{"a", 1}});
  kHtmlRenderer.write(charted.document(), paper, out);
  CHECK(PageData(out.str()).head["local"] == true);
  CHECK_FALSE(PageData(page_of(charted)).head.contains("local"));
}

TEST_CASE("without scripts a page at level full has the texts, folded") {
  static constexpr Column kLevel[] = {{"level", "", Role::level}};
  static constexpr Column kUses[] = {{"name", "", Role::name}, {"arguments", "", Role::arguments}};
  static constexpr Column kMessages[] = {{"kind", ""}, {"text", ""}, {"text_in", ""}};
  static constexpr Column kNodes[] = {
      {"id", "", Role::id},
      {"prompt", "", Role::prompt},
      {"answer", "", Role::reply},
      {"messages", "", CellKind::rows, false, kMessages, Role::detail},
      {"tool_uses", "", CellKind::rows, false, kUses, Role::tool_uses}};
  Document document("dag");
  document.add(Record{{{}, kLevel, {Text("full")}}});
  Table uses{{}, kUses, {Text("Bash"), Text("{\"command\":\"ls\"}")}};
  Table messages{{},
                 kMessages,
                 {Text("tool_result"), Text("<b>1</b>\nsecond"), Cell(), Text("prompt"), Cell(),
                  Text("prompt"), Text("thinking"), Text("I look."), Cell(), Text("tool_use"),
                  Cell(), Text("tool_uses")}};
  Table nodes{"nodes",
              kNodes,
              {Text("a"), Text("List it."), Cell(), document.arena().keep(std::move(messages)),
               document.arena().keep(std::move(uses))}};
  document.add(std::move(nodes));
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  const std::string texts = text_between(out.str(), "<h2>Texts</h2>", "</details>");
  CHECK(texts.find("tool result</bdi></h3>\n<pre><bdi>&lt;b&gt;1&lt;/b&gt;\nsecond\n") !=
        std::string::npos);
  CHECK(texts.find("prompt</bdi></h3>\n<pre><bdi>List it.\n") != std::string::npos);
  CHECK(texts.find("thinking</bdi></h3>\n<pre><bdi>I look.\n") != std::string::npos);
  CHECK(texts.find("Bash</bdi></h3>\n<pre><bdi>{&quot;command&quot;:&quot;ls&quot;}\n") !=
        std::string::npos);
  CHECK(page_of(Charted({{"a", 1}})).find("<h2>Texts</h2>") == std::string::npos);
}

TEST_CASE("a page draws what went from the results of tools into later tools") {
  constexpr Column kFlows[] = {{"source", "", Role::source},
                               {"target", "", Role::target},
                               {"results", "", Role::count},
                               {"tokens", "", Role::tokens},
                               {"estimated_tokens", "", CellKind::integer},
                               {"bytes", "", CellKind::integer}};
  Document document("dag");
  Table flows{"tool_flows", kFlows};
  add_row(flows, {Text("Read"), Text("Edit"), Cell(int64_t{2}), Cell(int64_t{900}),
                  Cell(int64_t{5}), Cell(int64_t{3000})});
  add_row(flows, {Text("Read"), Cell(), Cell(int64_t{1}), Cell(), Cell(), Cell()});
  document.add(std::move(flows));
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  const nlohmann::json drawn = PageData(out.str()).head["flows"];
  CHECK(drawn["nodes"].size() == 3);
  CHECK(drawn["nodes"][0]["label"] == "Read");
  CHECK(drawn["nodes"][1]["kind"] == "arguments");
  CHECK(drawn["nodes"][2]["label"] == "reply");
  CHECK(drawn["edges"][0]["tokens"] == 900);
  CHECK(drawn["edges"][0]["bytes"] == 3000);
  CHECK(drawn["edges"][0]["about"] == true);
  CHECK(drawn["edges"][1]["calls"] == 1);
  CHECK_FALSE(drawn["edges"][1].contains("about"));
}

TEST_CASE("a page hides the kinds of arrows that it is asked to hide") {
  std::ostringstream out;
  Paper paper;
  paper.hidden_arrows = {"spawns", "errors"};
  kHtmlRenderer.write(Charted({{"a", 1, 1}}).document(), paper, out);
  CHECK(PageData(out.str()).head["hide"] == nlohmann::json({"spawns", "errors"}));
}

TEST_CASE("lengths of texts are those that a browser counts") {
  // Two units of UTF-16 for what is beyond 16 bits; one for each byte that is no UTF-8.
  const PageData columns(page_of(Charted({{"\U0001F600", 1}, {"\xff", 2}, {"\u00e9", 3}})));
  CHECK(columns["id_length"] == Numbers{2, 1, 1});
}

TEST_CASE("nothing but the script and the style of a page may run") {
  const std::string page = page_of(Charted({{"a", 1}}));
  const std::string policy =
      text_between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  const std::string style = text_between(page, "<style>", "</style>");
  const std::string script = text_between(page, "<script>", "</script>");
  CHECK(policy.find("script-src 'sha256-" + base64(sha256_bytes_of(script)) + "';") !=
        std::string::npos);
  CHECK(policy.find("style-src 'sha256-" + base64(sha256_bytes_of(style)) + "';") !=
        std::string::npos);
  CHECK(policy.starts_with("default-src 'none'; "));
  CHECK(policy.find("unsafe") == std::string::npos);
}

TEST_CASE("the title of a page that explains names what") {
  constexpr Column kTarget[] = {{"target", ""}}, kAgent[] = {{"agent.name", ""}};
  Document document("explain");
  document.add(Record{{{}, kTarget, {Text("req_1")}}});
  CHECK(title_of(document) == "explain req_1 of no input");
  document.add(Record{{{}, kAgent, {Text("Explore#3")}}});
  CHECK(title_of(document) == "explain Explore#3 of no input");
}

TEST_CASE("a page counts the rows within rows that it has no room for") {
  static constexpr Column kSteps[] = {{"label", ""}};
  constexpr Column kSummaries[] = {{"id", ""}, {"steps", "", CellKind::rows, true, kSteps}};
  Table steps{{}, kSteps};
  for (size_t i = 0; i < 100; ++i) add_row(steps, {Text("read")});
  Document document("dag");
  Table summaries{"summaries", kSummaries};
  for (size_t i = 0; i < 150; ++i) add_row(summaries, {Text("summary"), Cell(&steps)});
  document.add(std::move(summaries));
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  const nlohmann::json answer = PageData(out.str()).head["answer"];
  CHECK(answer["summaries"].size() == 150);
  CHECK(answer["summaries"][99]["steps"].size() == 100);
  CHECK(answer["summaries"][100]["steps"].empty());
  CHECK(answer["more"]["steps"] == 5000);
}

TEST_CASE("a page calls a hop by its ends, before the name that it has") {
  constexpr Column kHops[] = {{"id", "", Role::id},
                              {"name", "", Role::name},
                              {"source", "", Role::source},
                              {"target", "", Role::target}};
  Document document("assess");
  Table hops{"nodes", kHops};
  add_row(hops, {Text("a"), Text("call"), Text("agent:desk"), Text("agent:search")});
  add_row(hops, {Text("b"), Cell(), Cell(), Text("agent:desk")});
  add_row(hops, {Text("c"), Text("DetectIntent"), Cell(), Text("agent:unknown")});
  add_row(hops, {Text("d"), Text("Summarizer"), Text("agent:unknown"), Text("agent:desk")});
  document.add(std::move(hops));
  std::ostringstream out;
  kHtmlRenderer.write(document, {}, out);
  CHECK(out.str().find("<bdi>agent:desk → agent:search · call</bdi>") != std::string::npos);
  // Who called it is not known, and not stated with each.
  CHECK(out.str().find("<bdi>agent:desk</bdi>") != std::string::npos);
  CHECK(out.str().find("<bdi>DetectIntent</bdi>") != std::string::npos);
  CHECK(out.str().find("<bdi>agent:desk · Summarizer</bdi>") != std::string::npos);
  CHECK(out.str().find("\"agents\":2") != std::string::npos);
}

TEST_CASE("no name of a log is markup in a page") {
  const std::string evil = "</script><img src=x onerror=a()>&\"'\u202e\n\u2028";
  const std::string page = page_of(Charted({{evil, 1, 1, {}, evil, evil + ":1", evil}}));
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("\u202e") == std::string::npos);
  CHECK(page.find("\u2028") == std::string::npos);
  CHECK(page.find("&lt;/script&gt;&lt;img src=x onerror=a()&gt;&amp;&quot;&#39;") !=
        std::string::npos);
}

TEST_CASE("an answer without a node is a page that says so") {
  const std::string page = page_of(Charted(std::vector<Charted::Node>{}));
  CHECK(PageData(page).head["nodes"] == 0);
  CHECK(page.find("0 rows") != std::string::npos);
}

TEST_CASE("a page is the same each time") {
  const Charted charted({{"a", 1, 1}, {"b", 2, 1, "a"}}, {{"a", "b"}});
  CHECK(page_of(charted) == page_of(charted));
}
