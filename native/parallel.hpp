// Work over segments on several threads, with results that do not depend on their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tercet {

// Calls `work` here and, at the same time, on up to so many other threads. It must share out the work by itself.
void run_with_helpers(int helpers, const std::function<void()>& work);

// Calls body(begin, end) for blocks of [0, n). Blocks are handed out as threads get free, so a few long
// segments do not keep one thread busy alone; each block writes only what belongs to it.
template <class Body>
void parallel_blocks(int64_t n, int threads, int64_t block, const Body& body) {
    const int64_t blocks = (n + block - 1) / block;
    const int workers = static_cast<int>(std::min<int64_t>(std::max(threads, 1), blocks));
    if (workers <= 1) {
        for (int64_t begin = 0; begin < n; begin += block) body(begin, std::min(begin + block, n));
        return;
    }
    std::atomic<int64_t> next{0};
    std::exception_ptr failure;
    std::mutex lock;
    const auto work = [&] {
        try {
            for (int64_t b; (b = next.fetch_add(1)) < blocks;) body(b * block, std::min((b + 1) * block, n));
        } catch (...) {
            const std::scoped_lock held(lock);
            failure = std::current_exception();
        }
    };
    run_with_helpers(workers - 1, work);
    if (failure) std::rethrow_exception(failure);
}

inline constexpr int64_t kSegmentBlock = 64;

// Scratch memory for one block of work, taken from those that earlier blocks have left: it has grown to the size
// that the work needs, which the memory of a new thread has not.
template <class T>
class Lease {
  public:
    Lease() {
        Pool& pool = shared();
        const std::scoped_lock held(pool.lock);
        if (pool.left.empty()) {
            item_ = std::make_unique<T>();
        } else {
            item_ = std::move(pool.left.back());
            pool.left.pop_back();
        }
    }
    ~Lease() {
        Pool& pool = shared();
        const std::scoped_lock held(pool.lock);
        pool.left.push_back(std::move(item_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *item_; }

  private:
    struct Pool {
        std::mutex lock;
        std::vector<std::unique_ptr<T>> left;
    };
    static Pool& shared() {
        static Pool pool;
        return pool;
    }
    std::unique_ptr<T> item_;
};

// Scratch memory of this thread. Not inlined, so that its address, dear in a shared library, is asked for once.
template <class T>
[[gnu::noinline]] T& per_thread() {
    thread_local T value;
    return value;
}

}  // namespace tercet
