#include "redact/decoded_views.h"

#include <algorithm>
#include <array>

#include "base/digits.h"
#include "base/utf8.h"
#include "redact/line_prefixes.h"

namespace xtrace {
namespace {

using std::string_view;
constexpr size_t kAround = 256;      // bytes of a view beyond its outermost escapes
constexpr size_t kShortestRun = 12;  // characters of base64: eight bytes and a little
constexpr size_t kShortestHex = 16;
constexpr size_t kShortestText = 8;  // bytes of a decoded stretch that are worth a look
constexpr size_t kKeyLine = 64;      // characters of a line of PEM
constexpr size_t kWrappedLine = 60;  // a run this long may go on in the next line (MIME, PEM)

/// What one escape says, and how many bytes it takes (0: there is none here).
struct Escape {
  size_t length = 0;
  bool tells = true;  ///< false for `\n` and the like, which alone are no reason for a view
};

// Reads `digits` hex digits at `from`.
bool read_hex(string_view t, size_t from, size_t digits, uint32_t& value) {
  if (from + digits > t.size()) return false;
  value = 0;
  for (size_t i = from; i < from + digits; ++i) {
    const int v = hex_digit(t[i]);
    if (v < 0) return false;
    value = value * 16 + static_cast<uint32_t>(v);
  }
  return true;
}

// The length of a backslash, the line break behind it and the indentation of the next line, which
// join two lines of a shell or of a string; 0: they do not.
size_t continuation(string_view t, size_t i) {
  size_t p = i + 1;
  if (p < t.size() && t[p] == '\r') ++p;
  if (p >= t.size() || t[p] != '\n') return 0;
  ++p;
  // The blanks between two words of a command belong to it.
  const bool is_within_word = i > 0 && t[i - 1] != ' ' && t[i - 1] != '\t';
  while (is_within_word && p < t.size() && (t[p] == ' ' || t[p] == '\t')) ++p;
  return p - i;
}

Escape json_escape(string_view t, size_t i, std::string& out) {
  if (t[i] != '\\' || i + 1 >= t.size()) return {};
  uint32_t c = 0;
  const char kind = t[i + 1];
  if (kind == 'u' && read_hex(t, i + 2, 4, c)) return append_utf8(out, c), Escape{6};
  if (kind == 'x' && read_hex(t, i + 2, 2, c)) return append_utf8(out, c), Escape{4};
  if (kind == '\n' || kind == '\r') return {continuation(t, i)};
  constexpr string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  const size_t known = kFrom.find(kind);
  if (known == string_view::npos) return {};
  out += kTo[known];
  // An escaped escape: its view has a view of its own.
  const bool nested =
      kind == '\\' && i + 2 < t.size() && string_view("ux/\\").find(t[i + 2]) != string_view::npos;
  return {2, kind == '/' || nested};
}

Escape entity(string_view t, size_t i, std::string& out) {
  const size_t from = i + (t[i] == '&' ? 1 : 0);
  const size_t semicolon = t.substr(from, 12).find(';');
  if (semicolon == string_view::npos) return {};
  const string_view name = t.substr(from, semicolon);
  const size_t length = from + semicolon + 1 - i;
  if (name.size() > 1 && name[0] == '#') {  // also without '&', as Mermaid writes it
    const uint32_t base = (name[1] | 0x20) == 'x' ? 16 : 10;
    uint32_t c = 0;
    for (char d : name.substr(base == 16 ? 2 : 1)) {
      const uint32_t v = static_cast<uint32_t>(hex_digit(d));  // no digit: huge
      if (v >= base) return {};
      c = std::min<uint32_t>(c * base + v, 0x10FFFF);
    }
    return append_utf8(out, c), Escape{length};
  }
  static constexpr std::pair<string_view, char> kNames[] = {
      {"amp", '&'},  {"lt", '<'},     {"gt", '>'},     {"quot", '"'},   {"apos", '\''},
      {"nbsp", ' '}, {"colon", ':'},  {"sol", '/'},    {"bsol", '\\'},  {"commat", '@'},
      {"dot", '.'},  {"period", '.'}, {"equals", '='}, {"plus", '+'},   {"lowbar", '_'},
      {"num", '#'},  {"lpar", '('},   {"rpar", ')'},   {"hyphen", '-'}, {"dash", '-'}};
  if (t[i] != '&') return {};
  for (const auto& [word, c] : kNames)
    if (name == word) return out += c, Escape{length};
  return {};
}

// Characters that cannot be seen: U+00AD, U+034F, U+061C, U+180E, U+200B-U+200F, U+202A-U+202E,
// U+2060-U+206F, U+FE00-U+FE0F, U+FEFF, NUL, and a CR that ends no line.
size_t invisible(string_view t, size_t i) {
  const string_view c = t.substr(i, 3);
  if (c[0] == '\0') return 1;
  if (c[0] == '\r') return c.size() > 1 && c[1] == '\n' ? 0 : 1;
  if (c.starts_with("\xC2\xAD") || c.starts_with("\xCD\x8F") || c.starts_with("\xD8\x9C")) return 2;
  if (c.size() < 3) return 0;
  if (c == "\xE1\xA0\x8E" || c == "\xEF\xBB\xBF") return 3;
  const uint8_t last = static_cast<uint8_t>(c[2]);
  if (c.starts_with("\xE2\x80"))
    return (last >= 0x8B && last <= 0x8F) || (last >= 0xAA && last <= 0xAE) ? 3 : 0;
  if (c.starts_with("\xE2\x81")) return last >= 0xA0 && last <= 0xAF ? 3 : 0;
  return c.starts_with("\xEF\xB8") && last <= 0x8F ? 3 : 0;
}

Escape web_escape(string_view t, size_t i, std::string& out) {
  uint32_t c = 0;
  if (t[i] == '%' && read_hex(t, i + 1, 2, c)) return out += static_cast<char>(c), Escape{3};
  if (t[i] == '#' &&
      (i + 1 == t.size() || string_view("0123456789x").find(t[i + 1]) == string_view::npos))
    return {};
  if (t[i] == '&' || t[i] == '#') return entity(t, i, out);
  return {invisible(t, i)};
}

// Which bytes can begin an escape, and of which kind.
enum Sign : uint8_t { kNone = 0, kJson = 1, kWeb = 2 };
constexpr std::array<Sign, 256> kSigns = [] {
  std::array<Sign, 256> sign{};
  sign['\\'] = kJson;
  for (char c : {'%', '&', '#', '\r', '\0', '\xC2', '\xCD', '\xD8', '\xE1', '\xE2', '\xEF'})
    sign[static_cast<uint8_t>(c)] = kWeb;
  return sign;
}();

Sign sign_of(char c) {
  return kSigns[static_cast<uint8_t>(c)];
}
using ReadEscape = Escape (*)(string_view, size_t, std::string&);

// The view of the group of escapes that begins with the one at `at`.
DecodedView escape_view(string_view t, size_t at, Sign sign, ReadEscape read) {
  DecodedView view;
  view.begin = at > kAround ? at - kAround : 0;
  size_t stop = std::min(t.size(), at + kAround), p = view.begin;
  while (p < stop) {
    const size_t before = view.text.size();
    Escape escape;
    if (sign_of(t[p]) == sign) escape = read(t, p, view.text);
    if (escape.length == 0) view.text += t[p];
    view.origin.resize(view.origin.size() + view.text.size() - before, static_cast<uint32_t>(p));
    p += std::max<size_t>(escape.length, 1);
    if (escape.length > 0 && escape.tells) stop = std::min(t.size(), p + 2 * kAround);
  }
  view.end = p;
  view.origin.push_back(static_cast<uint32_t>(p));
  return view;
}

void escape_views(string_view t, std::vector<DecodedView>& views) {
  static constexpr ReadEscape kRead[] = {nullptr, json_escape, web_escape};
  std::array<size_t, 3> done{};  // by sign: what a view or an escape has covered
  std::string ignored;
  for (size_t i = 0; i < t.size(); ++i) {
    // Four at a time: nearly all bytes are none.
    const char* c = t.data() + i;
    if (i + 4 <= t.size() && (sign_of(c[0]) | sign_of(c[1]) | sign_of(c[2]) | sign_of(c[3])) == 0) {
      i += 3;
      continue;
    }
    const Sign sign = sign_of(t[i]);
    if (sign == kNone || i < done[sign]) continue;
    ignored.clear();
    const Escape escape = kRead[sign](t, i, ignored);
    if (escape.length == 0) continue;
    done[sign] = i + escape.length;
    if (!escape.tells) continue;
    views.push_back(escape_view(t, i, sign, kRead[sign]));
    done[sign] = views.back().end;
  }
}

/// How many bytes follow the first of a letter of Latin, Cyrillic, Chinese, Japanese or Korean; 0:
/// there is no letter.
size_t letter_bytes(const std::string& bytes, size_t i) {
  const auto first = static_cast<uint8_t>(bytes[i]);
  const size_t more = (first >= 0xC3 && first <= 0xC5) || first == 0xD0 || first == 0xD1 ? 1
                      : first >= 0xE3 && first <= 0xED                                   ? 2
                                                                                         : 0;
  for (size_t k = 1; k <= more; ++k)
    if (i + k >= bytes.size() || (bytes[i + k] & 0xC0) != 0x80) return 0;
  return more;
}

// Appends the readable stretches of `bytes`; NUL counts as readable, UTF-16 text has it, and so do
// letters of other scripts, which names of secrets have.
void append_stretches(const std::string& bytes, std::string& out) {
  size_t begin = 0;
  for (size_t i = 0; i <= bytes.size(); ++i) {
    const char c = i < bytes.size() ? bytes[i] : '\x7f';
    if ((c >= ' ' && c < '\x7f') || c == '\n' || c == '\r' || c == '\t' || c == '\0') continue;
    if (const size_t more = letter_bytes(bytes, i); more > 0) {
      i += more;
      continue;
    }
    if (i - begin >= kShortestText) out.append(bytes, begin, i - begin).push_back('\n');
    begin = i + 1;
  }
}

// Which alignments of a run can hold text: there, three quads in a row decode to bytes without a
// high bit. Most runs are names and have none. Bits 0-2 of kQuad say whether a character may be
// first, second or third in such a quad.
constexpr std::array<uint8_t, 256> kQuad = [] {
  std::array<uint8_t, 256> bits{};
  for (size_t c = 0; c < bits.size(); ++c) {
    const uint32_t v = static_cast<uint8_t>(kBase64[c]);
    bits[c] = static_cast<uint8_t>((v & 32 ? 0 : 1) | (v & 8 ? 0 : 2) | (v & 2 ? 0 : 4));
  }
  return bits;
}();
uint32_t text_alignments(string_view run) {
  uint32_t three = 0, good = 0, found = 0;  // bits of the last three characters; of the last quads
  for (size_t i = 0; i + 1 < run.size(); ++i) {
    three = three << 3 | kQuad[static_cast<uint8_t>(run[i])];
    good = good << 1 | (three >> 6 & three >> 4 & three >> 2 & 1);  // the quad that began at i - 2
    found |= (good & good >> 4 & good >> 8 & 1) << ((i + 2) % 4);
  }
  return found;
}

// Decodes base64 at each alignment that may hold text: an id glued in front shifts the rest.
void base64_text(string_view run, std::string& out) {
  const uint32_t alignments = text_alignments(run);
  for (size_t shift = 0; shift < 4; ++shift) {
    if ((alignments >> shift & 1) == 0) continue;
    std::string bytes;
    bytes.reserve(run.size());
    uint32_t bits = 0;
    for (size_t i = shift; i < run.size(); ++i) {
      bits = bits << 6 | static_cast<uint32_t>(base64_digit(run[i]));
      const size_t phase = (i - shift) % 4;
      if (phase > 0) bytes += static_cast<char>(bits >> (6 - 2 * phase));
    }
    append_stretches(bytes, out);
  }
}

void hex_text(string_view run, std::string& out) {
  for (size_t i = kShortestHex - 1, end = 0; i < run.size(); i = end + kShortestHex) {
    size_t begin = i;
    for (end = i; end < run.size() && hex_digit(run[end]) >= 0;) ++end;
    while (begin > 0 && hex_digit(run[begin - 1]) >= 0) --begin;
    for (size_t shift = 0; shift < 2 && end - begin >= kShortestHex; ++shift) {
      std::string bytes;
      for (size_t k = begin + shift; k + 1 < end; k += 2)
        bytes += static_cast<char>(hex_digit(run[k]) * 16 + hex_digit(run[k + 1]));
      append_stretches(bytes, out);
    }
  }
}

// A line break, escaped or not, with the indentation of the next line or what quotes it; 0: none.
size_t line_break(string_view t, size_t p) {
  constexpr size_t kMost = 16;
  size_t length = break_length(t, p);
  if (length == 0) return 0;
  while (length < kMost && p + length < t.size() &&
         string_view(" \t>|").find(t[p + length]) != string_view::npos)
    ++length;
  return length;
}

// The body of a private key whose header is missing: whole lines of 64 characters, as PEM has them.
// A certificate and a public key are as long; they have their header, or begin as certificates do.
bool is_key_body(string_view t, size_t begin, size_t lines, string_view joined) {
  constexpr size_t kLeast = 3;
  if (lines < kLeast) return false;
  const string_view before = t.substr(begin > 80 ? begin - 80 : 0, std::min<size_t>(begin, 80));
  if (before.find("BEGIN ") != string_view::npos) return false;
  // Dumps and tables have fewer different characters.
  constexpr size_t kVaried = 40;
  std::array<bool, 256> seen{};
  for (char c : joined) seen[static_cast<uint8_t>(c)] = true;
  if (static_cast<size_t>(std::count(seen.begin(), seen.end(), true)) < kVaried) return false;
  const bool is_certificate = joined.starts_with("MII") && joined.substr(7, 1) == "C";
  const bool is_picture = joined.starts_with("iVBOR") || joined.starts_with("/9j/") ||
                          joined.starts_with("R0lGOD") || joined.starts_with("UklGR");
  return !is_certificate && !is_picture;
}

// A run of kShortestRun characters covers half as many and one more from a multiple of that half
// on: only there it is looked for.
void run_views(string_view t, std::vector<DecodedView>& views) {
  constexpr size_t kHalf = kShortestRun / 2;
  for (size_t i = 0, floor = 0; i + kHalf < t.size(); i += kHalf) {
    int outside = 0;
    for (size_t k = 0; k <= kHalf; ++k) outside |= base64_digit(t[i + k]);
    if (outside < 0 || i < floor) continue;
    size_t begin = i, end = i + 1, line = 0, key_lines = 0;
    while (begin > floor && base64_digit(t[begin - 1]) >= 0) --begin;
    while (end < t.size() && base64_digit(t[end]) >= 0) ++end;
    if (end - begin >= kWrappedLine)
      if (const size_t behind = add_run_lines(t, begin, end, views); behind > end) {
        floor = behind;
        continue;
      }
    std::string joined;  // the run without its line breaks, when it has some
    for (line = begin;; line = end) {
      while (end < t.size() && base64_digit(t[end]) >= 0) ++end;
      const size_t gap = end - line >= kWrappedLine ? line_break(t, end) : 0;
      if (!joined.empty() || gap > 0) joined.append(t, line, end - line);
      key_lines += end - line == kKeyLine && gap > 0 ? 1U : 0U;
      if (gap == 0 || end + gap >= t.size() || base64_digit(t[end + gap]) < 0) break;
      end += gap;
    }
    floor = end + 1;
    if (end - begin < kShortestRun) continue;
    DecodedView view;
    const string_view run = joined.empty() ? t.substr(begin, end - begin) : string_view(joined);
    base64_text(run, view.text);
    hex_text(run, view.text);
    if (is_key_body(t, begin, key_lines, joined))
      view.text.append("-----BEGIN PRIVATE KEY-----\n").append(joined);
    if (view.text.empty()) continue;
    while (end < t.size() && t[end] == '=') ++end;
    view.begin = begin, view.end = end;
    views.push_back(std::move(view));
  }
}

}  // namespace

std::vector<DecodedView> decoded_views(string_view text) {
  std::vector<DecodedView> views;
  if (text.size() > UINT32_MAX) return views;
  escape_views(text, views);
  run_views(text, views);
  add_key_lines(text, views);
  return views;
}

}  // namespace xtrace
