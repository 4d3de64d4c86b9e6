#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "link/causes/assignment.h"
#include "link/causes/call_pattern.h"
#include "link/causes/effort.h"
#include "link/causes/random_numbers.h"

namespace xtrace {

/// Can it be in doubt whose child it is?
bool is_ambiguous(const AssignmentProblem& problem, const AssignmentProblem::Child& child);

/// One chain of assignments, each a small change of the one before: a Markov chain that visits an
/// assignment the more often the likelier it is. chain.cpp opens with the model and the steps,
/// chain_moves.cpp with the changes. Called in order: begin_with, learn_all, anneal,
/// sample_posterior.
class MarkovChain {
 public:
  MarkovChain(const AssignmentProblem& problem, const Effort& effort, uint64_t seed);

  /// Each child with the candidate that began last; or with the one that began first among those
  /// that have no such child yet.
  void begin_with(bool first_come);

  /// Learns the pattern from the assignment as it is.
  void learn_all();

  /// Learns and changes in turn, boldly at first.
  void anneal();

  /// Adds how often each candidate was the parent.
  void sample_posterior(std::vector<float>& share, float weight);

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  /// Of one parent that are looked at, or moved at once: an actor that calls more often within one
  /// call is a loop, whose pattern 128 calls show as well as thousands, which every change would
  /// pass over.
  static constexpr size_t kMostCalls = 128;
  using State = CallPattern::State;
  struct Prefix {
    State state;
    double last = 0;
  };

  std::span<const uint32_t> candidates_of(uint32_t c) const {
    const AssignmentProblem::Child& child = problem_.children[c];
    return std::span(problem_.candidates).subspan(child.first, child.count);
  }
  bool may_have(uint32_t p, uint32_t c) const;
  /// Where the parent of c stands among its candidates.
  size_t place_of_parent(uint32_t c) const;

  void assign_parent(uint32_t c, uint32_t p);
  void clear_parent(uint32_t c);

  /// What share of the children may have a parent that nobody saw.
  void allow_orphans(double share);
  /// Parents that overlap with few others say most about the pattern.
  void weigh_parents();

  /// Those who may have a child that others may have, and enough of the others to learn from.
  void choose_training_parents();

  /// What happened last in p before c began, c itself left out.
  Prefix prefix(uint32_t p, uint32_t c) const;

  /// How likely p begins c when it does.
  float fit(uint32_t p, uint32_t c) const;

  /// Passes over the events of p; returns how likely they are, or counts them.
  double walk(uint32_t p, double weight, bool counting);

  struct Occurrence {
    double at;
    int order;
    uint32_t call;
  };
  void insert_event(Occurrence event);

  void weigh_all();
  /// Of all that is open.
  double total() const;

  /// Each child in order of time with the parent that fits best; kept if that is likelier.
  void build_forward();

  /// Tries as many changes as there are children in doubt; `inverse_temperature` 1: as the pattern
  /// weighs them.
  void run_sweep(double inverse_temperature);

  /// How a parent's children were when the fits of its candidates were found. A number represents
  /// one state of one parent, so that a change that is taken back takes its number back as well.
  using Version = uint32_t;
  /// Every fit is to be found again: the pattern or the assignment as a whole is another one.
  void forget_fits();

  /// The chance with which each candidate of c is proposed: as it fits, and a little for everyone.
  void weigh_candidates(uint32_t c);
  size_t draw();

  void propose(uint32_t c, double inverse_temperature);

  bool accepted(double log_ratio) {
    return log_ratio >= 0 || random_.uniform() < std::exp(log_ratio);
  }

  void propose_orphan(uint32_t c, double inverse_temperature);

  /// c against the next such call of the other parent.
  bool plan_swap(uint32_t c, uint32_t from, uint32_t to);

  /// All calls of both from c on, or up to a moment before both have ended.
  bool plan_exchange(uint32_t c, uint32_t from, uint32_t to, bool all);

  /// Calls in a row from c on against calls in a row of the other parent.
  bool plan_blocks(uint32_t c, uint32_t from, uint32_t to);

  /// The children of p from c on, c itself among them or not.
  std::span<const uint32_t> from_on(uint32_t p, uint32_t c) const;
  size_t draw_block();

  /// Gives each moved child to the other one of the two.
  void exchange(uint32_t a, uint32_t b);

  const AssignmentProblem& problem_;
  const Effort& effort_;
  CallPattern pattern_;
  RandomNumbers random_;
  std::vector<uint32_t> parent_of_;
  std::vector<std::vector<uint32_t>> children_of_;  ///< ascending
  std::vector<double> likelihood_;                  ///< by parent
  std::vector<Version> version_;                    ///< by parent
  Version versions_ = 0;
  /// Beside the candidates: how each fits (fit()), and the version of the parent for which that is
  /// so. Two of three are still right when a child is picked again.
  std::vector<float> fits_;
  std::vector<Version> fitted_at_;
  std::vector<double> orphan_;  ///< by call: that a child has no parent here
  std::vector<double> of_call_, weight_;
  std::vector<uint32_t> ambiguous_;
  std::vector<bool> open_;  ///< by parent: may have a child that others may have
  std::vector<uint32_t> training_parents_;
  double span_ = 1, without_ = 0;  ///< microseconds; children without any candidate
  std::vector<Occurrence> events_;
  std::vector<float> chance_;
  std::vector<uint32_t> moved_;
};

}  // namespace xtrace
