#include "input/hash_chains.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/sha256.h"
#include "input/common/json.h"

namespace xtrace {

namespace {

constexpr size_t kDigits = 64;  // of a SHA-256
constexpr std::string_view kPrefix = "sha256:";

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Can the line have a digest? Most lines of most logs have none, and need not be parsed.
bool may_have_digest(std::string_view line) {
  size_t run = 0;
  for (const char c : line)
    if ((run = is_hex(c) ? run + 1 : 0) == kDigits) return true;
  return false;
}

/// The digits of a digest in small letters; nothing: it is none.
std::optional<std::string> digest_in(std::string_view text) {
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  if (text.size() != kDigits || !std::all_of(text.begin(), text.end(), is_hex)) return {};
  std::string digits(text);
  for (char& c : digits)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c + 32);
  return digits;
}

/// How a record may be written down to be digested.
struct Recipe {
  std::string_view words;
  bool sorts_keys, is_spaced, begins_with_previous;
};
constexpr Recipe kRecipes[] = {
    {"the record without its digest, as JSON with sorted keys", true, false, false},
    {"the record without its digest, as JSON", false, false, false},
    {"the record without its digest, as JSON with sorted keys and blanks", true, true, false},
    {"the record without its digest, as JSON with blanks", false, true, false},
    {"the digest before, then the record without both digests, as JSON with sorted keys", true,
     false, true},
    {"the digest before, then the record without both digests, as JSON", false, false, true},
    {"the digest before, then the record without both digests, as JSON with sorted keys and blanks",
     true, true, true},
    {"the digest before, then the record without both digests, as JSON with blanks", false, true,
     true},
};
constexpr std::string_view kOfLine = "the line before, as it is";

/// A record's top level, parsed once for all recipes.
struct Parsed {
  json::element record;
  std::vector<std::pair<std::string, std::string>> digests;  ///< by key
};

void write(json::element value, const Recipe& recipe, std::string& out);

void write_fields(json::element record, const Recipe& recipe,
                  std::initializer_list<std::string_view> without, std::string& out) {
  std::vector<std::pair<std::string_view, json::element>> fields;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (std::find(without.begin(), without.end(), key) == without.end())
      fields.emplace_back(key, value);
  });
  if (recipe.sorts_keys)
    std::stable_sort(fields.begin(), fields.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += recipe.is_spaced ? ", " : ",";
    append_json(out, fields[i].first);
    out += recipe.is_spaced ? ": " : ":";
    write(fields[i].second, recipe, out);
  }
  out += '}';
}

void write(json::element value, const Recipe& recipe, std::string& out) {
  if (json::is_object(value)) return write_fields(value, recipe, {}, out);
  if (!json::is_array(value)) {
    out += simdjson::minify(value);
    return;
  }
  out += '[';
  bool is_first = true;
  json::items(value, [&](json::element item) {
    if (!std::exchange(is_first, false)) out += recipe.is_spaced ? ", " : ",";
    write(item, recipe, out);
  });
  out += ']';
}

std::string digest_by(const Recipe& recipe, json::element record, const HashChain& chain,
                      const std::string& previous) {
  std::string text;
  if (recipe.begins_with_previous) {
    text = previous;
    write_fields(record, recipe, {chain.digest, chain.previous}, text);
  } else {
    write_fields(record, recipe, {chain.digest}, text);
  }
  return sha256_of(text);
}

const std::string* find_digest(const Parsed& parsed, std::string_view key) {
  for (const auto& [name, digest] : parsed.digests)
    if (name == key) return &digest;
  return nullptr;
}

}  // namespace

struct HashChains::State {
  using Keys = std::pair<std::string, std::string>;  // of the digest, empty: of the line; previous

  static constexpr size_t kNone = SIZE_MAX;
  /// How the digests of a chain are made, as far as that is known.
  struct Making {
    size_t recipe = kNone;  ///< index into kRecipes
    size_t tried = 0;       ///< records that no recipe fits
    Extent first;           ///< the first of these
  };
  /// After so many records that no recipe fits, none is looked for any more.
  static constexpr size_t kMostTried = 16;

  simdjson::dom::parser parser, parser_before;
  std::map<Keys, HashChain> chains;
  std::map<Keys, Making> makings;
  std::vector<std::pair<std::string, std::string>> before;  ///< digests of the record before
  std::string line_before;
  Extent at_before;
  bool has_before = false;

