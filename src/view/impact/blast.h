#pragma once

#include <vector>

#include "view/common/field.h"
#include "view/impact/impact_scene.h"

namespace xtrace {

/// What some steps add up to.
struct Blast {
  int64_t calls = 0, tool_uses = 0;
  int64_t tokens = 0;
  int64_t cost = 0;  ///< in billionths of a dollar
  int64_t unpriced = 0;
  int64_t low = 0;   ///< calls that cost more than is known, or whose cost is not
  Duration busy{0};  ///< in which any of the calls ran
  int64_t files = 0, hosts = 0, agents = 0, sessions = 0;
};
Blast blast_of(const ImpactScene& scene, const std::vector<uint32_t>& nodes);

/// Those of the nodes asked about, of what is reached, and of what is reached only through them;
/// and of all sessions that these are part of.
struct Blasts {
  Blast self, reached, only_through, all;
};

/// The object `blast`, and how large a share of their sessions what is reached is.
std::span<const Field<Blasts>> blast_fields();
std::span<const Column> blast_columns();
std::span<const Field<Blasts>> share_fields();
std::span<const Column> share_columns();

/// `3 calls, 2 tool uses, 6.2k tokens, $0.0047, 9.9s`
std::string words_of(const Blast& blast, bool are_spans);

}  // namespace xtrace
