#include "view/why/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "view/common/words.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

class Answer {
 public:
  explicit Answer(const Provenance& why) : why_(why) {}

  std::string tell() const {
    std::string text = fmt::format("{} {} because:\n", why_.scene.name(why_.target).view(),
                                   why_.target.actor ? "was accessed" : "happened");
    for (const std::vector<size_t>& group : why_.parallel.groups) text += parallel(group);
    if (const size_t omitted = why_.parallel.omitted; omitted > 0)
      text += fmt::format("  [PARALLEL] {}\n", plural(static_cast<int64_t>(omitted), "more group"));
    if (!why_.parallel.groups.empty()) text += '\n';
    size_t number = 0;
    for (const std::vector<size_t>& causes : by_accessor()) text += chains(++number, causes);
    return text + first_started();
  }

 private:
  std::string accessor(size_t cause) const {
    return std::string(why_.scene.caller(why_.access(why_.causes.all[cause]).from).view());
  }

  std::string chain(size_t cause) const {
    return joined(path_of(why_, why_.causes.all[cause]), " -> ");
  }

  std::string parallel(const std::vector<size_t>& group) const {
    std::vector<std::string> names;
    for (size_t cause : group)
      if (std::string name = accessor(cause); std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
    const std::string chains =
        names.size() < group.size() ? fmt::format(" through {} chains", group.size()) : "";
    return fmt::format("  [PARALLEL] {} ran concurrently{}\n", fmt::join(names, ", "), chains);
  }

  /// Causes of one accessor together, as these came first.
  std::vector<std::vector<size_t>> by_accessor() const {
    std::vector<std::vector<size_t>> groups;
    std::map<ActorId, size_t> places;
    for (size_t i = 0; i < why_.causes.all.size(); ++i) {
      auto [place, is_new] = places.emplace(why_.access(why_.causes.all[i]).from, groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].push_back(i);
    }
    return groups;
  }

  std::string chains(size_t number, const std::vector<size_t>& causes) const {
    if (causes.size() == 1) return fmt::format("  {}. {}\n", number, chain(causes.front()));
    std::string text = fmt::format("  {}. {} accessed it via {} distinct paths:\n", number,
                                   accessor(causes.front()), causes.size());
    for (size_t i = 0; i < causes.size(); ++i)
      text += fmt::format("       {}.{}. {}\n", number, i + 1, chain(causes[i]));
    return text;
  }

  /// Causes stand in order of their first accesses.
  std::string first_started() const {
    if (why_.causes.all.size() < 2 || !why_.causes.all.front().is_timed()) return {};
    constexpr size_t kNamed = 3;
    const std::vector<ActorId>& chain = why_.causes.all.front().chain;
    size_t named = std::min(chain.size(), kNamed);
    return fmt::format("\n  Temporal: path {}{} started first",
                       joined(names_of(why_.scene, std::span(chain).first(named)), " -> "),
                       named < chain.size() ? "..." : "");
  }

  const Provenance& why_;
};

}  // namespace

std::string answer_in_words(const Provenance& why) {
  return Answer(why).tell();
}

}  // namespace xtrace
