#include "view/why/source_picture.h"

#include <algorithm>
#include <utility>

#include "view/common/words.h"

namespace xtrace {

SourcePicture::SourcePicture(Text path) {
  Drawing::Node file{path, {path}, Text("file")};
  file.type = "File";
  drawing_.nodes.push_back(std::move(file));
}

void SourcePicture::add(const Range& range) {
  const auto [edit, is_new] = edits_.try_emplace(std::string(range.id.view()));
  Written& written = edit->second;
  if (is_new) {
    const std::string key =
        std::string(range.session.view()) + '\n' + std::string(range.turn.view());
    const auto [turn, is_new_turn] =
        turns_.try_emplace(key, static_cast<uint32_t>(drawing_.nodes.size()));
    if (is_new_turn)
      drawing_.nodes.push_back({range.turn, {range.turn, range.session}, Text("turn")});
    written.node = static_cast<uint32_t>(drawing_.nodes.size());
    Drawing::Node node{range.id, {range.tool, range.id}, range.agent};
    node.type = "Call";
    drawing_.nodes.push_back(std::move(node));
    drawing_.edges.push_back({.from = turn->second, .to = written.node, .label = Text("led to")});
  }
  written.lines += (written.lines.empty() ? "" : ", ") + range.lines;
  written.least = std::min(written.least, range.confidence);
}

Drawing SourcePicture::take(Door& door) {
  for (const auto& [id, written] : edits_) {
    Drawing::Edge edge{.from = written.node, .to = 0, .label = door.say("lines {}", written.lines)};
    if (!is_sure(written.least)) edge.stroke = Drawing::Stroke::dotted;
    edge.relation = "WROTE";
    drawing_.edges.push_back(std::move(edge));
  }
  return std::move(drawing_);
}

}  // namespace xtrace
