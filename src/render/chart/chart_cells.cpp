#include "render/chart/chart_cells.h"

#include <cmath>

#include "render/chart/chart.h"

namespace xtrace {

namespace {

constexpr int64_t kThousand = 1000;

/// How often `step` is in `number`, which may be negative, as a floor.
int64_t floor_of(int64_t number, int64_t step) {
  return number / step - (number % step < 0 ? 1 : 0);
}

}  // namespace

CellKey::CellKey(std::span<const Column> columns, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys)
    for (size_t i = 0; i < columns.size() && at_ == SIZE_MAX; ++i)
      if (columns[i].key == key) at_ = i;
}

const Cell& CellKey::in(std::span<const Cell> row) const {
  static const Cell kNothing;
  return at_ < row.size() ? row[at_] : kNothing;
}

bool truth_of(const Cell& cell) {
  const bool* truth = std::get_if<bool>(&cell);
  return truth != nullptr && *truth;
}

int64_t count_of(const Cell& cell) {
  const int64_t* count = std::get_if<int64_t>(&cell);
  return count != nullptr ? *count : Chart::kUnknown;
}

int64_t moment_us(const Cell& cell) {
  const Moment* moment = std::get_if<Moment>(&cell);
  if (moment == nullptr || moment->time == kNoTime) return Chart::kUnknown;
  int64_t step = kThousand;  // nanoseconds that the answer does not distinguish
  for (int digits = 6; digits > moment->decimals; --digits) step *= 10;
  return floor_of(moment->time.time_since_epoch().count(), step) * (step / kThousand);
}

int64_t length_us(const Cell& cell) {
  const Duration* length = std::get_if<Duration>(&cell);
  if (length == nullptr || *length == kNoDuration) return Chart::kUnknown;
  const int64_t us = floor_of(length->count(), kThousand);
  const int64_t rest = length->count() % kThousand;
  return us + ((rest < 0 ? rest + kThousand : rest) >= kThousand / 2 ? 1 : 0);
}

int16_t finer_ns(const Cell& cell) {
  const Duration* length = std::get_if<Duration>(&cell);
  if (length == nullptr || *length == kNoDuration) return 0;
  const int64_t rest = length->count() % kThousand;
  const int64_t above = rest < 0 ? rest + kThousand : rest;
  return static_cast<int16_t>(above >= kThousand / 2 ? above - kThousand : above);
}

int64_t billionths_of(const Cell& cell) {
  if (const Dollars* amount = std::get_if<Dollars>(&cell)) return amount->billionths;
  const double* dollars = std::get_if<double>(&cell);
  return dollars != nullptr ? std::llround(*dollars * 1e9) : Chart::kUnknown;
}

int64_t confidence_of(const Cell& cell) {
  if (const double* part = std::get_if<double>(&cell)) return std::llround(*part * 10000);
  const int64_t* whole = std::get_if<int64_t>(&cell);
  return whole != nullptr ? *whole * 10000 : 10000;
}

const Table* rows_of(const Cell& cell) {
  const Table* const* table = std::get_if<const Table*>(&cell);
  return table != nullptr ? *table : nullptr;
}

}  // namespace xtrace
