#pragma once

#include <optional>
#include <string>

#include "settings/agent_trace.h"
#include "view/hops/hop_scene.h"
#include "view/why/listing.h"
#include "view/why/source_file.h"

namespace xtrace {

/// What `explain` is asked about a source file, or a line of one.
class SourceQuestion {
 public:
  void declare(Options& options);
  /// Reads the files that the options name. `node`: what else is asked for.
  Status prepare(const std::string& node, Preparation& given);
  bool is_asked() const { return file_.has_value(); }
  Result<Document> answer(const HopScene& scene, const Listing& listing) const;

 private:
  Status read_traces(Preparation& given);

  std::string source_line_, source_, blame_, agent_trace_;
  std::optional<SourceFile> file_;
  size_t number_ = 0;  ///< of the line that is asked about; 0: all of the file
  std::optional<AgentTraces> traces_;
};

}  // namespace xtrace
