#include "input/transcripts/claude_code_words.h"

#include <algorithm>

#include "base/one_of.h"
#include "input/common/json_path.h"

namespace xtrace {

namespace {

/// Where words come from that a person wrote.
constexpr std::string_view kPersons[] = {"human", "cli", "channel"};

/// As they are kept, and printed.
constexpr std::string_view kMarksOfClient[] = {"isMeta", "isCompactSummary",
                                               "isVisibleInTranscriptOnly", "isSynthetic"};

/// Did a person write it? Older versions do not tell who did, but how it was put in.
bool is_persons(json::element attachment) {
  json::element origin;
  if (json::is_true_on(attachment, "isMeta")) return false;
  if (json::find(attachment, "origin", origin)) return is_of_person(origin);
  return json::text_at(attachment, "commandMode") == "prompt";
}

bool begins_with(std::string_view words, const Draft& draft) {
  return !draft.blocks.empty() && draft.blocks.front().kind == Block::Kind::text &&
         draft.blocks.front().text.starts_with(words);
}

}  // namespace

bool is_of_person(json::element origin) {
  return is_one_of(json::text_at(origin, "kind"), kPersons);
}

bool is_of_client(const RecordMatcher& line) {
  return std::ranges::any_of(kMarksOfClient,
                             [&](std::string_view mark) { return line.is_true(mark); });
}

void read_attached(json::element attachment, Draft& draft) {
  draft.role = is_persons(attachment) ? Message::Role::user : Message::Role::other;
  json::element words;
  if (json::text_at(attachment, "type") != "queued_command" ||
      !json::find(attachment, "prompt", words))
    return;
  if (json::is_string(words)) read_block(words, draft);
  json::items(words, [&](json::element block) { read_block(block, draft); });
}

bool is_of_teammate(const Draft& draft) {
  return begins_with("<teammate-message ", draft);
}

bool is_interruption(const Draft& draft) {
  return draft.blocks.size() == 1 && begins_with("[Request interrupted by user", draft);
}

void read_denial(const RecordMatcher& line, Draft& draft) {
  const std::string_view kind = line.text_at("toolDenialKind");
  if (kind.empty()) return;
  const bool was_stopped = kind == "interrupted" || kind == "cancelled";
  for (Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_result && block.is_error)
      block.error = was_stopped ? ToolError::cancelled : ToolError::denied;
}

}  // namespace xtrace
