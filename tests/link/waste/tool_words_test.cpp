#include "link/waste/tool_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a command changes something unless it is known to look at things alone") {
  for (const char* looks :
       {"ls -la", "cat a.txt | head -5", "git status", "git -C /src log --oneline", "cd src && ls",
        "grep -rn 'a > b' src 2>/dev/null", "sed -n 1,20p a.c", "find . -name '*.c'",
        "rg foo | sort | uniq -c", "LANG=C sort a", "ls; pwd; echo done", "wc -l a 2>&1"})
    CHECK_FALSE(command_changes(looks));
  for (const char* changes :
       {"make", "sed -i s/a/b/ a.c", "find . -delete", "echo a > b", "git checkout a", "ls; rm a",
        "cat $(make)", "python3 x.py", "cat a | tee b", "", "git -C /src commit -m 'git status'"})
    CHECK(command_changes(changes));
}

TEST_CASE("a command polls where it waits, or asks how something goes") {
  CHECK(command_polls("sleep 5 && cat log"));
  CHECK(command_polls("gh run view 5"));
  CHECK(command_polls("ps aux | grep make"));
  CHECK_FALSE(command_polls("echo 'sleep 5'"));
  CHECK_FALSE(command_polls("make check"));
}

TEST_CASE("a command stands in the arguments as a text or as words") {
  CHECK(command_in(R"({"command":"echo \"a\"\nls","timeout":5})") == "echo \"a\"\nls");
  CHECK(command_in(R"({"command": ["bash", "-lc", "ls -l"]})") == "ls -l");
  CHECK(command_in(R"({"cmd":["ls","-l"]})") == "ls -l");
  CHECK(command_in(R"({"file_path":"a"})") == "");
}

TEST_CASE("names of tools tell whether they change something") {
  CHECK(changes_by_name("Edit"));
  CHECK(changes_by_name("mcp__shop__order"));
  CHECK_FALSE(changes_by_name("Read"));
  CHECK_FALSE(changes_by_name("mcp__shop__list_orders"));
  CHECK_FALSE(edits_by_name("TodoWrite"));
  CHECK(edits_by_name("write_file"));
  CHECK(reads_files_by_name("read_file"));
  CHECK(polls_by_name("BashOutput"));
}
