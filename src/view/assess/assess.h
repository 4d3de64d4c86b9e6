#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "settings/standards.h"
#include "view/assess/profile.h"
#include "view/common/filter.h"

namespace xtrace {

/// Is a run like those before it, and did its agents do what they declare?
class Assess final : public View {
 public:
  void declare(Options& options) override;
  Result<Document> answer(const Question& question) const override;

  bool learns() const { return learn_; }
  const std::string& baseline() const { return baseline_; }
  const std::string& cards() const { return cards_; }
  void hold_against(Standards standards) { standards_ = std::move(standards); }

 private:
  bool learn_ = false;
  std::string baseline_, cards_, fail_on_ = "warn";
  Filter filter_;
  Standards standards_;
};

}  // namespace xtrace
