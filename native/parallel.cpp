#include "parallel.hpp"

#include <unistd.h>

#include <condition_variable>
#include <thread>

namespace tercet {

namespace {

// Threads that wait for work. They are kept, because a new thread starts with cold caches and no memory of its own,
// which costs more than a small job gains. They end with the process.
class Helpers {
  public:
    // Those of this process: after a fork the child has none of its parent's threads and begins anew.
    static Helpers& mine() {
        static std::mutex lock;
        static Helpers* helpers = nullptr;  // never destroyed: its threads may outlive every destructor
        static pid_t owner = 0;
        const std::scoped_lock held(lock);
        if (helpers == nullptr || owner != getpid()) {
            helpers = new Helpers;
            owner = getpid();
        }
        return *helpers;
    }

    void run(int wanted, const std::function<void()>& work) {
        const std::unique_lock<std::mutex> all(one_job_, std::try_to_lock);
        if (!all.owns_lock()) return work();  // somebody else has them: the caller does it alone
        {
            std::unique_lock<std::mutex> held(state_);
            for (; threads_ < wanted; ++threads_) std::thread([this] { serve(); }).detach();
            job_ = &work;
            places_ = wanted;
        }
        start_.notify_all();
        work();
        std::unique_lock<std::mutex> held(state_);
        job_ = nullptr;  // who has not begun need not
        places_ = 0;
        done_.wait(held, [this] { return running_ == 0; });
    }

  private:
    void serve() {
        std::unique_lock<std::mutex> held(state_);
        for (;;) {
            start_.wait(held, [this] { return places_ > 0; });
            --places_;
            ++running_;
            const std::function<void()>* job = job_;
            held.unlock();
            (*job)();
            held.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

    std::mutex one_job_, state_;
    std::condition_variable start_, done_;
    const std::function<void()>* job_ = nullptr;
    int threads_ = 0, places_ = 0, running_ = 0;
};

}  // namespace

void run_with_helpers(int helpers, const std::function<void()>& work) {
    if (helpers > 0) {
        Helpers::mine().run(helpers, work);
    } else {
        work();
    }
}

}  // namespace tercet
