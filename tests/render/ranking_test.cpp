#include "render/ranking.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "doc/add_row.h"
#include "render/renderer.h"

using namespace xtrace;

namespace {

Outline calls() {
  Outline outline;
  outline.columns = {
      {"what", false, true}, {"in", Role::input}, {"cost", Role::cost}, {"took", Role::duration}};
  auto line = [&](uint32_t depth, Text what, Cell in, Cell cost, Cell took) {
    outline.lines.push_back({depth, Tone::plain, {what, in, cost, took}});
  };
  line(0, "session", {}, {}, Duration(90));
  line(1, "turn 1", {}, {}, Duration(10));
  line(2, "a", int64_t{10}, Dollars{5}, Duration(10));
  line(2, "b", int64_t{30}, Dollars{7}, Cell());
  outline.lines.push_back({2, Tone::quiet, {Text("said of b")}, true});
  line(1, "turn 2", {}, {}, Duration(80));
  line(2, "c", int64_t{20}, Dollars{90, Dollars::Bound::at_least}, Duration(80));
  return outline;
}

std::string names(const RankedLines& ranked) {
  std::string names;
  for (const Outline::Line& line : ranked.lines)
    names += (names.empty() ? "" : ", ") + std::string(std::get<Text>(line.cells[0]).view());
  return names;
}

std::string csv(const Ranking& ranking, std::string* remarks = nullptr) {
  static constexpr Column kColumns[] = {{"name", ""},
                                        {"tokens.input", "", Role::input},
                                        {"tokens.output", "", Role::output},
                                        {"status", "", Role::status}};
  Document document("test");
  Table table{"calls", kColumns};
  add_row(table, {Text("small"), int64_t{1}, int64_t{2}, Text("ok")});
  add_row(table, {Text("unknown"), {}, {}, Text("error")});
  add_row(table, {Text("large"), int64_t{5}, int64_t{6}, Text("ok")});
  add_row(table, {Text("as small"), int64_t{2}, int64_t{1}, Text("ok")});
  document.add(std::move(table));
  Paper paper;
  paper.ranking = ranking;
  if (remarks != nullptr) paper.remark = [=](const std::string& words) { *remarks += words + ";"; };
  std::ostringstream out;
  write_csv(document, paper, out);
  std::string first;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);)
    first += (first.empty() ? "" : ", ") + line.substr(0, line.find(','));
  return first;
}

}  // namespace

TEST_CASE("siblings are ranked, each with what stands below it") {
  CHECK(names(rank_lines(calls(), {Ranking::By::cost})) ==
        "session, turn 2, c, turn 1, b, said of b, a");
  CHECK(names(rank_lines(calls(), {Ranking::By::time})) ==
        "session, turn 2, c, turn 1, a, b, said of b");
}

TEST_CASE("columns are ranked by their role, whatever their title") {
  Outline outline;
  outline.columns = {{"agent", false, true}, {"cost", true}, {"all it spent", Role::cost}};
  auto line = [&](Text agent, Cell cost, Cell spent) {
    outline.lines.push_back({0, Tone::plain, {agent, cost, spent}});
  };
  line("credit", Dollars{9}, Dollars{-5});
  line("cheap", Dollars{8}, Dollars{1});
  line("expensive", Dollars{7}, Dollars{2});
  CHECK(names(rank_lines(outline, {Ranking::By::cost})) == "expensive, cheap, credit");
}

TEST_CASE("a line without a figure of its own has the sum of those below") {
  CHECK(names(rank_lines(calls(), {Ranking::By::tokens})) ==
        "session, turn 1, b, said of b, a, turn 2, c");
}

TEST_CASE("failed lines come first where no column counts failures") {
  Outline outline = calls();
  outline.lines[6].tone = Tone::error;
  CHECK(names(rank_lines(outline, {Ranking::By::errors})) ==
        "session, turn 2, c, turn 1, a, b, said of b");
}

TEST_CASE("of what stands below each line, so many are left, and the rest is counted") {
  RankedLines ranked = rank_lines(calls(), {Ranking::By::place, 1});
  CHECK(names(ranked) == "session, turn 1, a");
  CHECK(ranked.left_out == 3);  // turn 2 with its call, and b
}

TEST_CASE("spare lines are shown where rows are asked for, and are counted else") {
  Outline outline = calls();
  for (size_t i : {3u, 4u}) outline.lines[i].is_spare = true;  // b, and what is said of it
  CHECK(is_ranked(outline, {}));
  CHECK(names(rank_lines(outline, {})) == "session, turn 1, a, turn 2, c");
  CHECK(rank_lines(outline, {}).left_out == 1);
  CHECK_FALSE(is_ranked(outline, {Ranking::By::place, 0}));
  CHECK(names(rank_lines(outline, {Ranking::By::tokens, 1})) == "session, turn 1, b, said of b");
}

TEST_CASE("a text says how many rows it does not show") {
  Document document("test");
  document.add(calls());
  Paper paper;
  paper.ranking = {Ranking::By::cost, 1};
  std::ostringstream out;
  write_text(document, paper, out);
  CHECK(out.str().ends_with("3 rows not shown; --top 0 shows all\n"));
}

TEST_CASE("rows with the largest figure come first, unknown ones last, equal ones as they stood") {
  CHECK(csv({}) == "name, small, unknown, large, as small");
  CHECK(csv({Ranking::By::tokens}) == "name, large, small, as small, unknown");
  CHECK(csv({Ranking::By::errors}) == "name, unknown, small, large, as small");
}

TEST_CASE("what csv has no room for is said elsewhere") {
  std::string remarks;
  CHECK(csv({Ranking::By::tokens, 2}, &remarks) == "name, large, small");
  CHECK(remarks == "2 rows not shown; --top 0 shows all;");
  remarks.clear();
  CHECK(csv({Ranking::By::cost}, &remarks) == "name, small, unknown, large, as small");
  CHECK(remarks == "--sort cost: the table 'calls' has no such column; its order is unchanged;");
}

TEST_CASE("csv holds the table that most come for, where the answer has it") {
  static constexpr Column kColumns[] = {{"name", ""}};
  Document document("test");
  document.add(Table{"sessions", kColumns, {Text("s")}});
  document.add(Table{"nodes", kColumns, {Text("n")}});
  auto written = [&](std::string_view rows, std::string table) {
    Paper paper;
    paper.rows = rows;
    paper.table = std::move(table);
    std::ostringstream out;
    write_csv(document, paper, out);
    return out.str();
  };
  CHECK(written("nodes", "") == "name\r\nn\r\n");
  CHECK(written("steps", "") == "name\r\ns\r\n");
  CHECK(written("nodes", "sessions") == "name\r\ns\r\n");
}

TEST_CASE("a table of many calls has a figure of time, which is their sum") {
  constexpr Column kTool[] = {{"tool", "", CellKind::text},
                              {"duration.median_ms", "", CellKind::milliseconds},
                              {"duration.total_ms", "", Role::duration}};
  CHECK(has_figure(kTool, Ranking::By::time));
}
