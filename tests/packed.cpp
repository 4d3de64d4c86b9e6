#include "packed.h"

#include <zlib.h>
#include <zstd.h>

#include <stdexcept>

namespace xtrace {

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("cannot pack");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(std::string_view text, int window_bits) {
  ZSTD_CCtx* state = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state, ZSTD_c_checksumFlag, 1);
  if (window_bits > 0) {
    // Small tables: a window costs them nothing.
    for (ZSTD_cParameter table : {ZSTD_c_hashLog, ZSTD_c_chainLog})
      ZSTD_CCtx_setParameter(state, table, 12);
    ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, window_bits);
  }
  std::string packed;
  std::string block(1 << 16, '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  for (size_t left = 1; left > 0;) {
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    // Without a word about its size, as from a pipe, the frame asks for the whole window.
    ZSTD_EndDirective how =
        window_bits > 0 && in.pos < in.size && packed.empty() ? ZSTD_e_flush : ZSTD_e_end;
    left = ZSTD_compressStream2(state, &out, &in, how);
    if (ZSTD_isError(left)) throw std::runtime_error(ZSTD_getErrorName(left));
    packed.append(block, 0, out.pos);
    if (how == ZSTD_e_flush) left = 1;
  }
  ZSTD_freeCCtx(state);
  return packed;
}

namespace {

std::string little_endian(uint64_t number, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text += static_cast<char>(number & 0xff);
  return text;
}

/// Without the header and the sum that gzip has around it.
std::string deflated(std::string_view text) {
  std::string packed = gzipped(text);
  return packed.substr(10, packed.size() - 18);
}

std::string packed_as(const ZipFile& file) {
  switch (file.how) {
    case ZipFile::How::stored: return file.text;
    case ZipFile::How::deflated: return deflated(file.text);
    case ZipFile::How::zstd: return zstd_packed(file.text);
  }
  return {};
}

}  // namespace

std::string zipped(const std::vector<ZipFile>& files) {
  std::string archive, contents;
  for (const ZipFile& file : files) {
    const std::string packed = packed_as(file);
    const uint64_t method = file.how == ZipFile::How::stored     ? 0
                            : file.how == ZipFile::How::deflated ? 8
                                                                 : 93;
    const auto* bytes = reinterpret_cast<const Bytef*>(file.text.data());
    uint64_t sum = crc32(0, bytes, static_cast<uInt>(file.text.size()));
    if (file.is_damaged) ++sum;
    const uint64_t at = archive.size();
    // Version, flags, method, time and date, sum, sizes, lengths of the name and of what follows
    // it.
    const std::string about = little_endian(20, 2) + little_endian(0, 2) +
                              little_endian(method, 2) + little_endian(0x5b3e0000, 4) +
                              little_endian(sum & 0xffffffff, 4) + little_endian(packed.size(), 4) +
                              little_endian(file.text.size(), 4) +
                              little_endian(file.name.size(), 2) + little_endian(0, 2);
    for (std::string_view part : {std::string_view("PK\x03\x04"), std::string_view(about),
                                  std::string_view(file.name), std::string_view(packed)})
      archive += part;
    contents +=
        "PK\x01\x02" + little_endian(20, 2) + about + little_endian(0, 10) + little_endian(at, 4);
    contents += file.name;
  }
  const uint64_t at = archive.size();
  archive += contents + "PK\x05\x06" + little_endian(0, 4) + little_endian(files.size(), 2) +
             little_endian(files.size(), 2) + little_endian(contents.size(), 4) +
             little_endian(at, 4) + little_endian(0, 2);
  return archive;
}

}  // namespace xtrace
