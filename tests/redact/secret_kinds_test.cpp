#include "redact/secret_kinds.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <set>
#include <string>

#include "base/base64.h"
#include "base/digits.h"
#include "made_secret.h"
#include "redact/redact.h"

using namespace xtrace;

namespace {

constexpr size_t kVariants = 3;

std::string hide(std::string_view text) {
  return Redactor(Redaction::secrets_only).redact(text);
}

/// The secret without the name that it is assigned to.
std::string secret_in(const SecretKind& kind, const std::string& example) {
  return kind.is_named ? example.substr(example.find(" = ") + 3) : example;
}

std::string in_percent(std::string_view text) {
  std::string out;
  for (char c : text) {
    std::array<char, 4> one{};
    snprintf(one.data(), one.size(), "%%%02X", static_cast<unsigned>(static_cast<uint8_t>(c)));
    out += one.data();
  }
  return out;
}

/// Is every run of eight characters of `secret` gone?
bool is_gone(std::string_view secret, std::string from) {
  constexpr size_t kRun = 8;
  // The name in a replacement may equal how a secret begins.
  for (size_t at = from.find("[REDACTED:"); at != std::string::npos;
       at = from.find("[REDACTED:", at + 1))
    from.erase(at + 1, from.find(']', at) - at - 1);
  for (size_t i = 0; i + kRun <= secret.size(); ++i)
    if (from.find(secret.substr(i, kRun)) != std::string::npos) return false;
  return true;
}

}  // namespace

TEST_CASE("every kind of secret has a name, a form and an example that differ") {
  std::set<std::string> examples;
  CHECK(secret_kinds().size() >= 300);
  for (const SecretKind& kind : secret_kinds()) {
    INFO(kind.name);
    CHECK(kind.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string::npos);
    CHECK(kind.source.empty() == kind.day.empty());
    CHECK(examples.insert(example_of(kind)).second);
    for (size_t at = 0; at < kind.begins.size();) {
      const size_t end = std::min(kind.begins.find('|', at), kind.begins.size());
      CHECK(end - at >= 3);
      at = end + 1;
    }
  }
}

TEST_CASE("an example of each kind is found whole, whatever is around it") {
  for (const SecretKind& kind : secret_kinds())
    for (size_t variant = 0; variant < kVariants; ++variant) {
      const std::string example = example_of(kind, variant), secret = secret_in(kind, example);
      INFO(example);
      for (const std::string& text :
           {example, "use " + example, "(" + example + ")", "`" + example + "`, and",
            "{\"k\":\"" + example + "\"}", "{\\\"k\\\":\\\"" + example + "\\\"}",
            "a\\n" + example + "\\nb"}) {
        const std::string out = hide(text);
        INFO(text << " -> " << out);
        CHECK(is_gone(secret, out));
        CHECK(std::count(out.begin(), out.end(), '[') == 1);
      }
    }
}

TEST_CASE("an example of each kind is found in base64, in percent escapes and across lines") {
  for (const SecretKind& kind : secret_kinds()) {
    const std::string example = example_of(kind), secret = secret_in(kind, example);
    const std::string text = "note: " + example + " end";
    INFO(example);
    CHECK(hide("x " + xtrace::base64(text) + " y").starts_with("x [REDACTED:"));
    CHECK(hide("x " + xtrace::base64(xtrace::base64(text)) + " y").starts_with("x [REDACTED:"));
    CHECK(hide("q=" + in_percent(text) + "&r=1").find(in_percent(secret).substr(0, 24)) ==
          std::string::npos);
    const size_t half = example.size() - secret.size() / 2;
    for (const char* joint : {"\\\n", "\\\r\n    "}) {
      const std::string out =
          hide("a " + example.substr(0, half) + joint + example.substr(half) + " b");
      INFO(out);
      CHECK(is_gone(example.substr(half), out));
    }
  }
}

TEST_CASE("the name of a kind is printed in the replacement") {
  for (const SecretKind& kind : secret_kinds()) {
    const std::string out = hide(example_of(kind));
    INFO(example_of(kind) << ": " << out);
    CHECK(out.find("[REDACTED:" + std::string(kind.name) + ":1]") != std::string::npos);
  }
}

