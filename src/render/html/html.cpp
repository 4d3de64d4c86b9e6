#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/one_of.h"
#include "doc/colours.h"
#include "render/chart/actors.h"
#include "render/chart/chart.h"
#include "render/chart/sign_words.h"
#include "render/html/answer_json.h"
#include "render/html/assets.h"
#include "render/html/columns.h"
#include "render/html/opening.h"
#include "render/html/static_part.h"
#include "render/renderer.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

void note_mark(const Chart& chart, const Chart::Mark& mark, SignsUsed& used) {
  used.failed |= mark.failed;
  used.tool_failed |= mark.tool_failed;
  used.retry |= mark.is_retry;
  used.backwards |= mark.duration_us != Chart::kUnknown && mark.duration_us < 0;
  used.path |= mark.critical;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i)
    used.tool |= chart.tools[i].duration_us > 0;
}

/// What marks of a page's timeline may have that hue does not tell: `↻ retry`. Only what occurs in
/// it. Buttons show the signs of arrows.
std::vector<std::string> signs_of(const Chart& chart) {
  SignsUsed used;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed()) note_mark(chart, mark, used);
  struct Sign {
    bool is_used;
    std::string_view sign, words;
  };
  // As like those of the canvas as text allows.
  const Sign all[] = {{used.failed, "!", kFailedWords},           {used.tool, "▬", kToolWords},
                      {used.tool_failed, "▌!", kToolFailedWords}, {used.retry, "↻", kRetryWords},
                      {used.backwards, "⚠", kBackwardsWords},     {used.path, "▁▁", kPathWords}};
  std::vector<std::string> signs;
  for (const Sign& sign : all)
    if (sign.is_used) signs.push_back(std::string(sign.sign).append(" ").append(sign.words));
  return signs;
}

constexpr std::pair<std::string_view, std::string_view> kRules[] = {
    {"tool_use_id", "the result names the tool use"},
    {"echoed_history",
     "the result has no ID, but the next request's history contains the tool use"},
    {"messages_and_answer", "begins with the messages and reply of the source"},
    {"messages", "begins with the messages of the source; its reply is not recorded"},
    {"transcript", "is next in the transcript"},
    {"summary", "continues from a summary of the source"},
    {"truncated", "ends with the last messages and reply of the source; older ones were removed"},
    {"rewritten", "ends with the last messages and reply of the source; older ones were changed"},
    {"response_id", "names the reply of the source"},
    {"same_messages", "repeats the request of the source, which failed"},
    {"agent_id", "the log names what started the subagent"},
    {"prompt", "the subagent's prompt is in the tool use"},
    {"result_text", "the result is the subagent's last reply"},
    {"tool_argument", "asks about the command that the tool use ran"},
    {"type_and_time", "next subagent of the requested type"},
    {"time", "next subagent of any type"},
    {"shared_passage", "shares a passage that first appeared in the reply of the source"},
    {"content", "reads the text that the source wrote into a file"},
    {"path", "reads a file that the source wrote"},
    {"type_and_gap", "next call of this agent type"},
    {"parent", "the span names its parent"},
    {"follows_from", "the span names the span it follows"},
    {"only_one", "only one call to the caller was open at that time"},
    {"call_pattern", "most likely cause, given how this actor usually calls others"},
    {"linked", "derived from a link between model calls"},
    {"nearest", "most recent call to the caller"},
    {"turn", "the user's prompt begins this turn"},
    {"trigger", "the record names its trigger"},
    {"task_order", "the last step to end before it in the same task"},
    {"adjusted", "the calls in between are hidden"},
    {"told", "recorded in the graph that was read"},
    {"stamp", "the record of the call names it"},
    {"until_turn_end", "its turn has not ended"},
};

/// What the rule that found a link goes by, as a sentence about the later end; empty: a rule of
/// which an answer says the name alone.
std::string_view rule_in_words(std::string_view method) {
  for (const auto& [word, words] : kRules)
    if (word == method) return words;
  return {};
}

/// Version of the layout of what a page holds: its script refuses any other.
constexpr int kPageVersion = 1;
/// Rows of which the texts are packed together: few enough to unpack while somebody waits.
constexpr size_t kBlock = 256;

/// What a browser opens in some seconds.
constexpr size_t kMostNodes = 1'000'000;
/// Texts are there to be read, in blocks that are unpacked on demand: two hundred lines of 50
/// characters, which few files and outputs of tools exceed.
constexpr size_t kMaxText = 10'000;

/// Nothing but these very bytes runs or is a style, nothing is loaded or sent, and no text becomes
/// markup or script.
std::string policy(const PageSources& sources) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; "
      "require-trusted-types-for 'script'",
      sources.script.hash, sources.style.hash);
}

