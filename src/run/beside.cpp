#include "run/beside.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <system_error>

#include "base/text.h"
#include "keep/audit_log.h"
#include "keep/output.h"
#include "run/graph_files.h"
#include "run/request.h"
#include "run/written_files.h"
#include "view/eval/baseline_file.h"

namespace xtrace {

namespace {

Status write_audit_log(const Answered& answered) {
  const std::string& path = answered.request.audit_log;
  return path.empty() ? Status() : write_audit(path, answered.audit, answered.door);
}

Status save_baseline(const Answered& answered) {
  const BaselineToSave save = answered.request.view->baseline_to_save();
  const Verdicts* verdicts = answered.document.verdicts();
  if (save.path.empty() || verdicts == nullptr) return {};
  auto write = [&](std::ostream& out) { out << baseline_text(save.id, *verdicts); };
  const Readers readers = readers_of(answered.request);
  Status written = write_answer(std::string(save.path), readers, write);
  if (!written || save.history.empty()) return written;
  const std::filesystem::path folder(save.history);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail(Exit::output, fmt::format("--history: cannot create the folder '{}': {}",
                                          printable(save.history), error.message()));
  return write_answer((folder / (verdicts->digest + ".json")).string(), readers, write);
}

/// In this order. Each is asked whether there is anything for it to write.
constexpr Status (*kWriters[])(const Answered&) = {write_audit_log, keep_graph, save_baseline};

}  // namespace

Status write_beside(const Answered& answered) {
  for (const auto& write : kWriters)
    if (Status written = write(answered); !written) return written;
  return {};
}

}  // namespace xtrace
