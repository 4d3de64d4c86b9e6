#include <fmt/format.h>

#include <algorithm>

#include "base/shell_words.h"
#include "base/text.h"
#include "run/audit_lists.h"

namespace xtrace {

namespace {

constexpr std::string_view kContents = R"(## Files

| file | contents |
| --- | --- |
| `traces/{project}/{query}.json` | every step of one query in order, with its place in the input, time, cost and evidence; `xtrace trace` wrote it |
| `provenance/{project}/{query}.prov.json` | the same query as PROV-JSON (W3C Member Submission, 24 April 2013) |
| `answers/{project}/{query}.{command}.json` | with `--with`: what the commands in `reproduce.json` print about the same query: `impact` (what its first step led to), `taint` (untrusted text that was reused), `blame` (where it first looks odd) |
| `coverage.json`, `coverage.md` | what is recorded, kind by kind, and what is not; gaps in time; damaged records; hash chains of the inputs |
| `redaction.json` | what was replaced, by which rules, and the result of a test with made-up secrets (the canary) |
| `reproduce.json` | the commands that make this pack, each of its traces and each of its answers again (answers in the pack also have the `sha256` of each input); questions without an answer, and why |
| `manifest.json` | the inputs and all files above, with their SHA-256 |
| `SHA256SUMS` | the same for `sha256sum -c SHA256SUMS` |
| `statement.json` | an in-toto Statement v1 about `manifest.json` and the inputs |

## What it shows, and what it does not

* It shows what these inputs record. Events that no input records are not in it; `coverage.json` names the kinds that are missing.
* Links between steps are inferences where the log does not state them. Each has a method and a confidence.
* An answer of `impact` follows recorded links: it does not show that its effects would not have happened otherwise. `taint` finds text that is reused as it is or encoded: it shows no attack and no intent, and an answer without a flow does not show that there is none. `blame` lists candidates, not culprits.
* Nobody signed this pack. Its digests show that it is whole and consistent. Nothing in it proves who made it or when: compare the Merkle root, or the SHA-256 of `manifest.json`, with one that you received in another way.
* Values that redaction replaced are `[REDACTED:rule:number]`. The canary in `redaction.json` shows that the rules of this build ran. It does not show that they know every secret.
* It helps with the duties in the last section. It states no compliance.

## How to check it without xtrace

The checks need SHA-256 and JSON only.

1. The files of the pack are those that `files` in `manifest.json` lists, and `manifest.json`, `SHA256SUMS` and `statement.json`; there are no others, no links, and no empty folders. `files` is in the order of the bytes of `path`, each once. For each, `bytes` is the size and `sha256` the SHA-256 of its contents, in lower-case hexadecimal digits.
2. `SHA256SUMS` has one line `{sha256}  {path}` (two blanks, a line feed at the end) for each of these files and for `manifest.json`, in the order of the bytes of their paths.
3. `merkle.root` in `manifest.json` is the root of the Merkle tree (RFC 6962, section 2.1, with SHA-256) whose leaves are the lines of `SHA256SUMS` for `files`, with their line feeds and without the line of `manifest.json`. The hash of a leaf is SHA-256(0x00, leaf), of a node SHA-256(0x01, left, right); the left half has as many leaves as the largest power of two that is smaller than their number. `merkle.leaves` is their number.
4. `statement.json` is exactly: `_type` `https://in-toto.io/Statement/v1`; `subject` with `name` and `digest.sha256` of `manifest.json` and then of each of `inputs`; `predicateType` `urn:xtrace:audit:1`; `predicate` with `generator`, `level`, `merkle_root` and `reproduction` as in the manifest. Its bytes are those of Python's `json.dumps(statement, indent=2, ensure_ascii=False)` and a line feed.
5. Each `traces/X.json` has a `provenance/X.prov.json`, with as many activities of `prov:type` `xtrace:step` as the trace has `steps`, and the same `xtrace:id` and `xtrace:at` for each, in their order. `level` of a trace is that of the manifest, and each `sha256` of its `inputs` is that of an input in the manifest.
6. In PROV-JSON, each key of `entity`, `activity` and `agent` begins with a prefix that `prefix` declares, and each relation names things of its own document: `used` (activity, entity), `wasGeneratedBy` (entity, activity), `wasInformedBy` (informed, informant), `wasDerivedFrom` (generatedEntity, usedEntity), `wasAssociatedWith` (activity, agent), `wasAttributedTo` (entity, agent), `actedOnBehalfOf` (delegate, responsible). `xtrace:confidence` is from 0 to 1. Of one activity, `prov:startTime` is not after `prov:endTime`.
7. In `coverage.json`, an event with the `count` 0 has `missing`; all others have `first` and `last`. In `redaction.json`, `canary.leaked` is 0 and `canary.planted` is not.
8. Each `answers/X.C.json` has a `traces/X.json`. Its `schema` is `xtrace.C/1`, its `level` is that of the manifest, and each `sha256` of its `inputs` is that of an input in the manifest. In `reproduce.json`, `commands` has as many commands `xtrace C --query …` as there are such files, and `without_answer` none of these.
9. With an input at hand: its size is `bytes`, its SHA-256 is `sha256`, and `records_root` is the root of the Merkle tree (as in 3) whose leaves are its lines without their line feeds; what follows the last line feed is a line too if it is not empty. `lines` is their number. To show one line without the others, `xtrace audit --prove FILE:LINE` prints the hashes of its siblings.

A `.zip` pack holds the same files, uncompressed.

## How to check it with xtrace
)";

constexpr std::string_view kHelpsWith = R"(
## What it helps with

| text | helps with | by |
| --- | --- | --- |
| EU AI Act, Articles 12(1-2), 19, 26(5), 26(6), as amended by Regulation 2026/1744 (from 2 December 2027 and 2 August 2028) | events over the life of a system; keeping logs for at least 6 months; monitoring | `coverage.json` (first, last, gaps), `traces/`, `answers/` |
| ISO/IEC 42001, A.6.2.6, A.6.2.8, A.7.5, A.8.4 (check your copy) | operation and monitoring, event logs, provenance of data, incidents | `coverage.json`, `provenance/`, `traces/`, `answers/` |
| OWASP Top 10 for Agentic Applications, ASI01 to ASI10 | reviewing what an agent used, wrote and reached | `traces/`, `provenance/`, `answers/` (`taint`, `impact`); `xtrace assess` for the inputs |
| lists of digital forensics: run ids, timeline, approvals, references to prompts, MCP logs, movement of files, actions outside | each row present, or named as missing | `coverage.json` |
)";

