#include "cli/common_options.h"

#include "cli/answer_formats.h"
#include "input/common/format.h"
#include "link/calls/linkers.h"

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
                "how to answer; text on a terminal, json otherwise", format_names(entry));
  if (!entry.converts) options.add("--json", json, "the same as -f json");
  if (!entry.is_live && !entry.converts) {
    options.add("--table", table, "NAME",
                "in csv, which table of the answer instead of its calls or steps, or its first; in "
                "markdown, it alone instead of all");
    options.add(
        "--sort", sort, "FIGURE",
        "in text, csv and markdown, rows with the largest figure first; in a tree, what "
        "stands below each line",
        std::vector<std::string_view>(std::begin(kRankingWords) + 1, std::end(kRankingWords)));
    options.add("--top", top, "N",
                "in text, csv and markdown, N rows of each table, and of what stands below each "
                "line of a tree; how many are not shown is said; 0: all");
  }
  if (!entry.converts)
    options.add("--describe", describe,
                "in json, add what each field means, as `xtrace schema` tells it");
  if (entry.draws)
    options.add("--direction", direction, "WAY",
                "of pictures, where the arrows lead: TB, from top to bottom; LR, from left to "
                "right; auto, whichever fits a page",
                {kDirectionWords[0], kDirectionWords[1], kDirectionWords[2]});
  if (entry.has_page && !entry.is_live)
    options.add("--picture", picture, "KIND",
                "in svg, what the picture shows: timeline, who was at work when; causes, what led "
                "to what; actors, who called whom",
                {kPictureWords[0], kPictureWords[1], kPictureWords[2]});
  if (!entry.is_live)  // an answer that never ends is never whole
    options.add("-o,--output", output, "FILE",
                "write the answer to FILE; it appears whole or not at all");
  if (entry.has_page)
    options.add("--open", open,
                "show the answer as a page (-f html) in the browser; on a terminal alone. Without "
                "-o the page stands in the folder of temporary files");
  options.add("--color", color, "WHEN", "colour in text", {"auto", "always", "never"});
  options.add("--utc", utc,
              "on a terminal of your own, times in UTC in place of your zone; everywhere else they "
              "are in UTC");
  if (!entry.is_live)
    options.add(
        "--no-pager", no_pager,
        "write a long answer to the terminal at once, without $XTRACE_PAGER, $PAGER or less");

  options.group("Privacy");
  options.add("--level", level, "LEVEL",
              "basic: names and numbers; full: payload text too, redacted", {"basic", "full"});
  options.add("--max-text", max_text, "N", "at level full, cut each text to N characters (200)");
  options.add("--redact", redact, "REGEX",
              "also replace what this pattern finds, as RE2 has them; may be given several times");
  options.add("--redact-patterns", redact_patterns, "FILE",
              "also replace what the rules in FILE find: JSON, or a configuration of gitleaks; may "
              "be given several times");
  options.add("--keep-personal", keep_personal,
              "show e-mail addresses, phone numbers and other personal data; secrets stay hidden");
  options.add("--share", share,
              "answer on a terminal as for others, without words of prompts and titles; so do "
              "pipes, files and CI");
  options.add("--no-redact", no_redact, "show secrets and personal data as they are");
  if (!entry.is_live) {
    options.add(
        "--reveal", reveal, "ID",
        "show the texts of this call, span or actor as they are; may be given several times");
    options.add("--audit-log", audit_log, "FILE",
                "write to FILE what was replaced: rule, number, length and place, a line each");
  }

  options.group("Input and links");
  options.add("--from", from, "FORMAT", "read every record as FORMAT instead of looking at it",
              input_format_names());
  options.add(
      "--spawn-tool", spawn_tools, "NAME",
      "a tool whose calls start subagents, in place of Task, Agent and spawn_agent; may be given "
      "several times");
  std::vector<std::string_view> opt_in;
  for (const OptIn& linker : opt_in_linkers()) opt_in.push_back(linker.name);
  options.add("--with", with, "LINK",
              "also links of this type, which are guesses: content_reuse, a passage of one "
              "conversation's answer in another's request; sequential, the next call of the same "
              "type of agent where nothing else leads to it",
              opt_in);
  options.add("--causes", causes, "METHOD",
              "how to find causes that no span records: best learns how each actor calls; nearest "
              "takes the latest call into the caller",
              {"best", "nearest"});
  if (!entry.is_live) {
    options.add("--allow-missing", allow_missing,
                "of parts that `xtrace facts` wrote: answer also where some lack, and say what");
    options.add("--key", key, "FILE",
                "the key that parts were made with, where logs are read beside them");
    options.add("--manifest", manifest, "FILE",
                "of parts: what there has to be, by a plan of `xtrace shard` or what `xtrace facts "
                "--manifest` wrote; what lacks is an error");
    options.add("--root", roots, "OLD=NEW",
                "of parts: where logs whose paths begin with OLD are read again; may be given "
                "several times");
  }
  if (!entry.is_live) options.add("--strict", strict, "exit with 3 if any record was skipped");
  options.add("-j,--jobs", jobs, "N", "threads; the answer is the same for any number");

  options.group("Configuration and messages");
  options.add("--prices", prices, "FILE",
              "what tokens of which model cost, over the list prices that `xtrace prices` prints");
  options.add("--config", config, "FILE",
              "what to take for options that are not given, in place of "
              "~/.config/xtrace/config.json; `xtrace config` shows what is in force");
  options.add("--set", set, "KEY=VALUE",
              "a key of the configuration, over what the file says; may be given several times");
  options.add("-q,--quiet", quiet, "no warnings and no progress, errors only");
  options.add("-v,--verbose", verbose, "name every damaged record");
  options.group({});
}

void CommonOptions::declare_target(Options& options, const ViewEntry& entry) {
  options.group(kOutputOptions);
  options.add("-f,--to", format, "FORMAT",
              "what to write: otlp, OpenTelemetry's JSON, the default; otlp-proto, the same in "
              "Protocol Buffers; jaeger, for its user interface; atif, trajectories of agents; "
              "perfetto, for Perfetto and Chrome's viewers of traces; folded, stacks for flame "
              "graphs",
              format_names(entry));
  options.add("--weight", weight, "FIGURE",
              "in folded, what is summed up: cost, in billionths of a dollar, the default; time, "
              "in nanoseconds; tokens",
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
