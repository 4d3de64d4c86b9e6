#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// What is assigned to a name that says secret, in whatever syntax: one reading of names, of what
/// assigns and of values, in place of a pattern for each language and each kind of file.
namespace xtrace {

struct ByteRange {
  size_t begin = 0, end = 0;
};

/// The words, `|` between them, that name a password; the words that name a key or a token. A text
/// is read where one of them is.
inline constexpr std::string_view kPasswordTriggers =
    "pass|assword:|pwd|_pw|-pw| pw|ndpw|otpw|erpw|psk|pw:|pw=|kennwort|wachtwoord|passord|senha|"
    "contrase|mdp|clave|has\xC5\x82o|haslo|l\xC3\xB6senord|losenord|\xC5\x9Fifre|sifre|salasana|"
    "heslo|adgangskode|jelsz\xC3\xB3|parol\xC4\x83|"
    "\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C|"
    "\xD0\x9F\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C|\xE5\xAF\x86\xE7\xA0\x81|"
    "\xE5\xAF\x86\xE7\xA2\xBC|"
    "\xE3\x83\x91\xE3\x82\xB9\xE3\x83\xAF\xE3\x83\xBC\xE3\x83\x89|"
    "\xEB\xB9\x84\xEB\xB0\x80\xEB\xB2\x88\xED\x98\xB8";
inline constexpr std::string_view kKeyTriggers = "secret|token|credential|creds|key|auth|jwt";

void read_assigned_password(std::string_view t, size_t hit, std::vector<ByteRange>& found);
void read_assigned_key(std::string_view t, size_t hit, std::vector<ByteRange>& found);

/// A token by its form: a short word, `_` or `-`, and what is random.
void read_token(std::string_view t, size_t hit, std::vector<ByteRange>& found);
void read_manifest(std::string_view t, size_t hit, std::vector<ByteRange>& found);

/// A name that says secret, as it is written in a text.
struct SecretName {
  size_t begin = 0, end = 0;   ///< with what belongs to it on the left: `--db-`, `SMTP_`
  bool is_password = false;    ///< people choose those; keys and tokens are random
  bool is_identifier = false;  ///< of code, of settings, an option: no word of a sentence
  bool is_key = false;         ///< `…_key`, which more often names no secret
  bool is_loose = false;       ///< goes on behind the word: `token_of_bob`, `passwordField`
  bool is_variable = false;    ///< of the environment: in capitals
};

/// The name around the word at `hit`; false if what is there says no secret.
bool find_name(std::string_view t, size_t hit, bool is_password, SecretName& name);

/// How a value follows its name.
enum class Stated : uint8_t { bare, quoted, assigned, assigned_quoted, variable };

/// Whether the bytes [begin, end) may be the value of that name; may shorten them.
bool is_value(std::string_view t, const SecretName& name, size_t begin, size_t& end, Stated how);

/// The columns of tables below a cell that is the name: of Markdown, of CSV, or apart by blanks.
void read_column(std::string_view t, const SecretName& name, std::vector<ByteRange>& found);

}  // namespace xtrace
