#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json_writer.h"
#include "base/now.h"
#include "base/number.h"
#include "base/one_of.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "cli/reproduction.h"
#include "cli/verify_pack.h"
#include "cli/verify_recorded.h"
#include "input/raw_inputs.h"
#include "keep/output.h"
#include "run/audit_pack.h"
#include "run/written_files.h"

namespace xtrace {

namespace {

std::string help_for_audit() {
  return R"(Examples:
  xtrace audit logs/ --output-dir pack            a folder with traces, provenance and coverage
  xtrace audit logs/ --output-dir pack.zip        the same as one file
  xtrace audit run.jsonl --query Q-17 --output-dir pack   of one query
  xtrace audit logs/ --output-dir pack --with impact,taint,blame   with these answers too
  xtrace audit --verify pack                      is it whole and consistent?
  xtrace audit --verify pack --root 9f3c…         and the one whose Merkle root you received?
  xtrace audit --verify pack logs/                and does it follow from the logs?
  xtrace audit --prove run.jsonl:12               show one record without the others

Usage: xtrace audit FILE... --output-dir PACK [--query ID | --session ID] [--with ANSWERS]
                    [OPTIONS]
       xtrace audit --verify PACK [FILE...] [--root HEX]
       xtrace audit --prove FILE:LINE

Writes a pack that somebody else can check, also without xtrace: a trace and its provenance
(W3C PROV-JSON) for each query, what is recorded and what is not, what was redacted, how to make
the pack again, the SHA-256 of every input and file, and a README.md that describes the checks.
The pack appears whole or not at all, and never replaces anything. Equal inputs and options give
equal bytes. Packs are not signed: nothing in one proves who made it or when. Inputs are named
by their base names.

Options:
  --output-dir PACK     folder to write, or a file if the name ends in .zip
  --query ID            only this query: its id, a call or span in it, or file:line
  --session ID          only the queries of this session or run
  --with ANSWERS        also the answers of impact, taint and blame about each query, in answers/
  --stamp               state the time in manifest.json; otherwise the pack has no date
  --verify PACK         check a pack; with FILE..., make it again and compare every byte
  --root HEX            with --verify: the Merkle root that the pack must have
  --prove FILE:LINE     print the Merkle proof of a line, for records_root in a manifest.json
  -f, --format FORMAT   text or json: how to print what was written or found
  --json                same as -f json

Also accepted, as for `xtrace trace`: --level, --clearance, --unlabelled, --label, --max-text,
--redact, --redact-patterns, --keep-personal, --reveal, --prices, --spawn-tool, --causes, --from,
--config, --set, --strict, --jobs, --quiet and --verbose. The exit code is 1 if a pack does not
hold.
)";
}

/// Options of `trace` that have a meaning for a pack.
constexpr std::string_view kPassed[] = {"--level",
                                        "--clearance",
                                        "--unlabelled",
                                        "--label",
                                        "--max-text",
                                        "--redact",
                                        "--redact-patterns",
                                        "--keep-personal",
                                        "--reveal",
                                        "--prices",
                                        "--spawn-tool",
                                        "--causes",
                                        "--from",
                                        "--config",
                                        "--set",
                                        "--strict",
                                        "--jobs",
                                        "--quiet",
                                        "--verbose"};

/// What `xtrace audit` is asked for.
struct AuditLine {
  std::string output_dir, query, session, verify, root, prove, format = "text";
  bool stamp = false, json = false;
  std::vector<std::string> with;            ///< commands whose answers are wanted
  std::vector<std::string> passed, inputs;  ///< words for `trace`, and what it reads

  void declare(OptionList& options) {
    options.add("--output-dir", output_dir, "PACK", "");
    options.add("--query", query, "ID", "");
    options.add("--session", session, "ID", "");
    options.add("--with", with, "ANSWERS", "", {std::begin(kPackAnswers), std::end(kPackAnswers)});
    options.add("--stamp", stamp, "");
    options.add("--verify", verify, "PACK", "");
    options.add("--root", root, "HEX", "");
    options.add("--prove", prove, "FILE:LINE", "");
    options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
    options.add("--json", json, "");
  }
  bool is_json() const { return json || format == "json"; }
};

const OptionSpec* find_spec(const OptionList& options, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const OptionSpec& spec : options.specs()) {
    const size_t letter = spec.name.find(',');
    if (name == spec.long_name() ||
        (letter != std::string::npos && name == std::string_view(spec.name).substr(0, letter)))
      return &spec;
  }
  return nullptr;
}

