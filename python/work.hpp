// How does work go on while Python waits for it? Without the interpreter's lock, with an eye on Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <thread>

#include "carom/core/error.hpp"
#include "carom/core/names.hpp"
#include "carom/core/parallel.hpp"
#include "carom/core/progress.hpp"

namespace carom::python {

namespace py = pybind11;
using Clock = std::chrono::steady_clock;

/// Without the interpreter's lock. At the end of the process it may be that there is no interpreter to come back to:
/// then this thread waits to be ended with the others. (py::gil_scoped_release would end it in a destructor, and the
/// process with it.)
class Unlocked {
public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
#if PY_VERSION_HEX >= 0x030D0000
    const bool ending = Py_IsFinalizing() != 0;
#else
    const bool ending = _Py_IsFinalizing() != 0;
#endif
    while (ending) std::this_thread::sleep_for(std::chrono::hours(1));
    PyEval_RestoreThread(state_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

private:
  PyThreadState* state_;
};

/// Does work on another thread while this one, Python's, shows how far it is and looks for Ctrl-C. The interpreter's
/// lock is released but for that.
/// @param progress  called with the share of the work that is done, or None
template <class Work>
auto watched(const py::object& progress, const Work& work) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable over;
    bool done = false;
    std::atomic<double> share{0.0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
  } shared;
  std::optional<decltype(work(Progress{}))> result;
  std::thread worker([&] {
    try {
      result.emplace(work(Progress{[&](double share) { shared.share = share; }, [&] { return shared.stop.load(); }}));
    } catch (...) {
      shared.failure = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.done = true;
    shared.over.notify_one();
  });
  std::exception_ptr interrupted;
  constexpr std::chrono::milliseconds glance(50);
  for (bool over = false; !over;) {
    {
      const Unlocked unlocked;
      std::unique_lock lock(shared.mutex);
      over = shared.over.wait_for(lock, glance, [&] { return shared.done; });
    }
    if (over || interrupted) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(shared.share.load());
    } catch (...) {
      interrupted = std::current_exception();
      shared.stop = true;
    }
  }
  {
    const Unlocked unlocked;
    worker.join();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  if (shared.failure) std::rethrow_exception(shared.failure);
  if (!progress.is_none()) progress(1.0);
  return std::move(*result);
}

/// Rows in blocks of some 50 ms; between them Python may say what it wants to.
/// @param progress  called with (done, total) after each block, or None
template <class Solve>
void in_blocks(std::size_t count, int threads, std::size_t grain, const py::object& progress, const Solve& solve) {
  if (threads < 0) throw InvalidInput("threads", "must be >= 0, got " + std::to_string(threads));
  const int cores = available_threads();
  const int used = threads == 0 || threads > cores ? cores : threads;  // more only slow each other down
  std::size_t block = grain * static_cast<std::size_t>(used);
  for (std::size_t done = 0; done < count;) {
    const std::size_t rows = std::min(block, count - done);
    const Clock::time_point start = Clock::now();
    {
      const Unlocked unlocked;
      parallel_for(rows, grain, used, [&](std::size_t first, std::size_t last) { solve(done + first, done + last); });
    }
    const std::chrono::duration<double> took = Clock::now() - start;
    done += rows;
    if (took.count() < 0.05) block *= 2;
    if (took.count() > 0.2 && block > grain) block /= 2;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(done, count);
  }
}

/// The names of an enum, in order.
template <class Enum>
py::list names() {
  py::list out;
  for (const Named<Enum>& each : names_of<Enum>) out.append(each.name);
  return out;
}

/// The doors that arrays go through (arrays.cpp).
void add_arrays(py::module_& m);

}  // namespace carom::python
