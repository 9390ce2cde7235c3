// How does a system of ordinary differential equations go on, and when does something happen in it?
// Steps of order 8 with an error estimate, the state anywhere inside a step (order 7), and events located there
// (Dormand and Prince; coefficients and estimators of Hairer, Norsett and Wanner, Solving Ordinary Differential
// Equations I, 2nd ed., section II.10: DOP853). Dop853 is the step alone, for callers with a loop of their own.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)

namespace carom {

class Dop853 {
public:
  explicit Dop853(Eigen::Index size) : k_(size, stages), y_(size), error_(size) {}

  /// y1 = y0 after time h; rate0 is the derivative at y0. Returns the error estimate divided by the tolerance that
  /// `weight` expresses: sum of (weight_i error_i)^2, rooted.
  template <class Rhs>
  double step(const Rhs& rhs, const Eigen::VectorXd& y0, const Eigen::VectorXd& rate0, double h, Eigen::VectorXd& y1,
              const Eigen::VectorXd& weight) {
    k_.col(0) = rate0;
    for (int s = 1; s < stages; ++s) {
      combine(y0, h, a_[row(s)], s, y_);
      rhs(y_, k_.col(s).data());
    }
    combine(y0, h, b_, stages, y1);
    static constexpr Row third = [] {
      Row difference{};
      for (std::size_t s = 0; s < difference.size(); ++s) difference[s] = b_[s] - e3_[s];
      return difference;
    }();
    error_.setZero();
    combine(error_, 1.0, e5_, stages, y_);
    const double e5 = weight.cwiseProduct(y_).squaredNorm();
    combine(error_, 1.0, third, stages, y_);
    const double e3 = weight.cwiseProduct(y_).squaredNorm();
    const double size = e5 + 0.01 * e3;
    return size == 0.0 ? 0.0 : std::abs(h) * e5 / std::sqrt(size);  // not a number stays what it is
  }

  /// The step just taken as a polynomial, for state(): three more evaluations. rate1 is the derivative at y1.
  template <class Rhs>
  void interpolate(const Rhs& rhs, const Eigen::VectorXd& y0, const Eigen::VectorXd& y1, const Eigen::VectorXd& rate1,
                   double h) {
    more_.resize(y0.size(), 4);
    more_.col(0) = rate1;
    for (int s = 0; s < 3; ++s) {
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(y0.size());
      for (int j = 0; j < stages; ++j) sum += more_a_[row(s)][row(j)] * k_.col(j);
      for (int j = 0; j <= s; ++j) sum += more_a_[row(s)][row(stages + j)] * more_.col(j);
      y_ = y0 + h * sum;
      rhs(y_, more_.col(s + 1).data());
    }
    dense_.resize(y0.size(), 8);
    const Eigen::VectorXd change = y1 - y0, bend = h * k_.col(0) - change;
    dense_.col(0) = y0;
    dense_.col(1) = change;
    dense_.col(2) = bend;
    dense_.col(3) = change - h * rate1 - bend;
    for (int c = 0; c < 4; ++c) {
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(y0.size());
      for (int j = 0; j < stages; ++j) sum += d_[row(c)][row(j)] * k_.col(j);
      for (int j = 0; j < 4; ++j) sum += d_[row(c)][row(stages + j)] * more_.col(j);
      dense_.col(4 + c) = h * sum;
    }
  }

  /// The state after the share s in [0, 1] of the step, once interpolate() was called for it.
  void state(double s, Eigen::VectorXd& y) const {
    const double rest = 1.0 - s;
    y = dense_.col(7);
    for (int c = 6; c >= 0; --c) y = dense_.col(c) + (c % 2 == 0 ? s : rest) * y;
  }

  /// Factor for the next step after an error estimate: safe, and within bounds that keep the controller calm.
  static double factor(double error) {
    return std::fmin(6.0, std::fmax(0.2, 0.9 * std::pow(std::fmax(error, 1e-16), -1.0 / 8.0)));
  }

private:
  static constexpr int stages = 12;
  using Row = std::array<double, stages>;
  static constexpr std::size_t row(int s) { return static_cast<std::size_t>(s); }

