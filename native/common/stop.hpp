// Ending a kernel before it is done: work asks now and then whether it should go on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

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
    static constexpr int64_t kSteps = 1 << 18;
    void steps(int64_t n) {
        if ((left_ -= n) >= 0) return;
        left_ = kSteps;
        go_on();
    }

  private:
    int64_t left_ = kSteps;
};

// To be called after so many steps that did not ask: short texts ask nobody.
inline void go_on_after(size_t steps) {
    if (steps >= static_cast<size_t>(Pace::kSteps)) go_on();
}

// Sorts, asking meanwhile where there is much to sort. What is stopped is left in no order, with elements missing.
template <class Iterator, class Less = std::less<>>
void sort_paced(Iterator first, Iterator last, const Less& less = {}) {
    if (last - first < Pace::kSteps / 8) return std::sort(first, last, less);
    Pace pace;
    std::sort(first, last, [&](const auto& a, const auto& b) {
        pace.steps(4);
        return less(a, b);
    });
}

}  // namespace tercet