/// Sorts the words that are no options of its own into options of `trace` and inputs.
Status sort_words(const std::vector<std::string>& words, const OptionList& own, AuditLine& line) {
  const Listed trace = list_options(*find_view("trace"));
  bool only_files = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && !only_files) {
      only_files = true;
    } else if (only_files || word.size() < 2 || word.front() != '-') {
      line.inputs.push_back(word);
    } else {
      const OptionSpec* spec = find_spec(trace.options, word);
      if (spec == nullptr || !is_one_of(spec->long_name(), kPassed))
        return unknown_option("audit", word, own);
      line.passed.push_back(word);
      const bool takes_next =
          !spec->is_switch() && word.find('=') == word.npos && i + 1 < words.size();
      if (takes_next) line.passed.push_back(words[++i]);
    }
  }
  // In whatever order somebody else names them later.
  std::sort(line.inputs.begin(), line.inputs.end(), [](const auto& a, const auto& b) {
    const std::string x = std::filesystem::path(a).filename().string();
    const std::string y = std::filesystem::path(b).filename().string();
    return x == y ? a < b : x < y;
  });
  return {};
}

Status check(const AuditLine& line) {
  const int tasks = !line.output_dir.empty() + !line.verify.empty() + !line.prove.empty();
  if (tasks != 1)
    return fail(Exit::usage, fmt::format("audit: use {}one of --output-dir PACK, --verify PACK and "
                                         "--prove FILE:LINE\ntry: xtrace audit --help",
                                         tasks == 0 ? "" : "only "));
  if (!line.query.empty() && !line.session.empty())
    return fail(Exit::usage, "--query and --session exclude each other; use one of them");
  if (line.verify.empty() && !line.root.empty())
    return fail(Exit::usage, "--root requires --verify PACK");
  if (line.output_dir.empty() &&
      (line.stamp || !line.query.empty() || !line.session.empty() || !line.with.empty()))
    return fail(Exit::usage, "--query, --session, --with and --stamp require --output-dir PACK");
  if (!line.output_dir.empty() && line.inputs.empty())
    return fail(Exit::usage, "audit: name the logs: xtrace audit FILE... --output-dir PACK");
  return {};
}

/// The request for answers of a view, as JSON.
Result<Request> request_of(std::vector<std::string> words, const std::vector<std::string>& options,
                           const std::vector<std::string>& inputs) {
  words.insert(words.end(), {"--format", "json"});
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.insert(words.end(), inputs.begin(), inputs.end());
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  Request* request = std::get_if<Request>(&*command);
  if (request == nullptr) return fail(Exit::usage, "audit: name the logs");
  return std::move(*request);
}

/// The request for traces of all queries, from which a pack is made.
Result<Request> request_of(const std::vector<std::string>& options,
                           const std::vector<std::string>& inputs) {
  return request_of({"trace", "--all"}, options, inputs);
}

/// Adds the requests for the answers that a pack is to hold, and lets the input be read as they
/// need it.
Status add_answers(const std::vector<std::string>& with, const std::vector<std::string>& options,
                   const std::vector<std::string>& inputs, Request& traces, AuditRequest& audit) {
  for (const std::string_view view : kPackAnswers) {
    if (!is_one_of(view, with)) continue;
    Result<Request> request = request_of({std::string(view)}, options, inputs);
    if (!request) return tl::unexpected(request.error());
    traces.loading.rereads |= request->loading.rereads;
    traces.loading.keep_arguments |= request->loading.keep_arguments;
    request->redaction.cleared = traces.redaction.cleared;  // which knows what is read for them
    audit.answers.push_back(*std::move(request));
  }
  return {};
}

Status print(const std::string& text) {
  return print_answer([&](std::ostream& out) { out << text; });
}

void begin_answer(JsonWriter& json, std::string_view schema) {
  json.open_object(JsonLayout::lines(2));
  json.field("schema", schema);
  json.open_object("generator");
  json.field("name", "xtrace");
  json.field("version", XTRACE_VERSION);
  json.close();
}

