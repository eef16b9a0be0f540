#include "fileio/buffers.h"

namespace spindle::fileio {

AlignedBuffer::AlignedBuffer(std::size_t bytes, core::Random& random)
    : size_(bytes), memory_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kBufferAlignment}))) {
  fill_random(this->bytes(), random);
}

}  // namespace spindle::fileio
