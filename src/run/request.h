#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "input/load.h"
#include "link/calls/link.h"
#include "redact/door.h"
#include "render/renderer.h"
#include "run/file_options.h"
#include "view/common/field.h"
#include "view/common/view.h"

namespace xtrace {

/// What a command line asks for, ready to be run.
struct Request {
  const ViewEntry* entry = nullptr;
  std::unique_ptr<View> view;
  std::vector<std::string> inputs;
  size_t older = 1;              ///< of who compares: so many of them are the older run
  bool lists_own = false;        ///< they are all sessions of one's own: see run/own_logs.h
  Time awake_since = kNoTime;    ///< for follow: see GrowingInputs
  bool inputs_are_read = false;  ///< by the view: they are no logs
  LoadOptions loading;
  LinkOptions linking;
  RedactPolicy redaction;
  FieldPolicy fields;
  PriceTable prices = list_prices();
  std::vector<std::string> patterns;  ///< of the command line and the configuration, to be hidden
  std::vector<std::string> reveal;
  Door::Level level = Door::Level::basic;
  size_t max_text = 200;
  const Renderer* renderer = nullptr;
  Paper paper;
  std::string output;  ///< empty: standard output
  TraceFiles files;
  GraphFiles graph;
  std::string audit_log;              ///< empty: none
  std::vector<std::string> options;   ///< those that have a say in the answer, as words
  std::vector<std::string> settings;  ///< files that say how to answer
  std::vector<std::string> given;     ///< all options as they are set, but for threads and pager
  std::vector<std::string> warnings;  ///< about their contents, and notes, as whole lines
  Progress* progress = nullptr;  ///< somebody watches how far reading has come; nullptr: nobody
  bool strict = false, quiet = false, verbose = false;
  bool opens_page = false;          ///< a browser shows the answer when it is written
  bool has_temporary_page = false;  ///< in a file that nobody named: see run/browser.h
  bool pages = false;               ///< a pager may show the answer
  bool uses_cache = false;          ///< an index in the cache folder may answer: see AnswerIndex
  bool shows_words = false;         ///< titles and the start of prompts
  bool on_own_terminal = false;  ///< a text that nobody but who asks sees: see run/own_terminal.h

  /// With the prices that were asked for; the request outlives the graph.
  LinkOptions link_options() const {
    LinkOptions priced = linking;
    priced.prices = &prices;
    return priced;
  }
};

/// What the format `both` adds to a view's JSON.
inline constexpr Field<Text> kPicture[] = {
    {{"mermaid", "the picture as Mermaid source, for Markdown"},
     [](const Text& source) { return Cell(source); }}};

}  // namespace xtrace
