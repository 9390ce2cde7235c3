// Where did the energy go?
// Every impact result carries a ledger that closes: before - after = restitution_loss + friction_loss + residual.
#pragma once

#pragma GCC visibility push(default)

namespace carom {

/// Energy account of one impact [J].
struct EnergyLedger {
  double before = 0.0;            ///< kinetic energy at first touch
  double after = 0.0;             ///< kinetic energy at separation
  double restitution_loss = 0.0;  ///< minus the work of the normal impulse (negative: the normal impulse gave energy)
  double friction_loss = 0.0;     ///< minus the work of the tangential impulse
  double residual = 0.0;          ///< strain energy still stored at the contact when the model stops

  /// What the entries fail to account for [J]; zero but for rounding.
  double imbalance() const { return before - after - restitution_loss - friction_loss - residual; }
};

}  // namespace carom

#pragma GCC visibility pop
