#include <fmt/format.h>

#include <algorithm>

#include "view/common/words.h"
#include "view/eval/judge.h"
#include "view/eval/mentions.h"

namespace xtrace {

namespace {

/// A claim, and whether it was told.
struct Checked {
  std::string text;
  ToldFacts::Answer answer = ToldFacts::Answer::unknown;
};

/// The numbers, names and quotations of a text.
std::vector<Checked> checked(const std::string& text, const ToldFacts& told) {
  std::vector<Checked> claims;
  Mentions mentions = mentions_of(text);
  for (const NumberMention& one : mentions.numbers) claims.push_back({one.text, told.has(one)});
  for (const NameMention& one : mentions.names) claims.push_back({one.text, told.has(one)});
  for (const AboutWords& one : mentions.sentences) claims.push_back({{}, told.has(one)});
  // What may be no claim at all asks for no grounds.
  std::erase_if(claims,
                [](const Checked& one) { return one.answer == ToldFacts::Answer::unknown; });
  return claims;
}

/// What the pattern finds, which has to stand there as it is.
std::vector<Checked> checked(const std::string& text, const Pattern& pattern,
                             const std::vector<std::string>& told) {
  std::vector<Checked> claims;
  for (size_t at = 0; at <= text.size();) {
    std::string_view claim = pattern.next(text, at);
    if (claim.empty()) continue;
    bool is_told = false;
    for (const std::string& piece : told) is_told |= piece.find(claim) != std::string::npos;
    claims.push_back(
        {std::string(claim), is_told ? ToldFacts::Answer::told : ToldFacts::Answer::not_told});
  }
  return claims;
}

}  // namespace

/// What was told before the decision is all that it can rest on: tool results and prompts. A number
/// is told where the same is said of the same (told_facts.cpp), a name or a quotation where it
/// stands. A text in which nothing can be looked up is no evidence either way. The evidence is what
/// the tools told, in their order.
void judge_grounds(const Case& scene, const Grounded& grounded, Verdict& verdict) {
  Decision decision = read_decision(scene, grounded.from, verdict);
  if (!decision.text) return;
  auto cannot = [&](std::string why) {
    verdict.status = Judged::insufficient;
    verdict.message = std::move(why);
  };
  std::vector<std::string> told = scene.actions.told_before(*decision.by);
  ToldFacts facts;
  for (const std::string& piece : told) facts.add(piece);
  std::vector<Checked> claims = grounded.claims ? checked(*decision.text, *grounded.claims, told)
                                                : checked(*decision.text, facts);
  if (claims.empty() && grounded.may_be_none && !decision.is_cut) {
    verdict.message = fmt::format("{} makes no claims that can be checked", decision.what);
    return;
  }
  if (claims.empty())
    return cannot(fmt::format(
        "{} contains nothing that can be checked{}", decision.what,
        grounded.claims ? ": the pattern does not match" : ": no number, name or quotation"));
  if (told.empty()) return cannot("its sources cannot be read");
  int64_t count = static_cast<int64_t>(claims.size()), lacking = 0;
  std::string invented;
  for (const Checked& claim : claims) {
    if (claim.answer == ToldFacts::Answer::told) continue;
    ++lacking;
    invented += scene.shown(claim.text);
  }
  verdict.message = fmt::format("{} in {}, all supported by tool results or prompts",
                                plural(count, "claim"), decision.what);
  const bool is_told_cut =
      std::ranges::any_of(told, [](const auto& piece) { return is_cut(piece); });
  if (decision.is_cut || (lacking > 0 && is_told_cut))
    return cannot(fmt::format("{} of {} in {} {} supported, but texts are truncated in the input",
                              count - lacking, plural(count, "claim"), decision.what,
                              count - lacking == 1 ? "is" : "are"));
  if (lacking == 0) return;
  verdict.status = Judged::failed;
  verdict.score = static_cast<double>(count - lacking) / static_cast<double>(count);
  verdict.message =
      fmt::format("{} of {} in {} {} not supported by any tool result or prompt{}", lacking,
                  plural(count, "claim"), decision.what, lacking == 1 ? "is" : "are", invented);
  for (const Action& tool : scene.actions.tools())
    if (is_known(tool.done->outcome) && tool.done->start < decision.by->done->start)
      verdict.evidence.insert(
          verdict.evidence.begin(),
          scene.evidence_of(tool, fmt::format("the result of {}", scene.text(tool.name()))));
}

}  // namespace xtrace
