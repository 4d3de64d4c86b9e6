#include "view/why/source_words.h"

#include <fmt/format.h>

namespace xtrace {

Cell evidence_cell(std::optional<LineEvidence> evidence) {
  return evidence ? Cell(Door::own(word(*evidence))) : Cell();
}

std::string_view words_of_method(WriterMethod method) {
  constexpr std::string_view kWords[] = {"not known",
                                         "by what it was given",
                                         "by what it was given and an Agent Trace record",
                                         "by the hash in an Agent Trace record",
                                         "by an Agent Trace record of its commit",
                                         "by the line number in an Agent Trace record"};
  return kWords[static_cast<size_t>(method)];
}

std::string_view short_word(WriterMethod method) {
  constexpr std::string_view kWords[] = {"", "contents", "ID", "hash", "commit", "line number"};
  return kWords[static_cast<size_t>(method)];
}

std::string words_of_claim(const TraceClaim& claim) {
  if (claim.range->contributor == "human") return "a human wrote it";
  const std::string& url = claim.entry->url;
  const std::string who = !url.empty()        ? fmt::format("conversation {}", url)
                          : claim.is_in_input ? "a session in the input"
                                              : "an unnamed conversation";
  if (claim.is_in_input) return who + " wrote it, but none of its recorded edits has this line";
  return who + " wrote it" + (url.empty() ? "" : ", which is not in the input");
}

Text place_of_record(Door& door, const AgentTraces& traces, const AgentTraceEntry& entry) {
  return door.name(fmt::format("{}:{}", traces.path, entry.line));
}

}  // namespace xtrace