  static std::optional<Parsed> parse(simdjson::dom::parser& parser, std::string_view line) {
    Parsed parsed;
    if (parser.parse(line.data(), line.size(), true).get(parsed.record) ||
        !json::is_object(parsed.record))
      return {};
    json::fields(parsed.record, [&](std::string_view key, json::element value) {
      if (std::optional<std::string> digest = digest_in(json::text(value)))
        parsed.digests.emplace_back(key, *std::move(digest));
    });
    return parsed;
  }

  /// Keys by which this record names the one before it; each is a chain from then on.
  void find_keys(const Parsed& parsed) {
    const std::string of_line = sha256_of(line_before);
    for (const auto& [previous, named] : parsed.digests) {
      if (named == of_line) chains.try_emplace({"", previous});
      for (const auto& [key, digest] : before) {
        // A digest that stays the same from record to record, as that of a prompt, links nothing.
        const std::string* own = find_digest(parsed, key);
        if (key != previous && digest == named && own != nullptr && *own != digest)
          chains.try_emplace({key, previous});
      }
    }
  }

  void follow(const Keys& keys, HashChain& chain, const Parsed& parsed, const Extent& at) {
    const auto& [key, previous] = keys;
    const std::string* named = find_digest(parsed, previous);
    if (named == nullptr) return;
    if (chain.records++ == 0) {
      chain.digest = key;
      chain.previous = previous;
      chain.source = at.file;
      // The first record that names another is the second one of the chain.
      ++chain.records;
      if (const std::optional<Parsed> first = parse(parser_before, line_before))
        recompute(keys, chain, *first, std::string(json::text_at(first->record, previous)),
                  at_before);
    }
    const std::string* before_it = nullptr;
    std::string of_line;
    if (key.empty()) {
      of_line = sha256_of(line_before);
      before_it = &of_line;
    } else {
      for (const auto& [name, digest] : before)
        if (name == key) before_it = &digest;
    }
    if (before_it != nullptr && *before_it == *named)
      ++chain.linked;
    else if (chain.broken.line == 0)
      chain.broken = at;
    recompute(keys, chain, parsed, *named, at);
  }

  void recompute(const Keys& keys, HashChain& chain, const Parsed& parsed,
                 const std::string& previous, const Extent& at) {
    const std::string* own = find_digest(parsed, chain.digest);
    if (own == nullptr) return;
    Making& making = makings[keys];
    const auto fits = [&](const Recipe& recipe) {
      return digest_by(recipe, parsed.record, chain, previous) == *own;
    };
    if (making.recipe == kNone && making.tried < kMostTried) {
      const auto* found = std::find_if(std::begin(kRecipes), std::end(kRecipes), fits);
      if (found != std::end(kRecipes)) {
        making.recipe = static_cast<size_t>(found - kRecipes);
        chain.made_of = found->words;
        chain.altered = making.first;  // what was tried before does not fit either
      }
    }
    if (making.recipe != kNone && fits(kRecipes[making.recipe])) {
      ++chain.recomputed;
    } else if (making.recipe != kNone) {
      if (chain.altered.line == 0) chain.altered = at;
    } else if (making.tried++ == 0) {
      making.first = at;
    }
  }
};

HashChains::HashChains() : state_(std::make_unique<State>()) {}
HashChains::~HashChains() = default;

void HashChains::add(std::string_view line, const Extent& at) {
  State& state = *state_;
  std::optional<Parsed> parsed;
  if (may_have_digest(line)) parsed = State::parse(state.parser, line);
  if (parsed) {
    if (state.has_before) state.find_keys(*parsed);
    for (auto& [keys, chain] : state.chains) state.follow(keys, chain, *parsed, at);
  }
  state.before =
      parsed ? std::move(parsed->digests) : std::vector<std::pair<std::string, std::string>>();
  state.line_before = line;
  state.at_before = at;
  state.has_before = true;
}

std::vector<HashChain> HashChains::chains() const {
  std::vector<HashChain> found;
  for (const auto& [keys, chain] : state_->chains) {
    // One record that names another by chance is no chain of a log of thousands.
    if (chain.linked * 2 < chain.records - 1) continue;
    HashChain& one = found.emplace_back(chain);
    if (keys.first.empty()) one.made_of = kOfLine, one.recomputed = chain.linked;
  }
  return found;
}

}  // namespace xtrace