TEST_CASE("what reads like a secret and is none stays") {
  for (const std::string& text : {
           std::string("password: YOUR_PASSWORD"),
           std::string("api_key = YOUR_API_KEY"),
           std::string("token: <token>"),
           std::string("token=$TOKEN"),
           std::string("token: ${{ secrets.GITHUB_TOKEN }}"),
           std::string("const key = process.env.OPENAI_API_KEY"),
           std::string("password = os.environ[\"DB_PASSWORD_1\"]"),
           "sk-" + std::string(32, 'x'),
           "ghp_" + std::string(36, 'x'),
           std::string("sk-ant-api03-your-key-here-please-now"),
           "commit " + body(40, kHex),
           "sha256:" + body(64, kHex),
           "\"integrity\": \"sha512-" + body(86) + "==\"",
           std::string("linear: 550e8400-e29b-41d4-a716-446655440000"),
           std::string("version = \"1.2.3-beta.4+build.5678\""),
           std::string("/srv/app/node_modules/datadog-metrics/lib/index2.js"),
           std::string("twitter = \"https://twitter.com/abc123def456\""),
           std::string("password must be at least 8 characters"),
           std::string("Password: 8-16 characters"),
           std::string("the password is required"),
           std::string("the password is wrong."),
           std::string("my password is stored as a hash"),
           std::string("the password: string"),
           std::string("the passphrase handler"),
           std::string("the password to unlock"),
           std::string("password = 'the old one of 2024'"),
           std::string("the password is hashed with argon2id"),
           std::string("password: String2"),
           std::string("let password = req.body.password2"),
           std::string("def login(user, password1): pass"),
           std::string("if password != password2:"),
           std::string("docker run -u root:root img"),
           std::string("git push -u origin main"),
           std::string("sort -u file1:file2"),
           std::string("git checkout -b feature/login-2"),
           std::string("passed: 12/13 tests"),
           std::string("compass: north2"),
           std::string("db-migrate-20260301120000"),
           std::string("re_compile_pattern_with_flags"),
           "toolu_01" + body(22),
           "resp_" + body(48, kHex),
           "fc_" + body(48, kHex),
           "run_" + body(24),
           "cus_" + body(14),
           "trace_id: " + body(32, kHex),
           "etag: \"" + body(40, kHex) + "\"",
           std::string("std::vector<std::pair<int,int>> sk_buff_head"),
           "data:image/png;base64,iVBORw0KGgo" + body(80),
           "--hash=sha256:" + body(64, kHex),
           std::string("--user USER:PASSWORD"),
           std::string("secretName: my-app-tls-cert-2"),
           std::string("token_type: foo-bar-baz-qux-1"),
           std::string("oauth_token=lock%26key"),
           std::string("process.env.API_KEY || 'development'"),
           std::string("use src/auth / lib/users to log in"),
           std::string("auth = ('user', password)"),
           std::string("the password in this example is long"),
           std::string("variable \"token_ttl\" { default = \"24h\" }"),
           std::string("\"password\": {\"type\": \"string\", \"minLength\": 8}"),
       }) {
    INFO(text);
    CHECK(hide(text) == text);
  }
}

TEST_CASE("a password without digits is found where somebody states it") {
  for (std::string_view text :
       {"the password is correcthorse", "my password: swordfish", "The root password is swordfish.",
        "our password for the wiki is sesamestreet", "mein Passwort ist sonnenblume",
        "minha senha \xC3\xA9 abacaxi", "mot de passe: papillon", "the password is `opensesame`",
        "pwd = 'p@ss w0rd!'"}) {
    INFO(text);
    CHECK(hide(std::string(text)).find("[REDACTED:") != std::string::npos);
  }
}

TEST_CASE("keys of Azure are found by the sign of their service, and blobs stay") {
  CHECK(hide(body(44) + "AzFu" + body(6) + "==") == "[REDACTED:azure_key:1]");
  CHECK(hide("key " + body(42) + "AzSeB" + body(5)) == "key [REDACTED:azure_key:1]");
  CHECK(hide("key " + body(52) + "JQQJ99" + body(25)) == "key [REDACTED:azure_key:1]");
  const std::string blob = body(150) + "AzFu" + body(150);
  CHECK(hide(blob) == blob);
}

TEST_CASE("the body of a private key is found without its header, and a certificate stays") {
  const std::string key = body(320, kBase64Digits);
  std::string lines, indented;
  for (size_t i = 0; i < key.size(); i += 64) {
    lines += key.substr(i, 64) + "\n";
    indented += "    " + key.substr(i, 64) + "\n";
  }
  CHECK(is_gone(key.substr(64, 64), hide("key:\n" + lines + body(20) + "\n")));
  CHECK(is_gone(key.substr(64, 64), hide("key: |\n" + indented)));
  const std::string certificate =
      "-----BEGIN CERTIFICATE-----\n" + lines + "-----END CERTIFICATE-----";
  CHECK(hide(certificate) == certificate);
  std::string dump;
  for (size_t i = 0; i < 5; ++i) dump += body(64, kHex) + "\n";
  CHECK(hide(dump) == dump);
}

TEST_CASE("what repeats the beginning of a secret takes time in proportion to its length") {
  // Each of them would be compared with all that follow it: minutes instead of milliseconds.
  for (const char* unit : {"dp.pt.aaaa", "sntrys_", "ghs_aaaa", "sk-aaaaaaaaaaaaaaaaaaaaa"}) {
    std::string text;
    while (text.size() < 300'000) text += unit;
    INFO(unit);
    CHECK(hide(text) == text);
  }
}

TEST_CASE("a secret is found by where it is, whether random, a phrase with signs or base64") {
  const std::string random = body(20);
  for (const std::string& secret :
       {random, std::string("Gadifon?417rulopes!"), std::string("lomina-karesu-dotiven-basulor7"),
        std::string("mKq3/Vt9sYw2+Rb8xHj5Zd0LfNc7PgTu1AeXo4DiQaE=")}) {
    for (std::string_view place :
         {"NPM_AUTH_TOKEN=\x01\n", "REGISTRY_TOKEN: \x01\n", "API_SECRET = \"\x01\"",
          "{ secretKey: '\x01', timeout: 3 }", "{\"x-auth-token\":[\"\x01\"]}",
          "variable \"db_password\" {\n  type = string\n  default = \"\x01\"\n}",
          "process.env.MAIL_KEY ?? '\x01'", "os.getenv(\"DB_PASSWORD\", \"\x01\")",
          "requests.get(url, auth=('svc', '\x01'))", "curl -H 'X-Api-Key: \x01' https://a.org",
          "La contrase\xC3\xB1\x61 nueva del panel es \x01 y caduca",
          "das Passwort lautet: \x01 . Danke", "Password=\x01;Encrypt=True;",
          "smtp-password: \x01\n", "echo \"\x01\" | docker login -u ci --password-stdin",
          "7z a -p\x01 a.7z", "mosquitto_pub -u a -P \x01 -t x", "rabbitmqctl add_user ops \x01"}) {
      std::string text(place);
      text.replace(text.find('\x01'), 1, secret);
      INFO(text);
      CHECK(hide(text).find(secret) == std::string::npos);
    }
  }
}
