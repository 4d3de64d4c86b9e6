#pragma once

#include <string_view>

#include "base/result.h"

namespace xtrace {

struct Request;
struct Answered;

/// Takes the suite from the front of a request's inputs, reads it and what else there is to judge
/// by, and gives it to the view.
Status take_suite(Request& request);

/// What `--save-baseline ID=FILE` says; empty: nothing is to be saved.
struct BaselineToSave {
  std::string_view id, path;
};
BaselineToSave baseline_to_save(const Request& request);

/// Keeps the verdicts of the answer as a baseline, if that is asked for.
Status save_baseline(const Answered& answered);

}  // namespace xtrace
