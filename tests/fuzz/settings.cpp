#include <algorithm>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "keep/query_index.h"
#include "keep/snapshot_file.h"
#include "live/subscription.h"
#include "reading.h"
#include "redact/custom_rule.h"
#include "settings/agent_trace.h"
#include "settings/annotation.h"
#include "settings/config.h"
#include "settings/json_schema.h"
#include "settings/permission_rule.h"
#include "settings/price_file.h"
#include "settings/redaction_file.h"
#include "settings/standards_file.h"
#include "settings/suite_file.h"
#include "settings/suite_schema.h"
#include "settings/text_edits.h"
#include "settings/threshold.h"

using namespace xtrace;

namespace {

/// What is wrong is recorded.
template <class Read>
void expect_told(const Read& read) {
  if (!read && read.error().what.empty()) std::abort();
}

/// By every reader of what people write, whichever they wrote it for.
void read_as_all(const std::string& path) {
  expect_told(read_suite(path));
  if (Result<Suite> suite = read_suite(path)) expect_told(read_scores(path, *suite));
  expect_told(Config::read(path, {}));
  PriceTable table;
  expect_told(read_price_file(path, table));
  RedactionSettings redaction;
  expect_told(read_redaction_file(path, redaction));
  expect_told(read_profile(path));
  expect_told(read_cards(path));
  expect_told(read_annotations(path));
  expect_told(read_agent_traces(path, [](std::string_view) { return true; }));
}

void read_lines(std::string_view text) {
  for (size_t lines = 0; !text.empty() && lines < 50; ++lines) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    expect_told(read_subscription(line));
    expect_told(read_threshold(line));
    expect_told(read_permission_rule(line));
    CustomRule rule;
    rule.regex = std::string(line);
    expect_told(CompiledRule::compile(std::move(rule)));
    if (std::optional<JsonSchema> schema = schema_of_json(std::string(line)))
      find_violation(*schema, std::string(line));
    expect_told(Config::read("/dev/null", {std::string(line)}));
  }
}

}  // namespace

/// Whatever people wrote into a file of settings, it is read or they are told why not.
void xtrace::try_settings(std::string_view text) {
  static const Folder folder;
  for (const char* name : {"settings.json", "settings.yaml", "settings.toml"})
    read_as_all(folder.write(name, text));
  expect_told(read_index(folder.write("index.sqlite", text)));
  expect_told(keep_snapshot(folder.write("snapshots.json", text), Snapshot{}, 7));
  read_lines(text);
  text_edits_in(std::string(text), [](std::string_view path) { return path.size() % 2 == 0; });
}
