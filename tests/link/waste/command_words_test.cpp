#include "link/waste/command_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a command changes something unless it is known to look at things alone") {
  for (const char* looks :
       {"ls -la", "cat a.txt | head -5", "git status", "git -C /src log --oneline", "cd src && ls",
        "grep -rn 'a > b' src 2>/dev/null", "sed -n 1,20p a.c", "find . -name '*.c'",
        "rg foo | sort | uniq -c", "LANG=C sort a", "ls; pwd; echo done", "wc -l a 2>&1"})
    CHECK_FALSE(classify_command(looks).changes);
  for (const char* changes :
       {"make", "sed -i s/a/b/ a.c", "find . -delete", "echo a > b", "git checkout a", "ls; rm a",
        "cat $(make)", "python3 x.py", "cat a | tee b", "", "git -C /src commit -m 'git status'"})
    CHECK(classify_command(changes).changes);
}

TEST_CASE("programs that look at things change them where an option or a script says so") {
  for (const char* looks :
       {"sed -nE 's/how to/a/p' a.c", "sed -n 1,20p new.c", "awk '$3 > 10 {print $1}' a",
        "sort -u a", "git diff --stat", "find . -name '*.o' -print", "tree -L 2", "xxd a",
        "uniq -c", "date +%s", "hostname", "awk -F: '{ print $1 }' /etc/passwd | sort"})
    CHECK_FALSE(classify_command(looks).changes);
  for (const char* changes : {"sed -Ei s/a/b/ a.c",
                              "sed -ri.bak s/a/b/ a.c",
                              "sed --in-place s/a/b/ a.c",
                              "sed -n 's/a/b/w out.txt' a.c",
                              "sed -n '/a/w out.txt' a.c",
                              "sed 's/\\//_/gw out' a.c",
                              "awk -i inplace '{print}' a",
                              "awk '{ print $1 > \"out\" }' a",
                              "awk '{ system(\"rm \" $1) }' a",
                              "sort -uo a a",
                              "sort --output=a a",
                              "find . -fprint out",
                              "git log --output=x",
                              "git diff --output x",
                              "tree -o out",
                              "xxd -r hex bin",
                              "uniq a b",
                              "date -s 10:00",
                              "hostname other",
                              "file -C -m x"})
    CHECK(classify_command(changes).changes);
}

TEST_CASE("a command rewrites files that it does not name where it brings others or formats all") {
  for (const char* rewrites :
       {"git checkout main", "git -C /src stash pop", "cd src && git pull --rebase",
        "git apply a.diff", "patch -p1 < a.diff", "make format", "npm run lint:fix",
        "npx prettier --write .", "black .", "cargo fmt", "ruff check --fix",
        "grep -rl foo | xargs sed -i s/foo/bar/", "sed -i s/a/b/ src/*.py", "go generate ./...",
        "pre-commit run --all-files"})
    CHECK(classify_command(rewrites).rewrites);
  for (const char* leaves : {"git status",
                             "git log --grep checkout",
                             "git commit -m 'git checkout main'",
                             "make",
                             "make test",
                             "npm run build",
                             "black --check .",
                             "cargo fmt --check",
                             "sed -i s/a/b/ a.py",
                             "ls",
                             "",
                             "pytest -q",
                             "echo git checkout",
                             "git stash list",
                             "git submodule status",
                             "mix format --check-formatted",
                             "terraform fmt -check",
                             "npm run prettier:check",
                             "dotnet format --verify-no-changes",
                             "go test ./... -run fix"})
    CHECK_FALSE(classify_command(leaves).rewrites);
}

TEST_CASE("a command polls where it waits, or asks how something goes") {
  CHECK(classify_command("sleep 5 && cat log").polls);
  CHECK(classify_command("gh run view 5").polls);
  CHECK(classify_command("ps aux | grep make").polls);
  CHECK_FALSE(classify_command("echo 'sleep 5'").polls);
  CHECK_FALSE(classify_command("make check").polls);
}

TEST_CASE("a command that tests or builds does the same each time") {
  for (const char* checks :
       {"make check", "cd src && pytest -q 2>&1 | tail -5", "npx tsc --noEmit", "npm run test:unit",
        "python3 -m pytest -x", "timeout 60 cargo test --all", "go vet ./...", "uv run ruff check",
        "cmake --build build", "./gradlew test", "ls -la"})
    CHECK(classify_command(checks).checks);
  for (const char* acts :
       {"make install", "alembic downgrade -1", "./next_batch.sh", "npm publish", "eslint --fix .",
        "pytest -q > log", "pytest && git commit -am x", "cmake -B build", "python3 x.py", ""})
    CHECK_FALSE(classify_command(acts).checks);
}

TEST_CASE("a command that sleeps waits, one that asks how it goes does not") {
  CHECK(classify_command("sleep 60").waits);
  CHECK(classify_command("while true; do sleep 5; done").waits);
  CHECK_FALSE(classify_command("gh run view 5").waits);
}

