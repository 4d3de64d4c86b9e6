#pragma once

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "cli/answer_formats.h"
#include "reading.h"
#include "render/renderer.h"
#include "view/common/view.h"

namespace xtrace {

/// What a command answers about a log, in a format.
inline std::string exported(std::string_view view, std::string_view format, const std::string& log,
                            const Paper& paper = {}) {
  Graph graph = link(read_log(log), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  const Renderer& renderer = find_renderer(format);
  REQUIRE(renderer.name == format);
  Result<Document> document = find_view(view)->make()->answer({graph, door, renderer.face});
  std::ostringstream out;
  renderer.write(document.value(), paper, out);
  REQUIRE(out.good());
  return out.str();
}

}  // namespace xtrace
