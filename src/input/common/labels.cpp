#include "input/common/labels.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "input/common/key_shape.h"

namespace xtrace {

namespace {

/// How a field states who may see a record. A new way is a row.
struct LabelKey {
  std::string_view key;
  enum Kind : uint8_t {
    shown,    ///< a label that answers show as `sensitivity`
    other,    ///< one that only a clearance heeds
    acl,      ///< a list of who has access: no label, but not for everyone
    around,   ///< an object with such fields of the record
    wrapper,  ///< the same, which only a clearance heeds
    objects,  ///< the same of each of its objects
  } kind;
};
constexpr LabelKey kLabelKeys[] = {
    {"sensitivity", LabelKey::shown},
    {"sensitivitylabel", LabelKey::shown},
    {"classification", LabelKey::shown},
    {"dataclassification", LabelKey::shown},
    {"confidentiality", LabelKey::shown},
    {"securitylabel", LabelKey::shown},
    {"sensitivitylevel", LabelKey::other},
    {"datasensitivity", LabelKey::other},
    {"classificationlevel", LabelKey::other},
    {"securityclassification", LabelKey::other},
    {"informationclassification", LabelKey::other},
    {"documentclassification", LabelKey::other},
    {"confidentialitylevel", LabelKey::other},
    {"classificacao", LabelKey::other},
    {"classificação", LabelKey::other},
    {"clasificacion", LabelKey::other},
    {"clasificación", LabelKey::other},
    {"confidencialidade", LabelKey::other},
    {"confidencialidad", LabelKey::other},
    {"sensibilidade", LabelKey::other},
    {"sensibilidad", LabelKey::other},
    {"sigilo", LabelKey::other},
    {"acl", LabelKey::acl},
    {"acls", LabelKey::acl},
    {"accesscontrollist", LabelKey::acl},
    {"accesscontrol", LabelKey::acl},
    {"allowedusers", LabelKey::acl},
    {"allowedgroups", LabelKey::acl},
    {"allowedroles", LabelKey::acl},
    {"allowedprincipals", LabelKey::acl},
    {"metadata", LabelKey::around},
    {"properties", LabelKey::around},
    {"attributes", LabelKey::around},
    {"tags", LabelKey::wrapper},
    {"fields", LabelKey::wrapper},
    {"resource", LabelKey::wrapper},
    {"process", LabelKey::wrapper},
    {"processes", LabelKey::objects},
    {"security", LabelKey::wrapper},
    {"labels", LabelKey::wrapper},
    {"request", LabelKey::wrapper},
    {"requestbody", LabelKey::wrapper},
    {"response", LabelKey::wrapper},
    {"responsebody", LabelKey::wrapper},
    {"body", LabelKey::wrapper},
    {"payload", LabelKey::wrapper},
    {"message", LabelKey::wrapper},
    {"kwargs", LabelKey::wrapper},
    {"extrabody", LabelKey::wrapper},
    {"litellmparams", LabelKey::wrapper},
};

/// The same for all keys that is_key() takes for one.
constexpr uint32_t plain_hash(std::string_view key) {
  uint32_t hash = key_hash({});
  for (const char c : key)
    if (c != '_' && c != '-' && c != ' ')
      hash = key_hash(c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c, hash);
  return hash;
}

/// The rows by their hash: every field of every step is looked up.
constexpr auto kRowsByHash = [] {
  std::array<std::pair<uint32_t, const LabelKey*>, std::size(kLabelKeys)> rows;
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = {plain_hash(kLabelKeys[i].key), &kLabelKeys[i]};
  std::ranges::sort(rows, {}, [](const auto& row) { return row.first; });
  return rows;
}();

/// nullptr: no key of the table.
const LabelKey* find_label_key(std::string_view key) {
  const uint32_t hash = plain_hash(key);
  const auto* row =
      std::ranges::lower_bound(kRowsByHash, hash, {}, [](const auto& one) { return one.first; });
  for (; row != kRowsByHash.end() && row->first == hash; ++row)
    if (is_key(key, row->second->key)) return row->second;
  return nullptr;
}

constexpr bool is_nested_kind(LabelKey::Kind kind) {
  return kind == LabelKey::around || kind == LabelKey::wrapper || kind == LabelKey::objects;
}

void join_label(const std::string& stated, std::string& label) {
  if (label.empty())
    label = stated;
  else if (label != stated && !stated.empty())
    label += ", " + stated;
}

/// The value itself of what OTLP wraps (`{"stringValue": "secret"}`) or objects name
/// (`{"level": "secret"}`).
json::element unwrapped(json::element value) {
  constexpr std::string_view kNamed[] = {"stringValue", "label", "level", "name", "value"};
  json::element inner;
  for (const std::string_view name : kNamed)
    if (json::find(value, name, inner) && json::is_string(inner)) return inner;
  return value;
}

/// Does a list or an object of who has access hold back anything? An empty one is for nobody.
bool states_access(json::element value) {
  return json::is_array(value) || json::is_object(value) || !json::text(value).empty();
}

constexpr int kDeepestAround = 4;  // of objects that are about the one around them

void read_around(json::element value, int depth, std::string& label, std::string& access);

void read_field(std::string_view key, json::element value, int depth, std::string& label,
                std::string& access) {
  const LabelKey* row = find_label_key(key);
  if (row == nullptr)
    if (const size_t dot = key.rfind('.'); dot != std::string_view::npos) {
      row = find_label_key(key.substr(dot + 1));
      if (row != nullptr && is_nested_kind(row->kind)) row = nullptr;
    }
  if (row == nullptr) return;
  const bool is_nested = json::is_object(value) || json::is_array(value);
  switch (row->kind) {
    case LabelKey::around:
    case LabelKey::wrapper:
      if (is_nested && depth < kDeepestAround) read_around(value, depth + 1, label, access);
      return;
    case LabelKey::objects:
      if (depth < kDeepestAround)
        json::fields(value, [&](std::string_view, json::element one) {
          read_around(one, depth + 1, label, access);
        });
      return;
    case LabelKey::acl:
      if (states_access(value)) access = "restricted";
      return;
    case LabelKey::shown:
    case LabelKey::other: break;
  }
  if (value.is_null()) return;
  if (!json::is_array(value)) return join_label(written(unwrapped(value)), label);
  json::items(value, [&](json::element item) { join_label(written(unwrapped(item)), label); });
}

void read_around(json::element value, int depth, std::string& label, std::string& access) {
  std::string_view key;
  json::element paired;
  json::fields(value, [&](std::string_view name, json::element inner) {
    read_field(name, inner, depth, label, access);
  });
  json::items(value, [&](json::element item) {
    if (find_pair(item, key, paired)) read_field(key, paired, depth, label, access);
  });
}

}  // namespace

std::string written(json::element value) {
  if (value.is_null()) return {};
  return json::is_string(value) ? std::string(json::text(value)) : simdjson::minify(value);
}

bool is_key(std::string_view key, std::string_view plain) {
  size_t at = 0;
  for (char c : key) {
    if (c == '_' || c == '-' || c == ' ') continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    if (at == plain.size() || plain[at] != c) return false;
    ++at;
  }
  return at == plain.size();
}

bool read_label(std::string_view key, json::element value, std::string& label) {
  const LabelKey* row = find_label_key(key);
  if (row == nullptr) return false;
  if (row->kind == LabelKey::around && json::is_object(value)) {
    json::fields(value, [&](std::string_view inner, json::element part) {
      if (!json::is_object(part)) read_label(inner, part, label);
    });
    return false;
  }
  if (row->kind != LabelKey::shown) return false;
  join_label(written(value), label);
  return true;
}

void read_stated_label(std::string_view key, json::element value, std::string& label,
                       std::string& access) {
  read_field(key, value, 0, label, access);
}

std::string stated_label(json::element object) {
  std::string label, access;
  json::fields(object, [&](std::string_view key, json::element value) {
    read_stated_label(key, value, label, access);
  });
  return label.empty() ? access : label;
}

bool is_about_record(std::string_view key) {
  const LabelKey* row = find_label_key(key);
  return row != nullptr && is_nested_kind(row->kind);
}

bool holds_sources(std::string_view key) {
  constexpr std::string_view kSources[] = {"evidencerefs", "evidence",    "citations", "documents",
                                           "textunits",    "units",       "nodes",     "entities",
                                           "claims",       "communities", "chunks"};
  return std::ranges::any_of(kSources, [&](std::string_view plain) { return is_key(key, plain); });
}

bool find_pair(json::element item, std::string_view& key, json::element& value) {
  json::element name;
  if (!json::find(item, "key", name) || !json::is_string(name)) return false;
  key = json::text(name);
  return json::find(item, "value", value);
}

}  // namespace xtrace
