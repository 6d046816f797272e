// Work over segments on several threads, with results that do not depend on their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tercet {

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
    std::vector<std::thread> pool;
    for (int w = 1; w < workers; ++w) pool.emplace_back(work);
    work();
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

inline constexpr int64_t kSegmentBlock = 64;

// Scratch memory of this thread. Not inlined, so that its address, dear in a shared library, is asked for once.
template <class T>
[[gnu::noinline]] T& per_thread() {
    thread_local T value;
    return value;
}

}  // namespace tercet
