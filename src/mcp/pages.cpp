#include "mcp/pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/number.h"
#include "mcp/tokens.h"

namespace xtrace::mcp {

namespace {

/// An agent reads on in an answer or asks another question; it rarely goes back further.
constexpr size_t kMostKept = 8;
/// At least this is shown of a line that alone is too long.
constexpr size_t kLeastBytes = 256;
/// Room for the line with the cursor.
constexpr size_t kFooterTokens = 50;

/// A character is never cut.
size_t before_character(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

/// Returns where a page ends: behind the last line that fits.
size_t end_of_page(std::string_view text, size_t begin, size_t max_tokens) {
  if (estimate_tokens(text.substr(begin)) <= max_tokens) return text.size();
  size_t tokens = kFooterTokens, end = begin;
  while (end < text.size()) {
    const size_t line_end = std::min(text.find('\n', end), text.size() - 1) + 1;
    tokens += estimate_tokens(text.substr(end, line_end - end));
    if (tokens > max_tokens) break;
    end = line_end;
  }
  if (end > begin) return end;
  // The first line alone is too long: each token has at least one byte.
  const size_t most =
      std::max(kLeastBytes, max_tokens > kFooterTokens ? max_tokens - kFooterTokens : 0);
  return before_character(text, std::min(begin + most, text.size()));
}

}  // namespace

std::string Pages::page(const Kept& kept, size_t begin, size_t max_tokens) {
  const std::string_view text = kept.text;
  const size_t end = end_of_page(text, begin, max_tokens);
  std::string page(text.substr(begin, end - begin));
  if (end == text.size()) return page;
  if (!page.ends_with('\n')) page += '\n';
  page += fmt::format("[{} of {} bytes; for more, call the same tool with cursor \"{}-{:x}\"]\n",
                      end, text.size(), kept.name, end);
  return page;
}

std::string Pages::first(std::string answer, size_t max_tokens) {
  Kept kept;
  kept.name = fmt::format("{:08x}", static_cast<uint32_t>(hash_of(answer)));
  kept.text = std::move(answer);
  std::string page = Pages::page(kept, 0, max_tokens);
  if (page.size() == kept.text.size()) return page;
  std::erase_if(kept_, [&](const Kept& old) { return old.name == kept.name; });
  kept_.push_front(std::move(kept));
  if (kept_.size() > kMostKept) kept_.pop_back();
  return page;
}

std::optional<std::string> Pages::next(std::string_view cursor, size_t max_tokens) const {
  const size_t dash = cursor.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto kept = std::ranges::find(kept_, cursor.substr(0, dash), &Kept::name);
  if (kept == kept_.end()) return std::nullopt;
  const std::string_view digits = cursor.substr(dash + 1);
  size_t begin = 0;
  const char* all = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), all, begin, 16);
  if (error != std::errc() || end != all || begin >= kept->text.size()) return std::nullopt;
  return page(*kept, before_character(kept->text, begin), max_tokens);
}

}  // namespace xtrace::mcp
