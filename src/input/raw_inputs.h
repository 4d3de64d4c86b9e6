#pragma once

#include <string>
#include <vector>

#include "base/merkle.h"
#include "base/result.h"
#include "facts/hash_chain.h"
#include "facts/trace.h"

namespace xtrace {

/// The bytes of an input as auditors compare them.
struct RawInput {
  uint64_t bytes = 0;
  std::string sha256;
  MerkleTree records;  ///< its lines, without their ends, are the leaves
  std::vector<HashChain> chains;
};

/// Reads the bytes of each input again, in order. Exit::input: one was a pipe, is a part, or has
/// changed since it was read.
Result<std::vector<RawInput>> read_raw_inputs(const Trace& trace);

/// The line with this number, from 1, of bytes that are read as read_raw_inputs() does, and the
/// tree of all lines. Exit::no: there is no such line.
struct RawLine {
  std::string line;
  MerkleTree records;
  std::string sha256;
};
Result<RawLine> read_raw_line(const std::string& path, uint64_t number);

}  // namespace xtrace
