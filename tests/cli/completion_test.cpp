#include <catch2/catch.hpp>
#include <cstdio>
#include <sstream>

#include "cli/command.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// What bash offers behind these words, the last of which is being typed.
std::string offers(const std::string& words) {
  Folder folder;
  std::string script = folder.write("xtrace.bash", completion("bash").value());
  std::string command =
      "bash -c 'source " + script + "; COMP_WORDS=(xtrace " + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _xtrace; echo \"${COMPREPLY[*]}\"'";
  FILE* bash = popen(command.c_str(), "r");
  REQUIRE(bash != nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(bash)) != EOF;) text += static_cast<char>(c);
  CHECK(pclose(bash) == 0);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// A line of the script, by what is in it.
std::string line_with(const char* shell, std::string_view part) {
  std::istringstream script(completion(shell).value());
  for (std::string line; std::getline(script, line);)
    if (line.find(part) != std::string::npos) return line;
  return "none";
}

/// The views that answer, which have a schema.
std::string answers() {
  std::string names;
  for (const ViewEntry& entry : views())
    if (!entry.converts) names += (names.empty() ? "" : " ") + std::string(entry.name);
  return names;
}

constexpr const char* kTopics = " options filters formats exit-codes";

std::string commands() {
  return answers() +
         " convert serve audit status facts shard annotate prices config mcp schema completion";
}

}  // namespace

TEST_CASE("bash completes commands, their options, and the values of those") {
  CHECK(offers("l") == "list");
  CHECK(offers("\"\"") == commands() + " help --help --version");
  CHECK(offers("dag --ses") == "--session");
  CHECK(offers("dag --level \"\"") == "basic full");
  CHECK(offers("dag a.jsonl -f j") == "json");
}

TEST_CASE("bash completes a value behind an equals sign, where it parts words") {
  CHECK(offers("dag --level = ba") == "basic");
  CHECK(offers("dag --level =") == "basic full");
}

TEST_CASE("bash completes the arguments of commands that read no log") {
  CHECK(offers("schema \"\"") == answers() + " status suite redaction");
  CHECK(offers("help \"\"") == commands() + kTopics);
  CHECK(offers("completion z") == "zsh");
}

TEST_CASE("a list offers nothing that means nothing there") {
  CHECK(offers("list --format \"\"") == "text json csv markdown sqlite");
  CHECK(offers("list --edg") == "");
  CHECK(offers("list --min") == "--min-cost");
  CHECK(offers("dag --format \"\"") ==
        "text json csv markdown dot mermaid both html svg cypher graphml cytoscape d3 sqlite");
  CHECK(offers("trust --format \"\"") ==
        "text json csv markdown dot mermaid sequence both html svg cypher graphml cytoscape d3 "
        "sqlite");
}

TEST_CASE("zsh and fish know letters, help, and what takes no file") {
  CHECK(line_with("zsh", "{-f+,--format=}").find("'(-f --format)'") != std::string::npos);
  CHECK(line_with("zsh", "{-q,--quiet}") != "none");
  CHECK(line_with("zsh", "{-h,--help}") != "none");
  CHECK(line_with("zsh", "schema) ") ==
        "    schema) _arguments '1:schema:(" + answers() + " status suite redaction)' ;;");
  CHECK(line_with("fish", "__xtrace_command schema") ==
        "complete -c xtrace -n '__xtrace_command schema' -f -a '" + answers() +
            " status suite redaction'");
  CHECK(line_with("fish", "__xtrace_command help") ==
        "complete -c xtrace -n '__xtrace_command help' -f -a '" + commands() + kTopics + "'");
  CHECK(line_with("fish", "-a help") != "none");
  CHECK(line_with("fish", "-l level").ends_with(" redacted'"));
}

TEST_CASE("commands that answer nothing have options as well") {
  CHECK(line_with("bash", "    shard)") ==
        "    shard) options='--help --by --shards --output --from --jobs --quiet' values='' ;;");
  CHECK(line_with("fish", "__xtrace_command annotate' -l node") ==
        "complete -c xtrace -n '__xtrace_command annotate' -l node");
}

TEST_CASE("there are no completions for a shell nobody knows") {
  CHECK(completion("bas").error().what ==
        "completion: 'bas' is not one of bash, zsh, fish; did you mean 'bash'?");
}
