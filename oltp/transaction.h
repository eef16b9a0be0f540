// The coroutine that a transaction is, and the memory its frames are recycled in.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace spindle::oltp {

// Keeps the last freed frame for the next transaction of the session: after the first one nothing is allocated.
// Belongs to one thread; outlives the frames made in it.
class FramePool {
 public:
  FramePool() = default;
  ~FramePool() { ::operator delete(spare_); }
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  void* allocate(std::size_t bytes) {
    Header* header = std::exchange(spare_, nullptr);
    if (header == nullptr || header->bytes < bytes) {
      ::operator delete(header);
      header = new (::operator new(sizeof(Header) + bytes)) Header{this, bytes};
    }
    return header + 1;
  }
  // Frees what any pool's allocate() returned.
  static void free(void* frame) noexcept {
    Header* header = static_cast<Header*>(frame) - 1;
    ::operator delete(std::exchange(header->pool->spare_, header));
  }

 private:
  // In front of each frame; keeps the frame aligned as operator new does.
  struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Header {
    FramePool* pool;
    std::size_t bytes;
  };
  Header* spare_ = nullptr;
};

class TransactionContext;
FramePool& frame_pool(TransactionContext& context) noexcept;

// One transaction: a coroutine that a Client starts suspended. resume() runs it to its end or to a reply that an
// event-driven driver still waits for. An exception that leaves its body is thrown by finish().
class [[nodiscard]] Transaction {
 public:
  struct promise_type {
    // A transaction is a member of a Client and takes the session's context, or a function that takes only the context.
    template <class Client>
    static void* operator new(std::size_t bytes, Client&, TransactionContext& context) {
      return frame_pool(context).allocate(bytes);
    }
    static void* operator new(std::size_t bytes, TransactionContext& context) {
      return frame_pool(context).allocate(bytes);
    }
    static void operator delete(void* frame) noexcept { FramePool::free(frame); }

    Transaction get_return_object() { return Transaction(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { failure = std::current_exception(); }

    std::exception_ptr failure;
  };
  using Handle = std::coroutine_handle<promise_type>;

  Transaction(Transaction&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (handle_) handle_.destroy();
  }

  void resume() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  // Only when done.
  void finish() const {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }

 private:
  explicit Transaction(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace spindle::oltp
