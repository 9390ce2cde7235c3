// One explicit Runge-Kutta step of order 8 with an error estimate (Dormand and Prince; coefficients and estimator of
// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed., section II.10: DOP853).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

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
    return size > 0.0 ? std::abs(h) * e5 / std::sqrt(size) : 0.0;
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

  Eigen::MatrixXd k_;
  Eigen::VectorXd y_, error_;
};

}  // namespace carom
