#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "redact/assigned.h"

namespace xtrace {

/// Where a match begins whose trigger is at `hit`; npos if none can. Looks at a few bytes only.
struct RedactAnchor {
  using Text = std::string_view;
  static size_t local_start(Text t, size_t hit);  ///< of an e-mail address, from its '@'
  static size_t login_start(Text t, size_t hit);  ///< that, of one that ':' follows
  static size_t bot_number(Text t, size_t hit);
  static size_t mac_start(Text t, size_t hit);
  static size_t ipv6_start(Text t, size_t hit);
  static size_t ipv4_start(Text t, size_t hit);
  static size_t ssn_start(Text t, size_t hit);
  static size_t card_start(Text t, size_t hit);
  static size_t iban_start(Text t, size_t hit);
  static size_t plus_start(Text t, size_t hit);
  static size_t paren_start(Text t, size_t hit);
  static size_t home_number_start(Text t, size_t hit);
  static size_t cpf_start(Text t, size_t hit);       ///< of `123.123.123-12`
  static size_t cnpj_start(Text t, size_t hit);      ///< of `12.123.123/1234-12`
  static size_t numbered_word(Text t, size_t hit);   ///< a word such as "phone" and a number
  static size_t path_of_key(Text t, size_t hit);     ///< `/token/` with a long part behind it
  static size_t path_of_hook(Text t, size_t hit);    ///< `hooks.host/` with a long path
  static size_t user_and_slash(Text t, size_t hit);  ///< words that ` / ` follows soon
  static size_t assigned(Text t, size_t hit);        ///< a word followed by ':' or '='
  static size_t run_start(Text t, size_t hit);       ///< of a key in base64 that is no blob
  static size_t discord_start(Text t, size_t hit);   ///< an id in base64 and a dot
  static size_t quoted_name(Text t, size_t hit);     ///< a word, followed by a quote and a blank
  static size_t own_word(Text t, size_t hit);    ///< what is before a word that no letter precedes
  static size_t user_start(Text t, size_t hit);  ///< of `user:password`, from behind it
  template <size_t kBytes>
  static size_t before(Text, size_t hit) {  ///< where the trigger is the end of what is fixed
    return hit >= kBytes ? hit - kBytes : Text::npos;
  }
  static size_t url_start(Text t, size_t hit);  ///< of `https://`, from the host
};

/// Whether the bytes [begin, end) of `t`, which look right, are right; may shorten them.
struct RedactCheck {
  using Text = std::string_view;
  static bool random_looking(Text t, size_t begin, size_t& end);  ///< not a word or an identifier
  static bool password_like(Text t, size_t begin, size_t& end);   ///< not a variable, a placeholder
  static bool token_like(Text t, size_t begin, size_t& end);      ///< both of these, and more mixed
  static bool no_filler(Text t, size_t begin, size_t& end);       ///< not `xxxxxx`, not `your-key`
  static bool mixed_key(Text t, size_t begin, size_t& end);       ///< that, letters and digits
  static bool random_key(Text t, size_t begin, size_t& end);   ///< no filler, and random_looking()
  static bool key_alone(Text t, size_t begin, size_t& end);    ///< random_key(), in no blob
  static bool token_key(Text t, size_t begin, size_t& end);    ///< no filler, and token_like()
  static bool spoken(Text t, size_t begin, size_t& end);       ///< a password without quotes
  static bool spoken_word(Text t, size_t begin, size_t& end);  ///< that, in a sentence
  static bool plain_word(Text t, size_t begin, size_t& end);   ///< no word that says how it is
  static bool stated(Text t, size_t begin, size_t& end);       ///< a password in quotes
  static bool no_name(Text t, size_t begin, size_t& end);      ///< of code, or of what is secret
  static bool invented(Text t, size_t begin, size_t& end);     ///< spoken(), or random with an `=`
  static bool manifest_value(Text t, size_t begin, size_t& end);  ///< no word, no template
  static bool path_key(Text t, size_t begin, size_t& end);        ///< in the path of an address
  static bool words(Text t, size_t begin, size_t& end);           ///< four words that `-` joins
  static bool strong(Text t, size_t begin, size_t& end);          ///< words and signs with digits
  static bool secret_value(Text t, size_t begin, size_t& end);    ///< token_like() or strong()
  static bool base64_key(Text t, size_t begin, size_t& end);      ///< 16 bytes or more, random
  static bool chosen(Text t, size_t begin, size_t& end);          ///< spoken(), and no name of code
  static bool spoken_secret(Text t, size_t begin, size_t& end);   ///< in a line that says secret
  static bool quoted_words(Text t, size_t begin, size_t& end);    ///< spoken() in one of the words
  static bool argument(Text t, size_t begin, size_t& end);  ///< of a command: no variable, no path
  static bool user_and_password(Text t, size_t begin, size_t& end);  ///< `user:password`, no ids
  static bool user_in_base64(Text t, size_t begin, size_t& end);     ///< that, as base64
  static bool header_value(Text t, size_t begin, size_t& end);       ///< random, and no identifier
  static bool luhn(Text t, size_t begin, size_t& end);
  static bool iban(Text t, size_t begin, size_t& end);
  static bool ssn(Text t, size_t begin, size_t& end);
  static bool phone(Text t, size_t begin, size_t& end);
  static bool phone_after_word(Text t, size_t begin, size_t& end);  ///< not after `INTEL`
  static bool phone_at_home(Text t, size_t begin, size_t& end);     ///< not in a table or a dump
  static bool taxpayer(Text t, size_t begin, size_t& end);  ///< of Brazil: by its check digits
  static bool ipv4(Text t, size_t begin, size_t& end);
  static bool ipv6(Text t, size_t begin, size_t& end);
  static bool mac(Text t, size_t begin, size_t& end);
  static bool email(Text t, size_t begin, size_t& end);
  static bool home(Text t, size_t begin, size_t& end);
  static bool user_part(Text t, size_t begin, size_t& end);  ///< `user:password`, or a long token
};

/// Secrets are hidden always, personal data unless the config lifts it.
enum class Sensitive : uint8_t { secret, personal };

/// One kind of secret or personal datum: where to look for it, what it looks like, what is
/// replaced. A rule's matches are the leftmost-first, non-overlapping matches of `pattern` that
/// pass `check`; triggers and anchor only say where one can begin, so that no rule scans the whole
/// text.
struct RedactRule {
  std::string_view name;  ///< printed in the replacement; several rules may share one
  Sensitive kind;
  /// '|' separated: literals of three bytes or more that begin a match (in any case when they are
  /// written in lower case), or "0" (the first digit of a run), "@", ":" or "-" (after a hex
  /// digit).
  std::string_view triggers;
  std::string_view pattern;  ///< RE2 on bytes; without left or right border: glued text leaks
  int group = 0;             ///< the part that is replaced; 0 = all of the match
  bool (*check)(std::string_view t, size_t begin, size_t& end) = nullptr;
  size_t (*anchor)(std::string_view t, size_t hit) = nullptr;
  bool is_bounded = false;  ///< no character of base64url may touch what is replaced
  size_t run = 0;  ///< so many of [0-9A-Za-z_-] follow a trigger at least, which is quick to see
  /// In place of a pattern: what a reader of the syntax around a trigger finds.
  void (*read)(std::string_view t, size_t hit, std::vector<ByteRange>& found) = nullptr;
};

/// Every built-in rule, the most telling first: where two overlap, the earlier one names the
/// finding. A finding is known by the number of its rule here.
std::span<const RedactRule> redact_rules();

/// Where a rule goes on behind [begin, end), which failed its check. Most of a long run is skipped,
/// since each of its bytes may begin another match that is as long.
constexpr size_t after_failed(size_t begin, size_t end) {
  constexpr size_t kTried = 512;
  return end - begin > 2 * kTried ? end - kTried : begin + 1;
}

/// Whether the bytes [begin, end) of `t`, which `rule` found, pass its check; may shorten them.
bool passes(const RedactRule& rule, std::string_view t, size_t begin, size_t& end);

/// The rules for forms and names of secrets, and for personal data. Those of vendors are in
/// secret_kinds.inc, those of files and commands in secret_places.h.
inline constexpr RedactRule kRedactRules[] = {
    {"aws_secret", Sensitive::secret, "aws_sec|awssec|secret_access_key|secretaccesskey",
     R"((?i)(?:aws_?sec[a-z_]*|secret_?access_?key)[\\"'\s:=>,]{1,12})"
     R"(([A-Za-z0-9/+=]{30,}))",
     1, RedactCheck::random_looking},
    {"slack_hook", Sensitive::secret, "hooks.slack.com/",
     R"((?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,})", 0,
     nullptr, RedactAnchor::url_start},
    // Who knows the address of a hook may call it, and who has a link of an invitation may enter.
    {"url_secret", Sensitive::secret, "hook",
     R"((?i)hooks?[0-9a-z]{0,2}(?:\.[a-z0-9.-]{1,60})?(?:/[a-z]{1,16}){0,4}/)"
     R"(([0-9A-Za-z@_/-]{16,}))",
     1, RedactCheck::path_key, RedactAnchor::path_of_hook},
    {"url_secret", Sensitive::secret,
     "/invit|/reset|/verif|/confirm|/magic|/token|/activat|/unsubscribe|/share|/join|/auth|/login|"
     "/password|/sso|/callback",
     R"((?i)/(?:invit|reset|verif|confirm|magic|token|activat|unsubscribe|share|join|auth|login|)"
     R"(password|sso|callback)[a-z_-]{0,16}(?:/[a-z_-]{1,16}){0,2}/([0-9A-Za-z_=.-]{20,}))",
     1, RedactCheck::path_key, RedactAnchor::path_of_key},
    {"gcp_key_id", Sensitive::secret, "private_key_id",
     R"(private_key_id[\\"'\s:=]{1,12}([0-9a-f]{40,}))", 1},
    {"telegram_token", Sensitive::secret, ":AA", R"(\d{8,10}:AA[0-9A-Za-z_-]{30,})", 0, nullptr,
     RedactAnchor::bot_number},
    {"discord_hook", Sensitive::secret, "discord.com/api|discordapp.com/api",
     R"(discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{5,}/[0-9A-Za-z_-]{20,}))", 1},
    {"azure_key", Sensitive::secret, "accountkey=|sharedaccesskey=|sharedaccesssignature=|sig=",
     R"((?i)(?:AccountKey|SharedAccessKey|SharedAccessSignature|sig)=)"
     R"(([0-9A-Za-z%+/=_-]{20,}))",
     1, RedactCheck::header_value},
    {"jwt", Sensitive::secret, "eyJ",
     R"(eyJ[0-9A-Za-z_-]{8,}\.(?:eyJ[0-9A-Za-z_-]{6,}|[0-9A-Za-z_-]{4,}\.[0-9A-Za-z_-]{4,}|)"
     R"(\.[0-9A-Za-z_-]{16,})[0-9A-Za-z_.-]*)"},
    {"url_password", Sensitive::secret, "://", R"(://([^\s/?#"'<>\\]{1,512})@)", 1,
     RedactCheck::user_part},
    {"url_secret", Sensitive::secret,
     "?key=|&key=|?code=|&code=|?auth=|&auth=|?signature=|&signature=|-signature=|-credential=|"
     "-security-token=",
     R"((?i)(?:[?&](?:key|code|auth|signature)|-(?:signature|credential|security-token)))"
     R"(=([0-9A-Za-z%._~+/=-]{12,}))",
     1, RedactCheck::token_like},
    {"auth_header", Sensitive::secret, "authorization",
     R"((?i)authorization\\{0,4}["']?\]?[ \t]{0,8}[:=,]\s*\\*["']?)"
     R"((?:(?:basic|bearer|token|digest|apikey|negotiate)\s+)?([0-9A-Za-z._~+/=-]{8,}))",
     1, RedactCheck::header_value, RedactAnchor::assigned},
    {"auth_header", Sensitive::secret, "bearer", R"((?i)bearer\s+([0-9A-Za-z._~+/=-]{12,}))", 1,
     RedactCheck::header_value},
    {"auth_header", Sensitive::secret, "basic ", R"((?i)basic ([0-9A-Za-z+/]{12,}={0,2}))", 1,
     RedactCheck::token_like},
    {"cookie", Sensitive::secret, "cookie",
     R"((?i)cookie\\{0,4}["']?[ \t]{0,8}[:=,]\s*\\*["']?)"
     R"(([^\s=;,:"'\\()<>]{1,64}=[^\s=;,"'\\()<>]{4,}=*)"
     R"((?:;\s*[^\s=;,"'\\]{1,64}(?:=[^\s;,"'\\<>]*)?)*))",
     1, nullptr, RedactAnchor::assigned},
    {"cookie", Sensitive::secret, "phpsessid=|jsessionid=|connect.sid=",
     R"((?i)(?:phpsessid|jsessionid|connect\.sid)=([0-9A-Za-z%._-]{8,}))", 1},
    {"password", Sensitive::secret, kPasswordTriggers, "", 0, nullptr, nullptr, false, 0,
     read_assigned_password},
    {"kv_secret", Sensitive::secret, kKeyTriggers, "", 0, nullptr, nullptr, false, 0,
     read_assigned_key},
    {"token", Sensitive::secret, "_|-", "", 0, nullptr, nullptr, false, 0, read_token},
    {"kv_secret", Sensitive::secret, "kind: secret|stringdata:", "", 0, nullptr, nullptr, false, 0,
     read_manifest},
    {"email", Sensitive::personal, "@",
     R"([A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24})", 0,
     RedactCheck::email, RedactAnchor::local_start},
    {"home", Sensitive::personal, "/users/|/home/|\\users\\|\\home\\",
     // However long: counted copies of a set of bytes take RE2 as long as all else does here.
     R"((?:/Users/|/home/|\\(?i:Users|home)\\{1,2})([^/\\\s"'`:;,<>|*?()\[\]{}&=$]+))", 1,
     RedactCheck::home},
    {"home", Sensitive::personal, "\\users\\",  // a name with a blank, as Windows has them
     R"(\\(?i:Users)\\{1,2}([^/\\\s"'`:;,<>|*?]{1,30}(?: [^/\\\s"'`:;,<>|*?]{1,30}){1,2})\\)", 1},
    // As Claude Code names its folders, also on Windows and below it.
    {"home", Sensitive::personal, "/-users-|/-home-|/-var-home-",
     R"(/-(?:Users|home|var-home)-([A-Za-z0-9_.]{1,64}))", 1},
    {"home", Sensitive::personal, "--Users-|/-mnt-",
     R"((?:-|/-mnt-[a-z])-Users-([A-Za-z0-9_.]{1,64}))", 1},
    {"iban", Sensitive::personal, "0", R"([A-Z]{2}\d{2}(?: ?[0-9A-Z]){11,30})", 0,
     RedactCheck::iban, RedactAnchor::iban_start},
    {"card", Sensitive::personal, "0",
     R"((?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6011|65\d{2}|64[4-9]\d)(?:[ -]?\d{4}){3}|)"
     R"(3[47]\d{2}[ -]?\d{6}[ -]?\d{5})",
     0, RedactCheck::luhn, RedactAnchor::card_start},
    {"phone", Sensitive::personal, "0",
     R"(\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,9}){1,5})", 0,
     RedactCheck::phone, RedactAnchor::plus_start},
    {"phone", Sensitive::personal, "0",
     R"(\((?:\d{3}\)[ .-]?\d{3}[ .-]\d{4}|[1-9]{2}\) ?(?:9\d{4}|[2-5]\d{3})[ -]?\d{4}|)"
     R"(0\d{1,4}\)[ .-]?\d{2,9}(?:[ .-]?\d{2,9}){0,3}))",
     0, RedactCheck::phone, RedactAnchor::paren_start},
    // As they are written at home, the most particular first: US, Brazil, Britain, France, Germany
    // and India. With groups that only numbers of telephones have: a table has numbers, too.
    {"phone", Sensitive::personal, "0",
     R"((?:1[-.])?(?:[2-9]\d{2}-[2-9]\d{2}-\d{4}|[2-9]\d{2}\.[2-9]\d{2}\.\d{4})|)"
     R"([1-9]{2} (?:9\d{4}|[2-5]\d{3})-\d{4}|)"
     R"(07\d{3} ?\d{3} ?\d{3}|02\d \d{4} \d{4}|01\d{2} \d{3} \d{4}|01\d{3} \d{6}|)"
     R"(0[1-9](?:(?: \d{2}){4}|(?:\.\d{2}){4}|(?:-\d{2}){4})|0[67]\d{8}|)"
     R"(01[567]\d{1,2}[ /-]?\d{3,4} ?\d{3,5}|)"
     R"(0(?:30|40|69|89|201|211|221|231|341|351|421|511|711|911)[ /-]\d{5,8}|)"
     R"(0?[6-9]\d{4}[ -]\d{5}|)"
     // From abroad, dialled with 00 and the code of a country.
     R"(00(?:[17]|2(?:[07]|[1-69]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|)"
     R"(6(?:[0-6]|[78]\d)|8(?:[1246]|[058]\d)|9(?:[0-58]|[679]\d)) [1-9]\d{0,4})"
     R"((?:(?:[ -]\d{3,5}){2,3}|(?:[ .]\d{2}){4}|[ /-]\d{5,9}))",
     0, RedactCheck::phone_at_home, RedactAnchor::home_number_start},
    {"phone", Sensitive::personal, "phone|mobile|whatsapp|fax|tel",
     R"((?i)(?:phone|mobile|whatsapp|fax|tel)(?:[ _-]?(?:number|no|num|nr))?\.?\\*["']?)"
     R"(\s{0,2}[:=#]?\s{0,2}\\*["']?(\(?\d[\d ().-]{5,18}\d))",
     1, RedactCheck::phone_after_word, RedactAnchor::numbered_word},
    {"cpf", Sensitive::personal, "0", R"(\d{3}\.\d{3}\.\d{3}-\d{2})", 0, RedactCheck::taxpayer,
     RedactAnchor::cpf_start},
    {"cnpj", Sensitive::personal, "0", R"(\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2})", 0,
     RedactCheck::taxpayer, RedactAnchor::cnpj_start},
    {"cpf", Sensitive::personal, "cpf", R"((?i)cpf[^0-9A-Za-z]{1,8}(\d{11}))", 1,
     RedactCheck::taxpayer},
    {"cnpj", Sensitive::personal, "cnpj", R"((?i)cnpj[^0-9A-Za-z]{1,8}(\d{14}))", 1,
     RedactCheck::taxpayer},
    {"ssn", Sensitive::personal, "0", R"(\d{3}-\d{2}-\d{4})", 0, RedactCheck::ssn,
     RedactAnchor::ssn_start},
    {"ipv4", Sensitive::personal, "0",
     R"((?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})", 0,
     RedactCheck::ipv4, RedactAnchor::ipv4_start},
    {"ipv6", Sensitive::personal, ":",
     R"((?i)(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89ab][0-9a-f])(?:(?::[0-9a-f]{1,4}){7}|)"
     R"((?::[0-9a-f]{1,4}){0,6}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?))",
     0, RedactCheck::ipv6, RedactAnchor::ipv6_start},
    {"mac", Sensitive::personal, ":", R"([0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5})", 0,
     RedactCheck::mac, RedactAnchor::mac_start},
    {"mac", Sensitive::personal, "-", R"([0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5})", 0,
     RedactCheck::mac, RedactAnchor::mac_start},
};

}  // namespace xtrace
