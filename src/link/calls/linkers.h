#pragma once

#include <span>

#include "link/calls/agents.h"
#include "link/calls/link.h"
#include "link/calls/timeline.h"

namespace xtrace {

// To add a linker: a file that defines it, and its name in linkers.cpp.

/// One way of connecting calls.
struct Linker {
  const char* name;
  const char* summary;
  void (*find)(const Timeline& timeline, const LinkOptions& linking, Findings& out);
};

/// Those that prove by ids and equal texts. Order matters: the later ones look at what the earlier
/// ones found.
std::span<const Linker> exact_linkers();
/// Those that guess, or stand on a guess; they run when sessions are known. None reaches beyond one
/// but by Link::joins_sessions.
struct Guesser {
  const char* name;
  const char* summary;
  void (*find)(const Timeline& timeline, const LinkOptions& linking,
               std::span<const uint32_t> session_of, Findings& out);
};
std::span<const Guesser> guessers();

/// Those that show what may be, for whoever asks (`--with`). They run last and change neither
/// sessions nor agents.
struct OptIn {
  const char* name;
  const char* summary;
  bool compares_message_texts = false;  ///< needs LoadOptions::keep_message_texts
  void (*find)(const Timeline& timeline, const Sessions& sessions, const Agents& agents,
               Findings& out);
};
std::span<const OptIn> opt_in_linkers();

}  // namespace xtrace
