#include "input/calls/patch.h"

#include <catch2/catch.hpp>
#include <string>

#include "input/calls/patch_command.h"

using namespace xtrace;

using Files = std::vector<std::string>;

namespace {

std::string here_patch(std::string_view file) {
  return " <<'EOF'\n*** Begin Patch\n*** Update File: " + std::string(file) +
         "\n@@\n-x\n+y\n*** End Patch\nEOF";
}

}  // namespace

TEST_CASE("a patch is about each file that it adds, changes, deletes or moves, in order and once") {
  CHECK(patched_files("*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: src/b.py\n"
                      "*** Move to: src/c.py\n@@\n-x\n+y\n*** Delete File: d.py\n"
                      "*** Update File: a.py\n@@\n-x\n+y\n*** End Patch") ==
        Files{"a.py", "src/b.py", "src/c.py", "d.py"});
  CHECK(patched_files("\n*** Begin Patch\r\n*** Update File: a.py \r\n@@\r\n*** End Patch\r\n") ==
        Files{"a.py"});
}

TEST_CASE("what a patch puts into a file names no file, nor does what is no patch") {
  CHECK(patched_files("*** Begin Patch\n*** Add File: a.md\n+*** Add File: b.md\n"
                      "*** End Patch\n*** Add File: c.md") == Files{"a.md"});
  CHECK(patched_files("see:\n*** Begin Patch\n*** Add File: a.md\n*** End Patch").empty());
  CHECK(patched_files("").empty());
}

TEST_CASE("a patch may stand in a fence or behind the mark of a here-document") {
  const std::string patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** End Patch\n";
  CHECK(patched_files("```\n" + patch + "```") == Files{"a.py"});
  CHECK(patched_files("```diff\n\n" + patch + "```") == Files{"a.py"});
  CHECK(patched_files("<<'EOF'\n" + patch + "EOF\n") == Files{"a.py"});
  CHECK(patched_files("<<'EOF'\r\n" + patch) == Files{"a.py"});
  CHECK(patched_files("<<'EOF'\nsee:\n" + patch).empty());
}

TEST_CASE("a command tells the files of the patches that it gives to apply_patch") {
  const std::string patch =
      "*** Begin Patch\n*** Update File: a.py\n@@\n*** Delete File: b.py\n*** End Patch\n";
  const Files both = {"a.py", "b.py"};
  CHECK(files_patched_by("apply_patch <<'EOF'\n" + patch + "EOF") == both);
  CHECK(files_patched_by("bash -lc apply_patch << \"EOF\"\n" + patch + "EOF\nmake") == both);
  CHECK(files_patched_by("cat <<'EOF' | apply_patch\n" + patch + "EOF") == both);
  CHECK(files_patched_by("apply_patch " + patch) == both);
  CHECK(files_patched_by("apply_patch '" + patch + "'") == both);
  CHECK(files_patched_by("apply_patch <<'E'\n" + patch + "E\napply_patch <<'E'\n" +
                         "*** Begin Patch\n*** Add File: c.py\n*** End Patch\nE") ==
        Files{"a.py", "b.py", "c.py"});
}

TEST_CASE("a patch that a command only writes down changes nothing") {
  const std::string patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** End Patch\n";
  CHECK(files_patched_by("cat > my.patch <<'EOF'\n" + patch + "EOF").empty());
  CHECK(files_patched_by("echo apply_patch\n" + patch).empty());
  CHECK(files_patched_by("grep -n '*** Begin Patch' log").empty());
}

TEST_CASE("files of a patch lie in the folder that the command changes into for it") {
  const std::string patch =
      " <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: /b.py\n*** End Patch\n";
  CHECK(files_patched_by("cd web && apply_patch" + patch) == Files{"web/a.py", "/b.py"});
  CHECK(files_patched_by("cd 'my web/' ; apply_patch" + patch) == Files{"my web/a.py", "/b.py"});
  CHECK(files_patched_by("bash -lc cd /web && apply_patch" + patch) == Files{"/web/a.py", "/b.py"});
  CHECK(files_patched_by("cd . && apply_patch" + patch) == Files{"a.py", "/b.py"});
  CHECK(files_patched_by("make && apply_patch" + patch) == Files{"a.py", "/b.py"});
}

