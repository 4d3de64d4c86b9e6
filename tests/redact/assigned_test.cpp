#include "redact/assigned.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "made_secret.h"
#include "redact/redact.h"

using namespace xtrace;

namespace {

// As people choose them, in two parts so that no scanner of this repository takes them for real.
const std::string kChosen = std::string("Mellow") + "Tiger2832";
const std::string kKey = body(32);

bool hides(const std::string& text, const std::string& secret) {
  INFO(text);
  Redactor redactor;
  return redactor.redact(text).find(secret) == std::string::npos;
}

bool keeps(const std::string& text) {
  INFO(text);
  Redactor redactor;
  return redactor.redact(text) == text;
}

}  // namespace

TEST_CASE("what is assigned to a password is hidden in whatever syntax") {
  const std::string name = std::string("db_pass") + "word";
  const std::pair<const char*, const char*> around[] = {{" = ", "\n"},
                                                        {": ", ""},
                                                        {":", " "},
                                                        {"=", ";"},
                                                        {" := ", "\n"},
                                                        {" => '", "',"},
                                                        {" -> ", " "},
                                                        {"\": \"", "\"}"},
                                                        {"\", \"", "\")"},
                                                        {" = '", "'"},
                                                        {": String = \"", "\""},
                                                        {"(\"", "\")"},
                                                        {">", "</"},
                                                        {" . . . : ", "\n"},
                                                        {" { get; set; } = \"", "\";"},
                                                        {"\\\": \\\"", "\\\""},
                                                        {":\n\n    ", "\n"},
                                                        {" = (\n  '", "')"},
                                                        {" ", "\n"}};
  for (const auto& [sign, end] : around)
    CHECK(hides(std::string(name).append(sign).append(kChosen).append(end), kChosen));
}

TEST_CASE("an ampersand is part of a password unless another parameter follows") {
  const std::string name = std::string("pass") + "word";
  CHECK(hides(name + ": " + kChosen + "&3", "&3"));
  CHECK(hides("/login?" + name + "=" + kChosen + "&next=3", kChosen));
  CHECK_FALSE(hides("/login?" + name + "=" + kChosen + "&next=3", "&next=3"));
}

TEST_CASE("a header in angle brackets is no element") {
  const std::string name = std::string("x-api-") + "key";
  CHECK(hides("<" + name + ": " + kKey + ">", kKey));
  CHECK(hides("<" + name + "=" + kKey + ">", kKey));
  CHECK(hides("<" + name + " = \"" + kKey + "\">", kKey));
  CHECK(hides("<" + name + " : " + kKey + ">", kKey));
  CHECK(hides("<" + name + " type=\"text\">" + kKey + "</" + name + ">", kKey));
}

TEST_CASE("a bracket behind a secret makes it no call") {
  const std::string name = std::string("export DB_PASS") + "WORD=";
  CHECK(hides(name + kKey + "[REDACTED:email]", kKey));
  CHECK(hides(name + kKey + "[1]", kKey));
  CHECK(hides(name + kKey + "[1]", kKey));
  CHECK(keeps(name + "os.environ['DB']"));
  CHECK(keeps(name + "read_password(2)"));
  CHECK(keeps(std::string("tok") + "en = parser.next_token2(text[1])"));
}

TEST_CASE("a name and its value may be apart, as in manifests and lists of variables") {
  const std::string name = std::string("DB_PASS") + "WORD";
  CHECK(hides("- name: " + name + "\n  value: " + kChosen + "\n", kChosen));
  CHECK(hides("{ name = \"" + name + "\", value = \"" + kChosen + "\" }", kChosen));
  CHECK(hides("<add key=\"" + name + "\" value=\"" + kChosen + "\"/>", kChosen));
  CHECK(hides("<key>" + name + "</key>\n<string>" + kChosen + "</string>", kChosen));
  CHECK(hides("gh secret set " + name + " --body \"" + kChosen + "\"", kChosen));
  CHECK(hides("{\"key\": \"client_" + std::string("secret\", \"value\": \"") + kKey + "\"}", kKey));
}

TEST_CASE("the column below a heading that says password is hidden") {
  const std::string heads = std::string("pass") + "word";
  CHECK(hides("| user | " + heads + " |\n|---|---|\n| bob | " + kChosen + " |\n", kChosen));
  CHECK(hides("user," + heads + "\nbob," + kChosen + "\n", kChosen));
  CHECK(hides("USER   PASS" + std::string("WORD\nbob    ") + kChosen + "\n", kChosen));
  CHECK(hides("| Setting | Value |\n| " + heads + " | `" + kChosen + "` |\n", kChosen));
  CHECK(hides("INSERT INTO users (name, " + heads + ") VALUES ('bob, jr', '" + kChosen + "');",
              kChosen));
  CHECK(keeps("user,token,place\nbob,identifier,paris2024\n"));
}

TEST_CASE("every value below the data of a secret's manifest is hidden") {
  const std::string head = "kind: Sec" + std::string("ret\nmetadata:\n  name: x2y\n");
  CHECK(hides(head + "stringData:\n  admin: " + kChosen + "\n", kChosen));
  CHECK(hides("data:\n  admin: " + kChosen + "\nkind: Sec" + std::string("ret\n"), kChosen));
  CHECK(keeps("kind: ConfigMap\ndata:\n  host: node12a\n"));
}

