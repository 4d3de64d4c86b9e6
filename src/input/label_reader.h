#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/record.h"
#include "input/common/json.h"
#include "redact/cleared_texts.h"

namespace xtrace {

/// States what each record of a log says, with the label of it, to who clears texts. One per
/// thread. What an object is labelled is the label of everything in it that has none or a lower
/// one.
class LabelReader {
 public:
  explicit LabelReader(std::shared_ptr<ClearedTexts> to) : to_(std::move(to)) {}

  /// Which input the next records are of.
  void begin_input(std::string_view path) { path_ = path; }
  /// `around`: the label of the object that the record is wrapped in.
  void read(json::element record, const Extent& at, std::string_view around);
  /// The label of an object by its own fields, no lower than that of the one around it.
  std::string label_of(json::element object, std::string_view around) const;

 private:
  // Each returns whether the value, or something in it, is beyond the clearance.
  bool walk(json::element value, const std::string& around, bool is_source);
  bool walk_parts(json::element value, const std::string& label, bool is_source);
  bool walk_text(std::string_view text, const std::string& around, bool is_source);
  void add_whole(json::element value, const std::string& label);

  std::shared_ptr<ClearedTexts> to_;
  std::string path_;
  std::vector<std::unique_ptr<simdjson::dom::parser>> inner_;  ///< of JSON in texts, by depth
  size_t inner_used_ = 0;
};

}  // namespace xtrace