TEST_CASE("a patch that is quoted or written down for others is none of the command's") {
  const std::string word = " '*** Begin Patch\n*** Update File: a.py\n@@\n*** End Patch'";
  for (const std::string& command :
       {"cat > docs/apply_patch.md" + here_patch("a.py"),
        "cat > /tmp/apply_patch_input.txt" + here_patch("a.py"),
        "echo 'no apply_patch here'; cat > x.patch" + here_patch("a.py"),
        "apply_patch --help; cat > x.patch" + here_patch("a.py"),
        "python3 - apply_patch.txt" + here_patch("a.py"),
        "git commit -m \"Document apply_patch\" -F -" + here_patch("a.py"),
        "git commit -m \"Tell how to call apply_patch" + word + "\"",
        "git commit -m \"Tell more; apply_patch" + word + "\"", "echo apply_patch" + word,
        "cat > how.md <<'END'\nCall it so:\napply_patch" + here_patch("a.py") + "\nEND",
        "# apply_patch" + here_patch("a.py"), "not_apply_patch" + here_patch("a.py")}) {
    CAPTURE(command);
    CHECK(files_patched_by(command).empty());
  }
}

TEST_CASE("apply_patch is run by either name, by its path and behind other commands") {
  const std::string word = "'*** Begin Patch\n*** Update File: a.py\n@@\n*** End Patch'";
  for (const std::string& command :
       {"applypatch" + here_patch("a.py"),
        "/usr/bin/apply_patch" + here_patch("a.py"),
        "make; apply_patch" + here_patch("a.py"),
        "make || apply_patch" + here_patch("a.py"),
        "set -e\napply_patch" + here_patch("a.py"),
        "(apply_patch" + here_patch("a.py") + "\n)",
        "if ! apply_patch" + here_patch("a.py") + "\nthen exit 1; fi",
        "LC_ALL=C apply_patch" + here_patch("a.py"),
        "# it's\napply_patch" + here_patch("a.py"),
        "echo it\\'s; apply_patch" + here_patch("a.py"),
        "make 2>&1; apply_patch" + here_patch("a.py"),
        "echo $((1 << 3)); apply_patch" + here_patch("a.py"),
        "bash -lc \"apply_patch" + here_patch("a.py") + "\"",
        "bash -c 'apply_patch" + here_patch("a.py") + "'",
        "bash -e -c \"apply_patch" + here_patch("a.py") + "\"",
        "timeout -k 5 60s bash -lc \"apply_patch" + here_patch("a.py") + "\"",
        "cat > x.patch" + here_patch("a.py").insert(8, " && apply_patch < x.patch"),
        "bash -lc 'make' && apply_patch" + here_patch("a.py"),
        "bash <<'END'\napply_patch" + here_patch("a.py") + "\nEND",
        "tee x.patch <<'EOF' | apply_patch" + here_patch("a.py").substr(8),
        "apply_patch" + here_patch("a.py") + " && make",
        "apply_patch \"$(cat" + here_patch("a.py") + "\n)\"",
        "apply_patch <<<" + word,
        "apply_patch $" + word,
        "apply_patch '\n" + word.substr(1)}) {
    CAPTURE(command);
    CHECK(files_patched_by(command) == Files{"a.py"});
  }
}

TEST_CASE("blank lines and line ends of Windows may stand before a patch") {
  CHECK(files_patched_by("apply_patch <<'EOF'\n\n \n*** Begin Patch\n*** Add File: a.py\n"
                         "*** End Patch\nEOF") == Files{"a.py"});
  CHECK(files_patched_by("apply_patch <<'EOF' \r\n*** Begin Patch\r\n*** Add File: a.py\r\n"
                         "*** End Patch\r\nEOF\r\ncd web\r\napply_patch <<'EOF'\r\n"
                         "*** Begin Patch\r\n*** Add File: b.py\r\n*** End Patch\r\nEOF\r\n") ==
        Files{"a.py", "web/b.py"});
}

