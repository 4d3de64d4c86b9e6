#include "settings/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/json_writer.h"
#include "base/text.h"
#include "settings/setting.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

constexpr std::pair<std::string_view, std::string Annotation::*> kFields[] = {
    {"node", &Annotation::node}, {"from", &Annotation::from},     {"to", &Annotation::to},
    {"kind", &Annotation::kind}, {"author", &Annotation::author}, {"time", &Annotation::time},
    {"note", &Annotation::note}};

constexpr WantedFile kAnnotations = {"an annotation file", "`xtrace annotate` writes one"};

Result<Annotation> read_annotation(const std::string& path, const Setting& line) {
  Annotation read;
  std::vector<std::string_view> known;
  for (const auto& [key, field] : kFields) known.push_back(key);
  if (Status checked = check_keys(path, line, "an annotation", known); !checked)
    return tl::unexpected(checked.error());
  for (const auto& [key, field] : kFields) {
    const Setting* value = line.find(key);
    if (value == nullptr) continue;
    Result<std::string> text = text_of(path, *value, key);
    if (!text) return tl::unexpected(text.error());
    read.*field = *std::move(text);
  }
  if (read.kind.empty()) read.kind = "comment";
  const std::vector<std::string> kinds = annotation_kinds();
  if (std::find(kinds.begin(), kinds.end(), read.kind) == kinds.end())
    return wrong_setting(path, line, fmt::format("kind must be {}", fmt::join(kinds, ", ")));
  if (read.note.empty()) return wrong_setting(path, line, "the annotation has no note");
  if (read.node.empty() == (read.from.empty() || read.to.empty()))
    return wrong_setting(path, line, "an annotation needs either node, or from and to");
  return read;
}

}  // namespace

std::vector<std::string> annotation_kinds() {
  return {"comment", "question", "approval"};
}

Result<std::vector<Annotation>> read_annotations(const std::string& path) {
  std::ifstream file(path);
  const int why = errno;
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return cannot_read(kAnnotations, path,
                       fmt::format("it is a folder; {}", expected_here(kAnnotations)));
  if (!file) return cannot_read(kAnnotations, path, std::strerror(why));
  std::vector<Annotation> all;
  std::string text;
  for (size_t number = 1; std::getline(file, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<Setting> line = setting_of_json(text);
    Setting nothing;
    nothing.line = number;
    if (!line || line->kind != Setting::Kind::table)
      return wrong_setting(path, nothing,
                           "not an annotation; expected one JSON object per line, as written by "
                           "`xtrace annotate`");
    line->line = number;
    for (SettingItem& item : line->items) item.value.line = number;
    Result<Annotation> read = read_annotation(path, *line);
    if (!read) return tl::unexpected(read.error());
    all.push_back(*std::move(read));
  }
  return all;
}

std::string annotation_line(const Annotation& annotation) {
  std::string line;
  JsonWriter json(line);
  json.open_object();
  for (const auto& [key, field] : kFields) {
    if ((annotation.*field).empty()) continue;
    json.key(key);
    json.value(annotation.*field);
  }
  json.close();
  return line + '\n';
}

}  // namespace xtrace