  /// y1 = y0 + h sum of c_j k_j over the first `count` stages, a few entries at a time so that the sums stay in
  /// registers.
  void combine(const Eigen::VectorXd& y0, double h, const Row& c, int count, Eigen::VectorXd& y1) const {
    constexpr int block = 8;
    y1.resize(y0.size());
    Eigen::Index i = 0;
    for (; i + block <= y0.size(); i += block) {
      Eigen::Matrix<double, block, 1> sum = y0.segment<block>(i);
      for (int j = 0; j < count; ++j)
        if (c[row(j)] != 0.0) sum += h * c[row(j)] * k_.col(j).segment<block>(i);
      y1.segment<block>(i) = sum;
    }
    for (; i < y0.size(); ++i) {
      double sum = y0[i];
      for (int j = 0; j < count; ++j)
        if (c[row(j)] != 0.0) sum += h * c[row(j)] * k_(i, j);
      y1[i] = sum;
    }
  }

  static constexpr std::array<Row, stages> a_ = {
      {{},
       {5.26001519587677318785587544488e-2},
       {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
       {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
       {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1, 9.24834003261792003115737966543e-1},
       {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1,
        1.25467687566822425016691814123e-1},
       {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -1.7578125e-2},
       {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
        1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3},
       {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825, -8.68219346841726006818189891453e-1,
        2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1, -4.34898841810699588477366255144e1},
       {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468, -5.90290826836842996371446475743e-1,
        2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1, -3.32882109689848629194453265587e1,
        -2.03312017085086261358222928593e-2},
       {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
        -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
        2.49360555267965238987089396762, -3.0467644718982195003823669022},
       {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
        -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
        -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1}}};
  static constexpr Row b_ = {5.42937341165687622380535766363e-2,
                             0,
                             0,
                             0,
                             0,
                             4.45031289275240888144113950566,
                             1.89151789931450038304281599044,
                             -5.8012039600105847814672114227,
                             3.1116436695781989440891606237e-1,
                             -1.52160949662516078556178806805e-1,
                             2.01365400804030348374776537501e-1,
                             4.47106157277725905176885569043e-2};
  static constexpr Row e5_ = {0.1312004499419488073250102996e-1,
                              0,
                              0,
                              0,
                              0,
                              -0.1225156446376204440720569753e+1,
                              -0.4957589496572501915214079952,
                              0.1664377182454986536961530415e+1,
                              -0.3503288487499736816886487290,
                              0.3341791187130174790297318841,
                              0.8192320648511571246570742613e-1,
                              -0.2235530786388629525884427845e-1};
  static constexpr Row e3_ = {
      0.244094488188976377952755905512,   0, 0, 0, 0, 0, 0, 0, 0.733846688281611857341361741547, 0, 0,
      0.220588235294117647058823529412e-1};

  // Stages 14 to 16, and the weights of all stages (the 13th is the rate at the end) in the polynomial.
  using WideRow = std::array<double, stages + 4>;
  static constexpr std::array<WideRow, 3> more_a_ = {
      {{5.61675022830479523392909219681e-2, 0, 0, 0, 0, 0, 2.53500210216624811088794765333e-1,
        -2.46239037470802489917441475441e-1, -1.24191423263816360469010140626e-1, 1.5329179827876569731206322685e-1,
        8.20105229563468988491666602057e-3, 7.56789766054569976138603589584e-3, -8.298e-3},
       {3.18346481635021405060768473261e-2, 0, 0, 0, 0, 2.83009096723667755288322961402e-2,
        5.35419883074385676223797384372e-2, -5.49237485713909884646569340306e-2, 0, 0,
        -1.08347328697249322858509316994e-4, 3.82571090835658412954920192323e-4, -3.40465008687404560802977114492e-4,
        1.41312443674632500278074618366e-1},
       {-4.28896301583791923408573538692e-1, 0, 0, 0, 0, -4.69762141536116384314449447206,
        7.68342119606259904184240953878, 4.06898981839711007970213554331, 3.56727187455281109270669543021e-1, 0, 0, 0,
        -1.39902416515901462129418009734e-3, 2.9475147891527723389556272149, -9.15095847217987001081870187138}}};
  static constexpr std::array<WideRow, 4> d_ = {
      {{-0.84289382761090128651353491142e+1, 0, 0, 0, 0, 0.56671495351937776962531783590,
        -0.30689499459498916912797304727e+1, 0.23846676565120698287728149680e+1, 0.21170345824450282767155149946e+1,
        -0.87139158377797299206789907490, 0.22404374302607882758541771650e+1, 0.63157877876946881815570249290,
        -0.88990336451333310820698117400e-1, 0.18148505520854727256656404962e+2, -0.91946323924783554000451984436e+1,
        -0.44360363875948939664310572000e+1},
       {0.10427508642579134603413151009e+2, 0, 0, 0, 0, 0.24228349177525818288430175319e+3,
        0.16520045171727028198505394887e+3, -0.37454675472269020279518312152e+3, -0.22113666853125306036270938578e+2,
        0.77334326684722638389603898808e+1, -0.30674084731089398182061213626e+2, -0.93321305264302278729567221706e+1,
        0.15697238121770843886131091075e+2, -0.31139403219565177677282850411e+2, -0.93529243588444783865713862664e+1,
        0.35816841486394083752465898540e+2},
       {0.19985053242002433820987653617e+2, 0, 0, 0, 0, -0.38703730874935176555105901742e+3,
        -0.18917813819516756882830838328e+3, 0.52780815920542364900561016686e+3, -0.11573902539959630126141871134e+2,
        0.68812326946963000169666922661e+1, -0.10006050966910838403183860980e+1, 0.77771377980534432092869265740,
        -0.27782057523535084065932004339e+1, -0.60196695231264120758267380846e+2, 0.84320405506677161018159903784e+2,
        0.11992291136182789328035130030e+2},
       {-0.25693933462703749003312586129e+2, 0, 0, 0, 0, -0.15418974869023643374053993627e+3,
        -0.23152937917604549567536039109e+3, 0.35763911791061412378285349910e+3, 0.93405324183624310003907691704e+2,
        -0.37458323136451633156875139351e+2, 0.10409964950896230045147246184e+3, 0.29840293426660503123344363579e+2,
        -0.43533456590011143754432175058e+2, 0.96324553959188282948394950600e+2, -0.39177261675615439165231486172e+2,
        -0.14972683625798562581422125276e+3}}};

  Eigen::MatrixXd k_;
  Eigen::VectorXd y_, error_;
  Eigen::MatrixXd more_, dense_;  // of interpolate()
};

/// y' = f(t, y), written into `rate`, which has the size of y.
using RateFunction = std::function<void(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate)>;
/// Something happens where this falls from above zero to zero or below.
using EventFunction = std::function<double(double t, const Eigen::VectorXd& y)>;

struct IntegratorSettings {
  double relative_tolerance = 1e-10;  ///< of each component of y, > 0: the error of one step
  double absolute_tolerance = 1e-12;  ///< the same, where a component is near zero, > 0; unit of y
  double longest_step = std::numeric_limits<double>::infinity();  ///< > 0, unit of t
  std::size_t max_steps = 1'000'000;                              ///< taken or tried; then the run ends where it is
  /// An event function is looked at so many times in each step: two events of the same function closer together than
  /// that may go unnoticed.
  int looks_per_step = 8;
};

/// Where a run ended.
struct IntegratorStop {
  double t = 0.0;
  Eigen::VectorXd y;
  std::optional<std::size_t> event;  ///< which event ended it; none: the end, or the bound on steps
  bool step_limit = false;           ///< max_steps was reached, or the steps became too short for the clock to move
  std::size_t steps = 0;             ///< taken or tried
};

/// Follows y from t_begin to t_end > t_begin or to the first event, whichever comes first.
/// @param events   looked at from just after the beginning: one that starts at zero or below waits until it has risen
/// @param between  called after every step with (t0, t1, state): state(t, y) gives y for t in [t0, t1]; for drawing
/// @throws InvalidInput naming `y`, `t_begin`, `t_end`, `relative_tolerance`, ... when they are not finite or out of
/// range
IntegratorStop integrate(
    const RateFunction& rate, double t_begin, const Eigen::VectorXd& y, double t_end,
    const std::vector<EventFunction>& events = {}, const IntegratorSettings& settings = {},
    const std::function<void(double t0, double t1, const std::function<void(double t, Eigen::VectorXd& y)>& state)>&
        between = {});

}  // namespace carom

#pragma GCC visibility pop
