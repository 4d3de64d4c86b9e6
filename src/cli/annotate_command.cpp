#include <fmt/format.h>

#include "base/one_of.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "prices/day.h"
#include "settings/annotation.h"

namespace xtrace {

namespace {

std::string help_for_annotate() {
  return R"(Examples:
  xtrace annotate --node req-2 --note 'why gpt-4o?' --author ada >> notes.jsonl
  xtrace annotate --from r1 --to e1 --kind approval --note ok >> notes.jsonl
  xtrace dag logs/ --view explanation --annotations notes.jsonl --level full     show the notes

Usage: xtrace annotate (--node ID | --from ID --to ID) --note TEXT [OPTIONS]

Prints a note about a step or an edge of `xtrace dag --view explanation`, as one JSON line. Collect
the notes in a file next to the logs, for instance in Git.

Options:
  --node ID       id of a step, as shown by dag
  --from ID       id of the source of an edge
  --to ID         id of the target of an edge
  --note TEXT     text of the note
  --author NAME   author of the note
  --kind KIND     comment (default), question or approval
  --time T        time of the note (default: none)
)";
}

/// `xtrace annotate --node ID --note TEXT`
Result<Command> read_annotate(const std::vector<std::string>& words) {
  Annotation said;
  OptionList options;
  options.add("--node", said.node, "ID", "");
  options.add("--from", said.from, "ID", "");
  options.add("--to", said.to, "ID", "");
  options.add("--note", said.note, "TEXT", "");
  options.add("--author", said.author, "NAME", "");
  options.add("--kind", said.kind, "KIND", "");
  options.add("--time", said.time, "TIME", "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_annotate()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("annotate", word, options);
    return fail(Exit::usage, fmt::format("annotate: unexpected argument '{}'; it reads no logs, "
                                         "but prints a line for the file of `dag --annotations`",
                                         printable(word)));
  }
  if (said.kind.empty()) said.kind = "comment";
  const std::vector<std::string> kinds = annotation_kinds();
  if (!is_one_of(said.kind, kinds))
    return fail(Exit::usage, fmt::format("--kind: '{}' is not one of {}", printable(said.kind),
                                         fmt::join(kinds, ", ")));
  if (said.note.empty()) return fail(Exit::usage, "annotate: --note TEXT is required");
  const bool is_of_edge = !said.from.empty() && !said.to.empty();
  if (said.node.empty() != is_of_edge || said.from.empty() != said.to.empty())
    return fail(Exit::usage, "annotate: use either --node ID, or --from ID and --to ID");
  if (!said.time.empty() && !parse_time(said.time) && first_moment(said.time) == kNoTime)
    return fail(Exit::usage, fmt::format("--time: '{}' is not a time such as 2026-03-02T09:00:00Z",
                                         printable(said.time)));
  return Printed{annotation_line(said)};
}

}  // namespace

extern constinit const OtherCommand kAnnotateCommand = {
    .name = "annotate",
    .summary = "create a note for `dag --annotations`",
    .hint = "create a note about a step",
    .manual =
        R"(.B annotate \fR(\fB\-\-node \fIID\fR | \fB\-\-from \fIID \fB\-\-to \fIID\fR) \fB\-\-note \fITEXT\fR [\fB\-\-author \fINAME\fR] [\fB\-\-kind \fIKIND\fR] [\fB\-\-time \fIT\fR]
prints a note about a step of
.B dag \-\-view explanation
or about an edge, as a line for a file that
.B dag \-\-annotations
shows. KIND is comment (the default), question or approval.
)",
    .run = read_annotate,
    .help = help_for_annotate,
};

}  // namespace xtrace
