#include "settings/text_edits.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/one_of.h"
#include "base/parts.h"
#include "base/trimmed.h"
#include "settings/arguments.h"

namespace xtrace {

namespace {

using EditJson = nlohmann::ordered_json;

/// What a text is replaced by, by the names of both.
constexpr std::pair<std::string_view, std::string_view> kReplacements[] = {
    {"old_string", "new_string"},  {"old_str", "new_str"}, {"oldString", "newString"},
    {"old_text", "new_text"},      {"oldText", "newText"}, {"search", "replace"},
    {"old_content", "new_content"}};
/// The whole file, unless the arguments say where the text goes.
constexpr std::string_view kWholes[] = {"content",      "file_text",   "contents",
                                        "file_content", "fileContent", "code"};
constexpr std::string_view kPlaces[] = {"line", "insert_line", "insertLine", "line_number"};
/// Texts that are put in somewhere.
constexpr std::string_view kInsertions[] = {"insert_text", "new_str", "content", "new_source",
                                            "text"};
constexpr std::string_view kPaths[] = {"file_path",   "path",         "filePath",
                                       "file",        "filename",     "absolute_path",
                                       "target_file", "notebook_path"};
constexpr std::string_view kEverywhere[] = {"replace_all", "replaceAll"};

struct PatchReader {
  const IsThatFile& is_that_file;
  std::vector<TextEdit> edits{};
  TextEdit hunk{};
  bool is_ours = true, is_patch = false, is_hunk = false, adds_file = false;

  void close() {
    if (is_hunk && is_ours && (!hunk.before.empty() || !hunk.after.empty())) {
      hunk.has_whole_lines = true;
      hunk.is_whole = adds_file;
      edits.push_back(std::move(hunk));
    }
    hunk = {};
    is_hunk = false;
  }
  void begin_file(std::string_view name, bool is_new) {
    close();
    is_patch = true;
    adds_file = is_new;
    is_hunk = is_new;
    for (const std::string_view side : {"a/", "b/"})
      if (name.starts_with(side) && is_that_file(name.substr(side.size()))) {
        is_ours = true;
        return;
      }
    is_ours = is_that_file(name);
  }
  void begin_hunk() {
    const bool is_new = adds_file && is_hunk && hunk.after.empty();
    close();
    is_patch = is_hunk = true;
    adds_file = is_new;
  }
  void add(std::string_view line) {
    const char mark = line.empty() ? ' ' : line.front();
    const std::string text = std::string(line.empty() ? line : line.substr(1)) + '\n';
    if (mark == '+' || mark == ' ') hunk.after += text;
    if ((mark == '-' || mark == ' ') && !adds_file) hunk.before += text;
  }
};

/// `<<<<<<< SEARCH`, the text, `=======`, another, `>>>>>>> REPLACE`; some write other marks.
std::vector<TextEdit> searched_blocks(std::string_view text) {
  enum class In : uint8_t { nothing, searched, replacing } in = In::nothing;
  std::vector<TextEdit> edits;
  TextEdit block;
  for_each_part(text, '\n', [&](std::string_view line) {
    const std::string_view mark = trimmed(line);
    if (mark.ends_with(" SEARCH") && (mark.starts_with("<<<<") || mark.starts_with("----"))) {
      in = In::searched;
      block = {.has_whole_lines = true};
    } else if (in == In::searched && mark.size() >= 5 && mark.find_first_not_of('=') == mark.npos) {
      in = In::replacing;
    } else if (in == In::replacing && mark.ends_with(" REPLACE") &&
               (mark.starts_with(">>>>") || mark.starts_with("++++"))) {
      edits.push_back(std::move(block));
      block = {};
      in = In::nothing;
    } else if (in == In::searched && block.before.empty() &&
               (mark.starts_with(":start_line:") || mark == "-------")) {
      return;  // where to search
    } else if (in == In::searched) {
      block.before += std::string(line) + '\n';
    } else if (in == In::replacing) {
      block.after += std::string(line) + '\n';
    }
  });
  return edits;
}

const EditJson* member_of(const EditJson& object, std::string_view name) {
  const auto found = object.find(std::string(name));
  return found == object.end() ? nullptr : &*found;
}
std::string_view text_at(const EditJson& object, std::string_view name) {
  const EditJson* value = member_of(object, name);
  return value == nullptr || !value->is_string()
             ? std::string_view()
             : std::string_view(value->get_ref<const std::string&>());
}
bool has_text(const EditJson& object, std::string_view name) {
  const EditJson* value = member_of(object, name);
  return value != nullptr && value->is_string();
}

class EditReader {
 public:
  explicit EditReader(const IsThatFile& is_that_file) : is_that_file_(is_that_file) {}