/// Those of the pages of an answer, which draw no other one; of large pages, if there are any.
const PageSources& sources_of(std::string_view view, bool is_large) {
  constexpr std::pair<std::string_view, std::string_view> kPictures[] = {
      {"assess", "verdicts"}, {"blame", "findings"}, {"diff", "differences"},
      {"eval", "verdicts"},   {"explain", "steps"},  {"impact", "findings"},
      {"report", "figures"},  {"stats", "figures"},  {"taint", "findings"},
      {"trace", "steps"},     {"trust", "sequence"}, {"whatif", "findings"}};
  std::string_view wanted = kPageSources.front().name;
  for (const auto& [of, picture] : kPictures)
    if (of == view) wanted = picture;
  const PageSources* found = &kPageSources.front();
  for (const PageSources& sources : kPageSources)
    if (sources.name == wanted && (is_large || !sources.is_large)) found = &sources;
  return *found;
}

void write_points(JsonWriter& json, std::string_view name,
                  const std::vector<Actors::Point>& points) {
  json.open_list(name, JsonLayout::tight());
  for (const Actors::Point& point : points) {
    json.open_list(JsonLayout::tight());
    json.value(point.x);
    json.value(point.y);
    json.close();
  }
  json.close();
}

void write_actors(JsonWriter& json, const Actors& actors) {
  json.open_object(JsonLayout::tight());
  json.field("width", actors.width);
  json.field("height", actors.height);
  json.field("hidden", actors.hidden);
  json.field("busiest", actors.busiest);
  json.open_list("nodes", JsonLayout::tight());
  for (const Actors::Actor& actor : actors.actors) {
    json.open_object(JsonLayout::tight());
    json.field("id", actor.id);
    json.field("label", actor.label);
    json.field("kind", actor.kind);
    json.field("x", actor.x);
    json.field("y", actor.y);
    json.field("w", actor.width);
    json.field("h", actor.height);
    json.close();
  }
  json.close();
  json.open_list("edges", JsonLayout::tight());
  for (const Actors::Edge& edge : actors.edges) {
    json.open_object(JsonLayout::tight());
    json.field("from", edge.from);
    json.field("to", edge.to);
    json.field("calls", edge.calls);
    json.field("tokens", edge.tokens);
    json.field("cost_nusd", edge.cost_nusd);
    json.field("time_us", edge.time_us);
    json.field("failed", edge.failed);
    if (edge.bytes > 0) json.field("bytes", edge.bytes);
    if (edge.is_estimated) json.field("about", true);
    if (edge.costs_more) json.field("more", true);
    if (edge.counts_turns) json.field("turns", true);
    write_points(json, "way", edge.way);
    write_points(json, "spots", edge.spots);
    json.close();
  }
  json.close();
  json.close();
}

class Page {
 public:
  Page(const Document& document, const Paper& paper, std::ostream& out)
      : document_(document),
        paper_(paper),
        chart_(chart_of(document)),
        packed_(pack(chart_)),
        out_(out) {
    if (!chart_.details.empty()) blocks_ = (chart_.marks.size() + kBlock - 1) / kBlock;
  }

  /// Fills in what is between `@` in the frame.
  void write() {
    std::string_view frame = kPageFrame;
    for (size_t at = frame.find('@'); at != std::string_view::npos; at = frame.find('@')) {
      const size_t end = frame.find('@', at + 1);
      if (end == std::string_view::npos) break;
      out_ << frame.substr(0, at);
      fill_in(frame.substr(at + 1, end - at - 1));
      frame.remove_prefix(end + 1);
    }
    out_ << frame;
  }

 private:
  static Chart chart_of(const Document& document) {
    Chart chart = read_chart(document, Chart::Runs::both);
    name_hops(chart);
    gather_conversations(chart);
    order_marks(chart);
    lay_lanes(chart);
    return chart;
  }

  void fill_in(std::string_view name) {
    if (name == "CSP")
      out_ << policy(sources_);
    else if (name == "TITLE")
      out_ << for_markup(title_of(document_));
    else if (name == "STYLE")
      out_ << sources_.style.text;
    else if (name == "SCRIPT")
      out_ << sources_.script.text;
    else if (name == "STATIC")
      write_static_part(document_, chart_, out_);
    else if (name == "HEAD")
      out_ << for_script_element(head());
    else if (name == "DATA")
      write_base64(packed_.data);
    else if (name == "TEXTS")
      write_details();
  }

