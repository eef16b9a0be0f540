// Memory that the kernel may transfer directly, and content that no device can compress or recognise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "core/random.h"

namespace spindle::fileio {

inline constexpr std::size_t kBufferAlignment = 4096;

// One block of memory with the alignment that O_DIRECT asks for on any usual disk.
class AlignedBuffer {
 public:
  // Filled with random content. Throws std::bad_alloc.
  AlignedBuffer(std::size_t bytes, core::Random& random);
  std::span<std::byte> bytes() { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kBufferAlignment}); }
  };
  std::size_t size_;
  std::unique_ptr<std::byte, Free> memory_;
};

inline void fill_random(std::span<std::byte> bytes, core::Random& random) {
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
  const std::uint64_t word = random.next();
  std::memcpy(bytes.data() + at, &word, bytes.size() - at);
}

// Makes random content new at little cost: every 512 bytes get fresh bits, so that storage which looks for blocks it
// already holds finds none, at whatever block size it looks.
inline void stamp(std::span<std::byte> bytes, core::Random& random) {
  constexpr std::size_t kSector = 512;
  for (std::size_t at = 0; at < bytes.size(); at += kSector) {
    const std::uint64_t word = random.next();
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
}

}  // namespace spindle::fileio
