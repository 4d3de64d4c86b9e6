#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "input/common/loading.h"
#include "input/parts/make_part.h"

namespace xtrace {

/// What `xtrace facts` is asked for.
struct FactsRequest {
  std::vector<std::string> inputs;  ///< logs to read, parts to put together, or both
  std::string output;
  std::string key;           ///< a file; empty: hashes are open, or those of the parts
  bool open_hashes = false;  ///< nobody minds that texts can be found by trying
  std::string manifest;      ///< a file in which the part is noted; empty: nowhere
  bool quiet = false;
  LoadOptions loading;
  PartOptions part;
};

/// Writes a part, whole or not at all. Exit::usage where there is no key; Exit::input: a log cannot
/// be read, or a part is none.
Status write_facts(const FactsRequest& request);

/// What parts hold, as JSON.
Result<std::string> show_facts(const std::vector<std::string>& paths);

}  // namespace xtrace
