#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"
#include "base/result.h"
#include "facts/deed.h"

namespace xtrace {

/// Which files a rule is about.
struct TaintPaths {
  bool is_outside_project = false;
  std::vector<std::string> globs;  ///< `*` matches anything, folders too
};

/// Tool uses that bring or take text, by what is known of them.
struct TaintRule {
  std::string kind;                       ///< what answers call it: web, shell
  std::vector<std::string> tools;         ///< `*` matches anything in a name
  std::vector<Deed> deeds;                ///< `does`; with no tools either: any tool
  std::vector<std::string> arguments;     ///< of a sink, at the top level; empty: all of them
  std::optional<TaintPaths> paths;        ///< one of the files that it works on
  std::optional<Pattern> result_matches;  ///< of a source: its result
  bool is_forbidden = false;              ///< of a sink: nothing may be used so
};

/// What may be trusted, and what must not be reached.
struct TaintRules {
  std::vector<TaintRule> sources;  ///< text that others wrote; the first rule that fits decides
  std::vector<TaintRule> secrets;  ///< `private`: what must not leave
  std::vector<TaintRule> sinks;    ///< where text acts
  std::vector<std::string> trusted_hosts, trusted_tools;
  std::vector<std::string> memory_write, memory_read;  ///< tools that keep text in a named file
  std::string from;                                    ///< `built-in` or the path
  std::string digest;                                  ///< SHA-256 of the text
};

/// The rules where none are given, as YAML.
std::string_view built_in_taint_rules();
/// Those of a file, JSON or YAML, or the built-in ones for an empty path. What cannot be heeded is
/// an Error with Exit::usage that names file:line, and the nearest name for one that is misspelt.
Result<TaintRules> read_taint_rules(const std::string& path);

}  // namespace xtrace
