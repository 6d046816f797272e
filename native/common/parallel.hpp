// Work over segments on several threads, with results that do not depend on their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "common/stop.hpp"

namespace tercet {

// Calls `work` here and, at the same time, on up to so many other threads. It must share out the work by itself. When one
// of them fails the others are stopped, and the failure is thrown here.
void run_with_helpers(int wanted, const std::function<void()>& work);

// Calls body(begin, end) for blocks of [0, n). Blocks are handed out as threads get free, so a few long
// segments do not keep one thread busy alone; each block writes only what belongs to it.
template <class Body>
void parallel_blocks(int64_t n, int threads, int64_t block, const Body& body) {
    const int64_t blocks = n / block + (n % block != 0);
    const int workers = static_cast<int>(std::min<int64_t>(std::max(threads, 1), blocks));
    std::atomic<int64_t> next{0};
    run_with_helpers(workers - 1, [&] {
        for (int64_t b; (b = next.fetch_add(1)) < blocks;) {
            go_on();
            body(b * block, std::min((b + 1) * block, n));
        }
    });
}

inline constexpr int64_t kSegmentBlock = 64;

extern std::mutex scratch_lock;  // of all scratch memory: a fork waits for it

// Scratch memory for one block of work, taken from those that earlier blocks have left: it has grown to the size
// that the work needs, which the memory of a new thread has not. What an exception has passed is not used again: it may
// hold half of a segment.
template <class T>
class Lease {
  public:
    Lease() {
        {
            const std::scoped_lock held(scratch_lock);
            if (!left_.empty()) {
                item_ = std::move(left_.back());
                left_.pop_back();
            }
        }
        if (!item_) item_ = std::make_unique<T>();
    }
    ~Lease() {
        if (std::uncaught_exceptions() > exceptions_) return;
        try {
            const std::scoped_lock held(scratch_lock);
            left_.push_back(std::move(item_));
        } catch (const std::bad_alloc&) {  // no room to remember it: the next block makes its own
        }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *item_; }

  private:
    inline static std::vector<std::unique_ptr<T>> left_;
    std::unique_ptr<T> item_;
    int exceptions_ = std::uncaught_exceptions();
};

// Scratch memory of this thread, for work on one line, where a lease would cost more than the work. Who is asked whether
// work should go on may run other work in this thread, which finds none there then, and makes its own.
template <class T>
class OfThread {
  public:
    OfThread() : item_(std::move(left())) {
        if (!item_) item_ = std::make_unique<T>();
    }
    ~OfThread() { left() = std::move(item_); }
    OfThread(const OfThread&) = delete;
    OfThread& operator=(const OfThread&) = delete;
    T& operator*() const { return *item_; }

  private:
    // Not inlined, so that its address, dear in a shared library, is asked for once.
    [[gnu::noinline]] static std::unique_ptr<T>& left() {
        thread_local std::unique_ptr<T> kept;
        return kept;
    }
    std::unique_ptr<T> item_;
};

}  // namespace tercet
