#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "keep/pack_files.h"
#include "run/request.h"

namespace xtrace {

/// What an audit pack is to hold.
struct AuditRequest {
  std::string query;                 ///< the only one; empty: all
  std::string session;               ///< only its queries; empty: of all
  std::string made_at;               ///< RFC 3339; empty: the pack does not state when it was made
  std::vector<std::string> options;  ///< that make it again, as words of a command line
};

struct AuditPack {
  PackFiles files;
  std::string root;  ///< the Merkle root of the files
  size_t queries = 0;
};

/// Makes the files of a pack: a trace and its provenance for each query, coverage, redaction, how
/// to make it again, and the lists of all. `request` asks for traces as JSON. Exit::input: an input
/// cannot be read twice; Exit::no: there is no such query or session.
Result<AuditPack> make_audit_pack(const Request& request, const AuditRequest& audit);

}  // namespace xtrace
