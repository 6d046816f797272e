// Ending a kernel before it is done: work asks now and then whether it should go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace tercet {

// Thrown where others that share the work have failed, or were told to stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

// Who shares some work; what is inside of other work stops with it.
struct Stop {
    std::atomic<bool> set{false};
    const Stop* around = nullptr;
};

// While it lives, this thread works on what `stop` may end.
class Stoppable {
  public:
    explicit Stoppable(const Stop& stop);
    ~Stoppable();
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;

  private:
    const Stop* before_;
};

// While it lives, the work of this thread asks `ask`, if there is one, some times in a second; it throws to end the
// work. Whoever calls a kernel knows what to ask: kernels do not.
class Asking {
  public:
    using Ask = void (*)();
    explicit Asking(Ask ask);
    ~Asking();
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

  private:
    Ask before_;
};

// What this thread works on, or nothing.
const Stop* stop_around();

// Returns if the work should go on, and throws if not.
void go_on();

// Counts steps of some nanoseconds, and asks after so many.
class Pace {
  public:
    void steps(int64_t n) {
        if ((left_ -= n) >= 0) return;
        left_ = kSteps;
        go_on();
    }

  private:
    static constexpr int64_t kSteps = 1 << 18;
    int64_t left_ = kSteps;
};

}  // namespace tercet