  std::string head() {
    std::string text;
    JsonWriter json(text);
    json.open_object(JsonLayout::tight());
    json.field("page", kPageVersion);
    json.field("kind", document_.view());
    json.field("title", title_of(document_));
    json.field("nodes", chart_.marks.size());
    json.field("edges", chart_.arrows.size());
    json.field("epoch_us", packed_.epoch_us);
    json.field("tick_us", packed_.tick_us);
    json.field("text", packed_.text_bytes);
    json.field("texts", blocks_);
    if (paper_.is_opened) json.field("local", true);
    const Opening opening = opening_of(document_, chart_);
    json.field("select", opening.select);
    json.field("view", opening.pane);
    json.field("level", chart_.details.empty() ? "basic" : "full");
    json.key("columns");
    packed_.columns.write_list(json);
    write_rules(json);
    write_hues(json);
    json.open_object("colours", JsonLayout::tight());
    for (const auto& [type, colour] : chart_.colours) json.field(chart_.text(type), colour);
    json.close();
    json.open_list("figures", JsonLayout::tight());
    for (const HeadFigure& figure : head_figures(chart_)) {
      json.open_list(JsonLayout::tight());
      json.value(figure.value);
      json.value(figure.name);
      json.value(figure.is_bad);
      json.close();
    }
    json.close();
    if (!paper_.hidden_arrows.empty()) {
      json.open_list("hide", JsonLayout::tight());
      for (const std::string& kind : paper_.hidden_arrows) json.value(kind);
      json.close();
    }
    if (const size_t agents = agents_of_hops(); agents > 0) json.field("agents", agents);
    json.open_list("signs", JsonLayout::tight());
    for (const std::string& sign : signs_of(chart_)) json.value(sign);
    json.close();
    // Pages that compare, sum up or judge do not draw them.
    if (!is_one_of(document_.view(), {"diff", "stats", "report", "eval", "assess"})) {
      json.key("actors");
      write_actors(json, actors_of(chart_));
      if (!chart_.flows.empty()) {
        json.key("flows");
        write_actors(json, flows_of(chart_));
      }
    }
    json.key("answer");
    write_answer(json, document_);
    json.close();
    return text;
  }

  /// Those at the ends of hops: a lane of hops is whoever wrote them down.
  size_t agents_of_hops() const {
    std::set<StringId> agents;
    for (const Chart::Mark& mark : chart_.marks)
      for (StringId end : {chart_.nature(mark).source, chart_.nature(mark).target})
        if (chart_.nature(mark).target && names_actor(chart_, end) &&
            chart_.text(end).starts_with("agent:"))
          agents.insert(end);
    return agents.size();
  }

  /// Of kinds that every picture gives the same hue.
  static void write_hues(JsonWriter& json) {
    json.open_object("hues", JsonLayout::tight());
    for (const auto& [kind, hue] : known_hues()) json.field(kind, hue);
    json.close();
  }

  /// In words, of the links that there are.
  void write_rules(JsonWriter& json) const {
    std::set<StringId> methods;
    for (const Chart::Link& link : chart_.links) methods.insert(link.method);
    json.open_object("rules", JsonLayout::tight());
    for (StringId method : methods)
      if (std::string_view words = rule_in_words(chart_.text(method)); !words.empty())
        json.field(chart_.text(method), words);
    json.close();
  }

  /// A piece at a time, each but the last of whole groups of three bytes.
  void write_base64(std::string_view bytes) {
    constexpr size_t kPiece = 3 << 14;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPiece)))
      out_ << base64(bytes.substr(0, kPiece));
  }

  void write_details() {
    for (size_t block = 0; block < blocks_; ++block) {
      std::string json = "[";
      const size_t end = std::min(chart_.details.size(), (block + 1) * kBlock);
      for (size_t i = block * kBlock; i < end; ++i) {
        if (json.size() > 1) json += ',';
        json += chart_.details[i].empty() ? "{}" : chart_.details[i];
      }
      Gzip packed;
      packed.add(json += ']');
      out_ << fmt::format(
          "<script type=\"application/octet-stream\" id=\"x-texts-{}\">{}</script>\n", block,
          base64(packed.finish()));
    }
  }

  const Document& document_;
  const Paper& paper_;
  const Chart chart_;
  const PackedChart packed_;
  std::ostream& out_;
  const PageSources& sources_ = sources_of(
      document_.view(), !chart_.details.empty() || paper_.has_all_panes || paper_.is_opened);
  size_t blocks_ = 0;  ///< of details
};

void write_html(const Document& document, const Paper& paper, std::ostream& out) {
  Page(document, paper, out).write();
}

}  // namespace

extern constinit const Renderer kHtmlRenderer = {
    .name = "html",
    .summary = "interactive page in one file",
    .face = Face::tables,
    .write = write_html,
    .needs_file = true,
    .adds_graph = true,
    .adds_graph_before = true,
    .most_nodes = kMostNodes,
    .max_text = kMaxText,
};

}  // namespace xtrace
