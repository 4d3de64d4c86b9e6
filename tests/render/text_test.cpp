#include "base/text.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "render/renderer.h"

using namespace xtrace;

namespace {

/// A column of names, the tree, and a column of numbers.
Outline tree() {
  Outline outline;
  outline.columns = {{"when", false, false}, {"what", false, true}, {"out", true, false}};
  return outline;
}

std::string text_of(Outline outline, const Paper& paper = {false, 40}) {
  Document document("test");
  document.add(std::move(outline));
  std::ostringstream out;
  write_text(document, paper, out);
  return out.str();
}

}  // namespace

TEST_CASE("the tree is drawn, texts stand left and numbers right") {
  Outline outline = tree();
  outline.lines = {{0, Tone::plain, {Text("10:00"), Text("session"), int64_t{5}}},
                   {1, Tone::plain, {Text("10:01"), Text("first"), int64_t{12}}},
                   {2, Tone::plain, {Text("10:02"), Text("below"), Cell()}},
                   {1, Tone::plain, {Text("10:03"), Text("last"), int64_t{999}}}};
  CHECK(text_of(outline) ==
        "when   what         out\n"
        "10:00  session        5\n"
        "10:01  ├─ first      12\n"
        "10:02  │  └─ below\n"
        "10:03  └─ last      999\n");
}

TEST_CASE("most amounts of a column are lower bounds, so that its title says so once") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"cost", true}};
  outline.lines = {{0, Tone::plain, {Text("sum"), Text("≥$1.25")}},
                   {1, Tone::plain, {Text("a"), Text("≥$1.00")}},
                   {1, Tone::plain, {Text("b"), Text("$0.25")}}};
  CHECK(text_of(outline) ==
        "what  ≥ cost\n"
        "sum    $1.25\n"
        "├─ a   $1.00\n"
        "└─ b   $0.25\n");
  // One of two is no majority: which one it is matters.
  outline.lines.pop_back();
  outline.lines[1].cells[1] = Text("$1.00");
  CHECK(text_of(outline) ==
        "what    cost\n"
        "sum   ≥$1.25\n"
        "└─ a   $1.00\n");
}

TEST_CASE("all amounts of a column are estimates, so that its title says so once") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"cost", true}};
  outline.lines = {{0, Tone::plain, {Text("a"), Text("~$1.00")}},
                   {0, Tone::plain, {Text("b"), Text("~$0.25")}}};
  CHECK(text_of(outline) ==
        "what  ~cost\n"
        "a     $1.00\n"
        "b     $0.25\n");
  // A single exact one would read as an estimate.
  outline.lines.push_back({0, Tone::plain, {Text("c"), Text("$2.00")}});
  CHECK(text_of(outline) ==
        "what    cost\n"
        "a     ~$1.00\n"
        "b     ~$0.25\n"
        "c      $2.00\n");
}

TEST_CASE("no line of the tree is wider than the paper, and nothing ends in blanks") {
  Outline outline = tree();
  outline.lines = {
      {0,
       Tone::plain,
       {Text("10:00"), Text("words that go on and on and on for ever"), int64_t{5}}},
      {1, Tone::plain, {Text("10:01"), Text("日本語日本語日本語日本語日本語"), int64_t{5}}}};
  std::istringstream lines(text_of(outline));
  for (std::string line; std::getline(lines, line);) {
    CHECK(width(line) <= 40);
    CHECK_FALSE(line.ends_with(' '));
  }
}

TEST_CASE("sentences are whole above and below, in as many lines as they need") {
  Outline outline = tree();
  outline.head = {"a sentence that is a good deal longer than the paper is wide"};
  outline.lines = {{0, Tone::plain, {Text("10:00"), Text("words"), Cell()}}};
  outline.foot = {"the end"};
  CHECK(text_of(outline, {false, 30}) ==
        "a sentence that is a good\n"
        "  deal longer than the paper\n"
        "  is wide\n"
        "\n"
        "when   what\n"
        "10:00  words\n"
        "\n"
        "the end\n");
}

TEST_CASE("a path that is longer than the paper is wide goes on in the next line") {
  Outline outline;
  outline.head = {"1. agent:main -> resource:file:/srv/shop/till/receipts/budget.py  (x2)"};
  const std::string text = text_of(outline, {false, 30});
  CHECK(text ==
        "1. agent:main ->\n"
        "   resource:file:/srv/shop/\n"
        "   till/receipts/budget.py\n"
        "   (x2)\n");
  outline.head = {"日本語日本語日本語日本語日本語日本語日本語"};
  std::istringstream lines(text_of(outline, {false, 30}));
  for (std::string line; std::getline(lines, line);) CHECK(width(line) <= 30);
}

