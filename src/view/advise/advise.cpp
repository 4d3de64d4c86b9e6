#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <utility>

#include "base/dollars.h"
#include "base/nearest.h"
#include "base/text.h"
#include "link/activities/call_sizes.h"
#include "link/activities/paid_again.h"
#include "link/graph/subject.h"
#include "view/calls/advice.h"
#include "view/calls/claim_tables.h"
#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/calls/tree_frame.h"
#include "view/calls/waste_tables.h"
#include "view/calls/waste_words.h"
#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.advise/1";
constexpr char kSpansAlone[] =
    "the input contains only spans, which do not record enough to find waste; use a transcript or "
    "a log of model calls";
/// More than this are for programs.
constexpr size_t kMostRows = 20;

/// Findings about claims, as --fail-on names them.
struct ClaimFinding {
  std::string_view word;
  ClaimVerdict verdict;
};
constexpr ClaimFinding kClaimFindings[] = {{"contradicted_claim", ClaimVerdict::contradicted},
                                           {"unshown_claim", ClaimVerdict::not_shown}};

/// When the program is to end with Exit::no.
struct FailOn {
  std::bitset<kWasteKinds> kinds;
  std::bitset<kClaimVerdicts> claims;
  int64_t cost = kNoCount;  ///< from this on, in billionths of a dollar; kNoCount: none does

  /// What is less sure, as waiting for something is, is said and fails no build.
  static constexpr double kSureToFail = 0.5;

  bool fails(std::span<const ReplyClaim> stated) const {
    return std::ranges::any_of(
        stated, [&](const ReplyClaim& one) { return claims[static_cast<size_t>(one.verdict)]; });
  }
  bool fails(std::span<const Waste> found) const {
    const bool is_dear =
        cost >= 0 && !found.empty() && std::max<int64_t>(sum_of(found).cost, 0) >= cost;
    return is_dear || std::any_of(found.begin(), found.end(), [&](const Waste& one) {
             return one.confidence >= kSureToFail && kinds[static_cast<size_t>(one.kind)];
           });
  }
};

/// What was wasted, its cost, and what to do about it.
class Advise final : public View {
 public:
  void declare(Options& options) override {
    options.add("--fail-on", fail_on_words_, "KIND|USD",
                "exit with 1 if there is a finding of this kind with a confidence of at least "
                "50%, a claim that tool results contradict (contradicted_claim) or do not show "
                "(unshown_claim), or if all findings together cost at least this many dollars "
                "(repeatable)");
    options.add("--paste", is_paste_,
                "print only the texts for CLAUDE.md or AGENTS.md, each once, ready for the file");
    filter_.declare(options);
  }

  Status prepare(Preparation&) override {
    for (const std::string& text : fail_on_words_)
      if (Status read = read_fail_on(text); !read) return read;
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    const bool has_calls = subject_of(question.graph.trace()) != Subject::spans;
    return has_calls ? of_calls(question) : of_spans(question);
  }

 private:
  /// The kind that is written nearly so, or all.
  static std::string like_kind(std::string_view word) {
    std::vector<std::string_view> kinds(std::begin(kWasteKindWords), std::end(kWasteKindWords));
    for (const ClaimFinding& one : kClaimFindings) kinds.push_back(one.word);
    std::string near = did_you_mean(word, kinds);
    return near.empty() ? fmt::format("; kinds: {}", fmt::join(kinds, ", ")) : near;
  }

  /// Kinds and an amount, with commas between them. Of two amounts one comma is that of a decimal.
  Status read_fail_on(const std::string& text) {
    int amounts = 0;
    for (size_t at = 0, end = 0; at <= text.size(); at = end + 1) {
      end = std::min(text.find(',', at), text.size());
      const std::string_view word = std::string_view(text).substr(at, end - at);
      const auto* kind = std::find(std::begin(kWasteKindWords), std::end(kWasteKindWords), word);
      if (kind != std::end(kWasteKindWords)) {
        fail_on_.kinds.set(static_cast<size_t>(kind - std::begin(kWasteKindWords)));
        continue;
      }
      if (const auto* claim = std::ranges::find(kClaimFindings, word, &ClaimFinding::word);
          claim != std::end(kClaimFindings)) {
        fail_on_.claims.set(static_cast<size_t>(claim->verdict));
        continue;
      }
      const std::optional<Dollars> amount = parse_dollars(word);
      if (!amount)
        return fail(Exit::usage, fmt::format("--fail-on: '{}' is neither a kind of finding nor an "
                                             "amount in dollars, such as 0.50{}",
                                             printable(word), like_kind(word)));
      if (++amounts > 1)
        return fail(
            Exit::usage,
            fmt::format(
                "--fail-on: '{}' is not an amount in dollars; use a decimal point, as in 0.50",
                printable(text)));
      const int64_t least = amount->billionths;
      fail_on_.cost = fail_on_.cost < 0 ? least : std::min(fail_on_.cost, least);
    }
    return {};
  }

