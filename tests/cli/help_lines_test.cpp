#include "cli/help_lines.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "view/common/view.h"

using namespace xtrace;

TEST_CASE("examples that fit stay as they were written") {
  const std::string text = "Examples:\n  xtrace list    all of them\n\nUsage: xtrace list\n";
  CHECK(fitted(text, 80) == text);
}

TEST_CASE("of examples that are too wide, what each is for goes below it") {
  CHECK(fitted("  xtrace dag logs/ --view explanation  what went wrong\n"
               "  xtrace dag -                         a pipe\n",
               40) ==
        "  xtrace dag logs/ --view explanation\n      what went wrong\n"
        "  xtrace dag -\n      a pipe\n");
}

TEST_CASE("what is said of options wraps beside them, and paragraphs wrap") {
  CHECK(fitted("Prints what there is, all of it.\n\n  --key FILE   bytes that nobody reads\n"
               "               but you\n  -q           say nothing\n",
               25) ==
        "Prints what there is, all\nof it.\n\n"
        "  --key FILE  bytes that\n              nobody\n              reads but\n"
        "              you\n  -q          say nothing\n");
}

TEST_CASE("an option without a short form keeps its own line") {
  CHECK(fitted("  -f, --format NAME  text or json\n      --json         the same as -f json\n"
               "                     and shorter\n",
               36) ==
        "  -f, --format NAME  text or json\n"
        "      --json         the same as -f\n                     json and\n"
        "                     shorter\n");
}

TEST_CASE("the examples of every command fit on 80 columns") {
  for (const ViewEntry& entry : views()) {
    std::string_view text = entry.examples;
    const std::string shown = fitted(text, 80);
    for (std::string_view rest = shown; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() + 1);
      INFO(line);
      CHECK(width(line) <= 80);
    }
  }
}

TEST_CASE("the help of all names every command once, in one of its groups") {
  const std::string help = help_for_all();
  for (std::string_view name : command_names()) {
    const std::string line = fmt::format("\n  {:<12}", name);
    CAPTURE(name);
    CHECK(help.find(line) != std::string::npos);
    CHECK(help.find(line) == help.rfind(line));
  }
}