/// With the spans of code that Markdown needs where a name has grave accents.
std::string code(const std::string& text) {
  std::string safe = printable(text);
  std::replace(safe.begin(), safe.end(), '`', '\'');
  return '`' + safe + '`';
}

}  // namespace

std::string pack_readme(const PackFacts& facts, size_t queries) {
  std::string text = fmt::format(
      "# Audit pack\n\nMade by xtrace {} from {} input{}, with {} quer{}, at level {}{}. Not "
      "signed.\n\n"
      "| input | bytes | lines | SHA-256 |\n| --- | ---: | ---: | --- |\n",
      XTRACE_VERSION, facts.inputs.size(), facts.inputs.size() == 1 ? "" : "s", queries,
      queries == 1 ? "y" : "ies", facts.level,
      facts.made_at.empty() ? "" : ", on " + facts.made_at);
  for (const ListedInput& input : facts.inputs)
    text += fmt::format("| {} | {} | {} | `{}` |\n", code(input.path), input.bytes, input.lines,
                        input.sha256);
  text += '\n';
  text += kContents;
  std::string names;
  for (const ListedInput& input : facts.inputs) names += ' ' + shell_word(printable(input.path));
  text += fmt::format(
      "\n    xtrace audit --verify PACK               is it whole and consistent?\n"
      "    xtrace audit --verify PACK --root HEX    and is the Merkle root the one that you "
      "received?\n"
      "    xtrace audit --verify PACK{}\n"
      "                                             and does it follow from the inputs?\n",
      names);
  text += kHelpsWith;
  return text;
}

}  // namespace xtrace