TEST_CASE("a folder that a command changes into is that of all patches behind it") {
  CHECK(files_patched_by("cd web && cat <<'EOF' | apply_patch" + here_patch("a.py").substr(8)) ==
        Files{"web/a.py"});
  CHECK(files_patched_by("cd web\napply_patch" + here_patch("a.py")) == Files{"web/a.py"});
  CHECK(files_patched_by("cd ./web/ && apply_patch" + here_patch("a.py")) == Files{"web/a.py"});
  CHECK(files_patched_by("cd web && /bin/apply_patch" + here_patch("a.py")) == Files{"web/a.py"});
  CHECK(files_patched_by("cd web && git pull && cd src; apply_patch" + here_patch("a.py")) ==
        Files{"web/src/a.py"});
  CHECK(files_patched_by("cd web && apply_patch" + here_patch("a.py") + "\napply_patch" +
                         here_patch("../b.py") + "\ncd .. && apply_patch" + here_patch("c.py")) ==
        Files{"web/a.py", "b.py", "c.py"});
  CHECK(files_patched_by("cd web && apply_patch \"$(cat" + here_patch("a.py") +
                         "\n)\" && apply_patch \"$(cat" + here_patch("b.py") + "\n)\"") ==
        Files{"web/a.py", "web/b.py"});
  CHECK(files_patched_by("cd /srv && cd web && apply_patch" + here_patch("a.py")) ==
        Files{"/srv/web/a.py"});
}

TEST_CASE("the folder that a command is in is told without detours") {
  auto told = [](std::string_view folders) {
    return files_patched_by(std::string(folders) + " && apply_patch" + here_patch("a.py")).at(0);
  };
  CHECK(told("cd .") == "a.py");
  CHECK(told("cd web && cd ..") == "a.py");
  CHECK(told("cd web/src/../test//") == "web/test/a.py");
  CHECK(told("cd ..") == "../a.py");
  CHECK(told("cd ../.. && cd web") == "../../web/a.py");
  CHECK(told("cd / && cd .. && cd srv") == "/srv/a.py");
  CHECK(told("cd /srv && cd ..") == "/a.py");
  CHECK(told("cd web && cd /srv && cd -") == "web/a.py");
  CHECK(told("cd -- 'my web'") == "my web/a.py");
  CHECK(told("cd web && cd") == "a.py");
}

TEST_CASE("a folder is left at the end of the parentheses in which it was changed into") {
  CHECK(files_patched_by("(cd web && apply_patch" + here_patch("a.py") + "\n)\napply_patch" +
                         here_patch("b.py")) == Files{"web/a.py", "b.py"});
}

TEST_CASE("what a script or a patch says itself changes no folder") {
  CHECK(files_patched_by("cat > run.sh <<'END'\ncd web\nEND\napply_patch" + here_patch("a.py")) ==
        Files{"a.py"});
  CHECK(files_patched_by("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: run.sh\n@@\n"
                         " cd web\n+make\n*** End Patch\nEOF\napply_patch" +
                         here_patch("a.py")) == Files{"run.sh", "a.py"});
  CHECK(files_patched_by("echo 'x\ncd web\n' && apply_patch" + here_patch("a.py")) ==
        Files{"a.py"});
  CHECK(files_patched_by("cd \"$(git rev-parse --show-toplevel)\" && apply_patch" +
                         here_patch("a.py")) == Files{"a.py"});
}

TEST_CASE("a name that begins at a drive, a server or one's home lies in no other folder") {
  for (std::string_view name : {"C:\\code\\a.py", "c:/code/a.py", "\\\\srv\\a", "~/b.py", "/b.py"})
    CHECK(files_patched_by("cd web && apply_patch" + here_patch(name)) == Files{std::string(name)});
  CHECK(files_patched_by("cd web && cd ~/code && apply_patch" + here_patch("a.py")) ==
        Files{"~/code/a.py"});
}

TEST_CASE("a command goes on behind the end of a patch that is one of its words") {
  CHECK(
      files_patched_by("apply_patch '*** Begin Patch\n*** Add File: a.py\n*** End Patch' && cd web "
                       "&& apply_patch" +
                       here_patch("b.py")) == Files{"a.py", "web/b.py"});
}

TEST_CASE("each file of a great many is told once") {
  std::string patch = "*** Begin Patch\n";
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 20000; ++i) patch += "*** Update File: " + std::to_string(i) + "\n";
  const Files files = patched_files(patch);
  REQUIRE(files.size() == 20000);
  CHECK(files.front() == "0");
  CHECK(files.back() == "19999");
}