TEST_CASE("all members of a list of passwords are hidden") {
  const std::string other = std::string("Amber") + "Falcon77";
  const std::string text =
      "PASS" + std::string("WORDS = {'bob': '") + kChosen + "', 'eve': '" + other + "'}";
  CHECK(hides(text, kChosen));
  CHECK(hides(text, other));
}

TEST_CASE("a label names a password up to its colon, a sentence up to its verb") {
  const std::string name = std::string("Pass") + "word";
  CHECK(hides(name + " for user elastic: " + kChosen + "\n", kChosen));
  CHECK(hides("The " + name + " of the old server is " + kChosen + ".", kChosen));
  CHECK(hides("I changed the root p" + std::string("w to ") + kChosen, kChosen));
  CHECK(hides("la contra" + std::string("seña de la base es ") + kChosen, kChosen));
  CHECK(hides("API sec" + std::string("ret for staging -> ") + kKey, kKey));
  CHECK(keeps("The " + name + " of the old server is wrong."));
}

TEST_CASE("colors of a terminal part a name from its value") {
  CHECK(hides("\x1b[36mpass" + std::string("word\x1b[39m: \x1b[32m'") + kChosen + "'\x1b[39m",
              kChosen));
  CHECK(hides("Created \x1b[1mgl" + std::string("pat-") + body(20) + "\x1b[0m", body(20)));
}

TEST_CASE("a name that goes on says something else") {
  for (const char* text :
       {"password_file = /etc/app2/secret.d", "token_count: 12345678", "secretName: app-db-2",
        "primary_key = 'id_of_row_2'", "tokens_per_minute = rate2limit", "keyboard = us_intl2",
        "get_password(\"name_of_db\")", "--- PASS: TestWithSession2 (0.00s)",
        "private_key: ed25519.Ed25519PrivateKey", "  Tokens tokens;\n  int64_t cost = kNoCount;\n"})
    CHECK(keeps(text));
}

TEST_CASE("a link that lets in whoever has it is hidden, a page is not") {
  CHECK(hides("https://x.example/in" + std::string("vite/") + kKey + "?a=b", kKey));
  CHECK(hides("https://hooks.example.com/catch/" + kKey, kKey));
  CHECK(keeps("https://x.example/auth/how-to-log-in-2/index.html"));
  CHECK(keeps(".git/hooks/pre-commit.sample"));
  CHECK(keeps("/usr/share/doc/0a1b2c3d4e5f60718293/a"));
}

TEST_CASE("the password of a program in no list is found next to its user") {
  CHECK(hides("some-tool -u bob -" + std::string("p ") + kChosen + " dist/*", kChosen));
  CHECK(hides("some-tool --username bob --host h -" + std::string("P ") + kChosen, kChosen));
  CHECK(keeps("docker run -u 1000 -p 8080:80 image"));
}

TEST_CASE("the password of a login call is its last argument") {
  CHECK(hides("smtp.log" + std::string("in('bob@mail', '") + kChosen + "')", kChosen));
  CHECK(hides("DBI->con" + std::string("nect($dsn, 'app', '") + kChosen + "')", kChosen));
  CHECK(keeps("button.connect('clicked', 'handler')"));
}

TEST_CASE("the word for a password is known in twenty languages") {
  for (const char* word :
       {"Passwort", "Kennwort", "mot de passe", "contraseña", "senha", "wachtwoord", "hasło",
        "lösenord", "passord", "adgangskode", "salasana", "heslo", "jelszó", "parolă", "şifre",
        "пароль", "密码", "パスワード", "비밀번호"})
    CHECK(hides(std::string(word) + ": " + kChosen, kChosen));
}

TEST_CASE("a token of a vendor in no list is known by its form, an id and a digest are not") {
  const std::string random = std::string("a1B2c3D4e5F6") + "g7H8i9J0k1L2m3N4";
  CHECK(hides("acme_live_" + random, random));
  CHECK(hides("echo ACME-" + random, random));
  for (const char* prefix : {"chatcmpl-", "msg_", "toolu_", "sha256-", "Some_", "x/y_"})
    CHECK(keeps(std::string(prefix) + random));
  CHECK(keeps("get_HttpResponseCodeForTheUserOfThisPage2"));
}

TEST_CASE("elements with attributes and parts of forms hold passwords") {
  CHECK(hides("<wsse:Pass" + std::string("word Type=\"PasswordText\">") + kChosen + "</wsse:x>",
              kChosen));
  CHECK(hides("form-data; name=\"pass" + std::string("word\"\n\n") + kChosen + "\n--b", kChosen));
  CHECK(hides("  TOKEN: !!str " + kKey, kKey));
}

TEST_CASE(
    "a password is found before its name, in a call on its field and in both halves of a change") {
  const std::string name = std::string("pass") + "word";
  const std::string other = std::string("Amber") + "Falcon77";
  CHECK(hides("It accepts " + kChosen + " as the " + name + ".", kChosen));
  CHECK(hides("field('#" + name + "').type('" + kChosen + "')", kChosen));
  CHECK(hides("the " + name + "'s " + kChosen + ".", kChosen));
  CHECK(hides(name + " { '" + kChosen + "' }", kChosen));
  CHECK(hides(name + " changed from " + kChosen + " to " + other, kChosen));
  CHECK(hides(name + " changed from " + kChosen + " to " + other, other));
  CHECK(hides("remotepa" + std::string("ss = ") + kChosen, kChosen));
  CHECK(keeps("bypass = north2south"));
  CHECK(keeps("It is known as the " + name + " field."));
}
