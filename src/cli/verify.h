#pragma once

#include "base/result.h"

namespace xtrace {

struct Request;

/// Makes the traces in the files and folders named by `--verify` again, as they say they were made,
/// from the request's inputs, holds the index against them if one is named, and prints what
/// differs. Exit::no if anything does.
Result<Exit> verify(const Request& request);

}  // namespace xtrace
