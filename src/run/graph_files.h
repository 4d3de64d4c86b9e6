#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "run/file_options.h"

namespace xtrace {

class Health;
struct Answered;

/// Keeps the snapshot that was asked for, and notes how large the graph is.
Status keep_graph(const Answered& answered);
/// The same of a graph that was made before, by itself; nothing where none is to be kept.
Status keep_snapshot_of(const GraphFiles& files, Moment newest, std::string json, Health& health,
                        std::string_view view = "explanation");
/// Writes the files that `--metrics` names.
Status write_metrics(const GraphFiles& files, const Health& health);

}  // namespace xtrace
