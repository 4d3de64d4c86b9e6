#include <ostream>
#include <string>

#include "render/json_cells.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// A trajectory a line: one session is a file as Harbor and others expect it, several are one that
/// can be split.
void write_atif(const Document& document, const Paper&, std::ostream& out) {
  for (const Section& section : document.sections())
    if (const Stream* stream = std::get_if<Stream>(&section))
      stream->rows([&](std::span<const Cell> cells) {
        std::string line;
        append_json_row(line, stream->columns, cells);
        out << line << '\n';
      });
}

}  // namespace

extern constinit const Renderer kAtifRenderer = {
    .name = "atif",
    .summary = "agent trajectories (ATIF-v1.7), one session per line",
    .face = Face::trajectories,
    .write = write_atif,
};

}  // namespace xtrace
