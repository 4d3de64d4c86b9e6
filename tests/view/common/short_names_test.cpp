#include "view/common/short_names.h"

#include <catch2/catch.hpp>

#include "base/text.h"

using namespace xtrace;

using Words = std::vector<std::string>;

namespace {

Words shortened(std::vector<std::string_view> names) {
  return short_names(names);
}

}  // namespace

TEST_CASE("of a path the end is shown, of other names the start") {
  CHECK(shortened({"file:/home/ada/src/entire/cmd/cli/setup_test.go", "file:go.mod", "claude"}) ==
        Words{"…/cli/setup_test.go", "file:go.mod", "claude"});
  CHECK(shortened({"tool:a name that goes on and on and on for ever"}) ==
        Words{"tool:a name that goes on and on and on …"});
}

TEST_CASE("two paths with the same end are told apart by what is before it") {
  CHECK(shortened({"/src/one/cli/hooks.go", "/src/two/cli/hooks.go", "/src/two/cli/main.go"}) ==
        Words{"…/one/cli/hooks.go", "…/two/cli/hooks.go", "…/cli/main.go"});
  CHECK(shortened({"cli/hooks.go", "/src/cli/hooks.go"}) ==
        Words{"cli/hooks.go", "…/cli/hooks.go"});
}

TEST_CASE("what tells two paths apart stays where the way between does not fit") {
  Words names = shortened({"/src/a-worktree/cmd/entire/cli/strategies/hooks_claudecode_handlers.go",
                           "/src/another/cmd/entire/cli/strategies/hooks_claudecode_handlers.go"});
  CHECK(names ==
        Words{"…/a-worktree/…ks_claudecode_handlers.go", "…/another/…ks_claudecode_handlers.go"});
  for (const std::string& name : names) CHECK(width(name) <= 40);
}

TEST_CASE("long names that differ at the end alone show the end") {
  CHECK(shortened({"tool:a-server-with-a-very-long-name__read_page",
                   "tool:a-server-with-a-very-long-name__read_text"}) ==
        Words{"…server-with-a-very-long-name__read_page",
              "…server-with-a-very-long-name__read_text"});
}

TEST_CASE("the same name twice has the same label") {
  CHECK(shortened({"/a/b/c", "/a/b/c"}) == Words{"…/b/c", "…/b/c"});
}

TEST_CASE("files of one name bear the folder in which they differ, and others their names alone") {
  const std::vector<std::string_view> paths = {"/a/s1/events.jsonl", "/a/s2/events.jsonl",
                                               "/a/s1/x/log.json",   "/a/s2/x/log.json",
                                               "main.jsonl",         "/a/s2/events.jsonl"};
  CHECK(short_files(paths) == Words{"s1/events.jsonl", "s2/events.jsonl", "s1/…/log.json",
                                    "s2/…/log.json", "main.jsonl", "s2/events.jsonl"});
}
