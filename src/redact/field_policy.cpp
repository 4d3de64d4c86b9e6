#include "redact/field_policy.h"

#include <algorithm>

#include "base/hidden_marker.h"
#include "base/one_of.h"
#include "base/text.h"
#include "base/utf8.h"
#include "redact/custom_rule.h"

namespace xtrace {

namespace {

using std::string_view;

/// Half a replacement shows neither what was there nor that it was replaced: if `cut` falls into
/// one, the place where that begins.
size_t outside_replacements(string_view redacted, size_t cut) {
  if (cut == 0) return cut;
  size_t begin = redacted.rfind(kHiddenMarker, cut - 1);
  if (begin == string_view::npos) return cut;
  size_t end = redacted.find_first_not_of(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:", begin + 1);
  bool whole = end != string_view::npos && redacted[end] == ']';
  return whole && cut <= end ? begin : cut;
}

// `clientSecret`, `X-Api-Key`, `refresh_token`; but `max_tokens` and `token_count` are numbers.
constexpr string_view kSecretEnds[] = {"password",   "passwd",     "passphrase",    "pwd",
                                       "secret",     "token",      "apikey",        "privatekey",
                                       "cookie",     "accesskey",  "authorization", "secretkey",
                                       "credential", "credentials"};

}  // namespace

FieldPolicy::FieldAction FieldPolicy::fate_of(string_view key) const {
  const std::string plain = plain_key(key);
  if (is_one_of(plain, drop)) return FieldAction::drop;
  const bool is_secret =
      std::any_of(std::begin(kSecretEnds), std::end(kSecretEnds),
                  [&](string_view end) { return string_view(plain).ends_with(end); });
  return is_secret || is_one_of(plain, mask) ? FieldAction::mask : FieldAction::show;
}

std::string FieldPolicy::with_short_code(std::string text) const {
  constexpr string_view kFence = "```";
  if (max_code == 0 || text.find(kFence) == string_view::npos) return text;
  std::string out;
  size_t copied = 0;
  for (size_t fence = text.find(kFence); fence != string_view::npos;) {
    const size_t line = text.find('\n', fence);  // the language follows the fence
    if (line == string_view::npos) break;
    const size_t end = std::min(text.find(kFence, line), text.size());
    const string_view code = string_view(text).substr(line + 1, end - line - 1);
    if (const size_t kept = head_of_redacted(code, max_code); kept < code.size()) {
      out.append(text, copied, line + 1 + kept - copied).append("… [");
      out.append(std::to_string(code_points(code))).append(" characters of code]\n");
      copied = end;
    }
    fence = end == text.size() ? string_view::npos : text.find(kFence, end + kFence.size());
  }
  return out.append(text, copied);
}

size_t head_of_redacted(string_view redacted, size_t characters) {
  size_t bytes = 0;
  for (; bytes < redacted.size() && characters > 0; --characters)
    bytes += decode(redacted.substr(bytes)).length;
  return bytes < redacted.size() ? outside_replacements(redacted, bytes) : bytes;
}

}  // namespace xtrace
