#include "run/beside.h"

#include "keep/audit_log.h"
#include "run/graph_files.h"
#include "run/judgement.h"
#include "run/request.h"

namespace xtrace {

namespace {

Status write_audit_log(const Answered& answered) {
  const std::string& path = answered.request.audit_log;
  return path.empty() ? Status() : write_audit(path, answered.audit, answered.door);
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
