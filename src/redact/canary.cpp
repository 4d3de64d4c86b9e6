#include "redact/canary.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/base64.h"
#include "base/json_writer.h"
#include "redact/secret_kinds.h"

namespace xtrace {

namespace {

/// Made up, and put together at run time, so that no scanner takes them for a leak.
struct PersonalDatum {
  std::string_view before, after;
};
constexpr PersonalDatum kPersonal[] = {
    {"iris.calder@", "nowhere-post.org"},
    {"+49 30 ", "90182736"},
    {"4539 1488 ", "0343 6467"},
    {"GB29NWBK", "60161331926819"},
    {"/home/", "icalder/notes"},
    {"198.51.", "100.23"},
    {"078-05-", "1121"},
    {"00:1b:63:", "84:45:e6"},
};

/// The part of an example that has to stay inside: `x` of `name = x`, the user of a home.
std::string_view secret_in(std::string_view example) {
  if (const size_t name = example.find(" = "); name != example.npos)
    return example.substr(name + 3);
  constexpr std::string_view kHome = "/home/";
  if (!example.starts_with(kHome)) return example;
  example.remove_prefix(kHome.size());
  return example.substr(0, example.find('/'));
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

void plant(std::string_view example, Door& door, Canary& canary) {
  const std::string sentence = fmt::format("note: {} .", example);
  const std::string secret(secret_in(example));
  std::string json;
  append_json(json, sentence);
  const std::pair<std::string, std::string> forms[] = {
      {sentence, secret},
      {fmt::format("{{\"text\": {}}}", json), secret},
      {percent_encoded(sentence), percent_encoded(secret)},
      {base64(sentence), base64(sentence)},
  };
  for (const auto& [text, needle] : forms) {
    ++canary.planted;
    if (door.name_once(text).view().find(needle) != std::string_view::npos) ++canary.leaked;
  }
}

}  // namespace

Canary plant_canary(Door& door) {
  Canary canary;
  for (const SecretKind& kind : secret_kinds()) plant(example_of(kind), door, canary);
  if (door.redactor().which() == Redaction::all)
    for (const PersonalDatum& one : kPersonal)
      plant(fmt::format("{}{}", one.before, one.after), door, canary);
  return canary;
}

}  // namespace xtrace
