#include "redact/custom_rule.h"

#include <catch2/catch.hpp>

#include "redact/rule_set.h"

using namespace xtrace;

namespace {

CompiledRule compiled(CustomRule rule) {
  Result<CompiledRule> result = CompiledRule::compile(std::move(rule));
  REQUIRE(result);
  return *std::move(result);
}

Redactor with(std::vector<CompiledRule> rules) {
  RedactPolicy policy;
  policy.rules = std::make_shared<const RuleSet>(std::move(rules));
  return Redactor(policy);
}

CustomRule ticket() {
  CustomRule rule;
  rule.name = "ticket";
  rule.regex = R"(TICKET-\d+)";
  return rule;
}

std::string reason(CustomRule rule) {
  Result<CompiledRule> result = CompiledRule::compile(std::move(rule));
  return result ? "" : result.error().what;
}

}  // namespace

TEST_CASE("a user's rule replaces what it matches beside the built-in ones") {
  Redactor redactor = with({compiled(ticket())});
  CHECK(redactor.redact("TICKET-1 of a@x.org, TICKET-22, TICKET-1") ==
        "[REDACTED:ticket:1] of [REDACTED:email:1], [REDACTED:ticket:2], [REDACTED:ticket:1]");
  CHECK(redactor.redact("[REDACTED:ticket:1]") == "[REDACTED:ticket:1]");
  CHECK(redactor.counts().at("ticket") == 3);
}

TEST_CASE("a user's rule finds what is encoded") {
  Redactor redactor = with({compiled(ticket())});
  CHECK(redactor.redact("q=%54ICKET%2D77&r=1") == "q=[REDACTED:ticket:1]&r=1");
  CHECK(redactor.redact(R"({\"k\": \"\u0054ICKET-77\"})") == R"({\"k\": \"[REDACTED:ticket:1]\"})");
}

TEST_CASE("a rule with keywords is looked for where one of them stands, in any case") {
  CustomRule rule = ticket();
  rule.regex = R"((?i)ticket\s*#\d+)";
  rule.keywords = {"Ticket", "zz"};
  CHECK(with({compiled(rule)}).redact("my TICKET #12") == "my [REDACTED:ticket:1]");
  rule.keywords = {"nothing"};
  CHECK(with({compiled(rule)}).redact("my TICKET #12") == "my TICKET #12");
}

TEST_CASE("of a match a group is replaced, or the first that is not empty") {
  CustomRule rule = ticket();
  rule.regex = "id=(a+)?(b+)";
  rule.group = 2;
  CHECK(with({compiled(rule)}).redact("id=abb") == "id=a[REDACTED:ticket:1]");
  rule.group = CustomRule::kFirstGroup;
  CHECK(with({compiled(rule)}).redact("id=bb id=ab") ==
        "id=[REDACTED:ticket:1] id=[REDACTED:ticket:2]b");
  rule.group = 3;
  CHECK(reason(rule) == "it has no group 3");
}

TEST_CASE("what a rule allows and what is too regular is left alone") {
  CustomRule rule = ticket();
  rule.regex = "key=([a-z0-9]+)";
  rule.group = 1;
  rule.allowed = {{{"^aa"}, {"DUMMY"}}};
  CHECK(with({compiled(rule)}).redact("key=aab key=xdummy key=bbb") ==
        "key=aab key=xdummy key=[REDACTED:ticket:1]");
  rule.allowed = {{{"^aa"}, {"dummy"}, CustomRule::Allowed::Target::secret, true}};
  CHECK(with({compiled(rule)}).redact("key=aab key=aadummy") ==
        "key=[REDACTED:ticket:1] key=aadummy");
  rule.allowed = {{{"test"}, {}, CustomRule::Allowed::Target::line}};
  CHECK(with({compiled(rule)}).redact("key=aab # test\nkey=aab") ==
        "key=aab # test\nkey=[REDACTED:ticket:1]");
  rule.allowed.clear();
  rule.entropy = 1.5;
  CHECK(with({compiled(rule)}).redact("key=aabb key=abcd") == "key=aabb key=[REDACTED:ticket:1]");
}

