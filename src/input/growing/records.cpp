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
  uint64_t end = records.back().offset + records.back().length;
  for (const RecordAt& record : records) {
    std::string_view line = bytes_of(record, end, *generation.copy);
    if (line.size() < record.length) return cannot("read the copy of", generation.path, EIO);
    reader_.read_line(line, {record.offset, 0, source, record.line});
  }
  return {};
}

/// Records that stand close to one another come with one read.
std::string_view Records::bytes_of(const RecordAt& record, uint64_t end, const File& file) {
  constexpr uint64_t kMuch = 64 << 10;
  if (record.offset < offset_ || record.offset + record.length > offset_ + held_) {
    size_t size = std::max<uint64_t>(record.length, std::min(kMuch, end - record.offset));
    if (block_.size() < size + simdjson::SIMDJSON_PADDING)
      block_.resize(size + simdjson::SIMDJSON_PADDING);
    offset_ = record.offset;
    held_ = read_at(file.fd(), block_.data(), size, offset_).value_or(0);
  }
  size_t begin = record.offset - offset_;
  return std::string_view(block_.data(), held_).substr(begin, record.length);
}

}  // namespace xtrace
