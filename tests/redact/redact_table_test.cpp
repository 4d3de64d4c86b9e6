#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <string>
#include <vector>

#include "made_secret.h"
#include "redact/redact.h"
#include "redact/redact_rules.h"
#include "redact/secret_kinds.h"
#include "redact/secret_places.h"

using namespace xtrace;

namespace {

std::string hex(size_t length) {
  return body(length, kHex);
}
std::string join(std::string_view a, std::string_view b, std::string_view c = {}) {
  return std::string(a).append(b).append(c);
}

/// What one rule finds, and what looks much like it and it does not find. Of rules that share a
/// name the first entry is for the first, and so on.
struct Entry {
  std::string_view rule;
  std::string found, near_miss;
};

std::vector<Entry> entries() {
  const std::string dashes(5, '-'), value = body(20);
  return {
      {"pem", join(dashes + "BEGIN RSA PRIV", "ATE KEY" + dashes + "\n", body(64)),
       join(dashes + "BEGIN PUB", "LIC KEY" + dashes + "\n", body(64))},
      {"anthropic_key", join("sk-", "ant-api03-", body(40)), join("sk-", "ant-short")},
      {"openrouter_key", join("sk-", "or-v1-", hex(64)), join("sk-", "or-version-2")},
      {"openai_key", join("sk-", "proj-", body(40)), join("sk-", "proj-x")},
      {"openai_key", join("sk-", body(48)), "task-transitionToImportanceOfBugs"},
      {"aws_key", join("AK", "IA", body(16, "ABCDEFGH234567")), join("AK", "IAmNotAKeyAtAll")},
      {"aws_secret", join("aws_secret_", "access_key = ", body(40)),
       "aws_secret_access_key = os.environ[AWS_SECRET]"},
      {"bedrock_key", join("AB", "SK", body(80)), join("AB", "SK", "short")},
      {"github_token", join("gh", "p_", body(36)), "ghp_is_a_prefix_of_tokens_only"},
      {"gitlab_token", join("gl", "pat-", body(20)), join("gl", "pat-tern")},
      {"slack_token", join("xo", "xb-123456789012-", body(24)), join("xo", "xb-a")},
      {"slack_hook", join("hooks.sl", "ack.com/services/", "T0" + body(9) + "/B" + body(20)),
       "hooks.slack.com/services/docs"},
      {"google_key", join("AI", "za", body(35)), join("AI", "zawl", "x")},
      {"google_access_token", join("ya", "29.", body(40)), "ya29.txt"},
      {"gcp_key_id", join("\"private_key", "_id\": \"", hex(40)), "private_key_id: 7"},
      {"stripe_key", join("sk_", "live_", body(24)), "sk_live_mode_is_on_for_all"},
      {"twilio_key", join("S", "K", hex(32)), join("S", "K", hex(20))},
      {"sendgrid_key", join("S", "G.", body(22) + "." + body(43)), "SG.module.name"},
      {"npm_token", join("np", "m_", body(36)), "npm_config_registry_of_the_company_here"},
      {"pypi_token", join("py", "pi-AgE", body(40)), "pypi-AgEnt"},
      {"huggingface_token", join("h", "f_", body(34)), "hf_transformers_are_all_you_need_now"},
      {"databricks_token", join("da", "pi", hex(32)), "dapi0123"},
      {"telegram_token", join("123456789", ":AA", body(33)), join("1234", ":AA", body(33))},
      {"discord_hook", join("https://discord.", "com/api/webhooks/123456789012345678/", body(60)),
       "https://discord.com/api/webhooks/help"},
      {"vault_token", join("hv", "s.", body(60)), "hvs.size()"},
      {"azure_key", join("Account", "Key=", body(60) + "=="), "sig=getSignatureOfTheRequest"},
      {"groq_key", join("gs", "k_", body(40)), "gsk_somethingthatisjustalongword"},
      {"digitalocean_token", join("dop_", "v1_", hex(40)), "dop_v1_thatopensalldoors"},
      {"mailgun_key", join("ke", "y-", hex(32)), "key-thatopensalldoorsintheworld"},
      {"age_key", join("AGE-SECRET-", "KEY-1", body(50, "QPZRY9X8GF2TVDW0S3")),
       "AGE-SECRET-KEY-1 is how it begins"},
      {"jwt", join("ey", "J", body(20) + ".ey" + "J" + body(20) + "." + body(40)),
       join("ey", "J", body(20))},
      {"url_password", join("https://carla:", value, "@example.com/x"),
       "https://carla@example.com"},
      {"url_password",
       join("redis://:mKq3/Vt9sYw2+Rb8", "xHj5Zd0LfNc7PgTu1AeXo4DiQaE=", "@db:6379"),
       "https://carla:/srv/a/b/c/d/e/f/g@x"},
      {"url_secret", join("https://hooks.example.com/catch/", body(24)),
       ".git/hooks/pre-commit.sample"},
      {"url_secret", join("https://x.example.com/in", "vite/", body(32)),
       "https://x.example.com/invite/how-to-invite-people-2"},
      {"url_secret", join("https://a.s3.amazonaws.com/x?X-Amz-Sig", "nature=", hex(64)),
       "https://a.org/?code=the-word-of-the-day&key=none"},
      {"auth_header", join("Author", "ization: ", value),
       "'Authorization', 'ASAuthorizationApple'"},
      {"auth_header", join("Bea", "rer ", value), "Bearer authentication is used"},
      {"auth_header", join("Bas", "ic ", body(24)), "Basic programming"},
      {"cookie", join("Coo", "kie: sid=", value), "Cookie: none"},
      {"cookie", join("PHPSESS", "ID=", value), "PHPSESSID=x"},
      {"password", join("pass", "word = \"", value + "\""), "password = \"challengePassword\""},
      {"kv_secret", join("client_", "secret: ", value), "token = self.next_token(kind)"},
      {"token", join("acme_live_", "a1B2c3D4e5F6", "g7H8i9J0k1L2m3N4"),
       join("chatcmpl-", "a1B2c3D4e5F6", "g7H8i9J0k1L2m3N4")},
      {"kv_secret", join("kind: Sec", "ret\ndata:\n  admin: ", value),
       "kind: Secret\ndata:\n  mode: none"},
      {"cookie", join("curl ", "-b ", "sid=" + value), "git checkout -b fix=none"},
      {"putty_key", join("Private-", "Lines: 1\n", body(48)), "Private-Lines: 12\nno key"},
      {"ansible_vault", join("$ANSIBLE_", "VAULT;1.1;AES256\n", hex(64)),
       "$ANSIBLE_VAULT;1.1;AES256"},
      {"client_key", join("client-key", "-data: ", body(48)), "client-key-data: none"},
      {"password_hash", join("$2", "b$12$", body(53)), "$1$2 + $3"},
      {"password_hash", join("{SS", "HA}", body(32)), "{sha256}"},
      {"password", join("login bob\n  pass", "word ", value), "login form\n  password field"},
      {"password", join("db.example.com:5432", ":prod:app:", value), "host:5432:5433"},
      {"password", join("DB_PASS", "WORD=\"", value + " and more\""), "DB_PASSWORD=\"$(cat x y)\""},
      {"password", join("pwd = '", "p@ss ", "w0rd!'"), "password = 'the old one of 2024'"},
      {"password", join("CREATE USER a IDENTIFIED ", "BY '", value + "'"), "identified by 'name'"},
      {"password", join("jdbc:oracle:thin:bob/", value, "@db:1521"), "thin:bob/name@db"},
      {"password", join("bob:", value, "@tcp(db:3306)/x"), "user:name@tcp(db:3306)/x"},
      {"password", join("snmp-server comm", "unity ", value + " RO"), "community edition RO"},
      {"password", join("variable \"db_pass", "word\" {\n  default = \"", value + "\"\n}"),
       "variable \"token_ttl\" { default = \"24h\" }"},
      {"password", join("the pass", "word is ", "correcthorse"), "the password is wrong"},
      {"docker_auth", join("\"au", "th\": \"", "Ym9iOmFCM2RFNWdIN2o=\""), "\"auth\": \"required\""},
      {"wifi_password", join("WIFI:T:WPA;S:x;", "P:", value + ";;"), "wifi: on"},
      {"azure_client_secret", join("aB3", "8Q~", body(34)), "8Q~"},
      {"azure_key", join(body(44), "AzFu", body(6) + "=="), body(90) + "AzFu" + body(90)},
      {"discord_token", join("MTA", "3", body(22) + "." + body(6) + "." + body(38)),
       "MTA.mail.example"},
      {"terraform_token", join("TFE_TOK", "EN=", body(14) + ".atlasv1." + body(60)),
       "tfe_token = x"},
      {"terraform_token", join(body(14), ".atlasv1.", body(60)), "x.atlasv1.y"},
      {"maxmind_key", join("MAXMIND", "_KEY=", body(6) + "_" + body(29) + "_mmk"),
       "maxmind_db = x"},
      {"maxmind_key", join(body(6), "_", body(29) + "_mmk"), "db_mmk"},
      {"signature", join("SignedHeaders=host, Sig", "nature=", hex(64)), "x, signature=none"},
      {"totp_seed", join("otp", "auth://totp/a:b?secret=", "JBSWY3DPEHPK3PXP"), "otpauth://totp/a"},
      {"seed_phrase",
       "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
       "mnemonic: the name of an instruction"},
      {"wallet_key", join("wallet_", "key = ", "5" + body(50)), "wallet_key = none"},
      {"wallet_key", join("private ", "key: ", hex(64)), "private key: see below"},
      {"user_password", join("curl ", "-u ", "bob:" + value), "docker run -u 1000:1000 x"},
      {"user_password", join("requests.get(u, auth=('bob', ", "'", value + "'))"),
       "auth=('user', 'name')"},
      {"user_password", join("http -a bob:", value), "git commit -a fix:nothing"},
      {"user_password", join("getConnection(url, \"bob\", ", "\"", value + "\")"),
       "getConnection(url, \"bob\", password)"},
      {"user_password", join("sp_addlogin 'bob', ", "'", value + "'"), "login 'bob', 'name'"},
      {"user_password", join("use bob ", "/ ", value + " to sign in"), "use src / lib to build"},
      {"user_password", join("the creds are ", "bob:", value), "credentials: std::move"},
      {"user_password", join("Log in as bob ", "with ", value), "log in with github to continue"},
      {"user_password", join("bob@mail.example.com:", value), "git@host.example.com:user/name2"},
      {"command_password", join("mysql ", "-p", value), "mysql -u root -p db"},
      {"command_password", join("sshpass ", "-p ", value), "sshpass -p $PASS"},
      {"command_password", join("docker login ", "-u a -p ", value), "docker login -p $PASS"},
      {"command_password", join("zip ", "-P ", value), "zip -r a.zip b"},
      {"command_password", join("7z x ", "-p", value), "7z x -pass a"},
      {"command_password", join("redis-cli ", "-a ", value), "redis-cli -a $PASS"},
      {"command_password", join("htpasswd ", "-b f bob ", value), "htpasswd -b f bob $PASS"},
      {"command_password", join("rabbitmqctl ", "add_user bob ", value), "rabbitmqctl list_queues"},
      {"command_password", join("docker login --password-", "stdin <<< ", value),
       "--password-stdin < x"},
      {"command_password", join("docker login --password-", "stdin <<EOF\n", value),
       "-stdin <<EOF\nEOF"},
      {"command_password", join("REDISCLI_", "AUTH=", value), "REDISCLI_AUTH=$PASS"},
      {"command_password", join("require", "pass ", value), "requirepass none"},
      {"command_password", join("aws configure set aws_sec", "ret_access_key ", value),
       "configure set aws_session_token $TOKEN"},
      {"command_password", join("tool -u bob ", "-p ", value), "docker run -u 1000 -p 8080:80"},
      {"command_password", join("wpa_pass", "phrase Home ", value), "wpa_passphrase Home $PASS"},
      {"command_password", join("snmpget -v3 ", "-A ", value), "snmpget -v3 -A MD5 host"},
      {"command_password", join("cryptsetup open x <<< ", value), "cat <<< word2vector"},
      {"command_password", join("openssl enc ", "-k ", value), "openssl s_client -k file"},
      {"command_password", join("useradd -m ", "-p ", value), "useradd -m -p $HASH bob"},
      {"command_password", join("security add-generic-", "password -w ", value),
       "add-generic-password -w $PASS"},
      {"command_password", join("ssh-keygen ", "-N '", value + "'"), "ssh-keygen -N '' -f key"},
      {"command_password", join("vault login ", body(32)), "docker login registry.example.com"},
      {"command_password", join("lftp -u bob,", value), "tool -u bob,alice"},
      {"command_password", join("sqlplus bob", "/", value + "@db"), "sqlplus / as sysdba"},
      {"command_password", join("echo ", value, " | sudo -S id"), "echo done | tee x"},
      {"command_password", join("smbclient ", "-U bob%", value), "tool -U 100%"},
      {"command_password", join("net use z: ", value, " /user:bob"), "net user bob /add"},
      {"command_password", join("net use /user:bob ", "\"", value + "\""), "/user:bob x"},
      {"command_password", join("xfreerdp ", "/p:", value), "make /p:Config"},
      {"command_password", join("ConvertTo-Secure", "String '", value + "'"),
       "ConvertTo-SecureString $p"},
      {"kv_secret", join("jwt.encode(claims, ", "'", value + "')"), "jwt.decode(token, 'HS256')"},
      {"kv_secret", join("rotated the to", "ken, it's now ", value),
       "the token, it's required-for-all"},
      {"kv_secret", join("the Mistral ", "key is ", value), "the key is required-for-all-users"},
      {"user_password", join("AUTH ", "bob ", value), "PASS src/foo2.test.js"},
      {"user_password", join("user default ", "on >", value), "turned on >value_of_it"},
      {"auth_header", join("Digest respon", "se=\"", hex(32)), "response=\"ok\""},
      {"recovery_code", join("recovery codes:\n", "a1b2-", "c3d4\ne5f6-a7b8\n"),
       "recovery codes: none"},
      {"newrelic_license_key", join("NEW_RELIC_", "KEY=", hex(40)), "new_relic = on"},
      {"newrelic_license_key", join(hex(36), "FFFF", "NRAL"), "x FFFFNRAL"},
      {"mailchimp_key", join("MAILCHIMP_", "KEY=", hex(32) + "-us14"), "mailchimp-us14"},
      {"mailchimp_key", join(hex(32), "-us", "14"), "region eu-us1"},
      {"deepl_key", join("0a1b2c3d-0a1b-0a1b-", "0a1b-0a1b2c3d4e5f", ":fx"), "time:fx"},
      {"email", "someone@mail.example.com", "icon@2x.png"},
      {"home", "/home/jane/.ssh", "https://example.com/home/news"},
      {"home", "C:\\Users\\Jane Roe\\a.txt", "C:\\Users\\"},
      {"home", "~/.claude/projects/-var-home-jane-src", "/usr-Users-x"},
      {"home", "~/.claude/projects/C--Users-jane-src", "tool --users-file x"},
      {"iban", join("DE8937040044", "0532013000"), join("DE8837040044", "0532013000")},
      {"card", join("4111 1111 ", "1111 1111"), join("4111 1111 ", "1111 1112")},
      {"phone", join("+49 151 1234", " 5678"), "+1 2 3"},
      {"phone", join("(201) 555", "-0123"), "(201) items"},
      {"phone", join("415-555", "-2671"), "2026-11-23"},
      {"phone", join("mobile: 151 ", "2345678"), "INTEL = 1000209000,"},
      {"cpf", join("123.456.", "789-09"), "123.456.789-10"},
      {"cnpj", join("11.222.333/", "0001-81"), "11.222.333/0001-82"},
      {"cpf", join("CPF: 12345", "678909"), "cpf: 12345678910"},
      {"cnpj", join("cnpj=112223", "33000181"), "cnpj=11222333000182"},
      {"ssn", join("123-45-", "6789"), join("2024-123-45-", "6789")},
      {"ipv4", join("172.16.", "254.3"), "127.0.0.1"},
      {"ipv6", join("2001:db8:1234:5678:9abc:", "def0:1234:5678"), "12:34:56:78"},
      {"mac", join("52:54:00:", "9d:0e:67"), "52:54:00:9d:0e:67:aa:bb"},
      {"mac", join("52-54-00-", "9d-0e-67"), "20-25-01-02-03-04"},
  };
}

/// Its number among all; -1: no rule has it.
int rule_of(const std::vector<Entry>& all, size_t entry) {
  auto same = [&](const auto& one) {
    if constexpr (requires { one.rule; })
      return one.rule == all[entry].rule;
    else
      return one.name == all[entry].rule;
  };
  auto nth = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(entry), same);
  for (size_t i = 0; i < redact_rules().size(); ++i)
    if (same(redact_rules()[i]) && nth-- == 0) return static_cast<int>(i);
  return -1;
}

