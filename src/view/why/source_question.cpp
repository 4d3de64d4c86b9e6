#include "view/why/source_question.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "view/why/source_line.h"
#include "view/why/source_ranges.h"

namespace xtrace {

void SourceQuestion::declare(Options& options) {
  options.add("--source-line", source_line_, "FILE:LINE",
              "line of a source file: explain the edit that wrote it");
  options.add("--source", source_, "FILE",
              "source file: list which edits wrote its lines, and for which turn");
  options.add("--blame", blame_, "FILE",
              "output of `git blame --porcelain` for the source file (`-`: standard input); "
              "edits after a line's commit are ignored");
  options.add("--agent-trace", agent_trace_, "FILE",
              "Agent Trace records (default: .agent-trace/traces.jsonl next to the source file or "
              "above)");
}

Status SourceQuestion::prepare(const std::string& node, Preparation& given) {
  const bool has_line = !source_line_.empty(), has_file = !source_.empty();
  for (const auto& [option, is_given] :
       {std::pair{"--source", has_file}, {"--node", !node.empty()}})
    if (has_line && is_given)
      return fail(Exit::usage, fmt::format("--source-line and {} exclude each other; use one of "
                                           "them",
                                           option));
  if (has_file && !node.empty())
    return fail(Exit::usage, "--source and --node exclude each other; use one of them");
  if (!has_line && !has_file) {
    for (const auto& [option, value] :
         {std::pair{"--blame", &blame_}, {"--agent-trace", &agent_trace_}})
      if (!value->empty())
        return fail(Exit::usage,
                    fmt::format("{} requires --source FILE or --source-line FILE:LINE", option));
    return {};
  }
  std::string path = source_;
  if (has_line) {
    Result<SourcePlace> place = read_source_place(source_line_);
    if (!place) return tl::unexpected(place.error());
    path = place->path;
    number_ = place->number;
  }
  Result<SourceFile> file = read_source_file(path);
  if (!file) return tl::unexpected(file.error());
  const auto bad = [&](const std::string& why) {
    return fail(Exit::usage, fmt::format("--source-line: '{}' {}", printable(source_line_), why));
  };
  if (number_ > file->lines.size())
    return bad(fmt::format("is behind the end: the file has {}",
                           plural(static_cast<int64_t>(file->lines.size()), "line")));
  if (number_ > 0 && file->is_blank(number_ - 1)) return bad("is an empty line");
  if (file->lines.empty())
    return fail(Exit::usage, fmt::format("--source: '{}' is empty", printable(path)));
  file_ = *std::move(file);
  given.read.push_back(path);
  if (!blame_.empty()) {
    if (Status read = read_blame(blame_, *file_); !read) return read;
    if (blame_ != "-") given.read.push_back(blame_);
    if (number_ > 0 && file_->blame[number_ - 1].commit.empty())
      return fail(Exit::input,
                  fmt::format("--blame: '{}' does not name line {}; it takes the output of git "
                              "blame --porcelain {}",
                              printable(blame_), number_, printable(path)));
  }
  return read_traces(given);
}

Status SourceQuestion::read_traces(Preparation& given) {
  const std::string path = agent_trace_.empty() ? find_agent_traces(file_->path) : agent_trace_;
  if (path.empty()) return {};
  Result<AgentTraces> traces =
      read_agent_traces(path, [&](std::string_view other) { return file_->is_named(other); });
  if (!traces) return tl::unexpected(traces.error());
  traces_ = *std::move(traces);
  given.read.push_back(path);
  return {};
}

Result<Document> SourceQuestion::answer(const HopScene& scene, const Listing& listing) const {
  const AgentTraces* traces = traces_ ? &*traces_ : nullptr;
  return number_ > 0 ? explain_source_line(scene, *file_, number_, traces, listing)
                     : explain_source(scene, *file_, traces, listing.unfold);
}

}  // namespace xtrace
