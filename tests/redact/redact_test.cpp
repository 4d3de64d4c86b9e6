#include "redact/redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "made_secret.h"
#include "naive_redact.h"
#include "redact/redact_rules.h"

using namespace xtrace;

namespace {

struct Sample {
  std::string rule, text;
};

std::vector<Sample> samples() {
  const std::string dashes(5, '-');
  const std::string key_block = " PRIV" + ("ATE KEY" + dashes);
  return {
      {"anthropic_key", "sk-" + ("ant-api03-" + body(40))},
      {"anthropic_key", "sk-" + ("ant-oat01-" + body(20) + "-_" + body(20))},
      {"openai_key", "sk-" + ("proj-" + body(40))},
      {"openai_key", "sk-" + body(48)},
      {"openrouter_key", "sk-" + ("or-v1-" + body(64, kHex))},
      {"slack_token", "xo" + ("xb-123456789012-" + body(24))},
      {"npm_token", "npm" + ("_" + body(36))},
      {"huggingface_token", "hf" + ("_" + body(34))},
      {"databricks_token", "da" + ("pi" + body(32, kHex))},
      {"aws_key", "AK" + ("IA" + body(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))},
      {"github_token", "gh" + ("p_" + body(36))},
      {"gitlab_token", "gl" + ("pat-" + body(20))},
      {"google_key", "AI" + ("za" + body(35))},
      {"stripe_key", "sk_" + ("live_" + body(24))},
      {"twilio_key", "S" + ("K" + body(32, kHex))},
      {"sendgrid_key", "S" + ("G." + body(22) + "." + body(43))},
      {"telegram_token", "123456789" + (":AA" + body(33))},
      {"vault_token", "hv" + ("s." + body(60))},
      {"jwt", "ey" + ("J" + body(20) + ".ey" + "J" + body(20) + "." + body(40))},
      {"pem", dashes + "BEGIN RSA" + key_block + "\n" + body(64) + "\n" + body(40) + "\n" + dashes +
                  "END RSA" + key_block},
      {"email", "someone@mail.example.com"},
      {"card", "4111 1111 " + std::string("1111 1111")},
      {"card", "4111111111" + std::string("111111")},
      {"ssn", "123-45-" + std::string("6789")},
      {"iban", "DE8937040044" + std::string("0532013000")},
      {"ipv4", "172.16." + std::string("254.3")},
      {"ipv6", "2001:db8:1234:5678:9abc:" + std::string("def0:1234:5678")},
      {"mac", "52:54:00:" + std::string("9d:0e:67")},
      {"phone", "(201) 555" + std::string("-0123")},
      {"phone", "+49 151 1234" + std::string(" 5678")},
  };
}

std::string base64(std::string_view in) {
  static constexpr std::string_view kOrder =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < in.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < in.size() ? static_cast<uint8_t>(in[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k)
      out += i + k <= in.size() ? kOrder[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string each_byte(std::string_view in, const char* format) {
  std::string out;
  for (char c : in) {
    std::array<char, 16> one{};
    snprintf(one.data(), one.size(), format, static_cast<unsigned>(static_cast<uint8_t>(c)));
    out += one.data();
  }
  return out;
}

std::string once(std::string_view text) {
  return Redactor().redact(text);
}

// Text made of what rules begin with, of samples whole and broken, and of noise.
std::string generated(std::mt19937& random, const std::vector<Sample>& known) {
  static constexpr std::string_view kGlue = " \n\"=:_-./)+(\x80";
  std::string out;
  while (out.size() < 1200) {
    const std::string& sample = known[random() % known.size()].text;
    switch (random() % 6) {
      case 0: out += sample; break;
      case 1: out += sample.substr(0, random() % sample.size()); break;
      case 2: out += sample.substr(random() % sample.size()); break;
      case 3: {
        const RedactRule& rule = redact_rules()[random() % redact_rules().size()];
        std::string trigger(rule.triggers.substr(0, rule.triggers.find('|')));
        (out += trigger) += random() % 2 ? "=\"" + body(random() % 40) : body(random() % 40);
        break;
      }
      case 4: out += std::to_string(random() % 100000); break;
      default: out += body(random() % 20, "the quick: brown@fox.com = \"1.2-3_4\" Aa09");
    }
    out += kGlue[random() % kGlue.size()];
  }
  return out;
}

}  // namespace

TEST_CASE("every rule compiles, has its group and a name fit for the replacement") {
  for (const RedactRule& rule : redact_rules()) {
    const RE2 pattern(re2::StringPiece(rule.pattern), RE2::Latin1);
    INFO(rule.name);
    CHECK(pattern.ok());
    CHECK(pattern.NumberOfCapturingGroups() >= rule.group);
    CHECK(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string::npos);
  }
}

TEST_CASE("a secret is replaced whole, whatever it is glued to") {
  for (const Sample& sample : samples()) {
    const std::string mark = "[REDACTED:" + sample.rule + ":1]";
    INFO(sample.rule);
    CHECK(once(sample.text) == mark);
    if (sample.rule != "email")  // whose name would take the id along
      CHECK(once("toolu_00012_" + sample.text) == "toolu_00012_" + mark);
    CHECK(once("see (" + sample.text + ")") == "see (" + mark + ")");
    CHECK(once("<" + sample.text + ">, b") == "<" + mark + ">, b");
    CHECK(once("密钥：" + sample.text + "。后") == "密钥：" + mark + "。后");
    CHECK(once("{\"k\": \"" + sample.text + "\"}") == "{\"k\": \"" + mark + "\"}");
  }
}

TEST_CASE("a secret with a name before it is replaced, the name stays") {
  const std::string value = body(20);
  CHECK(once("password = \"" + value + "\"") == "password = \"[REDACTED:password:1]\"");
  CHECK(once("export DB_PASSWORD=" + value) == "export DB_PASSWORD=[REDACTED:password:1]");
  CHECK(once("x-api-key: " + value) == "x-api-key: [REDACTED:kv_secret:1]");
  CHECK(once("Authorization: Bearer " + value) == "Authorization: Bearer [REDACTED:auth_header:1]");
  CHECK(once("Cookie: sid=" + value + "; theme=dark, x") == "Cookie: [REDACTED:cookie:1], x");
  CHECK(once("postgres://app:" + value + "@db.internal/p") ==
        "postgres://[REDACTED:url_password:1]@db.internal/p");
  CHECK(once("https://u:" + value + "@git.example.com/r.git") ==
        "https://[REDACTED:url_password:1]@git.example.com/r.git");
  CHECK(once("--token " + value) == "--token [REDACTED:kv_secret:1]");
}

TEST_CASE("a key without a digit is one if its letters make no words") {
  const std::string key = "BMnjwwaoJWtm" + std::string("QWzParvuMzggcuzjlqAg");
  CHECK(once("x-api-key: " + key) == "x-api-key: [REDACTED:kv_secret:1]");
  CHECK(once("Authorization: Basic dToyemxRbjlPVEVF" + std::string("TDRGMGk=")) ==
        "Authorization: Basic [REDACTED:auth_header:1]");
  for (const std::string name : {"strengthOfTheLongestLengths", "HttpsStrictTransportHandler"})
    CHECK(once("api_key: " + name) == "api_key: " + name);
}

TEST_CASE("a home folder keeps its path") {
  CHECK(once("/Users/jane/src/a.py") == "/Users/[REDACTED:home:1]/src/a.py");
  CHECK(once("/srv/home/.config/a.toml") == "/srv/home/.config/a.toml");  // of no user
  CHECK(once("/home/jane/.ssh") == "/home/[REDACTED:home:1]/.ssh");
  CHECK(once("C:\\Users\\jane\\a.txt") == "C:\\Users\\[REDACTED:home:1]\\a.txt");
  CHECK(once("C:\\Users\\Jane Roe\\a.txt") == "C:\\Users\\[REDACTED:home:1]\\a.txt");
  CHECK(once("https://example.com/home/news") == "https://example.com/home/news");
}

TEST_CASE("names, ids, versions and code pass untouched") {
  std::istringstream lines(
      "toolu_01" + body(22) + "\nmsg_01" + body(22) + "\nreq_011C" + body(20) + "\nchatcmpl-" +
      body(29) + "\ncall_" + body(24) + "\nsha256:" + body(64, kHex) + "\n" + body(40, kHex) +
      "\n" + body(32, kHex) + "\n" + body(16, kHex) +
      "\nclaude-sonnet-4-5-20250929\nv1.22.333\n550e8400-e29b-41d4-a716-446655440000"
      "\n1767000000000000\n2026-01-10T12:34:56.789Z\n2026-01-10 "
      "12:34:56+02:00\ntask-skeleton-abcdef"
      "\nstd::vector_abc::iterator\nmax_tokens=12345678\n@decorator_abc\n1.2.3.4\n127.0.0.1:8080\n:"
      ":1"
      "\nsrc/base/key_manager.py:12\npassword = getpass()\ntoken = self.next_token(kind)"
      "\ngit@github.com:a/b.git\nicon@2x.png\na[1::2]");
  for (std::string text; std::getline(lines, text);) {
    INFO(text);
    CHECK(once(text) == text);
    CHECK(Redactor().clean(text));
  }
}

TEST_CASE("encoded secrets are found") {
  for (const Sample& sample : samples()) {
    const std::string mark = "[REDACTED:" + sample.rule + ":1]";
    const std::string long_text = "id " + sample.text + " end";
    INFO(sample.rule);
    CHECK(once("q=" + each_byte(sample.text, "%%%02X") + "&r=1") == "q=" + mark + "&r=1");
    CHECK(once("a " + each_byte(sample.text, "&#%u;") + " b") == "a " + mark + " b");
    CHECK(once("{\"k\":\"" + each_byte(sample.text, "\\u%04x") + "\"}") ==
          "{\"k\":\"" + mark + "\"}");
    CHECK(once("{\\\"k\\\":\\\"" + each_byte(sample.text, "\\\\u%04x") + "\\\"}") ==
          "{\\\"k\\\":\\\"" + mark + "\\\"}");
    CHECK(once("x " + base64(long_text) + " y") == "x " + mark + " y");
    CHECK(once("x " + base64(base64(long_text)) + " y") == "x " + mark + " y");
    CHECK(once("data:image/png;base64," + base64("\x89PNG\r\n\x1a\n\x01" + long_text)) ==
          "data:image/png;base64," + mark);
    CHECK(once("x " + each_byte(long_text, "%02x") + " y") == "x " + mark + " y");
    for (const std::string& split :
         {std::string("\u200b"), std::string("\r"), std::string(1, '\0')}) {
      const size_t half = sample.text.size() / 2;
      CHECK(once("a " + sample.text.substr(0, half) + split + sample.text.substr(half) + " b") ==
            "a " + mark + " b");
    }
    std::string wide;
    for (char c : sample.text) (wide += c) += '\0';
    CHECK(once("x " + base64(wide) + " y") == "x " + mark + " y");
  }
}

TEST_CASE("equal values of a rule get equal numbers, also when one is encoded") {
  Redactor redactor;
  CHECK(redactor.redact("a@x.org b@x.org a@x.org") ==
        "[REDACTED:email:1] [REDACTED:email:2] [REDACTED:email:1]");
  CHECK(redactor.redact("c@x.org b%40x.org 10.20.30.40") ==
        "[REDACTED:email:3] [REDACTED:email:2] [REDACTED:ipv4:1]");
  CHECK(redactor.counts() ==
        std::map<std::string, int64_t, std::less<>>{{"email", 5}, {"ipv4", 1}});
}

TEST_CASE("of a user's id the name alone is hidden, as where it stands by itself") {
  Redactor redactor;
  CHECK(redactor.redact("user:ida@example.com") == "user:[REDACTED:email:1]");
  CHECK(redactor.redact("user_ida@example.com_account_4c_session_9") ==
        "user_[REDACTED:email:1]_account_4c_session_9");
  CHECK(redactor.redact("user_9d2f_account_61c4_session_ida@example.com") ==
        "user_9d2f_account_[REDACTED:email:2]");
  // What reaches beyond the name is hidden whole.
  CHECK(redactor.redact("user_sk-ant-api03-_account_" + body(40)).find(body(40)) ==
        std::string::npos);
}

TEST_CASE("redacting twice changes nothing, and clean tells so") {
  std::mt19937 random(7);
  const std::vector<Sample> known = samples();
  for (int i = 0; i < 60; ++i) {
    Redactor redactor;
    const std::string text = generated(random, known);
    const std::string out = redactor.redact(text);
    CHECK(redactor.clean(text) == (out == text));
    CHECK(redactor.clean(out));
    CHECK(redactor.redact(out) == out);
  }
}

TEST_CASE("only a replacement of our own is left alone") {
  CHECK(once("[REDACTED:email:12]") == "[REDACTED:email:12]");
  CHECK(once("password=\"[REDACTED:password:1]\"") == "password=\"[REDACTED:password:1]\"");
  CHECK(once("[REDACTED:bob@x.org:1]") == "[REDACTED:[REDACTED:email:1]:1]");
}

TEST_CASE("personal data can be left in, secrets cannot unless all is off") {
  const std::string text = "bob@x.org sk-" + ("ant-api03-" + body(30));
  CHECK(Redactor(Redaction::secrets_only).redact(text) == "bob@x.org [REDACTED:anthropic_key:1]");
  CHECK(Redactor(Redaction::off).redact(text) == text);
  CHECK(Redactor(Redaction::off).clean(text));
}

TEST_CASE("the prefiltered search and the naive one find the same") {
  std::mt19937 random(11);
  const std::vector<Sample> known = samples();
  for (int i = 0; i < 150; ++i) {
    const std::string text = generated(random, known);
    INFO(text);
    REQUIRE(fast_spans(text) == naive_spans(text));
  }
}

TEST_CASE("an address of a network card is found behind a word and before a colon") {
  const std::string address = "52:54:00:" + std::string("9d:0e:67");
  CHECK(once("user:" + address) == "user:[REDACTED:mac:1]");
  CHECK(once("made:" + address + ": up") == "made:[REDACTED:mac:1]: up");
  CHECK(once("ab:" + address) == "ab:" + address);  // a longer fingerprint
  CHECK(once(address + ":ab") == address + ":ab");
}
