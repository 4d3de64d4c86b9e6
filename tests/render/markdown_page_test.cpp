#include <catch2/catch.hpp>
#include <sstream>

#include "render/renderer.h"

namespace xtrace {
extern const Renderer kMarkdownPage;
}

using namespace xtrace;

namespace {

Outline rows(size_t count, Text name = Text("row")) {
  Outline outline;
  outline.columns = {{"name", false, true}, {"calls", true}, {"never known"}};
  for (size_t i = 0; i < count; ++i)
    outline.lines.push_back({0, Tone::plain, {name, static_cast<int64_t>(i)}});
  return outline;
}

std::string page(std::vector<Outline> outlines, const Ranking& ranking = {}) {
  Document document("test");
  for (Outline& outline : outlines) document.add(std::move(outline));
  Paper paper;
  paper.ranking = ranking;
  std::ostringstream out;
  kMarkdownPage.write(document, paper, out);
  return out.str();
}

}  // namespace

TEST_CASE("a page of Markdown has a heading, sentences and a table of what is known") {
  Outline outline = rows(2);
  outline.head = {Text("2 rows"), Text("")};
  outline.foot = {Text("the end"), Text("<b>")};
  CHECK(page({outline}) ==
        "### xtrace test\n\n"
        "2 rows\n\n"
        "| name | calls |\n| --- | ---: |\n| row | 0 |\n| row | 1 |\n\n"
        "- the end\n- `<b>`\n");
}

TEST_CASE(
    "a page of Markdown shows a tree as a person sees it, fenced off from what stands in it") {
  Outline outline;
  outline.columns = {{"name", false, true}};
  outline.lines = {{0, Tone::plain, {Text("run")}}, {1, Tone::plain, {Text("```js")}}};
  CHECK(page({outline}) == "### xtrace test\n\n````text\nname\nrun\n└─ ```js\n````\n");
}

TEST_CASE("a page of Markdown folds what is long, and what comes when much stands open") {
  CHECK(page({rows(12)}).find("<details>") == std::string::npos);
  CHECK(page({rows(13)}).find("<details><summary>name: 13 lines</summary>\n\n|") !=
        std::string::npos);
  const std::string four = page({rows(12), rows(12), rows(12), rows(1)});
  CHECK(four.find("<details>") == four.rfind("<details>"));
  CHECK(four.find("<details><summary>name: 1 line</summary>") != std::string::npos);
}

TEST_CASE("a page of Markdown fits into a comment, and says what it leaves out") {
  const std::string table = page({rows(5000), rows(5000, Text("another row"))});
  CHECK(table.size() <= 60'000);
  CHECK(table.find("of them are not shown here; -f text shows all") != std::string::npos);

  Outline tree = rows(5000);
  for (size_t i = 1; i < tree.lines.size(); ++i) tree.lines[i].depth = 1;
  const std::string fenced = page({tree});
  CHECK(fenced.size() <= 60'000);
  CHECK(fenced.size() > 40'000);
  CHECK(fenced.find("of them are not shown here; -f text shows all") != std::string::npos);

  const std::string many = page(std::vector<Outline>(9000, rows(1)));
  CHECK(many.size() <= 60'000);
  CHECK(many.find("more parts are not shown here; -f text shows all") != std::string::npos);
}

TEST_CASE("a page of Markdown says how many lines --top left out") {
  Ranking ranking;
  ranking.top = 1;
  CHECK(page({rows(3)}, ranking).find("2 rows not shown") != std::string::npos);
}
