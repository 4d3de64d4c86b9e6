#include "input/calls/patch.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

using Files = std::vector<std::string>;

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

TEST_CASE("each file of a great many is told once") {
  std::string patch = "*** Begin Patch\n";
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 20000; ++i) patch += "*** Update File: " + std::to_string(i) + "\n";
  const Files files = patched_files(patch);
  REQUIRE(files.size() == 20000);
  CHECK(files.front() == "0");
  CHECK(files.back() == "19999");
}