bool finds(size_t rule, std::string_view text) {
  std::vector<RedactFinding> found;
  find_rule_matches(text, Redaction::all, found);
  return std::any_of(found.begin(), found.end(),
                     [&](const RedactFinding& one) { return one.rule == rule; });
}

}  // namespace

TEST_CASE("every built-in rule finds its example and leaves what merely looks like it") {
  const std::vector<Entry> all = entries();
  std::vector<bool> shown(redact_rules().size());
  for (size_t i = 0; i < all.size(); ++i) {
    INFO(all[i].rule << ": " << all[i].found << " / " << all[i].near_miss);
    const int rule = rule_of(all, i);
    REQUIRE(rule >= 0);
    shown[static_cast<size_t>(rule)] = true;
    CHECK(finds(static_cast<size_t>(rule), all[i].found));
    CHECK_FALSE(finds(static_cast<size_t>(rule), all[i].near_miss));
  }
  // Examples of the kinds of vendors are in their own test.
  const size_t begin = std::size(kKeyRules), end = begin + secret_kinds().size();
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i >= begin && i < end) continue;
    INFO("without an example: " << redact_rules()[i].name << " " << redact_rules()[i].pattern);
    CHECK(shown[i]);
  }
}

TEST_CASE("the groups of a UUID of digits are no card") {
  const std::string groups = join("41111111-1111", "-1111");
  std::vector<RedactFinding> found;
  find_rule_matches(groups + "-8000-000000000002", Redaction::all, found);
  CHECK(found.empty());
  find_rule_matches("0000abcd-0000-0000-" + join("4111-111111", "111111"), Redaction::all, found);
  CHECK(found.empty());
  find_rule_matches(groups + "-8000-00000000000x", Redaction::all, found);
  CHECK(found.size() == 1);
}