TEST_CASE("a command stands in the arguments as a text or as words") {
  CHECK(command_in(R"({"command":"echo \"a\"\nls","timeout":5})") == "echo \"a\"\nls");
  CHECK(command_in(R"({"command": ["bash", "-lc", "ls -l"]})") == "ls -l");
  CHECK(command_in(R"({"cmd":["ls","-l"]})") == "ls -l");
  CHECK(command_in(R"({"file_path":"a"})") == "");
}

namespace {

/// `tests|builds`: the acts of a line of commands.
std::string acts_in(std::string_view line) {
  constexpr const char* kWords[kCommandActs] = {"tests",   "builds", "types",  "lints",
                                                "commits", "pushes", "request"};
  std::string words;
  for (const CommandPart& part : parts_of_command(line))
    for (size_t i = 0; i < kCommandActs; ++i)
      if (part.acts[i]) words += (words.empty() ? "" : "|") + std::string(kWords[i]);
  return words;
}

}  // namespace

TEST_CASE("the acts of commands are known by programs, tasks and names of scripts") {
  for (const char* tests :
       {"pytest -q", "python -m pytest", "python3 manage.py test", "npm test", "npm run test:unit",
        "pnpm exec vitest", "mise run test", "deno task test", "go test ./...", "make check",
        "./run_tests.sh", "bash scripts/test.sh", "python tests/test_cart.py", "node --test",
        "cd a && bundle exec rspec", "uv run pytest", "flutter test", "ctest --test-dir build"}) {
    INFO(tests);
    CHECK(acts_in(tests) == "tests");
  }
  CHECK(acts_in("npm run build && npm run lint") == "builds|lints");
  CHECK(acts_in("cmake --build build") == "builds");
  CHECK(acts_in("npx tsc --noEmit") == "types");
  CHECK(acts_in("tsc") == "builds|types");
  CHECK(acts_in("eslint --fix .") == "lints");
  CHECK(acts_in("git commit -m 'make test' && git push") == "commits|pushes");
  CHECK(acts_in("git -C a commit -m x") == "commits");
  CHECK(acts_in("gh pr create --fill") == "request");
  for (const char* none :
       {"cat test.sh", "git log --grep test", "ls tests", "docker run test", "echo npm test",
        "git status", "make clean", "gh pr view", "python app.py", "test -f a"}) {
    INFO(none);
    CHECK(acts_in(none) == "");
  }
}

TEST_CASE("a command decides the exit code of its line where nothing hides it") {
  const auto decides = [](std::string_view line) {
    for (const CommandPart& part : parts_of_command(line))
      if (part.acts.any()) return part.decides_exit;
    return false;
  };
  for (const char* yes : {"npm test", "cd a && npm test", "npm test && echo ok", "a; npm test",
                          "set -o pipefail; npm test | tail", "set -e; npm test; echo ok",
                          "npm test\n", "npm test > log 2>&1"}) {
    INFO(yes);
    CHECK(decides(yes));
  }
  for (const char* no : {"npm test | tail", "npm test || true", "npm test; echo $?", "npm test &",
                         "npm test && a | b; c"}) {
    INFO(no);
    CHECK_FALSE(decides(no));
  }
}

TEST_CASE("commands edit the source where they write to it, and not a log or documentation") {
  const auto edits = [](std::string_view line) {
    for (const CommandPart& part : parts_of_command(line))
      if (part.edits) return true;
    return false;
  };
  for (const char* yes : {"sed -i s/a/b/ a.c", "cat > src/a.c <<'E'\nx\nE", "git checkout main",
                          "git apply a.diff", "prettier --write ."}) {
    INFO(yes);
    CHECK(edits(yes));
  }
  for (const char* no :
       {"npm test > out.log", "npm test 2>&1", "echo a > /tmp/x.c", "echo a > NOTES.md",
        "git checkout -b topic", "git commit -am x", "cat a.c", "make"}) {
    INFO(no);
    CHECK_FALSE(edits(no));
  }
}

TEST_CASE("text_argument() reads one text of the arguments") {
  CHECK(text_argument(R"({"result": "a \"b\"\nc"})", "result") == "a \"b\"\nc");
  CHECK(text_argument(R"({"result": 5})", "result") == "");
  CHECK(text_argument("", "result") == "");
}

TEST_CASE("a usual program of a command is known by name, and no other is") {
  CHECK(find_known_program("grep -rn kettle src") == "grep");
  CHECK(find_known_program("cd /srv/shop && npm run build") == "npm");
  CHECK(find_known_program("echo start; /usr/bin/git status") == "git");
  CHECK(find_known_program("./deploy-harwick.sh").empty());
  CHECK(find_known_program("harwick-tool | grep x").empty());
  CHECK(find_known_program("").empty());
}
