#include "settings/instruction_rules.h"

#include <catch2/catch.hpp>

#include "base/pattern.h"

namespace xtrace {
namespace {

/// The only rule of a text; fails the test where there is another number of them.
InstructionRule only(std::string_view markdown) {
  const InstructionRules found = find_instruction_rules("AGENTS.md", markdown);
  INFO(markdown);
  REQUIRE(found.rules.size() == 1);
  return found.rules.front();
}
bool fits(const std::vector<InstructedAct>& acts, std::string_view text) {
  for (const InstructedAct& act : acts)
    if (Pattern::compile(act.pattern)->is_in(text)) return true;
  return false;
}

TEST_CASE("a command that is forbidden is found among others, and no other one is") {
  const InstructionRule rule = only("* Never push to `main`, as it is deployed.\n");
  CHECK(rule.at.line == 1);
  CHECK(fits(rule.acts, "cd shop && git push origin main"));
  CHECK_FALSE(fits(rule.acts, "git push origin fix-total"));
  CHECK_FALSE(fits(rule.acts, "git push origin fix && git checkout main"));
  CHECK_FALSE(fits(rule.acts, "echo git push origin main"));
}

TEST_CASE("a command between backticks is meant as it was written, with whatever follows") {
  for (const char* text : {"Don't run `terraform apply`.", "Do NOT use `terraform apply` here",
                           "**Never** `terraform apply`", "You must never run `terraform apply`!",
                           "Don\u2019t run `terraform apply`"}) {
    const InstructionRule rule = only(text);
    CHECK(fits(rule.acts, "terraform apply -auto-approve"));
    CHECK_FALSE(fits(rule.acts, "terraform plan"));
    CHECK(rule.acts.front().topic == "terraform apply");
  }
}

TEST_CASE("options of a forbidden command may come anywhere in it") {
  const InstructionRule rule = only("Never use `git commit --no-verify`.");
  CHECK(fits(rule.acts, "git commit --no-verify -m x"));
  CHECK(fits(rule.acts, "git commit -am x --no-verify"));
  CHECK_FALSE(fits(rule.acts, "git commit -am x && git push --no-verify"));
}

TEST_CASE("one act before another: the order of the sentence does not matter") {
  for (const char* text :
       {"Run the tests before you commit.", "Before committing, run the tests.",
        "Never commit without running the tests.", "Do not commit until all tests pass.",
        "Always run tests before every commit"}) {
    const InstructionRule rule = only(text);
    CHECK(fits(rule.acts, "git commit -m x"));
    CHECK(fits(rule.first, "npm run test"));
    CHECK(fits(rule.first, "python3 -m pytest tests/"));
    CHECK(fits(rule.first, "go build ./... && go test ./..."));
    CHECK_FALSE(fits(rule.first, "git commit -m tests"));
  }
}

TEST_CASE("one program in place of another forbids the other alone") {
  for (const char* text :
       {"Use pnpm, not npm.", "use `pnpm` instead of `npm`", "Prefer pnpm over npm",
        "Never use npm, use pnpm", "Instead of npm use pnpm"}) {
    const InstructionRule rule = only(text);
    CHECK(fits(rule.acts, "npm install"));
    CHECK_FALSE(fits(rule.acts, "pnpm install"));
    CHECK(fits(rule.instead, "pnpm install"));
  }
}

TEST_CASE("files that must not be changed are named by a path or by what they are") {
  const InstructionRule paths = only("Do not edit `docs/api/**` or `*.lock`.");
  CHECK(fits(paths.acts, "/srv/shop/docs/api/deep/cart.md"));
  CHECK(fits(paths.acts, "pnpm.lock"));
  CHECK_FALSE(fits(paths.acts, "docs/guide.md"));
  CHECK(paths.text == "Do not edit `docs/api/**` or `*.lock`.");
  const InstructionRule generated = only("Never modify generated files");
  CHECK(fits(generated.acts, "src/generated/api.ts"));
  CHECK(fits(generated.acts, "lib/model.g.dart"));
  CHECK_FALSE(fits(generated.acts, "src/generator.ts"));
}

TEST_CASE("a rule that no log decides is counted, and what is no rule is not") {
  const InstructionRules found = find_instruction_rules(
      "CLAUDE.md",
      "# Never mind\nAlways be kind.\nThe cart has a total.\n```\nnever run this\n```\n"
      "Use tabs, not spaces.\nYou must think before you speak.\n");
  CHECK(found.rules.empty());
  REQUIRE(found.undecided.size() == 2);
  CHECK(found.undecided[0].line == 2);
  CHECK(found.undecided[1].line == 8);
}

}  // namespace
}  // namespace xtrace
