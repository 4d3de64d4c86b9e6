#pragma once

#include <span>
#include <string_view>

namespace xtrace {

/// Where an agent keeps the logs of its sessions, as it has it on Linux.
struct AgentFolder {
  std::string_view root;  ///< all that is its own, below a home or a project
  /// What of that holds sessions, below the root; `|` parts, each may be a pattern; empty: all.
  std::string_view logs;
  /// A variable of the environment that names another place, and what of the path that stands for;
  /// empty: for the home.
  struct Moved {
    std::string_view variable{}, stands_for{};
  };
  Moved moved[2]{};
  /// Where sessions lay in former versions, which moved them: looked at where none of `logs` is.
  std::string_view formerly{};
};

/// In the order of their roots, each once.
std::span<const AgentFolder> agent_folders();

}  // namespace xtrace
