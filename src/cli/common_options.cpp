#include "cli/common_options.h"

#include "cli/answer_formats.h"
#include "input/common/format.h"
#include "link/calls/linkers.h"
#include "redact/clearance.h"
#include "run/answer_index.h"

namespace xtrace {

namespace {

std::vector<std::string_view> input_format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

}  // namespace

void CommonOptions::declare(Options& options, const ViewEntry& entry) {
  options.group(kOutputOptions);
  if (!entry.converts)
    options.add("-f,--format", format, "FORMAT",
                "output format (default: text; follow writes json if not on a terminal)",
                format_names(entry));
  if (!entry.converts) options.add("--json", json, "same as -f json");
  if (!entry.is_live && !entry.converts) {
    options.add("--table", table, "NAME",
                "csv: table to write (default: the main one, such as nodes or steps); markdown: "
                "print only this table");
    options.add(
        "--sort", sort, "FIGURE",
        "sort rows, and the children in a tree, by this figure, largest first (text, "
        "csv, markdown)",
        std::vector<std::string_view>(std::begin(kRankingWords) + 1, std::end(kRankingWords)));
    options.add("--top", top, "N",
                "limit rows per table and children in a tree; 0 = all (text, csv, markdown)");
  }
  if (!entry.converts) options.add("--describe", describe, "add descriptions of all fields (json)");
  if (entry.draws)
    options.add("--direction", direction, "WAY",
                "direction of arrows in pictures: TB (top to bottom), LR (left to right) or auto "
                "(what fits the page)",
                {kDirectionWords[0], kDirectionWords[1], kDirectionWords[2]});
  if (entry.has_page && !entry.is_live)
    options.add("--picture", picture, "KIND", "kind of picture (svg)",
                {kPictureWords[0], kPictureWords[1], kPictureWords[2], kPictureWords[3]});
  if (entry.has_page && !entry.is_live)
    options.add("--hide-arrows", hidden_arrows, "KIND",
                "kind of arrow that the timeline of a page hides until its button is pressed "
                "(html; repeatable)",
                {std::begin(kArrowWords), std::end(kArrowWords)});
  if (entry.has_page && !entry.is_live)
    options.add("--all-panes", all_panes,
                "add the panes graph and flow and the tree of agents to a page, as --open and "
                "--level full do; 30 kB (html)");
  if (!entry.is_live)  // an answer that never ends is never whole
    options.add(
        "-o,--output", output, "FILE",
        "write to FILE, atomically; the extension of FILE selects the format unless -f is given");
  if (entry.has_page)
    options.add("--open", open,
                "show the output as a page in the browser; requires a terminal; uses a temporary "
                "file unless -o is given");
  options.add("--color", color, "WHEN", "color in text", {"auto", "always", "never"});
  options.add("--utc", utc, "show times in UTC on your own terminal, as everywhere else");
  if (!entry.is_live)
    options.add("--no-pager", no_pager, "do not use $XTRACE_PAGER, $PAGER or less");

  options.group("Privacy");
  options.add("--level", level, "LEVEL", "basic: names and numbers; full: also text, redacted",
              {"basic", "full"});
  options.add(
      "--clearance", clearance, "LABEL",
      "withhold texts of records with a higher or unknown sensitivity label, or without one",
      {clearances().begin(), clearances().end()});
  options.add("--unlabelled", unlabelled, "LABEL",
              "label of records without one, for --clearance (default: secret)",
              {clearances().begin(), clearances().end()});
  options.add("--label", labels, "LABEL=RANK",
              "meaning of a label in the log: sigilo=secret (repeatable)");
  options.add("--max-text", max_text, "N",
              "truncate texts to N characters, with --level full (200; 10000 in HTML)");
  options.add("--redact", redact, "REGEX", "additional redaction pattern (RE2; repeatable)");
  options.add("--redact-patterns", redact_patterns, "FILE",
              "redaction rules from FILE: JSON, or a gitleaks configuration (repeatable)");
  options.add("--keep-personal", keep_personal,
              "show e-mail addresses, phone numbers and other personal data");
  options.add("--words", words,
              "show titles and the start of prompts in pipes, files and CI as well, redacted");
  options.add("--share", share, "hide prompts and titles on your own terminal (default elsewhere)");
  options.add("--no-redact", no_redact, "show secrets and personal data");
  if (!entry.is_live) {
    options.add("--reveal", reveal, "ID",
                "show the texts of this call, span or actor unredacted (repeatable)");
    options.add("--audit-log", audit_log, "FILE",
                "log each redaction (rule, number, length, location) to FILE");
  }

  options.group("Input");
  options.add("--from", from, "FORMAT", "read all records as this format instead of detecting it",
              input_format_names());
  options.add("--spawn-tool", spawn_tools, "NAME",
              "tool that spawns subagents (repeatable; replaces Task, Agent, spawn_agent)");
  std::vector<std::string_view> opt_in;
  for (const OptIn& linker : opt_in_linkers()) opt_in.push_back(linker.name);
  options.add("--with", with, "LINK",
              "add links; content_reuse: a reply quoted in another conversation; file_handoff: a "
              "file written and read again in a session; session_handoff: the same between "
              "sessions; sequential: the next call of the same agent type",
              opt_in);
  options.add("--causes", causes, "METHOD",
              "method to infer causes that are not recorded; best: statistical model per actor; "
              "nearest: most recent incoming call",
              {"best", "nearest"});
  if (!entry.is_live) {
    options.add("--allow-missing", allow_missing,
                "continue if parts (from `xtrace facts`) are missing");
    options.add("--key", key, "FILE",
                "key that the parts were made with; required to read logs together with them");
    options.add("--manifest", manifest, "FILE",
                "fail if a part is missing; FILE lists the expected parts: a plan from `xtrace "
                "shard` or a file written by `xtrace facts --manifest`");
    options.add("--root", roots, "OLD=NEW",
                "new location of logs that parts refer to (repeatable)");
  }
  if (!entry.is_live) options.add("--strict", strict, "exit with 3 if any record was skipped");
  if (keeps_answers(entry))
    options.add("--no-cache", no_cache, "read all files; neither use nor write the index");
  options.add("-j,--jobs", jobs, "N", "number of threads (does not affect the output)");

  options.group("Configuration");
  options.add("--prices", prices, "FILE",
              "additional price list; `xtrace prices --json` prints the format");
  options.add("--config", config, "FILE",
              "configuration file (default: ~/.config/xtrace/config.json)");
  options.add("--set", set, "KEY=VALUE", "set a configuration key (repeatable)");
  options.add("-q,--quiet", quiet, "print errors only: no warnings, no progress");
  options.add("-v,--verbose", verbose, "report every damaged record");
  options.group({});
}

void CommonOptions::declare_target(Options& options, const ViewEntry& entry) {
  options.group(kOutputOptions);
  options.add("-f,--to", format, "FORMAT",
              "target format (default: otlp); `xtrace help formats` describes them",
              format_names(entry));
  options.add("--weight", weight, "FIGURE",
              "value to sum with --to folded: cost (default, in billionths of a dollar), time (in "
              "ns) or tokens",
              {std::begin(kWeightWords), std::end(kWeightWords)});
  options.group({});
}

Listed list_options(const ViewEntry& entry) {
  Listed listed{&entry,
                entry.make(),
                std::make_unique<CommonOptions>(),
                std::make_unique<TraceFiles>(),
                std::make_unique<GraphFiles>(),
                {},
                0};
  if (entry.converts) listed.common->declare_target(listed.options, entry);
  listed.view->declare(listed.options);
  if (entry.is_kept) listed.files->declare(listed.options);
  if (entry.keeps_graph) listed.graph->declare(listed.options);
  listed.own = listed.options.specs().size();
  listed.common->declare(listed.options, entry);
  return listed;
}

}  // namespace xtrace
