#include "input/transcripts/name_reporters.h"

#include <map>
#include <utility>

#include "facts/rows.h"

namespace xtrace {

void name_reporters(RawTrace& trace) {
  std::map<std::pair<StringId, StringId>, StringId> agents;  // by session and path
  for (const Utterance& said : trace.utterances)
    if (said.item && said.kind == Utterance::Kind::agent)
      agents.try_emplace({said.session, said.item}, said.agent);
  const auto is_report = [](const Utterance& said) {
    return said.item && said.message && said.kind == Utterance::Kind::asked;
  };
  for (const Utterance& said : trace.utterances) {
    if (!is_report(said)) continue;
    const auto found = agents.find({said.session, said.item});
    for (ToolResult& row : rows_to_change(trace.tool_results, said.message)) {
      row.tool_use = {};
      row.agent = found == agents.end() ? said.item : found->second;
    }
  }
}

}  // namespace xtrace
