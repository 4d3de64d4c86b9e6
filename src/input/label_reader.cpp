#include "input/label_reader.h"

#include "input/common/labels.h"

namespace xtrace {

namespace {

bool looks_like_json(std::string_view text) {
  return text.size() > 2 && ((text.front() == '{' && text.find(':') != std::string_view::npos) ||
                             (text.front() == '[' && text.find('{') != std::string_view::npos));
}

}  // namespace

std::string LabelReader::label_of(json::element object, std::string_view around) const {
  const LabelRanks& ranks = to_->clearance().labels;
  return ranks.more_sensitive(stated_label(object), std::string(around));
}

void LabelReader::read(json::element record, const Extent& at, std::string_view around) {
  const std::string label = label_of(record, around);
  const bool has_withheld = walk(record, std::string(around), false);
  if (!has_withheld) add_whole(record, label);
  to_->add_record(path_, at.offset, label, has_withheld);
}

/// Answers show objects as JSON, with the names and numbers between the texts.
void LabelReader::add_whole(json::element value, const std::string& label) {
  if (to_->keeps_open() && !to_->clearance().withholds(label) && !json::is_string(value))
    to_->add(simdjson::minify(value), label);
}

bool LabelReader::walk_text(std::string_view text, const std::string& around, bool is_source) {
  const LabelRanks& ranks = to_->clearance().labels;
  if (looks_like_json(text)) {  // in texts of JSON as well: escapes double what each level takes
    if (inner_.size() == inner_used_) inner_.push_back(std::make_unique<simdjson::dom::parser>());
    json::element root;
    if (!inner_[inner_used_]->parse(text.data(), text.size()).get(root)) {
      ++inner_used_;
      const bool has_withheld = walk(root, around, is_source);
      --inner_used_;
      // The text as a whole is no more open than what is in it.
      if (!has_withheld) to_->add(text, label_of(root, around));
      return has_withheld;
    }
  }
  const std::string label = ranks.more_sensitive(label_in(text, ranks), around);
  to_->add(text, label);
  if (is_source && !label.empty()) to_->add_source(text, label);
  return to_->clearance().withholds(label);
}

bool LabelReader::walk_parts(json::element value, const std::string& label, bool is_source) {
  bool has_withheld = false;
  std::vector<json::element> open;  // parts, if the whole is not
  auto walk_part = [&](json::element part, bool holds) {
    const bool hides = walk(part, label, holds);
    has_withheld |= hides;
    if (!hides && !json::is_string(part)) open.push_back(part);
  };
  std::string_view key;
  json::element paired;
  const bool is_pair = find_pair(value, key, paired);
  json::fields(value, [&](std::string_view name, json::element part) {
    walk_part(part, is_source || holds_sources(is_pair && name == "value" ? key : name));
  });
  json::items(value, [&](json::element part) { walk_part(part, is_source); });
  if (has_withheld)
    for (const json::element part : open) add_whole(part, label_of(part, label));
  return has_withheld;
}

bool LabelReader::walk(json::element value, const std::string& around, bool is_source) {
  if (json::is_string(value)) return walk_text(json::text(value), around, is_source);
  if (json::is_array(value)) return walk_parts(value, around, is_source);
  if (!json::is_object(value)) return false;
  const std::string label = label_of(value, around);
  return walk_parts(value, label, is_source) || to_->clearance().withholds(label);
}

}  // namespace xtrace