TEST_CASE("a rule that cannot work is refused with the reason") {
  CustomRule rule = ticket();
  rule.regex = "(?=x)y";
  CHECK(reason(rule) ==
        "not a valid pattern: invalid perl operator: (?=, at character 1; lookahead and lookbehind "
        "are not supported");
  rule.regex = "a{1001}";
  CHECK(reason(rule) ==
        "not a valid pattern: invalid repetition size: {1001}, at character 2; repetitions are "
        "limited to 1000");
  rule.regex = "é[](](a";
  CHECK(reason(rule) == "not a valid pattern: missing ), at character 6");
  rule.regex = "a*";
  CHECK(reason(rule) == "it matches the empty text");
  rule.regex = "a";
  rule.allowed = {{{"("}, {}}};
  CHECK(reason(rule) ==
        "its allowlist pattern '(': not a valid pattern: missing ), at character 1");
}

TEST_CASE("a name is made fit for the replacement") {
  CustomRule rule = ticket();
  rule.name = "our ticket:1]";
  CHECK(with({compiled(rule)}).redact("TICKET-1") == "[REDACTED:our_ticket_1_:1]");
  rule.name = std::string(100, 'n');
  Redactor redactor = with({compiled(rule)});
  std::string once = redactor.redact("TICKET-1");
  CHECK(redactor.redact(once) == once);
}

TEST_CASE("a match never ends within a character") {
  CustomRule rule = ticket();
  rule.regex = "x..";
  CHECK(with({compiled(rule)}).redact("xä密b") == "[REDACTED:ticket:1]密b");
  rule.regex = "x.";
  CHECK(with({compiled(rule)}).redact("x密b") == "[REDACTED:ticket:1]b");
}

TEST_CASE("the values of named fields are hidden wherever JSON stands in a text") {
  Redactor redactor = with({CompiledRule::of_fields({"customername", "ssn"})});
  const std::string one = "[REDACTED:field:1]", two = "[REDACTED:field:2]";
  CHECK(redactor.redact(R"(see {"customer_name": "Jane \"J\" Roe", "age": 4})") ==
        R"(see {"customer_name": ")" + one + R"(", "age": 4})");
  CHECK(redactor.redact(R"({"customerName":"Jane \"J\" Roe","SSN": 12})") ==
        R"({"customerName":")" + one + R"(","SSN": )" + two + "}");
  CHECK(redactor.redact(R"({\"ssn\": \"12\", \"b\": \"c\"})") ==
        R"({\"ssn\": \")" + two + R"(\", \"b\": \"c\"})");
  CHECK(redactor.redact(R"({"user.ssn": {"a": ["}", 1]}, "b": 2})") ==
        R"({"user.ssn": [REDACTED:field:3], "b": 2})");
  CHECK(redactor.redact("{'ssn': '12'}") == "{'ssn': '" + two + "'}");
  CHECK(redactor.redact(R"({"ssn": null, "ssnx": "1"})") == R"({"ssn": null, "ssnx": "1"})");
  std::string cut = redactor.redact(R"({"ssn": "not clos)");
  CHECK(cut == R"({"ssn": "[REDACTED:field:4])");
  CHECK(redactor.redact(cut) == cut);
}

TEST_CASE("a rule without keywords is looked for where the fixed text of its pattern is") {
  const auto keyword_of = [](const char* regex) {
    CustomRule rule;
    rule.name = "x";
    rule.regex = regex;
    const CompiledRule ready = compiled(std::move(rule));
    return ready.keywords().empty() ? std::string() : ready.keywords().front();
  };
  CHECK(keyword_of("TICKET-\\d+") == "ticket-");
  CHECK(keyword_of("[a-z]marker12[0-9]{8}") == "marker12");
  CHECK(keyword_of("(?i)abc(d|e)fghi+") == "fghi");
  CHECK(keyword_of("abcd?") == "abc");
  CHECK(keyword_of("ab*cde{0,3}fg") == "");
  CHECK(keyword_of("one|other") == "");
  CHECK(keyword_of("\\x41bcd") == "");
  CHECK(keyword_of("\\Qabc|d\\E") == "");
  CHECK(keyword_of("a\\.b\\-c") == "a.b-c");
  CHECK(keyword_of("[]abc]def") == "def");
  CHECK(keyword_of("gr\xC3\xBC\xC3\x9F dich") == "");
}