TEST_CASE("rows with numbers go on behind these, however many digits they have") {
  Outline outline = tree();
  outline.head = {" 9. agent:main was asked for the receipts",
                  "10. agent:main was asked for the receipts"};
  CHECK(text_of(outline, {false, 30}) ==
        " 9. agent:main was asked\n"
        "    for the receipts\n"
        "10. agent:main was asked\n"
        "    for the receipts\n");
}

TEST_CASE("amounts of money line up at the point") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"cost", true}};
  for (int64_t cents : {1, 1234, 300'000})
    outline.lines.push_back({0, Tone::plain, {Text("call"), Dollars{cents * 10'000'000}}});
  outline.lines.push_back({0, Tone::plain, {Text("call"), Text("?")}});
  CHECK(text_of(outline) ==
        "what        cost\n"
        "call     $0.0100\n"
        "call    $12.34\n"
        "call  $3000\n"
        "call           ?\n");
}

TEST_CASE("of texts a part is shown where there is no room, of numbers all") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"who", false}, {"cost", true}};
  outline.lines = {{0,
                    Tone::plain,
                    {Text("something with a long name"), Text("somebody with a long name"),
                     Dollars{12'340'000'000}}}};
  CHECK(text_of(outline).find("$12.34\n") != std::string::npos);
}

TEST_CASE("wide characters take two columns, and what stands behind them lines up") {
  Outline outline = tree();
  outline.lines = {{0, Tone::plain, {Text("a"), Text("日本語"), int64_t{5}}},
                   {0, Tone::plain, {Text("b"), Text("abcdef"), int64_t{6}}}};
  std::istringstream lines(text_of(outline));
  std::string titles, wide, narrow;
  std::getline(lines, titles) && std::getline(lines, wide) && std::getline(lines, narrow);
  CHECK(width(wide) == width(narrow));
}

TEST_CASE("columns with nothing in them are left out") {
  Outline outline = tree();
  outline.lines = {{0, Tone::plain, {Cell(), Text("alone"), Cell()}}};
  CHECK(text_of(outline) == "what\nalone\n");
}

TEST_CASE("colour is only where it was asked for") {
  Outline outline = tree();
  outline.lines = {{0, Tone::error, {Text("a"), Text("failed"), int64_t{1}}},
                   {0, Tone::plain, {Text("b"), Text("plain"), int64_t{1}}}};
  CHECK(text_of(outline).find('\x1b') == std::string::npos);
  std::string coloured = text_of(outline, {true, 40});
  CHECK(coloured.find("\x1b[31m") != std::string::npos);
  CHECK(coloured.find("\x1b[0m\n") != std::string::npos);
}

TEST_CASE("nothing from the input acts on the terminal") {
  Outline outline = tree();
  Door door(Redaction::all, Door::Level::basic, 200);
  outline.head = {door.name("a \x1b]0;title\x07 file")};
  outline.lines = {{0, Tone::plain, {door.name("\r\n"), door.name("\x1b[2J\u202e"), Cell()}}};
  std::string text = text_of(outline, {true, 80});
  while (!text.empty()) {
    Decoded next = decode(text);
    if (text.starts_with("\x1b[0m") || text.starts_with("\x1b[2m"))
      next.length = 4;  // our own
    else if (next.character != '\n')
      CHECK_FALSE(acts_on_terminal(next.character));
    text.erase(0, next.length);
  }
}

TEST_CASE("numbers and times are told briefly") {
  auto shown = [](Cell value) {
    Outline outline;
    outline.columns = {{"", false, true}};
    outline.lines = {{0, Tone::plain, {value}}};
    std::string text = text_of(outline, {false, 80});
    text.pop_back();
    return text.substr(text.find_last_of('\n') + 1);
  };
  CHECK(shown(int64_t{0}) == "0");
  CHECK(shown(int64_t{999}) == "999");
  CHECK(shown(int64_t{1000}) == "1.0k");
  CHECK(shown(int64_t{12345}) == "12.3k");
  CHECK(shown(int64_t{999'499}) == "999k");
  CHECK(shown(int64_t{999'999}) == "1.0M");
  CHECK(shown(int64_t{1'400'000'000}) == "1.4G");
  CHECK(shown(Duration(12'600'000'000)) == "12.6s");
  CHECK(shown(Moment{Time(std::chrono::hours(21)), 3}) == "21:00:00");
}

TEST_CASE("of a place the end is kept, and it is narrowed before it goes") {
  Outline outline = tree();
  outline.columns[2] = {"at", true, false, 1, true};
  outline.lines = {{0,
                    Tone::plain,
                    {Text("10:00"), Text("words that go on and on and on for ever"),
                     Text("/a/folder/with/a/name/that/is/long/trace.json@12345")}}};
  CHECK(text_of(outline, {false, 80}) ==
        "when   what                                                                   at\n"
        "10:00  words that go on and on and on for ever  …e/that/is/long/trace.json@12345\n");
  CHECK(text_of(outline, {false, 61}) ==
        "when   what                                                at\n"
        "10:00  words that go on and on and…  …s/long/trace.json@12345\n");
  CHECK(text_of(outline, {false, 50}) ==
        "when   what\n"
        "10:00  words that go on and on and on for ever\n");
}

TEST_CASE("where nothing is cut every name stands whole") {
  std::string name(150, 'n'), place(120, 'p');
  Door door(Redaction::off, Door::Level::basic, 100);
  Outline outline = tree();
  outline.columns[2] = {"at", true, false, 1, true};
  outline.lines = {{0, Tone::plain, {Text("10:00"), door.composed(name), door.composed(place)}}};
  std::string text = text_of(outline, {false, 120, false});
  CHECK(text.find(name) != std::string::npos);
  CHECK(text.find(place) != std::string::npos);
}

TEST_CASE("moments that lie close together are told to the millisecond") {
  auto starts = [](std::chrono::milliseconds second, uint8_t decimals) {
    Outline outline = tree();
    Time first = Time(std::chrono::hours(10));
    outline.lines = {{0, Tone::plain, {Moment{first, decimals}, Text("a")}},
                     {0, Tone::plain, {Moment{first + second, decimals}, Text("b")}}};
    return text_of(outline);
  };
  CHECK(starts(std::chrono::milliseconds(7), 6) ==
        "when          what\n"
        "10:00:00.000  a\n"
        "10:00:00.007  b\n");
  CHECK(starts(std::chrono::minutes(1), 6) ==
        "when      what\n"
        "10:00:00  a\n"
        "10:01:00  b\n");
  CHECK(starts(std::chrono::milliseconds(7), 0) ==
        "when      what\n"
        "10:00:00  a\n"
        "10:00:00  b\n");
}

TEST_CASE("a title is shown as harmless as a cell, and prose may be a number") {
  Outline outline = tree();
  outline.columns[1].title = "\x1b[31mwhat";
  outline.lines = {{0, Tone::plain, {Text("10:00"), Text("words"), int64_t{5}}},
                   {1, Tone::plain, {Cell(), int64_t{7}}, true}};
  const std::string text = text_of(outline, {false, 60});
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\\x1b[31mwhat") != std::string::npos);
  CHECK(text.find("7\n") != std::string::npos);
}

TEST_CASE("what stands deeper than the eye follows says how deep, and is no further to the right") {
  constexpr uint32_t kDeep = 3000;
  Outline outline = tree();
  for (uint32_t depth = 0; depth < kDeep; ++depth)
    outline.lines.push_back({depth, Tone::plain, {Cell(), Text("words"), Cell()}});
  outline.lines.push_back({1, Tone::plain, {Cell(), Text("last"), Cell()}});
  Paper whole{false, 80};
  whole.cuts = false;
  const std::string text = text_of(outline, whole);
  CHECK(text.find("│  └─ words\n") != std::string::npos);
  CHECK(text.find(" └─ words\n") != std::string::npos);
  CHECK(text.find("… 100 ") == std::string::npos);
  CHECK(text.find("   … 101 └─ words\n") != std::string::npos);
  CHECK(text.find("   … 2999 └─ words\n") != std::string::npos);
  CHECK(text.ends_with("└─ last\n"));
  CHECK(text.size() < size_t{kDeep} * 400);
}

TEST_CASE("where there is no room titles are cut, and then columns go, but no number is") {
  Outline outline;
  outline.columns = {{"what", false, true},
                     {"tokens sent", true},
                     {"initial cost", true},
                     {"cost of sending it again", true}};
  outline.lines = {
      {0,
       Tone::plain,
       {Text("the name of a tool"), int64_t{12345}, Dollars{123'400'000}, Dollars{1'234'000'000}}}};
  for (size_t columns : {34, 40, 46, 60}) {
    const std::string text = text_of(outline, {false, columns});
    CHECK(text.find("$1.23") != std::string::npos);
    CHECK((text.find("$0.1234") != std::string::npos || text.find("$0.1") == std::string::npos));
  }
}

TEST_CASE("a wide column that has to go leaves room for a narrow one that went before it") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"took", true, false, 1}, {"id", false, false, 2}};
  outline.lines = {{0,
                    Tone::plain,
                    {Text("words of thirty letters, or so"), int64_t{7},
                     Text("an id that takes forty columns on a page")}}};
  CHECK(text_of(outline, {false, 50}) ==
        "what                            took\n"
        "words of thirty letters, or so     7\n");
}

TEST_CASE("what a column means stands below where it is shown, above its line of the foot") {
  Outline outline = tree();
  outline.columns[2].spare = 1;
  outline.lines = {
      {0, Tone::plain, {Text("10:00"), Text("words of some length, and a few more"), int64_t{5}}}};
  outline.foot = {"the end"};
  outline.legends = {{"when", "it began", 0}, {"out", "tokens received", 0}, {"what", "it did"}};
  CHECK(text_of(outline, {false, 80})
            .ends_with("\n\nwhen: it began; out: tokens received\nthe end\n"
                       "what: it did\n"));
  CHECK(text_of(outline, {false, 44}).ends_with("\n\nwhen: it began\nthe end\nwhat: it did\n"));
}

TEST_CASE("where there is no room, a column that says one thing all along goes first") {
  Outline outline = tree();
  outline.columns = {{"agent", false, false, 5}, {"what", false, true}, {"out", true, false, 1}};
  const Text words = "words that go on and on and on for a while yet";
  outline.lines = {{0, Tone::plain, {Text("main"), words, int64_t{5}}},
                   {0, Tone::plain, {Text("main"), words, int64_t{7}}}};
  CHECK(text_of(outline, {false, 52}).starts_with("what"));
  CHECK(text_of(outline, {false, 52}).find("out") != std::string::npos);
  outline.lines[1].cells[0] = Text("other");
  CHECK(text_of(outline, {false, 52}).starts_with("agent"));
  CHECK(text_of(outline, {false, 52}).find("out") == std::string::npos);
}

TEST_CASE("a pair of columns goes together") {
  Outline outline = tree();
  outline.columns = {{"what", false, true},
                     {"cost", true, false, 2},
                     {"~cost", true, false, 2, false, true},
                     {"again", true}};
  const Text words = "words that go on and on and on for a while yet";
  outline.lines = {{0, Tone::plain, {words, Text("$1"), Text("~$2"), Text("$3")}}};
  CHECK(text_of(outline, {false, 70}).find(" cost  ~cost  again") != std::string::npos);
  CHECK(text_of(outline, {false, 58}).find("cost") == std::string::npos);
}

TEST_CASE("of the words in the tree, those that may give way do before the others") {
  Outline outline = tree();
  const Text words = "turn 1 “the words of a user”  failed: aborted";
  outline.lines = {{0, Tone::error, {Text("10:00"), words, int64_t{5}}}};
  outline.lines[0].yields_from = std::string_view("turn 1 “").size();
  outline.lines[0].yields_to = std::string_view("turn 1 “the words of a user").size();
  CHECK(
      text_of(outline, {false, 52}).ends_with("  turn 1 “the words of …”  failed: aborted    5\n"));
  CHECK(text_of(outline, {false, 60})
            .ends_with("  turn 1 “the words of a user”  failed: aborted    5\n"));
}

TEST_CASE("words beside which nothing stands run on to the edge") {
  Outline outline = tree();
  outline.lines = {{0, Tone::plain, {Text("10:00"), Text("short"), Text("a figure, wide")}},
                   {1, Tone::quiet, {Cell(), Text("what a tool was given, in all its length")}}};
  CHECK(text_of(outline, {false, 50})
            .ends_with("       └─ what a tool was given, in all its length\n"));
}

TEST_CASE("lines that are left out leave words that say which were not") {
  Outline outline = tree();
  outline.choice = "the 1 largest, in order";
  outline.lines = {{0, Tone::plain, {Text("10:00"), Text("small"), int64_t{1}}},
                   {0, Tone::plain, {Text("10:01"), Text("large"), int64_t{9}}}};
  outline.lines[0].is_spare = true;
  CHECK(text_of(outline).ends_with(
      "the 1 largest, in order; 1 row not\n  shown; --top 0 shows all\n"));
}

TEST_CASE("the most expensive lines have a colour for their cost, sums do not") {
  Outline outline;
  outline.columns = {{"what", false, true}, {"cost", Role::cost}};
  outline.lines = {{0, Tone::plain, {Text("session"), Dollars{2'000'000'000}}}};
  for (int64_t cents : {100, 30, 25, 25, 20})
    outline.lines.push_back({1, Tone::plain, {Text("call"), Dollars{cents * 10'000'000}}});
  const std::string plain = text_of(outline);
  CHECK(plain.find('\x1b') == std::string::npos);
  const std::string coloured = text_of(outline, {true, 40});
  CHECK(coloured.find("\x1b[1;33m$1") != std::string::npos);
  CHECK(coloured.find("\x1b[33m$0.30") != std::string::npos);
  CHECK(coloured.find("m$2") == std::string::npos);
}
