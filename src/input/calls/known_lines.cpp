#include "input/calls/known_lines.h"

#include <algorithm>
#include <cstring>

namespace xtrace {

namespace {

constexpr size_t kHeld = 12 << 20;             // bytes of known lines per thread
constexpr size_t kMostLines = 48;              // conversations that take turns; each is looked at
constexpr size_t kWorthKnowing = 2 << 10;      // shorter requests are parsed as fast as compared
constexpr size_t kShortestTail = 2;            // `]}`
constexpr std::string_view kOwnMark = "\x7f";  // no writer escapes it, none has it for a key
constexpr std::string_view kOpening = "{\"messages\":[";
constexpr std::string_view kClosing = "],\"\x7f\":0}";

/// How many bytes both begin with.
size_t common_prefix(std::string_view a, std::string_view b) {
  size_t size = std::min(a.size(), b.size()), at = 0;
  constexpr size_t kStep = 4096;
  while (at + kStep <= size && std::memcmp(a.data() + at, b.data() + at, kStep) == 0) at += kStep;
  return static_cast<size_t>(std::mismatch(a.begin() + static_cast<ptrdiff_t>(at),
                                           a.begin() + static_cast<ptrdiff_t>(size),
                                           b.begin() + static_cast<ptrdiff_t>(at))
                                 .first -
                             a.begin());
}

/// Where `tail` is in `text` from `begin` on; npos if nowhere. Its first bytes are looked for
/// first: a long needle costs more to look for than to compare.
size_t find_tail(std::string_view text, std::string_view tail, size_t begin) {
  if (tail.size() < kShortestTail) return std::string_view::npos;
  std::string_view first = tail.substr(0, 48);
  while (begin < text.size()) {
    const void* found =
        memmem(text.data() + begin, text.size() - begin, first.data(), first.size());
    if (found == nullptr) break;
    begin = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    if (text.substr(begin).starts_with(tail)) return begin;
    ++begin;
  }
  return std::string_view::npos;
}

void append(std::vector<char>& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
}

}  // namespace

bool KnownLines::outline(Line& line) {
  if (line.outlined) return !line.outline.messages.empty();
  line.outlined = true;
  std::optional<RequestOutline> outline = outline_request(line.text());
  if (!outline || outline->messages.size() != line.asked.steps.size()) return false;
  line.outline = *std::move(outline);
  held_ -= line.held();
  line.tail = line.text().substr(line.outline.tail, line.outline.end - line.outline.tail);
  line.bytes.resize(line.outline.messages.back() + 1);
  held_ += line.held();
  return true;
}

const KnownLines::Match& KnownLines::match(std::string_view text) {
  if (match_.text == text.data()) return match_;
  match_ = {text.data(), 0, 0, 0};
  std::optional<size_t> body = lines_.empty() ? std::nullopt : find_request(text);
  if (!body || text.substr(0, *body).find('\n') != std::string_view::npos) return match_;
  match_.body = *body;
  std::string_view request = text.substr(*body);
  // The line used last is the likeliest; others must at least agree where it stops agreeing.
  for (size_t i = lines_.size(); i-- > 0;) {
    std::string_view bytes = lines_[i].text();
    size_t shared = match_.shared;
    if (bytes.size() <= shared || request.size() <= shared || bytes[shared] != request[shared])
      continue;
    size_t common = common_prefix(bytes, request);
    if (common > shared) match_.line = i, match_.shared = common;
  }
  return match_;
}

size_t KnownLines::known_prefix(std::string_view text) {
  match_ = {};  // another text may have stood at this address
  const Match& known = match(text);
  return known.shared == 0 ? 0 : known.body + known.shared;
}

std::optional<KnownLines::Cut> KnownLines::cut(std::string_view text) {
  const Match found = match(text);
  match_ = {};
  if (found.shared == 0) return std::nullopt;
  size_t body = found.body, shared = found.shared;
  if (body + shared > text.size()) return std::nullopt;  // it changed while it was looked at
  Line& line = lines_[found.line];
  if (!outline(line)) return std::nullopt;
  const std::vector<size_t>& begins = line.outline.messages;
  // A message is known if the one behind it begins within what is equal: then what is parsed begins
  // with a message, and not with what a comma must not stand before.
  size_t known =
      static_cast<size_t>(std::lower_bound(begins.begin(), begins.end(), shared) - begins.begin());
  if (known < 2) return std::nullopt;
  Cut cut;
  cut.line = found.line;
  cut.body = body;
  cut.messages = known - 1;
  cut.begin = body + begins[known - 1];
  // The tail's bytes may also stand deeper, in a message; the mark will tell.
  size_t at = find_tail(text, line.tail, cut.begin);
  if (at == std::string_view::npos) return std::nullopt;
  cut.end = at;
  // What is judged from here on is the copy, which nobody else can write to.
  spliced_.clear();
  append(spliced_, text.substr(0, body));
  append(spliced_, kOpening);
  append(spliced_, text.substr(cut.begin, cut.fresh()));
  append(spliced_, kClosing);
  append(spliced_, text.substr(cut.end + line.tail.size()));
  size_t size = spliced_.size();
  std::string_view copy(spliced_.data(), size);
  size_t ours = body + kOpening.size() + cut.fresh();
  if (copy.substr(body, ours - body).find(kOwnMark) != std::string_view::npos ||
      copy.substr(ours + kClosing.size()).find(kOwnMark) != std::string_view::npos)
    return std::nullopt;
  spliced_.resize(size + simdjson::SIMDJSON_PADDING);
  cut.spliced = {spliced_.data(), size};
  return cut;
}

Asked KnownLines::asked(const Cut& cut) const {
  Asked asked = lines_[cut.line].asked;
  asked.steps.resize(cut.messages);
  return asked;
}

bool KnownLines::proves(json::element request) {
  size_t fields = 0;
  bool marked = false;
  json::fields(request, [&](std::string_view key, json::element) {
    ++fields;
    marked = fields == 2 && key == kOwnMark;
  });
  return fields == 2 && marked;
}

void KnownLines::remember(std::string_view text, const Asked& asked) {
  match_ = {};
  if (asked.steps.empty()) return;
  std::optional<size_t> body = find_request(text);
  if (!body || text.size() - *body < kWorthKnowing) return;
  Line line;
  line.bytes.assign(text.begin() + static_cast<ptrdiff_t>(*body), text.end());
  line.asked = asked;
  keep(std::move(line));
}

void KnownLines::extend(const Cut& cut, const Asked& asked) {
  match_ = {};
  Line line = std::move(lines_[cut.line]);
  lines_.erase(lines_.begin() + static_cast<ptrdiff_t>(cut.line));
  held_ -= line.held();
  line.outline.messages.resize(cut.messages);
  std::vector<size_t> begins;
  size_t end = 0;
  std::string_view parsed = cut.spliced.substr(cut.body + kOpening.size(), cut.fresh() + 1);
  if (!outline_items(parsed, begins, end)) return;  // up to the `]` behind them
  for (size_t begin : begins) line.outline.messages.push_back(cut.begin - cut.body + begin);
  size_t kept = cut.begin - cut.body;
  line.bytes.resize(kept);
  std::string_view fresh = parsed.substr(0, line.outline.messages.back() + 1 - kept);
  // Doubling, as vectors do by themselves, would hold twice the memory for lines that grow slowly.
  size_t needed = kept + fresh.size();
  if (needed > line.bytes.capacity()) line.bytes.reserve(needed + needed / 8);
  append(line.bytes, fresh);
  line.asked = asked;
  keep(std::move(line));
}

/// The line used last stands last and is looked at first; those unused for longest make room.
void KnownLines::keep(Line line) {
  size_t dropped = 0;
  while (dropped < lines_.size() &&
         (held_ + line.held() > kHeld || lines_.size() - dropped >= kMostLines))
    held_ -= lines_[dropped++].held();
  lines_.erase(lines_.begin(), lines_.begin() + static_cast<ptrdiff_t>(dropped));
  held_ += line.held();
  lines_.push_back(std::move(line));
}

}  // namespace xtrace
