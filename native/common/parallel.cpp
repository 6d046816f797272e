#include "common/parallel.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

namespace tercet {

constinit std::mutex scratch_lock;

namespace {

// Work that several threads share. The first failure ends the work of the others; that of the caller, who alone hears
// from outside, comes before theirs.
class Job {
  public:
    explicit Job(const std::function<void()>& work) : work_(work) { stop_.around = stop_around(); }

    // What one thread does of it.
    void share(bool by_caller) noexcept {
        const Stoppable here(stop_);
        attempt(work_, by_caller);
    }

    // To be called by the caller while others work.
    void ask() noexcept {
        const Stoppable here(stop_);
        attempt(go_on, true);
    }

    void end() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    template <class Work>
    void attempt(const Work& work, bool by_caller) noexcept {
        try {
            work();
        } catch (const Stopped&) {
            keep(false);
        } catch (...) {
            keep(by_caller);
        }
    }

    void keep(bool instead) {
        const std::scoped_lock held(lock_);
        if (!failure_ || instead) failure_ = std::current_exception();
        stop_.set = true;
    }

    const std::function<void()>& work_;
    Stop stop_;
    std::mutex lock_;
    std::exception_ptr failure_;
};

// Threads that wait for work. They are kept, because a new thread starts with cold caches and no memory of its own,
// which costs more than a small job gains. They end with the process.
class Helpers {
  public:
    void run(int wanted, const std::function<void()>& work) {
        if (busy_.test_and_set(std::memory_order_acquire)) return work();  // others have them: the caller does it alone
        Job job(work);
        {
            const std::scoped_lock held(state_);
            gather(std::min(wanted, kMost));
            job_ = &job;
            places_ = std::min(wanted, threads_);
        }
        start_.notify_all();
        job.share(true);
        wait(job);
        busy_.clear(std::memory_order_release);
        job.end();
    }

  private:
    static constexpr int kMost = 256;

    // Where the system has no more threads, those that are there do it.
    void gather(int wanted) {
        try {
            for (; threads_ < wanted; ++threads_) std::thread([this] { serve(); }).detach();
        } catch (const std::exception&) {  // no thread, or no memory for one
        }
    }

    void wait(Job& job) {
        std::unique_lock<std::mutex> held(state_);
        job_ = nullptr;  // who has not begun need not
        places_ = 0;
        while (!done_.wait_for(held, std::chrono::milliseconds(50), [this] { return running_ == 0; })) {
            held.unlock();
            job.ask();
            held.lock();
        }
    }

    void serve() {
        std::unique_lock<std::mutex> held(state_);
        for (;;) {
            start_.wait(held, [this] { return places_ > 0; });
            --places_;
            ++running_;
            Job* job = job_;
            held.unlock();
            job->share(false);
            held.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

    std::atomic_flag busy_;
    std::mutex state_;
    std::condition_variable start_, done_;
    Job* job_ = nullptr;
    int threads_ = 0, places_ = 0, running_ = 0;
};

Helpers* helpers = nullptr;  // never destroyed: its threads may outlive every destructor

Helpers& helpers_of_process() {
    const std::scoped_lock held(scratch_lock);
    if (helpers == nullptr) helpers = new Helpers;
    return *helpers;
}

// A child has none of its parent's threads, so it begins with helpers of its own; and nobody holds the lock in it that
// a thread of the parent held while it was forked.
[[maybe_unused]] const int forks = pthread_atfork([] { scratch_lock.lock(); }, [] { scratch_lock.unlock(); },
                                                  [] {
                                                      helpers = nullptr;
                                                      scratch_lock.unlock();
                                                  });

}  // namespace

void run_with_helpers(int wanted, const std::function<void()>& work) {
    if (wanted > 0) {
        helpers_of_process().run(wanted, work);
    } else {
        work();
    }
}

}  // namespace tercet
