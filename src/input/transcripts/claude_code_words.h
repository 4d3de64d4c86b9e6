#pragma once

#include "input/calls/message_draft.h"
#include "input/common/record_pattern.h"

namespace xtrace {

// Whose words they are that Claude Code puts in the user's place.

/// Is it a person's, by the `origin` of a line? All else a program says.
bool is_of_person(json::element origin);
/// Is a line marked as the client's?
bool is_of_client(const RecordMatcher& line);
/// What waited until the model was asked next: words of a person, or of the client. `draft` says
/// whose.
void read_attached(json::element attachment, Draft& draft);
/// Does another agent of the team say it?
bool is_of_teammate(const Draft& draft);
/// Does the client say that the user interrupted it?
bool is_interruption(const Draft& draft);
/// Why a tool did not run, where the line tells that beside its words.
void read_denial(const RecordMatcher& line, Draft& draft);

}  // namespace xtrace
