#include "common/stop.hpp"

#include <chrono>

namespace tercet {

namespace {

using Clock = std::chrono::steady_clock;

struct Here {
    const Stop* stop = nullptr;
    Asking::Ask ask = nullptr;
    Clock::time_point asked{};
};

constinit thread_local Here here;

}  // namespace

Stoppable::Stoppable(const Stop& stop) : before_(here.stop) { here.stop = &stop; }
Stoppable::~Stoppable() { here.stop = before_; }

Asking::Asking(Ask ask) : before_(here.ask) {
    here.ask = ask;
    here.asked = Clock::now();  // a kernel that is done at once asks nobody
}
Asking::~Asking() { here.ask = before_; }

const Stop* stop_around() { return here.stop; }

void go_on() {
    Here& mine = here;
    for (const Stop* stop = mine.stop; stop != nullptr; stop = stop->around)
        if (stop->set.load(std::memory_order_relaxed)) throw Stopped();
    if (mine.ask == nullptr) return;
    const Clock::time_point now = Clock::now();
    if (now - mine.asked < std::chrono::milliseconds(50)) return;
    mine.asked = now;
    mine.ask();
}

}  // namespace tercet