TEST_CASE("telephone numbers are found as people of six countries write them") {
  const std::string numbers[] = {
      join("+4479111", "23456"),     join("+9198765", "43210"),    join("+551131", "234567"),
      join("+55 11 91234", "-5678"), join("415-555", "-2671"),     join("415.555", ".2671"),
      join("1-415-555", "-2671"),    join("(11) 91234", "-5678"),  join("11 91234", "-5678"),
      join("11 3123", "-4567"),      join("07911 ", "123456"),     join("0791112", "3456"),
      join("020 7946 ", "0958"),     join("0161 496 ", "0000"),    join("06 12 34 ", "56 78"),
      join("06.12.34.", "56.78"),    join("06123", "45678"),       join("0151 234", "56789"),
      join("030 123", "45678"),      join("98765", "-43210"),      join("098765 ", "43210"),
      join("+4930123", "456"),       join("(030) 123", "45678"),   join("+1 (415) 555", "-2671"),
      join("0044 20 7946 ", "0958"), join("0049 171 ", "1234567"), join("0033 1 23 45 ", "67 89"),
  };
  for (const std::string& number : numbers) {
    INFO(number);
    std::vector<RedactFinding> found;
    const std::string text = "please call " + number + " today";
    find_rule_matches(text, Redaction::all, found);
    bool whole = false;
    for (const RedactFinding& one : found)
      whole |= one.begin <= text.find_first_of("0123456789") &&
               one.end == text.size() - std::string(" today").size();
    CHECK(whole);
  }
}

TEST_CASE("dates, versions, dumps and columns of numbers are no telephone numbers") {
  const std::string others[] = {
      "2026-11-23 09:00:00.123456",
      "1700000000",
      "65536 65535 65534",
      "00 01 02 03 04 05 06 07 08",
      "06 12 34 56 78 9a bc",
      "v415.555.2671",
      "415-555-2671-9",
      "1.0612345678",
      "\n+12345678\n",
      "id 20260101-123456",
      "100644 123456",
      "0044 0046 0048 0050",
      "0010 2045 3344 5566",
      "a0612345678b",
  };
  for (const std::string& other : others) {
    INFO(other);
    std::vector<RedactFinding> found;
    find_rule_matches(other, Redaction::all, found);
    CHECK(found.empty());
  }
}

TEST_CASE("a password ends before what a shell puts in, and the name of a function is none") {
  Redactor redactor;
  const std::string value = body(20);
  const std::string both = join("DB_PASS", "WORD=", value) + ".$(id)";
  CHECK(redactor.redact(both).find(value) == std::string::npos);
  CHECK(redactor.redact("DB_PASSWORD=get_password(id)") == "DB_PASSWORD=get_password(id)");
}
