#pragma once

#include <string>
#include <string_view>
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
  std::vector<Request> answers;      ///< asked about each query, with the options of the traces
};

/// The views whose answers about each query a pack can hold.
inline constexpr std::string_view kPackAnswers[] = {"impact", "taint", "blame"};

struct AuditPack {
  PackFiles files;
  std::string root;  ///< the Merkle root of the files
  size_t queries = 0, answers = 0;
  size_t unanswered = 0;  ///< questions that have no answer; reproduce.json says why
};

/// Makes the files of a pack: a trace, its provenance and the answers for each query, coverage,
/// redaction, how to make it again, and the lists of all. `request` asks for traces as JSON.
/// Exit::input: an input cannot be read twice; Exit::no: there is no such query or session.
Result<AuditPack> make_audit_pack(const Request& request, const AuditRequest& audit);

}  // namespace xtrace
