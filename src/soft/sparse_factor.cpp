#include "sparse_factor.hpp"

#include <dmumps_c.h>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

namespace carom::soft {

namespace {

std::mutex& mumps_mutex() {
  static std::mutex mutex;
  return mutex;
}

constexpr int use_world = -987654;  // the communicator, by MUMPS' word for it

// Its settings by their numbers in the manual, counted from 1.
constexpr int error_stream = 1, diagnostics_stream = 2, information_stream = 3, print_level = 4, column_permutation = 6,
              ordering = 7, scaling = 8, extra_room_percent = 14, schur_complement = 19;
constexpr int ordering_given = 1;

constexpr int needs_more_room = -9, needs_more_integers = -8, singular = -10, no_memory = -13;
constexpr int most_room_percent = 6400;

}  // namespace

bool has_sparse_factor() { return true; }
void require_sparse_factor() {}

struct SparseFactor::Impl {
  DMUMPS_STRUC_C mumps{};
  Eigen::MatrixXd complement;
  std::vector<int> kept, turn;

  /// MUMPS wants what is not eliminated at the end of the order.
  void put_last(const std::vector<int>& unknowns) {
    std::vector<int> unknown_at(turn.size());
    for (std::size_t i = 0; i < turn.size(); ++i) unknown_at[std::size_t(turn[i] - 1)] = static_cast<int>(i);
    std::vector<char> last(turn.size(), 0);
    for (const int unknown : unknowns) last[std::size_t(unknown)] = 1;
    int next = 1;
    for (const int unknown : unknown_at)
      if (last[std::size_t(unknown)] == 0) turn[std::size_t(unknown)] = next++;
    for (const int unknown : unknowns) turn[std::size_t(unknown)] = next++;
  }

  int& setting(int number) { return mumps.icntl[number - 1]; }

  /// One step of MUMPS; what it reports. Called with the mutex held.
  int step(int job) {
    mumps.job = job;
    dmumps_c(&mumps);
    return mumps.infog[0];
  }
  [[noreturn]] void fail(int code) const {
    if (code == no_memory) throw std::bad_alloc();
    throw std::runtime_error("MUMPS reports error " + std::to_string(code) + " (" + std::to_string(mumps.infog[1]) +
                             ")");
  }

  Impl(const SparsePattern& pattern, std::vector<int> unknowns_kept) : kept(std::move(unknowns_kept)) {
    const std::lock_guard lock(mumps_mutex());
    mumps.sym = pattern.symmetric ? 1 : 0;
    mumps.par = 1;
    mumps.comm_fortran = use_world;
    if (const int code = step(-1); code < 0) fail(code);
    for (const int stream : {error_stream, diagnostics_stream, information_stream}) setting(stream) = -1;
    setting(print_level) = 0;
    setting(column_permutation) = 0;  // the pattern is symmetric and its diagonal full
    setting(scaling) = 0;
    setting(ordering) = ordering_given;
    setting(extra_room_percent) = 30;
    mumps.n = pattern.size;
    mumps.nnz = static_cast<MUMPS_INT8>(pattern.rows.size());
    mumps.irn = const_cast<int*>(pattern.rows.data());  // MUMPS only reads them
    mumps.jcn = const_cast<int*>(pattern.columns.data());
    turn = pattern.turn;
    if (!kept.empty()) {
      put_last(kept);
      for (int& unknown : kept) ++unknown;
      setting(schur_complement) = 3;  // in full, column by column
      mumps.size_schur = static_cast<int>(kept.size());
      mumps.listvar_schur = kept.data();
      mumps.nprow = mumps.npcol = 1;
      mumps.mblock = mumps.nblock = 100;
    }
    mumps.perm_in = turn.data();
    if (const int code = step(1); code < 0) {
      step(-2);
      fail(code);
    }
  }
  ~Impl() {
    const std::lock_guard lock(mumps_mutex());
    step(-2);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

SparseFactor::SparseFactor(const SparsePattern& pattern, std::vector<int> kept)
    : impl_(std::make_unique<Impl>(pattern, std::move(kept))) {}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

bool SparseFactor::compute(const std::vector<double>& values) {
  Impl& impl = *impl_;
  const std::lock_guard lock(mumps_mutex());
  impl.mumps.a = const_cast<double*>(values.data());
  if (!impl.kept.empty()) {
    const auto size = static_cast<Eigen::Index>(impl.kept.size());
    impl.complement.resize(size, size);
    impl.mumps.schur = impl.complement.data();
    impl.mumps.schur_lld = impl.mumps.schur_mloc = impl.mumps.schur_nloc = static_cast<int>(size);
  }
  int code = impl.step(2);
  while ((code == needs_more_room || code == needs_more_integers) &&
         impl.setting(extra_room_percent) < most_room_percent) {
    impl.setting(extra_room_percent) *= 2;
    code = impl.step(2);
  }
  impl.mumps.a = nullptr;
  if (code == singular) return false;
  if (code < 0) impl.fail(code);
  if (!impl.kept.empty())  // MUMPS fills the lower triangle
    impl.complement.triangularView<Eigen::StrictlyUpper>() = impl.complement.transpose();
  return true;
}

void SparseFactor::solve(Eigen::Ref<Eigen::MatrixXd> b) const {
  Impl& impl = *impl_;
  const std::lock_guard lock(mumps_mutex());
  impl.mumps.rhs = b.data();
  impl.mumps.nrhs = static_cast<int>(b.cols());
  impl.mumps.lrhs = static_cast<int>(b.outerStride());
  if (const int code = impl.step(3); code < 0) impl.fail(code);
  impl.mumps.rhs = nullptr;
}

const Eigen::MatrixXd& SparseFactor::complement() const { return impl_->complement; }

}  // namespace carom::soft
