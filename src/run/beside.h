#pragma once

#include "base/result.h"

namespace xtrace {

class Door;
class Health;
class Document;
struct Audit;
struct LinkedRuns;
struct Request;

/// A request whose answer was written.
struct Answered {
  const Request& request;
  const LinkedRuns& runs;
  const Document& document;
  Door& door;          ///< that the answer passed
  const Audit& audit;  ///< what it replaced
  Health& health;
};

/// Writes what the request wants kept beside the answer: the audit log, the snapshot of the graph,
/// the baseline; up to the first that cannot be written.
Status write_beside(const Answered& answered);

}  // namespace xtrace