  Result<Document> of_calls(const Question& question) const {
    Result<Selection> selection = select_calls(filter_, question.graph, question.door.zone());
    if (!selection) return tl::unexpected(selection.error());
    const Selection chosen = *selection;
    leave_out_unrecorded(question.graph, *selection);
    Document document("advise");
    CallScene scene{question,
                    question.graph,
                    *std::move(selection),
                    {},
                    Names(question.graph, question.door),
                    document.arena(),
                    {}};
    scene.spending = Spending(question.graph, chosen);  // sums report what is missing
    const ShownCalls shown = scene.shown_calls();
    CallSizeMeter said(question.graph.trace(), question.payloads);
    const PaidAgain again = find_paid_again(question.graph, question.payloads, said, shown);
    const std::vector<Waste> found = find_waste(
        {question.graph, question.payloads, shown, again.carried, again.rebuilds, question.jobs});
    const std::vector<ReplyClaim> claims = shown_claims(scene);
    if (fail_on_.fails(found) || fail_on_.fails(claims)) document.say_no();
    if (is_paste_) {
      Outline texts;
      const bool is_shown = std::ranges::all_of(
          claims, [](const ReplyClaim& one) { return one.verdict == ClaimVerdict::supported; });
      texts.head = texts_to_paste(scene, found, is_shown ? "" : kClaimInstruction);
      document.add(std::move(texts));
      return document;
    }
    if (question.face == Face::outline) {
      add_outline(scene, found, claims, document);
      return document;
    }
    add_preface(kSchema, question, scene.names, scene.selection.hidden, document,
                Meanings::on_request, Covers::calls);
    document.add(costs_record(scene));
    document.add(waste_sum("sum", found));
    document.add(waste_table(scene, found));
    document.add(claim_counts(claims));
    document.add(claim_table(scene, claims));
    return document;
  }

  static std::vector<ReplyClaim> shown_claims(const CallScene& scene) {
    std::vector<ReplyClaim> claims = find_reply_claims(scene.graph, scene.question.payloads);
    std::erase_if(claims, [&](const ReplyClaim& one) { return !scene.selection.shows(one.reply); });
    return claims;
  }

  static void add_outline(const CallScene& scene, const std::vector<Waste>& found,
                          const std::vector<ReplyClaim>& claims, Document& document) {
    Door& door = scene.question.door;
    std::vector<Text> head = head_lines(scene);
    if (!claims.empty()) {
      head.push_back(claim_counts_line(scene, claims));
      Outline stated = claim_outline(scene, claims);
      if (!stated.lines.empty()) {
        stated.head = std::exchange(head, {});
        document.add(std::move(stated));
      }
    }
    Outline outline = waste_outline(scene, found, found.size(), true);
    size_t shown = 0;
    for (Outline::Line& line : outline.lines) {
      shown += line.depth == 0;  // advice follows each finding
      line.is_spare = shown > kMostRows;
    }
    if (found.empty()) outline = {};
    outline.head = head;
    if (found.empty()) {
      outline.head.push_back("no savings found");
    } else {
      outline.head.push_back(door.composed(waste_sum_words(found)));
    }
    const bool is_told = !found.empty() || scene.spending.total().unrecorded > 0;
    if (const Text line = costs_line(scene); !line.empty() && is_told) outline.foot.push_back(line);
    add_hidden(scene.selection.hidden, "call", {}, door, outline.foot);
    const Graph& graph = scene.question.graph;
    if (const auto runs = std::ranges::count(graph.partners().covers_run, false); runs > 0)
      outline.foot.push_back(
          door.say("not searched: {} of spans, which do not record enough to find waste",
                   plural(runs, "run")));
    document.add(std::move(outline));
  }

  /// Spans record neither the arguments of tools nor what a request repeats. A check that depends
  /// on them must say so, because no finding would pass for a yes.
  Result<Document> of_spans(const Question& question) const {
    if (!fail_on_words_.empty())
      return fail(Exit::input, fmt::format("--fail-on: {}", kSpansAlone));
    if (is_paste_) return fail(Exit::input, fmt::format("--paste: {}", kSpansAlone));
    Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_, HopLinks::causes);
    if (!scene) return tl::unexpected(scene.error());
    Document document("advise");
    if (question.face == Face::outline) {
      Outline outline;
      if (!(*scene)->hops.runs.empty()) outline.head.push_back(kSpansAlone);
      document.add(std::move(outline));
      return document;
    }
    add_preface(kSchema, question, (*scene)->names, (*scene)->selection.hidden, document);
    return document;
  }

  std::vector<std::string> fail_on_words_;
  FailOn fail_on_;
  bool is_paste_ = false;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kOfCalls = [] {
    std::vector<Section> sections = waste_sections("sum");
    sections.insert(sections.begin(), Record{{"costs", costs_columns()}});
    for (Section& one : claim_sections()) sections.push_back(std::move(one));
    return shape_of_answer(sections);
  }();
  static const std::vector<Section> kOfSpans = shape_of_answer({});
  return {kOfCalls, kOfSpans};
}

}  // namespace

extern constinit const ViewEntry kAdviseView = {
    .name = "advise",
    .summary = "find waste and how to avoid it",
    .about =
        "Finds avoidable work, the most expensive first: loops, failing retries, repeated reads "
        "and calls, duplicate subagents, unused results, cache rebuilds, full context windows and "
        "unused tools. No cost is counted in two findings, so their costs can be added up. The "
        "confidence is the share of such findings that are right. Before them, it lists claims of "
        "replies, such as that tests pass, that tool results contradict or do not show.",
    .examples =
        R"(  xtrace advise session.jsonl                    find waste and how to avoid it
  xtrace advise ~/.claude/projects/shop          all sessions of a project
  xtrace advise session.jsonl --agent Explore    one type of agent
  xtrace advise session.jsonl --fail-on loop     exit with 1 if an agent loops
  xtrace advise session.jsonl --fail-on 0.50     exit with 1 if $0.50 was wasted
  xtrace advise logs/ --fail-on contradicted_claim   exit with 1 if a reply claims
                                                 what a tool result contradicts
  xtrace advise --paste >> CLAUDE.md             texts for the agent's instructions
  xtrace advise session.jsonl -f json            all findings with their evidence
)",
    .make = make_view<Advise>,
    .shapes = shapes,
};

}  // namespace xtrace
