#pragma once

#include <string_view>

#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

/// Is it this truth value, or its word as JSON, Python and C# write it?
bool is_truth(json::element value, bool wanted);
/// What a status means, whatever emitter writes it: `OK`, `STATUS_CODE_ERROR`, `StatusCode.ERROR`,
/// `in_progress`, `DEADLINE_EXCEEDED`, or a status of HTTP. `unknown`: it states nothing (`UNSET`),
/// or nobody knows the word.
Outcome outcome_named(std::string_view status);
/// Does it name a status that the table does not know?
bool is_odd_status(std::string_view status);
/// The outcome of a call by gRPC's code, a number or a word; `is_served`: as its server sees it,
/// for which a request that could not be served is no error of its own.
/// https://opentelemetry.io/docs/specs/semconv/rpc/grpc/ (read 2026-01)
Outcome outcome_of_grpc(json::element code, bool is_served);

/// What a record states of how a piece of work ended. One law for every format:
///
///     an error that it states in any way      error
///     a status that it states                 what that means
///     an end, a length or a result            ok (OpenTelemetry: an unset status is no error)
///     none of these                           unfinished
struct Ending {
  bool has_end = false;  ///< when it ended, how long it took, or what came of it is on record
  bool is_odd = false;   ///< its status is a word that nobody knows
  Outcome stated = Outcome::unknown;  ///< by its status, or an error on record

  void state(Outcome more) { stated = joined(stated, more); }
  bool failed() const { return stated == Outcome::error; }
  Outcome outcome() const;
};

/// Reads a field of a record by which emitters state how it ended: `status`, `statusCode`,
/// `otel_status_code`, `level`, `is_exception`, `success`, `error`, `pending` and others; false: it
/// is none.
bool read_ending(std::string_view key, json::element value, Ending& ending);

}  // namespace xtrace
