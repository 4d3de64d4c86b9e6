#include "base/shell_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

using Texts = std::vector<std::string>;

namespace {

/// The commands of a line, each as its words with `|` between them.
Texts commands_of(std::string_view line) {
  Texts commands;
  for_each_command(line, [&](const ShellCommand& command) {
    std::string words;
    for (const ShellWord& word : command.words) words += (words.empty() ? "" : "|") + word.text;
    commands.push_back(words);
  });
  return commands;
}

/// The texts that a line gives to `take`, each after its folder; they end with `END`.
Texts texts_of(std::string_view line) {
  static constexpr std::string_view kPrograms[] = {"take"};
  Texts texts;
  for_each_text(line, kPrograms, [&](std::string_view text, std::string_view folder) -> size_t {
    const size_t end = text.find("END");
    if (!text.starts_with("BEGIN") || end == text.npos) return 0;
    texts.push_back(std::string(folder) + ":" + std::string(text.substr(0, end + 3)));
    return end + 3;
  });
  return texts;
}

}  // namespace

TEST_CASE("a line is divided into commands at operators that are not quoted") {
  CHECK(commands_of("cd a && ls -l; make || echo no\npwd & wc | head") ==
        Texts{"cd|a", "ls|-l", "make", "echo|no", "pwd", "wc", "head"});
  CHECK(commands_of("echo 'a; b' \"c | d\" e\\;f") == Texts{"echo|a; b|c | d|e;f"});
  CHECK(commands_of("make 2>&1 | tee log &> all") == Texts{"make|2>&1", "tee|log|&>|all"});
  CHECK(commands_of("(cd a; ls)") == Texts{"cd|a", "ls"});
  CHECK(commands_of("make \\\n  check") == Texts{"make|check"});
  CHECK(commands_of("  \n ;").empty());
}

TEST_CASE("words before the name of a command are skipped") {
  for (const char* line :
       {"sudo make", "LC_ALL=C make", "timeout -k 5 60s make", "env A=b make", "if ! make",
        "time nice -n 10 make", "while make", "nohup make &", "CC=gcc", "make"})
    CHECK(commands_of(line) == (line == std::string("CC=gcc") ? Texts{} : Texts{"make"}));
}

TEST_CASE("a script that a shell is given is divided as well") {
  CHECK(commands_of("bash -lc 'cd a && ls'") == Texts{"cd|a", "ls"});
  CHECK(commands_of("sudo sh -e -c \"make 'x y'\"; pwd") == Texts{"make|x y", "pwd"});
  CHECK(commands_of("bash -lc ls -l") == Texts{"ls|-l"});
  CHECK(commands_of("bash <<'EOF'\nmake\nEOF\npwd") == Texts{"bash", "make", "EOF", "pwd"});
  CHECK(commands_of("bash run.sh -x") == Texts{"bash|run.sh|-x"});
}

TEST_CASE("comments, here-documents and values are no commands") {
  CHECK(commands_of("# don't rm a\nls # all") == Texts{"ls"});
  CHECK(commands_of("cat > a <<'EOF'\nrm b\nEOF\nls") == Texts{"cat|>|a", "ls"});
  CHECK(commands_of("cat <<-E\n\trm b\n\tE\nls") == Texts{"cat", "ls"});
  CHECK(commands_of("echo $(date) \"$(ls)\"") == Texts{"echo|$()|$()"});
  CHECK(commands_of("all=(a b)\nls") == Texts{"ls"});
}

TEST_CASE("a command states the operator behind it") {
  std::string all;
  for_each_command("a && b | c || d; e\nf & g 2>&1", [&](const ShellCommand& command) {
    all += command.words[0].text + "(" + std::string(command.next) + ")";
  });
  CHECK(all == "a(&&)b(|)c(||)d(;)e(;)f(&)g()");
}

TEST_CASE("a quote without an end is none") {
  CHECK(commands_of("echo it's; ls") == Texts{"echo|its", "ls"});
}

TEST_CASE("quoted characters are neither options nor patterns, and commands keep their quotes") {
  ShellCommand sed;
  std::string written;
  for_each_command("ls; sed '-i' \"s/a*/b/\" *.c | cat", [&](const ShellCommand& command) {
    if (command.words[0].text != "sed") return;
    sed = command;
    written = command.written;
  });
  REQUIRE(sed.words.size() == 4);
  CHECK(sed.words[1].bare == "__");
  CHECK(sed.words[2].bare == "_______");
  CHECK(sed.words[3].bare == "*.c");
  CHECK(written == "sed '-i' \"s/a*/b/\" *.c");
}

TEST_CASE("a program is given texts as words and as here-documents, in the folder of its command") {
  CHECK(texts_of("take 'BEGIN a END'") == Texts{":BEGIN a END"});
  CHECK(texts_of("take 'BEGIN it's END' && cd a && take BEGIN b;c END") ==
        Texts{":BEGIN it's END", "a:BEGIN b;c END"});
  CHECK(texts_of("cd a; cat <<E | take && cd b\nBEGIN END\nE") == Texts{"a:BEGIN END"});
  CHECK(texts_of("(cd a && take <<E\nBEGIN END\nE\n)\ntake 'BEGIN END'") ==
        Texts{"a:BEGIN END", ":BEGIN END"});
  CHECK(texts_of("bash -c 'cd a; /bin/take <<E\nBEGIN END\nE\n'") == Texts{"a:BEGIN END"});
  CHECK(texts_of("take <<< 'BEGIN END'") == Texts{":BEGIN END"});
  CHECK(texts_of("echo take 'BEGIN END'; cat <<E\nBEGIN END\nE").empty());
}

TEST_CASE("a word is in quotes for a shell where it needs them") {
  CHECK(shell_word("/home/a/.cache/xtrace") == "/home/a/.cache/xtrace");
  CHECK(shell_word("my logs") == "'my logs'");
  CHECK(shell_word("it's") == R"('it'\''s')");
  CHECK(shell_word("$(rm -r x)") == "'$(rm -r x)'");
  CHECK(shell_word("") == "''");
}
