#pragma once

#include <cstdint>
#include <string_view>

#include "input/common/json.h"

namespace xtrace {

/// What an image of this size takes of a prompt, by Anthropic's rule: width times height by 750, of
/// larger ones, which are made smaller, what the largest takes.
int64_t tokens_of_image(uint64_t width, uint64_t height);

/// The same of an image in base64: the head of a PNG, GIF, JPEG or WebP shows its size. Of any
/// other what the largest takes, as most pictures of screens do.
int64_t tokens_of_image(std::string_view base64);

/// Of all images among the parts of a message's block, `{"type": "image", "source": {"data": …}}`;
/// or of the block itself, if it is one.
int64_t tokens_of_images(json::element body);

}  // namespace xtrace
