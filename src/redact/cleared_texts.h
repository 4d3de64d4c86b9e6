#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "redact/audit.h"
#include "redact/clearance.h"
#include "redact/withheld_texts.h"

namespace xtrace {

/// Which texts of the inputs a clearance lets through. Whoever reads the records states each text
/// with its label; the Door asks. Any number of threads may do either at once, in any order.
///
/// If records without a label are beyond the clearance, a text passes only if a record within the
/// clearance has its words: what nobody labelled, or was put together elsewhere, does not. Else a
/// text passes unless a record beyond the clearance says it.
class ClearedTexts {
 public:
  explicit ClearedTexts(Clearance clearance);

  const Clearance& clearance() const { return clearance_; }

  /// Does it matter what records within the clearance say?
  bool keeps_open() const { return is_closed_; }
  /// A text of a record with this label; empty: without one.
  void add(std::string_view text, std::string_view label);
  /// What a document, a passage or a node within the clearance says, it says in the open: it is no
  /// secret of another one.
  void add_source(std::string_view text, std::string_view label);
  /// A record: where it is, and the label of it as a whole. `has_withheld`: something in it is
  /// beyond the clearance, if not all of it.
  void add_record(std::string_view path, uint64_t offset, std::string_view label,
                  bool has_withheld);
  /// Texts of inputs that were not stated may be shown: nothing is known of their labels, so that
  /// they count as beyond the clearance.
  void miss_inputs();

  /// The text with WithheldTexts::kMark in place of what is withheld.
  std::string show(std::string_view text) const;
  /// A name of so many words is a text; a shorter one is a name, which is shown.
  static constexpr size_t kTextWords = 4;
  /// The same of a name: one that is a whole text of a record beyond the clearance is withheld.
  std::string show_name(std::string_view name) const;
  /// The label of the record there; empty: it has none, or none was read there.
  std::string label_at(const RecordPlace& place) const;
  /// May no text of the record there be shown, as it has a label that is beyond the clearance?
  bool withholds_at(const RecordPlace& place) const;

  struct Counts {
    int64_t records = 0, unlabelled = 0;
    int64_t withheld = 0;  ///< records of which something is withheld
  };
  Counts counts() const;

 private:
  bool is_closed() const { return is_closed_ || misses_inputs_; }
  bool is_open(std::string_view text) const;
  bool is_open_around_marks(std::string_view sentence) const;
  std::string show_open(std::string_view text) const;
  void settle() const;
  std::string show_settled(std::string_view text) const;

  const Clearance clearance_;
  const bool is_closed_;  ///< records without a label are beyond the clearance
  bool misses_inputs_ = false;
  mutable std::mutex mutex_;
  std::unordered_set<uint64_t> open_;   ///< of words of texts within the clearance, some at a time
  std::unordered_set<uint64_t> names_;  ///< of all words of texts beyond the clearance
  mutable WithheldTexts withheld_;
  std::vector<std::string> sources_;                  ///< what is said in the open
  mutable bool is_settled_ = true;                    ///< withheld_ knows all of sources_
  std::unordered_map<uint64_t, std::string> labels_;  ///< by place
  Counts counts_;
};

}  // namespace xtrace
