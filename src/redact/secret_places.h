#pragma once

#include <array>
#include <string>
#include <string_view>

#include "redact/redact_rules.h"

/// Rules for secrets by where they are: key files, settings, commands, sentences.
namespace xtrace {

// Between words that may be on lines of their own, also where line breaks are escaped.
#define XTRACE_GAP R"((?:\s|\\+[nrt])+)"
// Around the lines of a key: indented, quoted, of a difference or numbered.
#define XTRACE_EDGE R"((?:\s|\\+[nrt]|["'+,>|-]|\d{1,6}(?:\t|\\+t|\xE2\x86\x92|[:|] )))"
#define XTRACE_QUOTE R"(["'\\]{0,3})"
#define XTRACE_WORD R"(([^\s"'\\|;&<>()`-][^\s"'\\|;&<>()`]{3,}))"

/// Keys that name a finding before any vendor does, since their lines may hold anything.
inline constexpr RedactRule kKeyRules[] = {
    {"pem", Sensitive::secret, "-----BEGIN",
     // Header, RFC 1421 fields, then only what can be base64: a lost footer must not eat the prose.
     R"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)"
     R"((?:(?:\s|\\+[nrt])+[A-Za-z-]{3,20}: [^\r\n\\]{0,120}){0,6})"
     "(?:" XTRACE_EDGE "*[A-Za-z0-9+/=]{12,})+"
     "(?:" XTRACE_EDGE "*[A-Za-z0-9+/=]{0,15}" XTRACE_EDGE "*"
     "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"},
    {"putty_key", Sensitive::secret, "private-lines:",
     R"((?i)Private-Lines: ?\d{1,4}((?:)" XTRACE_EDGE "*[A-Za-z0-9+/=]{16,})+)", 1},
    {"ansible_vault", Sensitive::secret, "$ANSIBLE_VAULT;",
     R"(\$ANSIBLE_VAULT;[0-9.]{3};AES256[^\s\\"']{0,40}(?:)" XTRACE_EDGE "*[0-9a-f]{16,})+"},
    {"client_key", Sensitive::secret, "client-key-data",
     R"((?i)client-key-data[\\"'\s:=]{1,12}([0-9A-Za-z+/=]{40,}))", 1},
};

/// How an id of Discord begins in base64: `|` between the codes of all pairs of digits. A third
/// digit does not change the three characters.
inline constexpr auto kIdBeginBytes = [] {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<char, size_t{9} * 10 * 4> bytes{};
  size_t end = 0;
  for (unsigned first = '1'; first <= '9'; ++first)
    for (unsigned second = '0'; second <= '9'; ++second) {
      const unsigned group = first << 16 | second << 8 | '0';
      for (char c :
           {kDigits[group >> 18], kDigits[group >> 12 & 63], kDigits[group >> 6 & 63], '|'})
        bytes[end++] = c;
    }
  return bytes;
}();
inline constexpr std::string_view kIdBegins(kIdBeginBytes.data(), kIdBeginBytes.size() - 1);

/// A program and the option that it takes a password with: RE2, the program up to its first
/// argument, the option up to the value. Without a program: an option, or a variable, of many.
struct CommandSecret {
  std::string_view triggers;  ///< as RedactRule has them; the pattern begins with one
  std::string_view program, option;
  bool (*check)(std::string_view t, size_t begin, size_t& end) = RedactCheck::argument;
};
inline constexpr CommandSecret kCommandSecrets[] = {
    {"mysql|mariadb", R"((?:mysql|mariadb)[a-z_-]*\s)", "-p"},
    {"sshpass", R"(sshpass\s)", R"(-p\s{0,4})"},
    {" login ", " login ", R"((?:-p|--password)[=\s]\s{0,4})"},
    {"zip |sqlcmd |ipmitool |bcp |mosquitto_", "(?:zip|sqlcmd|ipmitool|bcp|mosquitto_[a-z]{2,4}) ",
     R"(-P\s{0,4})"},
    {"7z |7za |7zr |rar |mongo|cqlsh ", "(?:7z[ar]?|rar|mongo[a-z]*|cqlsh) ",
     "-(?:h?p|-password)[ =]?"},
    {"redis-cli|ldapsearch|ldapadd|ldapmodify|ldapwhoami",
     "(?:redis-cli|ldap(?:search|add|modify|whoami)) ", "(?:-a|--pass|-w) ?"},
    {"htpasswd", R"(htpasswd\s)", R"(-\w{0,6}b\w{0,6}\s(?:[^\s|;]{1,100}\s){1,2})"},
    {"rabbitmqctl ", "rabbitmqctl ", R"((?:add_user|change_password)\s{1,4}[^\s|;]{1,64}\s{1,4})"},
    {"--oauth2-bearer|--with-token|--password-stdin", "",
     R"(--(?:oauth2-bearer\s{1,4}|(?:with-token|password-stdin)\s{0,4}<<<\s{0,4}))"},
    {"-stdin|-S <<|--stdin", "",  // a here-document
     R"((?:-stdin|-S)[^\n<]{0,60}<<-?\s{0,2}["'\\]{0,3}\w{1,20}["'\\]{0,3}[^\n\\]{0,60})" XTRACE_GAP},
    {"REDISCLI_AUTH", "", R"(REDISCLI_AUTH["'\\]{0,3}\s{0,3}[:=,]\s{0,3})"},
    {"requirepass|masterauth", "", R"((?:requirepass|masterauth)\s{1,4})"},
    {"configure set aws_se", "", R"(configure set aws_se(?:cret_access_key|ssion_token)\s{1,4})"},
    // Whoever it is, and what follows: also of programs that are in no list.
    {" -u | -U | -l | --user | --username | --user=| --username=", "",
     R"( (?:-[uUl] |--user(?:name)?[ =])["'\\]{0,2}[\w.@\\-]{1,64}["'\\]{0,2}(?:[^\n|;&]{0,80}?) )"
     R"(-(?:pw?|P|w|A|X)\s{0,2})",
     RedactCheck::spoken},
    {"wpa_passphrase ", "", R"(wpa_passphrase ["'\\]{0,2}[^\s"'\\]{1,64}["'\\]{0,2}\s{1,4})"},
    {"snmp", R"(snmp\w{0,16} )", "-[AXax] ", RedactCheck::spoken},
    {"<<<", "", R"(<<<\s{0,2})", RedactCheck::spoken_secret},
    {"openssl ", "openssl ", "-k ", RedactCheck::spoken},
    {"useradd |usermod ", "(?:useradd|usermod) ", "-p "},
    {"add-generic-password|add-internet-password", "add-(?:generic|internet)-password ", "-w "},
    {"ssh-keygen ", "ssh-keygen ", "-[NP] "},
    {" login ", "", " login ", RedactCheck::token_key},
    {" -u ", "", " -u [\\w.@-]{1,64},", RedactCheck::spoken},
    {"sqlplus |expdp |impdp |connect |CONNECT ", "(?:sqlplus|expdp|impdp|connect|CONNECT) ",
     R"(\w{1,30}/)"},
};
/// The pattern of its rule: options may be between the program and the one with the password.
inline std::string pattern_of(const CommandSecret& of) {
  std::string pattern(of.program);
  if (!of.program.empty()) pattern += R"((?:[^\n|;]{0,160}?\s)?)";
  return pattern.append("(?:").append(of.option).append(")" XTRACE_QUOTE XTRACE_WORD);
}

inline constexpr RedactRule kPlaceRules[] = {
    // ---- files
    {"password_hash", Sensitive::secret,
     "$apr1$|$2a$|$2b$|$2x$|$2y$|$argon2|$1$|$5$|$6$|$7$|$y$|$gy$|$scrypt$",
     R"(\$(?:apr1|1|5|6|7|y|gy|2[abxy]|argon2i?d?|scrypt)\$[0-9A-Za-z./$=,+_-]{20,200})", 0,
     RedactCheck::random_key},
    {"password_hash", Sensitive::secret, "{ssha|{sha|pbkdf2_sha|pbkdf2:sha|scrypt:",
     R"((?:\{S?SHA(?:256|384|512)?\}[0-9A-Za-z+/=]{20,}|)"
     R"((?:pbkdf2_sha\d{1,3}\$\d{3,8}|(?:pbkdf2|scrypt):[a-z0-9:]{3,40})\$)"
     R"([0-9A-Za-z+/=]{4,}\$[0-9A-Za-z+/=]{32,}))",
     0, RedactCheck::random_key},
    {"password", Sensitive::secret, "login",  // of .netrc
     "(?i)login" XTRACE_GAP R"([^\s\\]{1,64})" XTRACE_GAP "password" XTRACE_GAP
     R"(([^\s"'\\]{3,64}))",
     1, RedactCheck::argument},
    {"password", Sensitive::secret, ":5432:|:5433:|:6432:|:3306:|:*:*:",  // of .pgpass
     R"(:(?:5432|5433|6432|3306|\*):[^:\s/]{1,64}:[^:\s/]{1,64}:([^\s"'\\:]{4,64}))", 1,
     RedactCheck::argument},
    {"docker_auth", Sensitive::secret, "auth\"|auth\\\"",
     R"((?i)auth\\{0,4}"\s{0,4}:\s{0,4}\\{0,4}"([0-9A-Za-z+/]{8,}={0,2}))", 1,
     RedactCheck::user_in_base64},
    {"wifi_password", Sensitive::secret, "wifi:", R"((?i)WIFI:[^\s]{0,80}?;P:([^;\s"'\\]{4,64}))",
     1, RedactCheck::argument},
    // ---- tokens that do not begin with what is particular about them, and addresses
    {"azure_client_secret", Sensitive::secret, "7Q~|8Q~",
     R"([0-9A-Za-z_~.-]{3}[78]Q~[0-9A-Za-z_~.-]{31,34})", 0, RedactCheck::random_key,
     RedactAnchor::before<3>},
    // Keys that Microsoft made so that they can be found: the sign of their service is in them.
    {"azure_key", Sensitive::secret, "AzFu|AzSe|AzCa|ACDb|JQQJ9|+ASb|+AEh|+ASt|AIoT|+AMC|+ARm",
     R"([0-9A-Za-z+/_-]{33,84}(?:AzFu|AzSe|AzCa|ACDb|JQQJ9|\+ASb|\+AEh|\+ASt|AIoT|\+AMC|\+ARm))"
     R"([0-9A-Za-z+/]{4,32}={0,2})",
     0, RedactCheck::key_alone, RedactAnchor::run_start},
    {"discord_token", Sensitive::secret, kIdBegins,
     R"([MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})", 0,
     RedactCheck::token_key, RedactAnchor::discord_start},
    {"terraform_token", Sensitive::secret, ".atlasv1.",
     R"([0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{40,})", 0, nullptr, RedactAnchor::before<14>},
    {"maxmind_key", Sensitive::secret, "_mmk", R"([0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk)", 0, nullptr,
     RedactAnchor::before<36>},
    {"newrelic_license_key", Sensitive::secret, "FFFFNRAL", "[0-9a-f]{36}FFFFNRAL", 0, nullptr,
     RedactAnchor::before<36>, true},
    {"mailchimp_key", Sensitive::secret, "-us", R"([0-9a-f]{32}-us\d{1,2})", 0, nullptr,
     RedactAnchor::before<32>, true},
    {"deepl_key", Sensitive::secret, ":fx",
     R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:fx)", 0, nullptr,
     RedactAnchor::before<36>, true},
    {"signature", Sensitive::secret,
     " signature=|,signature=", R"((?i)[ ,]signature=([0-9a-f]{64}))", 1},
    {"totp_seed", Sensitive::secret, "otpauth",
     R"((?i)otpauth(?:-migration)?://[^\s"']{0,200}?[?&](?:secret|data)=([0-9A-Z%+/=-]{8,}))", 1},
    {"seed_phrase", Sensitive::secret,
     "seed phrase|seed words|mnemonic|recovery phrase|secret phrase|backup phrase|seed_phrase",
     R"((?i:seed[ _]phrase|seed words|mnemonic(?: phrase)?|(?:recovery|secret|backup) phrase))"
     R"(["'\\]{0,4}\s{0,4}(?:[:=]|is|are)\s{0,4}["'\\]{0,4}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}))",
     1},
    {"wallet_key", Sensitive::secret, "private key",
     R"((?i)private key\s{0,2}(?:[:=]|is)?\s{0,2}["'\\`]{0,4})"
     R"(((?:0x)?[0-9a-f]{64}|[5KLc][1-9A-HJ-NP-Za-km-z]{50,51}))",
     1, RedactCheck::mixed_key},
    // ---- commands
    {"user_password", Sensitive::secret, " -u|\"-u|'-u|--user|--proxy-user",
     R"((?:[ "']-u|--(?:proxy-)?user(?:name)?)["',\s\\=]{0,8})"
     R"(([^\s:"'\\$<>{}/,]{1,64}:[^\s"'\\<>]{3,}))",
     1, RedactCheck::user_and_password},
    {"cookie", Sensitive::secret, " -b|\"-b|'-b|--cookie",
     R"((?:[ "']-b|--cookie)["',\s\\=]{1,8})"
     R"(([\w.%-]{1,64}=[^\s"'\\;<>]{8,}(?:; ?[\w.%-]{1,64}=[^\s"'\\;<>]*)*))",
     1, RedactCheck::header_value},
    {"command_password", Sensitive::secret, "echo |printf ",
     R"((?:echo|printf) (?:-\w{1,2} )?(?:["'\\]{0,3}%s(?:\\+n)?["'\\]{0,3} )?["'\\]{0,3})"
     R"(([^\s"'\\|;&<>()`$][^\s"'\\|;&<>()`]{3,})(?:\\+n)?["'\\]{0,3}\s{0,4}\|[^|\n]{0,80}?)"
     R"((?:-stdin|--stdin|passw|sudo -S|--with-token|--passphrase|secret|crypt|login|openssl))",
     1, RedactCheck::argument},
    {"command_password", Sensitive::secret, " -U",
     R"( -U\s{0,2})" XTRACE_QUOTE R"([^\s%"'\\$<>]{1,64}%([^\s"'\\]{4,}))", 1,
     RedactCheck::argument},
    {"command_password", Sensitive::secret, "net use",
     R"((?i)net user? [^\n]{0,120}? ([^\s\\/"'*][^\s\\"']{3,}) {1,4}/(?:user:|add))", 1,
     RedactCheck::argument},
    {"command_password", Sensitive::secret, "/user:",
     R"((?i)/user:[^\s"']{1,80}(?: {1,4}| {1,4}/p(?:ass(?:word)?)?:| {1,4}["'\\]{1,3}))"
     R"(([^\s\\/"'*][^\s\\"']{3,}))",
     1, RedactCheck::spoken},
    {"command_password", Sensitive::secret, " /p:", R"( /p:["'\\]{0,3}([^\s\\"'$%]{4,}))", 1,
     RedactCheck::argument},
    {"command_password", Sensitive::secret, "convertto-securestring",
     R"((?i)ConvertTo-SecureString\s{1,4}(?:-(?:AsPlainText|Force)\s{1,4}){0,2}(?:-String\s{1,4})?)"
     R"(["'\\]{1,3}([^"'\\$][^"'\\]{3,}))",
     1, RedactCheck::argument},
    {"password", Sensitive::secret, "PASSWORD=|PASSPHRASE=|PASSWD=|_PASS=|_PWD=",  // with blanks
     R"((?:PASSWORD|PASSPHRASE|PASSWD|_PASS|_PWD)=\\{0,3}["']([0-9A-Za-z][^"'\\$\r\n]{0,63} [^"'\\\r\n]{0,63}[^\s"'\\])["'\\])",
     1},
    {"password", Sensitive::secret, "passw|passphrase|pwd",  // with blanks
     R"((?i)(?:passwo?r?d|passphrase|pwd)[a-z0-9_-]{0,16}\\{0,4}["']?\]?[ \t]{0,8}(?::=|=>|[:=])\s*\\*["'])"
     R"(([^\s"'\\][^"'\\\r\n]{0,40} [^"'\\\r\n]{0,40}[^\s"'\\])\\*["'])",
     1, RedactCheck::quoted_words, RedactAnchor::assigned},
    {"password", Sensitive::secret, "identified by|identified with",
     R"((?i)identified\s(?:with\s\w{1,40}\s)?by\s{1,3}(?:password\s{1,3})?\\{0,3}["']?([^"'\\\s;,]{4,64}))",
     1, RedactCheck::invented},
    {"password", Sensitive::secret, "thin:", R"((?i)thin:[^\s/"']{1,64}/([^\s@"'/]{4,64})@)", 1,
     RedactCheck::argument},
    {"password", Sensitive::secret, "@tcp(|@unix(",  // `app:…@tcp(db:3306)/x`
     R"([^\s:/@"'`(=<>\\]{1,64}[:/]([^\s:/@"'`()=<>\\]{4,64})@(?:tcp|unix)\()", 1,
     RedactCheck::argument, RedactAnchor::user_start},
    {"password", Sensitive::secret, "community ", R"((?i)community ([^\s"'\\]{6,64}) R[OW]\b)", 1,
     RedactCheck::spoken},
    // ---- code
    {"user_password", Sensitive::secret,
     "auth(|auth=(|auth = (|auth =(|auth= (|auth:(|auth: (|auth :(|auth : (|basicauth|basic_auth",
     R"((?i)(?:basic_?)?auth(?: ?[=:] ?)?[( ]\s{0,40}\\{0,4}["'][^"'\\]{1,64}\\{0,4}["'],\s{0,40}\\{0,4}["'])"
     R"(([^"'\\\s]{4,128})\\{0,4}["'])",
     1, RedactCheck::argument},
    {"user_password", Sensitive::secret, " -a ", R"( -a ["']?[\w.@-]{1,40}:([^\s"'\\]{6,128}))", 1,
     RedactCheck::chosen},
    // The last argument of what lets somebody in, and the key of what encrypts and signs.
    {"user_password", Sensitive::secret,
     "login(|login '|login "
     "\"|connect(|mysqli(|pdo(|credential(|credentials(|signin(|sign_in(|authenticate(|"
     "getconnection(|auth(|create_superuser(|create_user(|hash::make(|hashsync(|make_password(",
     R"((?i)(?:login|connect|mysqli|pdo|credentials?|signin|sign_in|authenticate|getConnection|auth|)"
     R"(create_superuser|create_user|hash::make|hashsync|make_password)\()"
     R"((?:[^()\n]{0,160},)?\s{0,40}\\{0,4}["']([^"'\\\s]{6,128})\\{0,4}["'](?:, ?(?:\\{0,4}["'][a-z_]{1,32}\\{0,4}["']|\d{1,3}))?\s?\))",
     1, RedactCheck::chosen},
    {"user_password", Sensitive::secret, "login '|login \"",
     R"((?i)login ["'][^"'\\\n]{1,64}["'], ?["']([^"'\\\s]{6,128})["'])", 1, RedactCheck::chosen},
    {"kv_secret", Sensitive::secret, "jwt.|pgp_sym_|aes_encrypt(|aes_decrypt(|hmac.new(|hmac(",
     R"((?i)(?:jwt\.(?:encode|decode|sign|verify)|pgp_sym_(?:en|de)crypt|aes_(?:en|de)crypt|hmac(?:\.new)?))"
     R"(\([^\n]{0,120}?\\{0,4}["']([^"'\\\s]{8,200})\\{0,4}["'])",
     1, RedactCheck::chosen},
    {"password", Sensitive::secret, "variable \"|variable \\",
     R"(variable \\{0,4}"\w{0,40}(?:passw(?:or)?d|secret|token|_key|passphrase)\w{0,20}\\{0,4}"\s{0,4}\{[^}]{0,300}?)"
     R"(default\s{0,12}=\s{0,4}\\{0,4}"([^"\\\s]{6,200})\\{0,4}")",
     1, RedactCheck::spoken},
    {"url_password", Sensitive::secret, "://",  // with slashes that ought to be escaped
     R"(://[^\s:/?#@"'<>\\]{0,64}:([0-9A-Za-z+/]{22,128}={0,2})@)", 1, RedactCheck::base64_key},
    // ---- sentences
    // A word without digits, where somebody states whose password it is and ends with it.
    {"password", Sensitive::secret,
     "my passw|our passw|your passw|his passw|her passw|their passw|the passw|root passw|"
     "admin passw|mein passw|das passw|dein passw|my passphrase|the passphrase|minha senha|a senha|"
     "mi contrase|la contrase|mot de passe",
     R"((?i)(?:my|our|your|his|her|their|the|root|admin|mein|das|dein|minha|a|mi|la|mot de) )"
     R"((?:passwor[dt]|passphrase|senha|contrase(?:n|\xC3\xB1)a|passe))"
     R"((?: (?:for|f(?:u|\xC3\xBC)r|para|pour|of|von|de|do|da|du) [\w. -]{1,30}?)?)"
     R"((?:(?: is| was| ist| lautet| \xC3\xA9| es| est| will be)(?: now| set to| still)?:?|:| =) )"
     R"(["'`*\\]{0,4}([a-z]{6,32})["'`*\\]{0,4}(?:[.,;!)]{0,2}(?:\s|\\[nrt]|["'<]|$)))",
     1, RedactCheck::plain_word},
    // Whose and what, where somebody is let in: `use admin / … to sign in`.
    {"user_password", Sensitive::secret,
     "credential|creds|log in|login|sign in|zugangsdaten|anmelden|use |user",
     R"((?i)(?:(?:credentials?|creds|log ?in|sign in|zugangsdaten|anmelden|user)(?: (?:are|with|as|using|sind|mit))?:?|use))"
     R"( ["'`]?[\w.@-]{2,40}["'`]? / ["'`]?([^\s"'`\\/]{6,64}))",
     1, RedactCheck::spoken, RedactAnchor::user_and_slash},
    {"user_password", Sensitive::secret, "credential|creds|zugangsdaten|identifiants|credenciais",
     R"((?i)(?:credentials?|creds|zugangsdaten|identifiants|credenciais)(?: (?:are|is|sind|:))?:? )"
     R"(["'`]{0,2}[\w.-]{2,40}:([^\s"'`\\/]{6,64}))",
     1, RedactCheck::spoken},
    {"user_password", Sensitive::secret, "log in |login |sign in |logged in |anmelden |connect ",
     R"((?i)(?:log in|login|logged in|sign in|anmelden|connect) (?:as|with|als|mit|using) ["'`]?[\w.@-]{2,60}["'`]? )"
     R"((?:with|and|using|mit|und) (?:(?:the |das )?\w{2,12} )?["'`]?([^\s"'`\\]{6,64}))",
     1, RedactCheck::chosen},
    {"user_password", Sensitive::secret, "@",  // `bob@mail.example:…`, as lists of accounts have it
     R"([A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,4}[A-Za-z]{2,24}:([^\s"'`\\/:]{8,64}))",
     1, RedactCheck::chosen, RedactAnchor::login_start},
    {"auth_header", Sensitive::secret, "response=", R"((?i)response=\\{0,4}["']?([0-9a-f]{32,64}))",
     1},
    {"recovery_code", Sensitive::secret, "recovery code|backup code|scratch code",
     R"((?i)(?:recovery|backup|scratch) codes?[^\n:]{0,40}:(?:\s|\\+[nrt])*)"
     R"(((?:[0-9]{1,2}[.)] )?[0-9A-Za-z]{4,}(?:-[0-9A-Za-z]{4,}){0,4}(?:(?:[\s,]|\\+[nrt]){1,4})"
     R"((?:[0-9]{1,2}[.)] )?[0-9A-Za-z]{4,}(?:-[0-9A-Za-z]{4,}){0,4}){0,20}))",
     1, RedactCheck::random_key},
    {"kv_secret", Sensitive::secret, "token, it|key, it|secret, it|token to |key to |secret to ",
     R"((?i)(?:token|key|secret)(?:, it(?:'|\xE2\x80\x99| i)s(?: now)?| to) ["'`*\\]{0,4}([^\s"'`\\|<>]{12,64}))",
     1, RedactCheck::spoken_word},
    {"kv_secret", Sensitive::secret, "key is |key ist ",
     R"((?i)key(?: is| ist) ["'`*\\]{0,4}([0-9A-Za-z._~+/=-]{16,}))", 1, RedactCheck::token_key},
    // As protocols have it, in capitals.
    {"user_password", Sensitive::secret, "AUTH |LOGIN |PASS ",
     R"((?:AUTH|LOGIN|PASS) (?:[^\s"'\\=:]{1,64} )?([^\s"'\\]{8,128})(?:\s|\\|$|"))", 1,
     RedactCheck::chosen},
    {"user_password", Sensitive::secret, " on >", R"( on >([^\s"'\\]{6,64}))", 1,
     RedactCheck::chosen},
};

#undef XTRACE_GAP
#undef XTRACE_EDGE
#undef XTRACE_QUOTE
#undef XTRACE_WORD

}  // namespace xtrace
