#pragma once

#include <string_view>
#include <vector>

#include "facts/account.h"
#include "input/common/json.h"

namespace xtrace {

class Shard;
class SpanTags;

/// An account while its record is read: which details of ExplanationGraph (facts/account.h) the
/// fields of a record give, by whatever names they go (`ruleId`, `rule.id`).
class AccountDraft {
 public:
  Account account;

  /// Takes a field if it is one that steps are described by; false: it is another one.
  bool read_remark(std::string_view key, json::element value, Shard& shard);
  /// What the tags of a span say. `operation` is its name.
  void read(const SpanTags& tags, std::string_view operation, Shard& shard);
  /// Does it say anything at all?
  bool any() const;
  AccountId add(Shard& shard) const;

 private:
  bool has(std::string_view key) const;
  Account::Type type_by_remarks(std::string_view operation) const;

  std::vector<Remark> remarks_;
};

/// Is it the name of such a field?
bool is_remark(std::string_view key);
/// One of ExplanationGraph's types, such as `TEST_RUN`; `other` for any other word.
Account::Type read_step_type(std::string_view word);

}  // namespace xtrace
