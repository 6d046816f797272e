// What the files that bind kernels to Python share: arrays in, arrays out, and refusing what does not fit.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/stop.hpp"

namespace tercet::binding {

// Kernels that a file defines. It says so by one constant of this type, and nowhere else: the module asks them all.
class Kernels {
  public:
    using Define = void (*)(nanobind::module_&);
    explicit Kernels(Define define) : define_(define), before_(last()) { last() = this; }
    static void define_all(nanobind::module_& m) {
        for (const Kernels* one = last(); one != nullptr; one = one->before_) one->define_(m);
    }

  private:
    static const Kernels*& last() {
        static const Kernels* kernels = nullptr;
        return kernels;
    }
    Define define_;
    const Kernels* before_;
};

template <class T, int N>
using In = nanobind::ndarray<const T, nanobind::ndim<N>, nanobind::c_contig, nanobind::device::cpu>;
template <class T, int N>
using Out = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<N>, nanobind::c_contig>;

// Whether this is the thread in which Python handles signals. After a fork it is the one that forked.
inline bool in_main_thread() {
    static pid_t process = 0;
    static unsigned long main_thread = 0;
    if (process != getpid()) {
        const nanobind::object thread = nanobind::module_::import_("threading").attr("main_thread")();
        main_thread = nanobind::cast<unsigned long>(thread.attr("ident"));
        process = getpid();
    }
    return PyThread_get_thread_ident() == main_thread;
}

// Lets Python handle signals that came in while a kernel runs: Ctrl-C raises KeyboardInterrupt, which ends the kernel.
inline void handle_signals() {
    const nanobind::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// While it lives, this thread does without Python. A thread that wants Python back from an interpreter that has ended
// is unwound by pthread_exit (before Python 3.14), which no destructor and no handler of exceptions lets pass without
// ending the process: it waits for that end instead, as threads of Python 3.14 do.
class Released {
  public:
    Released() : state_(PyEval_SaveThread()) {}
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            for (;;) pause();
        }
    }

  private:
    PyThreadState* state_;
};

// While it lives, this thread does without Python, but for signals. Every kernel that may take long runs under it.
class WithoutPython {
  public:
    WithoutPython() : asking_(in_main_thread() ? handle_signals : nullptr) {}

  private:
    Asking asking_;
    Released released_;
};

// A new array of zeros.
template <class T = double, class... Sizes>
Out<T, sizeof...(Sizes)> zeros(Sizes... sizes) {
    size_t count = 1;
    for (const size_t size : {static_cast<size_t>(sizes)...})
        if (__builtin_mul_overflow(count, size, &count)) throw std::bad_alloc();
    void* data = std::calloc(std::max<size_t>(count, 1), sizeof(T));
    if (data == nullptr) throw std::bad_alloc();
    nanobind::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return Out<T, sizeof...(Sizes)>(static_cast<T*>(data), {static_cast<size_t>(sizes)...}, owner);
}

// A container as an array, without a copy.
template <class Container>
auto give(Container&& values) {
    using Values = std::remove_cvref_t<Container>;
    using T = std::conditional_t<std::is_same_v<Values, std::string>, uint8_t, typename Values::value_type>;
    auto* kept = new Values(std::forward<Container>(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return Out<T, 1>(reinterpret_cast<T*>(kept->data()), {kept->size()}, owner);
}

inline void require(bool fine, const char* what) {
    if (!fine) throw std::invalid_argument(what);
}

// Where nothing may stand in place of several arrays, nanobind also takes it in place of one of them.
template <class... Arrays>
void require_all(const std::tuple<Arrays...>& arrays) {
    std::apply([](const Arrays&... each) { require((each.is_valid() && ...), "an array is missing"); }, arrays);
}

template <class T>
T named(const std::string& name, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string all;
    for (const auto& [known, value] : choices) {
        if (name == known) return value;
        all += std::string(all.empty() ? "" : ", ") + known;
    }
    throw std::invalid_argument("there is no choice called " + name + ", only " + all);
}

}  // namespace tercet::binding
