#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/option_list.h"
#include "run/file_options.h"
#include "view/common/view.h"

namespace xtrace {

class Config;
struct Request;

/// What may be set for every view, as it was typed.
struct CommonOptions {
  std::string format, table, output, level = "basic", color = "auto", direction = "auto",
                                     picture = "timeline", sort, top, weight, from, jobs,
                                     causes = "best";
  std::vector<std::string> spawn_tools, with, redact, redact_patterns, reveal, set, roots,
      hidden_arrows, labels;
  std::string max_text, audit_log, prices, config, key, manifest, clearance, unlabelled;
  bool strict = false, quiet = false, verbose = false, no_redact = false, keep_personal = false;
  bool describe = false, allow_missing = false, share = false, words = false, utc = false,
       no_pager = false, open = false, all_panes = false, json = false, no_cache = false;

  void declare(Options& options, const ViewEntry& entry);
  /// Of what converts: into which format.
  void declare_target(Options& options, const ViewEntry& entry);
  /// Applies them, and takes over what only the configuration states and a stored answer records as
  /// an option; Exit::usage names the one that cannot be read.
  Status apply(const Config& configured, Request& request);
};

/// A view and all its options, for whoever lists them.
struct Listed {
  const ViewEntry* entry;
  std::unique_ptr<View> view;
  std::unique_ptr<CommonOptions> common;
  std::unique_ptr<TraceFiles> files;
  std::unique_ptr<GraphFiles> graph;
  OptionList options;
  size_t own;  ///< the first so many belong to this view, those behind them to every one
};
Listed list_options(const ViewEntry& entry);

}  // namespace xtrace
