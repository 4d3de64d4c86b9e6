#pragma once

#include <sstream>
#include <string>

#include "reading.h"
#include "render/renderer.h"
#include "reread.h"
#include "view/common/view.h"

namespace xtrace {

/// What `xtrace convert --to` writes of it.
inline std::string converted(const Graph& graph, std::string_view format,
                             Door::Level level = Door::Level::basic) {
  for (const Renderer& renderer : renderers()) {
    if (renderer.name != format) continue;
    Reread payloads(graph.trace());
    Door door(Redaction::all, level, 200);
    Result<Document> document =
        find_view("convert")->make()->answer({graph, door, renderer.face, &payloads});
    std::ostringstream out;
    renderer.write(document.value(), Paper{}, out);
    return out.str();
  }
  return "no such format";
}
inline std::string converted(const std::string& log, std::string_view format,
                             Door::Level level = Door::Level::basic) {
  Folder folder;
  Progress progress;
  return converted(link(load({folder.write("log", log)}, {}, progress).value(), {}), format, level);
}

}  // namespace xtrace
