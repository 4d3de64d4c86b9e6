#include "link/lines/line_confidence.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <string>

#include "edit_world.h"
#include "effort.h"
#include "link/lines/file_history.h"

namespace xtrace {
namespace {

struct RightShare {
  size_t right = 0, all = 0;
  double measured() const { return static_cast<double>(right) / static_cast<double>(all); }
};
/// What a record of a hook adds: it has no line of its own that it could be compared with.
enum class RecordSays : uint8_t { agrees, agrees_by_hash, position, hash };
constexpr std::string_view kRecordWords[] = {"agrees", "agrees_by_hash", "position", "hash"};

struct MeasuredLines {
  std::map<RecordSays, RightShare> by_record;
  std::map<LineEvidence, RightShare> by_evidence;
  size_t written = 0, found = 0;  ///< lines that a recorded edit wrote; of these, rightly named
};

void measure_records(const EditWorld& world, std::span<const LineOrigin> origins,
                     MeasuredLines& measured);

void measure(const EditWorld& world, MeasuredLines& measured) {
  FileHistory history;
  if (world.existed) history.note_existing();
  for (size_t i = 0; i < world.edits.size(); ++i) {
    if (!world.read[i].empty()) history.note_contents(world.read[i]);
    history.apply(static_cast<uint32_t>(i), world.edits[i]);
  }
  const std::vector<std::string_view> lines(world.lines.begin(), world.lines.end());
  const std::vector<LineOrigin> origins =
      history.origins_of(lines, [](size_t, uint32_t) { return true; });
  for (size_t i = 0; i < lines.size(); ++i) {
    measured.written += world.is_recorded(world.writers[i]);
    if (origins[i].edit == LineOrigin::kNone) continue;
    const std::optional<LineEvidence> evidence = evidence_of(origins[i]);
    if (!evidence) continue;
    const bool is_right = origins[i].edit == world.writers[i];
    measured.found += is_right;
    RightShare& share = measured.by_evidence[*evidence];
    share.right += is_right;
    ++share.all;
  }
  measure_records(world, origins, measured);
}

/// The same of records, each of which has where a text was when an edit had put it in.
void measure_records(const EditWorld& world, std::span<const LineOrigin> origins,
                     MeasuredLines& measured) {
  const auto fits = [&](const EditWorld::Claim& claim, size_t first) {
    const std::string whole = claim.text + '\n';
    const std::vector<std::string_view> text = lines_of(whole);
    return first + text.size() <= world.lines.size() &&
           std::equal(text.begin(), text.end(),
                      world.lines.begin() + static_cast<ptrdiff_t>(first));
  };
  std::vector<const EditWorld::Claim*> by_position(world.lines.size()), by_hash(world.lines.size());
  for (const EditWorld::Claim& claim : world.claims) {
    for (size_t i = claim.first; i <= std::min(claim.last, world.lines.size() - 1); ++i)
      by_position[i] = &claim;
    for (size_t first = 0; first < world.lines.size(); ++first)
      for (size_t i = first; fits(claim, first) && i <= first + claim.last - claim.first; ++i)
        by_hash[i] = &claim;
  }
  const auto count = [&](RecordSays says, uint32_t writer, size_t line) {
    RightShare& share = measured.by_record[says];
    share.right += writer == world.writers[line];
    ++share.all;
  };
  for (size_t i = 0; i < world.lines.size(); ++i) {
    if (world.lines[i].find_first_not_of(' ') == std::string::npos) continue;
    const bool is_found = origins[i].edit != LineOrigin::kNone && evidence_of(origins[i]);
    for (const bool is_hash : {false, true}) {
      const EditWorld::Claim* claim = is_hash ? by_hash[i] : by_position[i];
      if (claim == nullptr) continue;
      if (!is_found && !world.is_recorded(claim->writer))
        count(is_hash ? RecordSays::hash : RecordSays::position, claim->writer, i);
      else if (is_found && claim->writer == origins[i].edit)
        count(is_hash ? RecordSays::agrees_by_hash : RecordSays::agrees, claim->writer, i);
    }
  }
}

/// A table for people, who set the constants by it: `XTRACE_WORLDS=2000 xtrace_tests …`.
std::string table_of_measured(std::string_view name, const MeasuredLines& measured) {
  std::string text =
      fmt::format("{}: {} of {} lines found\n", name, measured.found, measured.written);
  for (const auto& [evidence, share] : measured.by_evidence)
    text += fmt::format("  {:16} {:.3f} of {}\n", word(evidence), share.measured(), share.all);
  for (const auto& [says, share] : measured.by_record)
    text += fmt::format("  record {:14} {:.3f} of {}\n", kRecordWords[static_cast<size_t>(says)],
                        share.measured(), share.all);
  return text;
}

}  // namespace

TEST_CASE("an edit wrote the share of lines that the confidence states, by evidence") {
  constexpr uint64_t kUsualWorlds = effort(40, 4);
  constexpr bool kMeasures = !kIsSanitized;  // so few show no shares
  constexpr size_t kEnough = 1000;           // lines: of fewer, chance decides
  const char* more = std::getenv("XTRACE_WORLDS");
  const uint64_t worlds = more != nullptr ? std::strtoull(more, nullptr, 10) : kUsualWorlds;
  MeasuredLines all;
  std::string tables;
  for (const EditWorldKind& kind : kEditWorldKinds) {
    MeasuredLines of_kind;
    for (uint64_t seed = 1; seed <= worlds; ++seed) {
      const EditWorld world(seed, kind);
      measure(world, of_kind);
    }
    for (const auto& [evidence, share] : of_kind.by_evidence) {
      all.by_evidence[evidence].right += share.right;
      all.by_evidence[evidence].all += share.all;
    }
    for (const auto& [says, share] : of_kind.by_record) {
      all.by_record[says].right += share.right;
      all.by_record[says].all += share.all;
    }
    tables += table_of_measured(kind.name, of_kind);
    INFO(tables);
    // Three of four lines that agents wrote are found, whatever became of the file since.
    CHECK(4 * of_kind.found > 3 * of_kind.written);
    for (const auto& [evidence, share] : of_kind.by_evidence) {
      INFO(word(evidence));
      if (share.all >= kEnough) CHECK(share.measured() > confidence_of(evidence) - 0.12);
    }
    if (kMeasures) CHECK(of_kind.by_evidence[LineEvidence::only_writer].measured() > 0.985);
  }
  if (!kMeasures) return;
  tables += table_of_measured("all", all);
  if (more != nullptr) WARN(tables);
  for (const auto& [evidence, share] : all.by_evidence) {
    INFO(tables << word(evidence));
    if (share.all >= kEnough) CHECK(std::abs(share.measured() - confidence_of(evidence)) < 0.05);
  }
  for (const auto& [says, share] : all.by_record) {
    INFO(tables << kRecordWords[static_cast<size_t>(says)]);
    const double stated = says == RecordSays::position ? kRecordByPosition
                          : says == RecordSays::hash   ? kRecordByText
                                                       : kRecordAgrees;
    CHECK(share.all >= kEnough);
    CHECK(std::abs(share.measured() - stated) < 0.08);
  }
}

}  // namespace xtrace
