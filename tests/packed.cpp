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

}  // namespace xtrace
