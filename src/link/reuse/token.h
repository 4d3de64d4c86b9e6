#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

namespace xtrace {

/// What can be recognized in two texts as the same thing, so rare that it is hardly in both by
/// chance. `value` and `run` are no tokens: a whole text of a few words, and a passage
/// (link/reuse/passages.h).
enum class TokenKind : uint8_t {
  url,
  host,
  mail,
  iban,
  card,
  phone,
  hash,
  code,
  number,
  path,
  value,
  run
};
inline constexpr std::string_view kTokenKindWords[] = {"url",    "host",  "mail",  "iban",
                                                       "card",   "phone", "hash",  "code",
                                                       "number", "path",  "value", "run"};
inline constexpr size_t kTokenKinds = std::size(kTokenKindWords);
constexpr std::string_view word(TokenKind kind) {
  return kTokenKindWords[static_cast<size_t>(kind)];
}

/// How a token was written in the text. `json`: with the escapes of a JSON string; `query`: as a
/// value in the query of an address.
enum class Encoding : uint8_t { none, json, percent, base64, hex, query };
inline constexpr std::string_view kEncodingWords[] = {"none",   "json", "percent",
                                                      "base64", "hex",  "query"};
constexpr std::string_view word(Encoding encoding) {
  return kEncodingWords[static_cast<size_t>(encoding)];
}

/// A thing that a text names, in its normal form: equal forms are the same thing.
struct Token {
  TokenKind kind = TokenKind::code;
  uint32_t length = 0;  ///< bytes as it is written
  std::string normal;
};

/// Shorter numbers are in many texts by chance.
inline constexpr size_t kLeastDigits = 6;

/// Calls `each` for the tokens of a text, in their order. A part of a token is none, except for the
/// host of an address. With `names_hosts` every dotted name is a host as well: a text may name
/// one without a scheme, and few of such names are hosts.
void find_tokens(std::string_view text, size_t least_digits, bool names_hosts,
                 const std::function<void(const Token&)>& each);

/// Calls `each` for the text as it is, then for what is written within it: without the escapes of
/// JSON, decoded from percent signs, base64 and hexadecimal digits, and each value of an address's
/// query.
void each_layer(std::string_view text,
                const std::function<void(std::string_view layer, Encoding encoding)>& each);
/// The same for who only asks whether something is in one of them: lines that decoding does not
/// change are not shown again, but for some around those that it changes.
void each_decoded(std::string_view text,
                  const std::function<void(std::string_view layer, Encoding encoding)>& each);

}  // namespace xtrace
