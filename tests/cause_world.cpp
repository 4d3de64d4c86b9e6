#include "cause_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

namespace xtrace {

namespace {

constexpr int kAgents = 4, kDeepest = 4;

class CauseWorldMaker {
 public:
  CauseWorldMaker(CauseWorld& world, uint64_t seed, const CauseWorldKind& kind,
                  std::string_view names)
      : world_(world), kind_(kind), random_(seed), names_(names) {
    for (double& clock : clocks_) clock = (2 * share() - 1) * kind.skew;
    for (std::vector<int>& calls : calls_)
      for (int n = 1 + up_to(1); n > 0; --n) calls.push_back(up_to(kAgents));
  }

  void make() {
    for (int request = 0; request < kind_.requests; ++request) {
      const double start = 20 + share() * (kind_.requests > 1 ? 1000 : 1);
      const std::string user = fmt::format("user:u{}", request % kind_.users);
      call(user, up_to(kAgents - 1), -1, start, 0, "");
    }
  }

 private:
  int up_to(int most) { return static_cast<int>(random_() % (static_cast<uint64_t>(most) + 1)); }
  double share() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }
  double think() { return 2 + 30 * share() * share(); }

  /// Microseconds are as fine as logs are.
  static double rounded(double ms) { return std::max(0.0, std::floor(ms * 1000) / 1000); }

  /// Who an agent calls next; kAgents: a database.
  int next_called(int agent, int caller, size_t nth) {
    if (kind_.has_pattern) return calls_[agent][nth % calls_[agent].size()];
    if (kind_.is_mutual && caller >= 0 && share() < 0.4) return caller;
    const int called = up_to(kAgents);
    return called == agent && !kind_.is_mutual ? kAgents : called;
  }

  /// Returns when it ends. Its times are those of whom it calls.
  double call(const std::string& from, int to, int caller, double start, int depth,
              const std::string& cause) {
    const std::string id = fmt::format("{:x}", ++last_);
    world_.cause_of[id] = cause;
    double now = start + think(), end = now;
    const bool is_database = to == kAgents;
    const std::string name = is_database ? "resource:db" : fmt::format("agent:{}", names_[to]);
    if (!is_database && depth < kDeepest) {
      const size_t calls = kind_.has_pattern ? calls_[to].size() : static_cast<size_t>(up_to(2));
      for (size_t nth = 0; nth < calls; ++nth) {
        const double ended = call(name, next_called(to, caller, nth), to, now, depth + 1, id);
        if (share() >= kind_.outlasting) now = ended;
        now += think();
        end = now;
      }
    }
    world_.story.hop(id, from, name, rounded(start + clocks_[to]),
                     rounded(std::max(0.001, end - start)));
    return end;
  }

  CauseWorld& world_;
  const CauseWorldKind& kind_;
  std::mt19937_64 random_;
  std::string_view names_;
  double clocks_[kAgents + 1] = {};
  std::vector<int> calls_[kAgents + 1];
  int last_ = 0;
};

}  // namespace

CauseWorld::CauseWorld(uint64_t seed, const CauseWorldKind& kind, std::string_view names) {
  CauseWorldMaker(*this, seed, kind, names).make();
}

}  // namespace xtrace
