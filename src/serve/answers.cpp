#include "serve/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/growing/records.h"
#include "link/graph/graph.h"
#include "link/graph/subject.h"
#include "render/json_cells.h"
#include "run/answer.h"

namespace xtrace::serve {

namespace {

/// Reloading a page or several clients with one question: the same bytes, made once.
constexpr size_t kMostKept = 8, kMostKeptBytes = 64 << 20;

/// Applies the owner's settings, which hold for every answer, to a client's request.
void apply_owner(const Request& owner, Request& request) {
  const LoadOptions own = std::exchange(request.loading, owner.loading);
  request.loading.rereads |= own.rereads || owner.shows_words;
  request.loading.digests |= own.digests;
  request.loading.keep_arguments |= own.keep_arguments;
  request.loading.keep_message_texts |= own.keep_message_texts;
  request.linking = owner.linking;
  request.redaction = owner.redaction;
  request.fields = owner.fields;
  request.prices = owner.prices;
  request.patterns = owner.patterns;
  request.max_text = owner.max_text;
  request.shows_words = owner.shows_words;
  request.lists_own = false;
  request.quiet = true;  // what is wrong with the log was said when it was read
}

/// As words of a command line: standard output is a terminal that gets none of it.
std::vector<std::string> words_of(const Asked& asked, const std::vector<std::string>& inputs) {
  std::vector<std::string> words = asked.words;
  words.push_back(fmt::format("--format={}", asked.format.empty() ? "json" : asked.format));
  words.emplace_back(asked.level == Door::Level::full ? "--level=full" : "--level=basic");
  words.emplace_back("--output=served");
  words.emplace_back("--color=never");
  words.emplace_back("--");
  words.insert(words.end(), inputs.begin(), inputs.end());
  return words;
}

}  // namespace

Answered<Request> Answers::request_for(const Asked& asked) const {
  Result<Request> request = make_request_(words_of(asked, owner_.inputs));
  if (!request) return tl::unexpected(refusal_of(request.error()));
  apply_owner(owner_, *request);
  return *std::move(request);
}

Answered<std::shared_ptr<const LinkedRuns>> Answers::read(const LoadOptions& loading) {
  std::erase_if(readings_,
                [&](const Reading& reading) { return reading.version != feed_.version(); });
  for (const Reading& reading : readings_)
    if (reading.rereads == loading.rereads && reading.digests == loading.digests)
      return reading.runs;
  Found found = found_in(feed_.generations());
  if (found.inputs.empty()) return refuse(503, "the log is empty so far");
  Progress unseen;
  Result<Trace> trace = load(std::move(found), loading, unseen);
  if (!trace) return tl::unexpected(refusal_of(trace.error()));
  if (!holds_activities(*trace) && trace->usage_statements.empty())
    return refuse(503, "the log has no usable record so far");
  std::vector<Trace> traces;
  traces.push_back(*std::move(trace));
  auto runs =
      std::make_shared<const LinkedRuns>(link_runs(std::move(traces), owner_.link_options()));
  readings_.push_back({feed_.version(), loading.rereads, loading.digests, runs});
  return runs;
}

Answered<void> Answers::ask(const Asked& asked, bool as_tables,
                            const std::function<void(const Request&, const Document&)>& write) {
  Answered<Request> request = request_for(asked);
  if (!request) return tl::unexpected(request.error());
  const Answered<std::shared_ptr<const LinkedRuns>> runs = read(request->loading);
  if (!runs) return tl::unexpected(runs.error());
  Result<std::unique_ptr<Door>> door = open_door(*request, **runs);
  if (!door) return tl::unexpected(refusal_of(door.error()));
  const Result<Document> document = as_tables ? answer_as_tables(*request, **runs, **door)
                                              : xtrace::answer(*request, **runs, **door);
  if (!document) return tl::unexpected(refusal_of(document.error()));
  write(*request, *document);
  return {};
}

Answered<SharedText> Answers::answer(const Asked& asked) {
  std::vector<std::string> words = words_of(asked, {});
  for (const Kept& kept : kept_)
    if (kept.version == feed_.version() && kept.words == words) return kept.text;
  std::ostringstream out;
  const Answered<void> asked_for =
      ask(asked, false, [&](const Request& request, const Document& document) {
        write_document(request, document, out);
      });
  if (!asked_for) return tl::unexpected(asked_for.error());
  auto text = std::make_shared<const std::string>(std::move(out).str());
  kept_.push_back({feed_.version(), std::move(words), text});
  size_t bytes = 0;
  for (const Kept& kept : kept_) bytes += kept.text->size();
  for (; kept_.size() > kMostKept || (bytes > kMostKeptBytes && !kept_.empty()); kept_.pop_front())
    bytes -= kept_.front().text->size();
  return text;
}

Answered<std::vector<std::string>> Answers::steps(const Asked& asked) {
  std::vector<std::string> rows;
  const Answered<void> asked_for = ask(asked, true, [&](const Request&, const Document& document) {
    for (const Section& section : document.sections())
      if (const Table* table = std::get_if<Table>(&section);
          table != nullptr && table->name == "steps")
        for (size_t i = 0; i < table->rows(); ++i)
          append_json_row(rows.emplace_back(), table->columns, table->row(i));
  });
  if (!asked_for) return tl::unexpected(asked_for.error());
  return rows;
}

}  // namespace xtrace::serve
