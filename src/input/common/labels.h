#pragma once

#include <string>
#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// Text as it is, anything else as JSON.
std::string written(json::element value);
/// Are the two the same key, `_`, `-`, blanks and capitals aside? `plain` has neither.
bool is_key(std::string_view key, std::string_view plain);

/// Reads how sensitive a record is from one of its fields: `sensitivity`, `classification` and the
/// like, also within `metadata`. Of several labels it is not known which one counts: together they
/// are one that no clearance covers. False: it is no such field.
bool read_label(std::string_view key, json::element value, std::string& label);

/// Reads the same for a clearance, which has more ways to state it: keys in which a dot precedes
/// the name (`data.classification`), in Portuguese and Spanish, pairs of keys and values, objects
/// around the fields of a record (`request`, `resource`, `tags`); and lists of who has access,
/// which count as `restricted`: `access`, if there is no label.
void read_stated_label(std::string_view key, json::element value, std::string& label,
                       std::string& access);

/// The label of an object by its own fields; empty: it states none.
std::string stated_label(json::element object);

/// Is the object of that key about the object it is in, so that labels in it are labels of both?
bool is_about_record(std::string_view key);
/// Does the list with this key hold sources, such as documents, passages or nodes of a graph?
bool holds_sources(std::string_view key);

/// A key and a value, as lists of attributes have them; false: it is none.
bool find_pair(json::element item, std::string_view& key, json::element& value);

}  // namespace xtrace
