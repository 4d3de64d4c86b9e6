#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "base/one_of.h"
#include "base/text.h"
#include "link/graph/subject.h"
#include "link/reuse/span_calls.h"
#include "view/calls/select_calls.h"
#include "view/common/add_face.h"
#include "view/common/filter.h"
#include "view/common/preface.h"
#include "view/query/one_query.h"
#include "view/taint/taint_report.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.taint/1";
constexpr char kSpansOfQuery[] =
    "the query contains no model calls; taint reads the texts of model calls, so nothing was "
    "searched";
/// That nothing was searched must not pass for a clean log.
constexpr char kNoTexts[] =
    "the input contains only spans, and no span of a tool records arguments or a result, so "
    "nothing was searched; let the program record the contents of messages and tools";

/// Did text from an untrusted source get into what acted?
class Taint final : public View {
 public:
  void declare(Options& options) override {
    options.add("--rules", rules_path_, "FILE",
                "sources, sinks and what is trusted, JSON or YAML, instead of the built-in rules");
    options.add("--print-rules", prints_rules_, "print the built-in rules");
    options.add("--sink", sinks_, "SINK", "also search replies to the user", {"answer"});
    options.add("--min-digits", digits_text_, "N",
                "shortest number that counts as reused (default: 6)");
    options.add("--fail-on", fail_on_, "VERDICT",
                "exit with 1 from this verdict on (default: flow)",
                {"exposed", "flow", "trifecta", "never"});
    filter_.declare(options);
    query_.declare(options);
  }

  Status prepare(Preparation& given) override {
    if (prints_rules_) {
      given.has_read_inputs = true;
      return {};
    }
    if (!digits_text_.empty()) {
      constexpr size_t kFewest = 4, kMost = 18;
      const char* const end = digits_text_.data() + digits_text_.size();
      const auto [at, error] = std::from_chars(digits_text_.data(), end, options_.least_digits);
      if (error != std::errc() || at != end || options_.least_digits < kFewest ||
          options_.least_digits > kMost)
        return fail(Exit::usage, fmt::format("--min-digits: '{}' is not a number from {} to {}",
                                             printable(digits_text_), kFewest, kMost));
    }
    Result<TaintRules> rules = read_taint_rules(rules_path_);
    if (!rules) return tl::unexpected(rules.error());
    if (!rules_path_.empty()) given.read.push_back(rules_path_);
    rules_ = *std::move(rules);
    options_.has_answers = !sinks_.empty();
    return {};
  }

  const Filter* filter() const override { return &filter_; }

  Result<Document> answer(const Question& question) const override {
    return answer_about(question, std::nullopt);
  }
  Result<Document> answer_query(const Question& question, size_t query) const override {
    return answer_about(question, query);
  }

 private:
  Result<Document> answer_about(const Question& question, std::optional<size_t> asked) const {
    if (prints_rules_) return print_rules();
    const Result<const Query*> query = query_.find(question, asked);
    if (!query) return tl::unexpected(query.error());
    if (*query != nullptr && (*query)->calls.empty()) return fail(Exit::input, kSpansOfQuery);
    if (question.payloads == nullptr)
      return fail(Exit::input, "taint needs the texts of the logs, which the input does not hold");
    if (subject_of(question.graph.trace()) != Subject::spans) return find(question, *query);
    const SpanCalls calls(question.graph, *question.payloads, question.jobs);
    if (calls.tools_with_texts() == 0) return fail(Exit::input, kNoTexts);
    return find({.graph = calls.graph(),
                 .door = question.door,
                 .face = question.face,
                 .payloads = &calls,
                 .wants_rows = question.wants_rows,
                 .shortens = question.shortens,
                 .with_properties = question.with_properties,
                 .before = nullptr,
                 .direction = question.direction,
                 .lists_own = question.lists_own,
                 .in_order = question.in_order,
                 .jobs = question.jobs},
                nullptr);
  }

  Result<Document> find(const Question& question, const Query* query) const {
    Result<Selection> selection = select_calls(filter_, question.graph, question.door.zone());
    if (!selection) return tl::unexpected(selection.error());
    if (query != nullptr) narrow(*selection, *query, question.graph);
    leave_out_unrecorded(question.graph, *selection);
    Document document("taint");
    CallScene scene{question,
                    question.graph,
                    *std::move(selection),
                    {},
                    Names(question.graph, question.door),
                    document.arena()};
    if (question.face == Face::outline) scene.spending = Spending(question.graph, scene.selection);
    TaintOptions options = options_;
    options.least_confidence = filter_.min_confidence;
    const ToolRules tools(question.graph, rules_);
    const TaintFindings found = find_taint(question, tools, options, scene.selection);
    const TaintReport report(scene, tools, rules_, options, found);
    if (fails(found.verdict)) document.say_no();
    add_face(
        question.face, document,
        [&] {
          add_preface(kSchema, question, scene.names, scene.selection.hidden, document,
                      Meanings::on_request, Covers::calls);
          add_tables(report, document);
          document.judge(taint_verdicts(report));
        },
        [&] { return taint_picture(report); }, [&] { return outline(report); });
    return document;
  }

  bool fails(TaintVerdict verdict) const {
    const auto* const word = std::ranges::find(kTaintVerdictWords, fail_on_);
    return word != std::end(kTaintVerdictWords) &&
           verdict >= static_cast<TaintVerdict>(word - std::begin(kTaintVerdictWords));
  }

  static Outline outline(const TaintReport& report) {
    Outline outline = taint_outline(report);
    add_hidden(report.scene.selection.hidden, "call", {}, report.door(), outline.foot);
    return outline;
  }

  static Document print_rules() {
    Outline outline;
    std::string_view text = built_in_taint_rules();
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      outline.head.push_back(Door::own(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    Document document("taint");
    document.add(std::move(outline));
    return document;
  }

  std::string rules_path_, digits_text_, fail_on_ = "flow";
  std::vector<std::string> sinks_;
  bool prints_rules_ = false;
  TaintOptions options_;
  TaintRules rules_;
  Filter filter_;
  OneQuery query_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kSections = shape_of_answer(taint_sections());
  return {kSections};
}

}  // namespace

extern constinit const ViewEntry kTaintView = {
    .name = "taint",
    .summary = "find untrusted text that was reused in commands, requests and messages",
    .about =
        "Finds text that tools read from untrusted sources (web pages, mail, MCP servers, files "
        "outside the project) and that agents reused in sinks: shell commands, requests, messages, "
        "files outside the project, prompts of subagents. It compares addresses, account numbers, "
        "hashes, codes, numbers, paths, short values and passages of 40 characters, also encoded, "
        "and follows them through reports of subagents and files to where they first appeared. "
        "What a "
        "user or the system prompt says is excused. Reuse is no proof of an attack or of intent.",
    .examples =
        R"(  xtrace taint session.jsonl                       untrusted text in commands and messages
  xtrace taint logs/ --fail-on trifecta            fail only if private text leaves as well
  xtrace taint --print-rules > rules.yaml          the built-in rules, to change them
  xtrace taint logs/ --rules rules.yaml            with your rules
  xtrace taint session.jsonl --sink answer         also search replies to the user
  xtrace taint session.jsonl --level full          show the reused text, redacted
  xtrace taint logs/ -f sarif -o taint.sarif       for code scanning
  xtrace taint session.jsonl -f mermaid            as a picture
)",
    .make = make_view<Taint>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .gives_verdicts = true,
    .no_means = "untrusted text in a sink",
    .reads_texts = true,
    .rows = "flows",
};

}  // namespace xtrace
