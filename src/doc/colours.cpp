#include "doc/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>

#include "base/text.h"
#include "doc/hues.h"

namespace xtrace {

namespace {

struct Entry {
  std::string_view kind, fill, border;  ///< no fill: that of its hue
  uint32_t hue = kGreyHue;
};

// Kinds that most pictures have, far enough from one another to be distinguished.
constexpr Entry kKnown[] = {
    {"", "#ECEFF1", "#B0BEC5"},
    {"span", "#ECEFF1", "#B0BEC5"},
    {"unknown", "#ECEFF1", "#B0BEC5"},
    {"principal", {}, {}, 4},
    {"agent", {}, {}, 2},
    {"resource", {}, {}, 0},
    // Types of agents
    {"main", {}, {}, 6},
    {"Explore", {}, {}, 1},
    {"Plan", {}, {}, 3},
    {"general-purpose", {}, {}, 4},
    {"no-prompt", "#CFD8DC", "#90A4AE"},
    // Types of steps of a story
    {"LLM_CALL", {}, {}, 4},
    {"STATIC_ANALYSIS", {}, {}, 6},
    {"TEST_RUN", {}, {}, 2},
    {"MODEL_SWITCH", {}, {}, 0},
    {"REFLEXION_ACTION", {}, {}, 3},
    {"USER_QUERY", {}, {}, 1},
    {"OTHER", "#ECEFF1", "#B0BEC5"},
    // What a query goes through
    {"Step", {}, {}, 6},
    {"Entity", {}, {}, 1},
    {"Claim", {}, {}, 0},
    // Changes: green and red, as everywhere else
    {"added", "#C8E6C9", "#2E7D32", 2},
    {"removed", "#FFCDD2", "#C62828", 5},
    {"changed", "#FFF59D", "#F9A825", 3},
    {"equal", "#ECEFF1", "#B0BEC5"},
    // How things ended
    {"ok", {}, {}, 2},
    {"failed", {}, {}, 5},
    {"tool error", {}, {}, 0},
    {"retry", {}, {}, 1},
};

// For all others: the fill of its hue with any border, so that two kinds hardly ever look the same.
constexpr std::string_view kBorders[] = {"#F06292", "#AED581", "#FF8A65", "#4DB6AC", "#A1887F",
                                         "#D4E157", "#BA68C8", "#7986CB", "#4FC3F7", "#FFD54F"};

// The names that programs offer for their agents, and their neighbours.
constexpr Entry kNames[] = {
    {"red", {}, "#E57373"},    {"orange", {}, "#FFB74D"}, {"yellow", {}, "#FFD54F"},
    {"green", {}, "#81C784"},  {"cyan", {}, "#4DD0E1"},   {"teal", {}, "#4DB6AC"},
    {"blue", {}, "#64B5F6"},   {"purple", {}, "#BA68C8"}, {"magenta", {}, "#F06292"},
    {"violet", {}, "#9575CD"}, {"pink", {}, "#F06292"},   {"brown", {}, "#A1887F"},
    {"gray", {}, "#B0BEC5"},   {"grey", {}, "#B0BEC5"},   {"black", {}, "#455A64"},
    {"lime", {}, "#D4E157"},   {"indigo", {}, "#7986CB"}, {"white", {}, "#CFD8DC"},
};

const Entry* find(std::span<const Entry> entries, std::string_view kind) {
  const Entry* found = std::find_if(entries.data(), entries.data() + entries.size(),
                                    [&](const Entry& entry) { return entry.kind == kind; });
  return found == entries.data() + entries.size() ? nullptr : found;
}

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  letter = static_cast<char>(letter | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// Three parts of white and one of `colour`, so that dark text on it can be read.
std::string lightened(std::string_view colour) {
  std::string light = "#";
  for (size_t at = 1; at < colour.size(); at += 2) {
    int part = 16 * digit(colour[at]) + digit(colour[at + 1]);
    fmt::format_to(std::back_inserter(light), "{:02X}", (3 * 255 + part) / 4);
  }
  return light;
}

}  // namespace

uint32_t hue_hash(std::string_view name) {
  uint32_t hash = 2166136261;
  const auto add = [&](char32_t unit) { hash = (hash ^ static_cast<uint32_t>(unit)) * 16777619; };
  while (!name.empty()) {
    const auto [character, length] = decode(name);
    if (character > 0xffff) {
      add(0xd800 + ((character - 0x10000) >> 10));
      add(0xdc00 + ((character - 0x10000) & 0x3ff));
    } else {
      add(character);
    }
    name.remove_prefix(length);
  }
  return hash;
}

std::optional<uint32_t> known_hue(std::string_view kind) {
  const Entry* known = find(kKnown, kind);
  return known ? std::optional(known->hue) : std::nullopt;
}

std::vector<KnownHue> known_hues() {
  std::vector<KnownHue> hues;
  for (const Entry& entry : kKnown)
    if (!entry.kind.empty()) hues.push_back({entry.kind, entry.hue});
  return hues;
}

uint32_t hue_of(std::string_view kind) {
  return known_hue(kind).value_or(hue_hash(kind) % kHues);
}

Colours colours_of(std::string_view kind) {
  const Entry* known = find(kKnown, kind);
  if (known && !known->fill.empty()) return {std::string(known->fill), std::string(known->border)};
  const std::string_view hue = kHuePalette[hue_of(kind)].light;
  return {lightened(hue),
          std::string(known ? hue : kBorders[hue_hash(kind) / kHues % std::size(kBorders)])};
}

Colours read_colours(std::string_view colour) {
  const Entry* named = find(kNames, colour);
  std::string border(named ? named->border : colour);
  bool is_colour =
      border.size() == 7 && border[0] == '#' &&
      std::all_of(border.begin() + 1, border.end(), [](char letter) { return digit(letter) >= 0; });
  if (!is_colour) return {};
  for (char& letter : border)
    if (letter >= 'a') letter = static_cast<char>(letter - 'a' + 'A');
  return {lightened(border), border};
}

}  // namespace xtrace
