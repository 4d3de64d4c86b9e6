#pragma once

#include <string_view>

#include "input/calls/message_draft.h"
#include "input/common/raw_trace.h"

namespace xtrace {

// Cline and Roo Code had models write what tools are to do in their text before these could call
// tools, and told them what a tool gave as the user's text:
//
//   <read_file><path>a.txt</path></read_file>          [read_file for 'a.txt'] Result: …
//
// Neither has an id. Each is named by the tool and `stamp`, when it was said; what a tool gave
// is of the tool that the answer right before asks for.

/// Adds the tools that an answer asks for in its texts, if it asks for none otherwise.
void read_text_tools(std::string_view stamp, Draft& draft);

/// Does it begin with what a tool gave?
bool gives_text_results(const Draft& draft);
/// Makes results of the texts of such a message. An utterance of them is shown (Utterance::Way),
/// and the same without any results follows it, until pair_text_tools() shows which of them counts.
void read_text_results(std::string_view stamp, Draft& draft);

/// Finds the uses of tools that results in texts are of.
void pair_text_tools(RawTrace& trace);

}  // namespace xtrace
