#include "input/growing/records.h"

#include <algorithm>

#include "input/piece.h"

namespace xtrace {

namespace {

Input input_of(const Generation& generation) {
  Input input;
  input.path = generation.path;
  input.bytes = generation.bytes;
  input.listed = false;  // what cannot be read now may be readable later
  input.file = generation.copy;
  return input;
}

}  // namespace

Found found_in(const Generations& generations) {
  Found found;
  for (uint32_t i : generations.in_order())
    if (const Generation& one = generations[i]; !one.is_over && one.bytes > 0)
      found.inputs.push_back(input_of(one));
  return found;
}

Result<SomeRecords> Records::read(std::span<const RecordAt> records,
                                  const Generations& generations) {
  SomeRecords some;
  std::vector<Source> sources;
  std::vector<Shard> shards;
  while (!records.empty()) {
    uint32_t at = records.front().generation;
    auto end = std::find_if(records.begin(), records.end(),
                            [&](const RecordAt& record) { return record.generation != at; });
    std::span<const RecordAt> own(records.begin(), end);
    records = records.subspan(own.size());
    const Generation& generation = generations[at];
    uint32_t index = static_cast<uint32_t>(sources.size());
    Source& source = sources.emplace_back();
    source.path = generation.path;
    source.bytes = generation.bytes;
    source.is_document = generation.is_whole;
    source.file = generation.copy;
    some.generations.push_back(at);
    Shard& shard = shards.emplace_back(index, loading_.keep_message_texts, loading_.keep_arguments);
    reader_.write_to(shard);
    reader_.begin_input(generation.path);
    Status read =
        generation.is_whole ? read_whole(generation, index) : read_lines(own, generation, index);
    if (!read) return tl::unexpected(read.error());
  }
  some.trace = merge(std::move(shards), std::move(sources));
  return some;
}

Status Records::read_whole(const Generation& generation, uint32_t source) {
  Progress unseen;
  Input input = input_of(generation);
  Piece piece{source, 0, Piece::kToTheEnd, generation.framing};
  return read_piece(piece, input, nullptr, reader_, unseen);
}

Status Records::read_lines(std::span<const RecordAt> records, const Generation& generation,
                           uint32_t source) {
  offset_ = held_ = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    const RecordAt& record = records[i];
    std::string_view line = bytes_of(records.subspan(i), *generation.copy);
    if (line.size() < record.length) return cannot("read the copy of", generation.path, EIO);
    reader_.read_line(line, {record.offset, 0, source, record.line});
  }
  return {};
}

/// Those of the first of `records`. What stands close to one another comes with one read; nothing
/// that stands far apart does, as the records of one of many traces.
std::string_view Records::bytes_of(std::span<const RecordAt> records, const File& file) {
  constexpr uint64_t kMuch = 64 << 10, kNear = 4 << 10;
  const RecordAt& record = records.front();
  if (record.offset < offset_ || record.offset + record.length > offset_ + held_) {
    uint64_t end = record.offset + record.length;
    for (const RecordAt& next : records.subspan(1)) {
      const uint64_t next_end = next.offset + next.length;
      if (next.offset > end + kNear || next_end > record.offset + kMuch) break;
      end = next_end;
    }
    const size_t size = end - record.offset;
    if (block_.size() < size + simdjson::SIMDJSON_PADDING)
      block_.resize(size + simdjson::SIMDJSON_PADDING);
    offset_ = record.offset;
    held_ = read_at(file.fd(), block_.data(), size, offset_).value_or(0);
  }
  size_t begin = record.offset - offset_;
  return std::string_view(block_.data(), held_).substr(begin, record.length);
}

}  // namespace xtrace
