#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "doc/document.h"
#include "view/why/line_writers.h"

namespace xtrace {

inline constexpr char kWriterMethodHelp[] =
    "patch_content: the edit was given the words of the line; id: an Agent Trace record names the "
    "edit or its session, and the contents agree; content_hash: the hash in a record fits; "
    "revision: a record is about the line's commit; position: a record has the line number, and "
    "the line may have moved";
inline constexpr char kLineEvidenceHelp[] =
    "only_writer: no other edit wrote such a line, and the file has it once; in_run: others exist, "
    "but the lines around it fit as well; one_of_several: others exist; few_letters: a short line "
    "in a run; reformatted: only letters and digits agree; part: the edit was given a part of the "
    "line; replaced: a later edit replaced it, and it is there again; rewritten: the edit wrote "
    "the whole file, and its earlier contents are not known";

Cell evidence_cell(std::optional<LineEvidence> evidence);
/// `by what it was given`, for people.
std::string_view words_of_method(WriterMethod method);
/// The same as the word of a column: `contents`.
std::string_view short_word(WriterMethod method);
/// `conversation X wrote it, which is not in the input`. Not redacted yet.
std::string words_of_claim(const TraceClaim& claim);
/// `.agent-trace/traces.jsonl:3`
Text place_of_record(Door& door, const AgentTraces& traces, const AgentTraceEntry& entry);

}  // namespace xtrace
