#include "link/hops/callers.h"

#include <algorithm>
#include <tuple>

namespace xtrace {

namespace {

/// Of those that time allows, so many are looked at: where hundreds that began later were all made
/// for others, nobody can show how much earlier the right one began.
constexpr size_t kMostLooked = 1024;

}  // namespace

void Callers::index(const std::vector<HopId>& ids,
                    const std::vector<AssignmentProblem::Parent>& parents) {
  const Hops& hops = *hops_;
  evidence_.index(ids);
  ids_ = &ids;
  parents_ = &parents;
  std::map<uint32_t, std::vector<uint32_t>> of_run;
  for (uint32_t p = 0; p < ids.size(); ++p) of_run[hops[ids[p]].run].push_back(p);
  for (auto& [run, callers] : of_run) {
    std::map<ActorId, std::vector<uint32_t>> of_principal;
    for (uint32_t p : callers) of_principal[hops[ids[p]].principal].push_back(p);
    std::map<ActorId, Group> groups;
    if (of_principal.size() > 1 || of_principal.begin()->first)
      for (auto& [principal, some] : of_principal)
        groups.emplace(principal, group_of(std::move(some)));
    runs_.emplace(run, Run{group_of(std::move(callers)), std::move(groups)});
  }
}

Callers::Group Callers::group_of(std::vector<uint32_t> callers) const {
  std::vector<double> ends;
  ends.reserve(callers.size());
  for (uint32_t p : callers) ends.push_back((*parents_)[p].end);
  return {std::move(callers), LatestEnds(ends)};
}

std::vector<const Callers::Group*> Callers::groups_for(HopId child, const Run& run) const {
  const ActorId principal = (*hops_)[child].principal;
  if (!principal || run.of_principal.empty()) return {&run.all};
  std::vector<const Group*> groups;
  for (ActorId one : {principal, ActorId{}})
    if (auto at = run.of_principal.find(one); at != run.of_principal.end())
      groups.push_back(&at->second);
  return groups;
}

size_t Callers::Group::begun_by(double time,
                                const std::vector<AssignmentProblem::Parent>& parents) const {
  auto behind = std::upper_bound(callers.begin(), callers.end(), time,
                                 [&](double t, uint32_t p) { return t < parents[p].start; });
  return static_cast<size_t>(behind - callers.begin());
}

void Callers::open_during(HopId child, double from, double until,
                          std::vector<uint32_t>& found) const {
  found.clear();
  auto at = runs_.find((*hops_)[child].run);
  if (at == runs_.end()) return;
  Eligible is_eligible(*this, child, from);
  for (const Group* group : groups_for(child, at->second)) {
    size_t looked = 0, taken = 0;
    group->latest_end.backwards(group->begun_by(from, *parents_), until, [&](size_t i) {
      ++weighed_;
      const uint32_t caller = group->callers[i];
      if (is_eligible((*ids_)[caller])) found.push_back(caller), ++taken;
      return taken < kMostCandidates && ++looked < kMostLooked;
    });
  }
  std::sort(found.begin(), found.end());
  if (found.size() > kMostCandidates)
    found.erase(found.begin(), found.end() - static_cast<ptrdiff_t>(kMostCandidates));
}

uint32_t Callers::last_begun(HopId child, double start) const {
  auto at = runs_.find((*hops_)[child].run);
  if (at == runs_.end()) return kNobody;
  Eligible is_eligible(*this, child, start);
  uint32_t last = kNobody;
  for (const Group* group : groups_for(child, at->second)) {
    size_t i = group->begun_by(start, *parents_);
    for (size_t looked = 0; i-- > 0 && looked < kMostLooked; ++looked) {
      const uint32_t caller = group->callers[i];
      if (!is_eligible((*ids_)[caller])) continue;
      if (last == kNobody || caller > last) last = caller;
      break;
    }
  }
  return last;
}

uint32_t Callers::last_begun_before(HopId child, double start) const {
  auto run = runs_.find((*hops_)[child].run);
  if (run == runs_.end()) return kNobody;
  const std::vector<uint32_t>& callers = run->second.all.callers;
  auto behind = std::lower_bound(callers.begin(), callers.end(), start,
                                 [&](uint32_t p, double t) { return (*parents_)[p].start < t; });
  return behind == callers.begin() ? kNobody : *--behind;
}

Callers::Eligible::Eligible(const Callers& of, HopId child, double time) : of_(of), child_(child) {
  HopId kin = of.evidence_.first_kin(child);
  if (!kin) return;
  const Hops& hops = *of.hops_;
  Duration later = elapsed(hops[of.ids_->front()].start, hops[kin].start);
  double begun = of.parents_->front().start + static_cast<double>(later.count()) / 1000;
  has_kin_ = begun <= time;
}

bool Callers::Eligible::operator()(HopId caller) const {
  return of_.may_precede(caller, child_) && !of_.evidence_.differ_in_principal(caller, child_) &&
         (!has_kin_ || of_.evidence_.share_trace(caller, child_));
}

bool Callers::may_precede(HopId caller, HopId child) const {
  if (caller == child) return false;
  const Hop &p = (*hops_)[caller], &c = (*hops_)[child];
  return std::tuple(p.start, c.waited, caller) < std::tuple(c.sent, p.duration, child);
}

}  // namespace xtrace