std::string plural_words(size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// `6 answers, 1 question without an answer, `; empty: none were asked for.
std::string answer_words(const AuditPack& pack) {
  std::string words;
  if (pack.answers + pack.unanswered > 0)
    words = plural_words(pack.answers, "answer", "answers") + ", ";
  if (pack.unanswered > 0)
    words += plural_words(pack.unanswered, "question", "questions") +
             " without an answer (reproduce.json gives the reasons), ";
  return words;
}

Result<Exit> make_pack(const AuditLine& line) {
  if (Status is_new = check_new_pack(line.output_dir); !is_new)
    return tl::unexpected(is_new.error());
  Result<Request> request = request_of(line.passed, line.inputs);
  if (!request) return tl::unexpected(request.error());
  if (request->redaction.which == Redaction::off)
    return fail(Exit::usage, "audit: a pack is always redacted");
  AuditRequest audit{.query = line.query,
                     .session = line.session,
                     .made_at = line.stamp ? format_time({now(), 0}) : "",
                     .options = request->options,
                     .answers = {}};
  if (Status added = add_answers(line.with, line.passed, line.inputs, *request, audit); !added)
    return tl::unexpected(added.error());
  Result<AuditPack> pack = make_audit_pack(*request, audit);
  if (!pack) return tl::unexpected(pack.error());
  if (Status written = write_pack(line.output_dir, readers_of(*request), pack->files); !written)
    return tl::unexpected(written.error());
  std::string text =
      fmt::format("{}: {}, {}, {}root {}. Not signed.\n", printable(line.output_dir),
                  plural_words(pack->files.size(), "file", "files"),
                  plural_words(pack->queries, "query", "queries"), answer_words(*pack), pack->root);
  if (line.is_json()) {
    text.clear();
    JsonWriter json(text);
    begin_answer(json, "xtrace.audit_written/1");
    json.field("pack", line.output_dir);
    json.field("files", pack->files.size());
    json.field("queries", pack->queries);
    json.field("answers", pack->answers);
    json.field("without_answer", pack->unanswered);
    json.field("root", pack->root);
    json.field("is_signed", false);
    json.close();
    text += '\n';
  }
  if (Status printed = print(text); !printed) return tl::unexpected(printed.error());
  return Exit::answered;
}

/// Makes a pack again as it says it was made, from the inputs at hand.
Result<PackFiles> make_again(const AuditLine& line, const PackVerdict& verdict) {
  Result<Request> given = request_of(line.passed, line.inputs);
  if (!given) return tl::unexpected(given.error());
  AuditRequest audit;
  audit.made_at = verdict.made_at;
  std::vector<std::string> options = {"--quiet", "--config", "/dev/null"}, recorded, with;
  for (size_t i = 0; i < verdict.options.size(); ++i) {
    const bool has_value = i + 1 < verdict.options.size();
    if (verdict.options[i] == "--query" && has_value)
      audit.query = verdict.options[++i];
    else if (verdict.options[i] == "--session" && has_value)
      audit.session = verdict.options[++i];
    else if (verdict.options[i] == "--with" && has_value)
      with.push_back(verdict.options[++i]);
    else
      recorded.push_back(verdict.options[i]);
  }
  const Listed trace = list_options(*find_view("trace"));
  Status usable = check_answer_options(recorded, trace.options);
  if (usable) usable = restore_recorded(recorded, *given);
  if (!usable) return tl::unexpected(usable.error());
  options.insert(options.end(), recorded.begin(), recorded.end());
  Result<Request> request = request_of(options, line.inputs);
  if (!request) return tl::unexpected(request.error());
  if (Status added = add_answers(with, options, line.inputs, *request, audit); !added)
    return tl::unexpected(added.error());
  request->loading.jobs = given->loading.jobs;
  audit.options = request->options;
  Result<AuditPack> pack = make_audit_pack(*request, audit);
  if (!pack) return tl::unexpected(pack.error());
  return std::move(pack->files);
}

std::string verdict_json(const AuditLine& line, const PackVerdict& verdict) {
  std::string text;
  JsonWriter json(text);
  begin_answer(json, "xtrace.audit_check/1");
  json.field("pack", line.verify);
  json.field("holds", verdict.fault.empty());
  if (!verdict.fault.empty()) json.field("fault", verdict.fault);
  json.field("files", verdict.files);
  json.field("inputs", verdict.inputs);
  if (!verdict.root.empty()) json.field("root", verdict.root);
  if (!verdict.version.empty()) json.field("made_by", verdict.version);
  if (!verdict.made_at.empty()) json.field("made_at", verdict.made_at);
  json.field("is_signed", false);
  json.open_list("checked");
  json.value("whole_and_consistent");
  if (!line.root.empty()) json.value("root");
  if (!line.inputs.empty()) json.value("follows_from_inputs");
  json.close();
  json.close();
  return text + '\n';
}

std::string verdict_text(const AuditLine& line, const PackVerdict& verdict) {
  const std::string name = printable(line.verify);
  if (!verdict.fault.empty())
    return fmt::format("{}: {}\n{}: does not hold\n", name, verdict.fault, name);
  std::string text = fmt::format(
      "{}: {}, root {}: whole and consistent. Not signed: nothing in it proves who made it or "
      "when{}.\n",
      name, plural_words(verdict.files, "file", "files"), verdict.root,
      line.root.empty() ? " (--root)" : "");
  text += line.inputs.empty()
              ? fmt::format(
                    "not checked: that it follows from the inputs (pass them: xtrace audit "
                    "--verify {} FILE...)\n",
                    name)
              : fmt::format("the inputs give the same {} files, byte by byte\n", verdict.files);
  return text;
}

Result<Exit> verify(const AuditLine& line) {
  PackVerdict verdict;
  const Result<PackFiles> files = read_pack(line.verify);
  if (!files && files.error().exit != Exit::no) return tl::unexpected(files.error());
  if (files)
    verdict = check_pack(*files, line.root);
  else
    verdict.fault = files.error().what;
  if (verdict.fault.empty() && !line.inputs.empty()) {
    const Result<PackFiles> again = make_again(line, verdict);
    if (!again)
      return fail(again.error().exit,
                  fmt::format("--verify: {}: {}", printable(line.verify), again.error().what));
    verdict.fault = first_difference(*files, *again);
    if (!verdict.fault.empty() && verdict.version != XTRACE_VERSION)
      verdict.fault += fmt::format(" (made by xtrace {}; this is {})", printable(verdict.version),
                                   XTRACE_VERSION);
  }
  const Status printed =
      print(line.is_json() ? verdict_json(line, verdict) : verdict_text(line, verdict));
  if (!printed) return tl::unexpected(printed.error());
  return verdict.fault.empty() ? Exit::answered : Exit::no;
}

/// The hashes that show that a line is in an input, without the other lines.
Result<Exit> prove(const AuditLine& line) {
  const size_t colon = line.prove.rfind(':');
  const auto number = colon == std::string::npos
                          ? std::nullopt
                          : number_of<uint64_t>(std::string_view(line.prove).substr(colon + 1));
  if (!number)
    return fail(Exit::usage, fmt::format("--prove: '{}' is not FILE:LINE, such as run.jsonl:12",
                                         printable(line.prove)));
  const std::string path = line.prove.substr(0, colon);
  const Result<RawLine> found = read_raw_line(path, *number);
  if (!found) return tl::unexpected(found.error());
  std::string text;
  JsonWriter json(text);
  begin_answer(json, "xtrace.proof/1");
  json.field("input", std::filesystem::path(path).filename().string());
  json.field("sha256", found->sha256);
  json.field("line", *number);
  json.field("lines", found->records.leaves());
  json.open_list("siblings", JsonLayout::lines(4));
  for (const std::string& hash : found->records.proof(*number - 1)) json.value(hash);
  json.close();
  json.field("records_root", found->records.root());
  json.close();
  if (Status printed = print(text + '\n'); !printed) return tl::unexpected(printed.error());
  return Exit::answered;
}

Result<Command> read_audit(const std::vector<std::string>& words) {
  AuditLine line;
  OptionList options;
  line.declare(options);
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_audit()};
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  if (Status sorted = sort_words(read->rest, options, line); !sorted)
    return tl::unexpected(sorted.error());
  if (Status sound = check(line); !sound) return tl::unexpected(sound.error());
  return Service{[line] {
    return !line.output_dir.empty() ? make_pack(line)
           : !line.verify.empty()   ? verify(line)
                                    : prove(line);
  }};
}

}  // namespace

extern constinit const OtherCommand kAuditCommand = {
    .name = "audit",
    .summary = "write or check an audit pack that others can verify",
    .hint = "write or check an audit pack",
    .manual =
        R"(.B audit \fIFILE\fR... \fB\-\-output\-dir \fIPACK\fR [\fB\-\-query \fIID\fR | \fB\-\-session \fIID\fR] [\fB\-\-with \fIANSWERS\fR] [\fB\-\-stamp\fR]
writes a folder, or a .zip file, with traces, provenance as W3C PROV\-JSON, coverage, redactions and the digests of all inputs and files, and with \-\-with the answers of impact, taint and blame about each query, which others can check without xtrace;
.B audit \-\-verify \fIPACK\fR [\fIFILE\fR...] [\fB\-\-root \fIHEX\fR]
checks one, and with inputs makes it again and compares every byte;
.B audit \-\-prove \fIFILE\fB:\fILINE\fR
prints the Merkle proof of one line. Packs are not signed.
)",
    .run = read_audit,
    .help = help_for_audit,
};

}  // namespace xtrace