  void read(const EditJson& value) {
    if (value.is_array())
      for (const EditJson& item : value) read(item);
    else if (value.is_object())
      read_object(value);
    else if (value.is_string())
      add_patch(value.get_ref<const std::string&>());
  }
  std::vector<TextEdit> take() { return std::move(edits_); }

 private:
  void read_object(const EditJson& object) {
    for (const std::string_view name : kPaths)
      if (has_text(object, name) && !is_that_file_(text_at(object, name))) return;
    if (read_replacement(object) || read_text(object)) return;
    for (const auto& [name, value] : object.items()) {
      // An object by the name of a file is about that file.
      const bool is_other =
          value.is_object() && name.find('.') != std::string::npos && !is_that_file_(name);
      if (!is_other && !name.starts_with("old")) read(value);
    }
  }
  bool read_replacement(const EditJson& object) {
    bool has_any = false;
    for (const auto& [before, after] : kReplacements) {
      if (!has_text(object, before) || !has_text(object, after)) continue;
      TextEdit edit{.before = std::string(text_at(object, before)),
                    .after = std::string(text_at(object, after))};
      for (const std::string_view name : kEverywhere)
        if (const EditJson* all = member_of(object, name)) edit.is_everywhere = *all == true;
      edits_.push_back(std::move(edit));
      has_any = true;
    }
    return has_any;
  }
  bool read_text(const EditJson& object) {
    const bool has_place =
        std::ranges::any_of(kPlaces, [&](auto name) { return member_of(object, name); });
    for (const std::string_view name : kWholes)
      if (!has_place && has_text(object, name) && !is_patch(text_at(object, name))) {
        edits_.push_back({.after = std::string(text_at(object, name)), .is_whole = true});
        return true;
      }
    for (const std::string_view name : kInsertions)
      if (has_text(object, name) && !is_patch(text_at(object, name))) {
        edits_.push_back({.after = std::string(text_at(object, name)), .has_whole_lines = true});
        return true;
      }
    return false;
  }
  static bool is_patch(std::string_view text) {
    return !text_edits_in_patch(text, [](std::string_view) { return true; }).empty();
  }
  void add_patch(std::string_view text) {
    std::vector<TextEdit> found = text_edits_in_patch(text, is_that_file_);
    std::ranges::move(found, std::back_inserter(edits_));
  }

  const IsThatFile& is_that_file_;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::vector<TextEdit> text_edits_in_patch(std::string_view patch, const IsThatFile& is_that_file) {
  if (std::vector<TextEdit> blocks = searched_blocks(patch); !blocks.empty()) return blocks;
  constexpr std::pair<std::string_view, bool> kFiles[] = {
      {"*** Add File: ", true}, {"*** Update File: ", false}, {"+++ ", false}};
  PatchReader reader{is_that_file};
  std::string_view old_name;
  for_each_part(patch, '\n', [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const auto& [mark, is_new] : kFiles) {
      if (!line.starts_with(mark)) continue;
      const std::string_view name = trimmed(line.substr(mark.size()));
      return reader.begin_file(name, is_new || (mark == "+++ " && old_name == "/dev/null"));
    }
    // In a hunk, it takes a line of dashes away.
    if (line.starts_with("--- ") &&
        (!reader.is_hunk || line.starts_with("--- a/") || line.starts_with("--- /dev/null"))) {
      reader.close();
      old_name = trimmed(line.substr(4));
    } else if (line.starts_with("*** Move to: ")) {
      reader.is_ours = reader.is_ours || is_that_file(trimmed(line.substr(13)));
    } else if (line.starts_with("*** ") || line.starts_with("diff --git ")) {
      reader.close();
    } else if (line.starts_with("@@")) {
      reader.begin_hunk();
    } else if (reader.is_hunk && !line.starts_with('\\')) {
      reader.add(line);
    } else if (reader.is_patch && reader.is_ours && !line.empty() &&
               std::string_view("+- ").find(line.front()) != std::string_view::npos) {
      reader.is_hunk = true;  // the first hunk of apply_patch may come without a mark
      reader.add(line);
    }
  });
  reader.close();
  return std::move(reader.edits);
}

std::vector<TextEdit> text_edits_in(const std::string& given, const IsThatFile& is_that_file) {
  std::vector<TextEdit> edits;
  if (!is_too_deep(given)) {
    const EditJson json = EditJson::parse(given, nullptr, false);
    if (!json.is_discarded()) {
      EditReader reader(is_that_file);
      reader.read(json);
      edits = reader.take();
      if (!edits.empty()) return edits;
      // A form that is not known: what is replaced has no part in it.
      const Arguments arguments(given);
      for (const auto& [path, value] : arguments.values()) {
        const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
        const bool has_lines = value.find('\n') != std::string::npos;
        if (has_lines && !arguments.holds(path) && !name.starts_with("old"))
          edits.push_back({.after = value});
      }
      return edits;
    }
  }
  return text_edits_in_patch(given, is_that_file);
}

}  // namespace xtrace
