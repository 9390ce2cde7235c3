// What did a computation answer, by name?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/report/document.hpp"
#include "carom/schema/value.hpp"

#include "formula.hpp"

namespace carom::scenario::catalogue {

/// The answer of a row, by the paths of its JSON (`events[1].impulse[0]`, `samples[*].t`), or that of a scenario: its
/// facts by key (`velocity_after[2]`) and its tables by name and column (`bounces.speed`, `bounces.speed[3]`; of a
/// column of vectors the index is the component).
class Answer {
public:
  /// @throws InvalidInput naming `row`, with the message of an error row
  static Answer of_row(const std::string& row);
  static Answer of_document(std::shared_ptr<const report::Document> document);

  /// What stands at a path: numbers (true is 1, null and what is not finite NaN) or texts, lists in lists laid end to
  /// end; nothing if there is no such thing.
  std::optional<Datum> find(std::string_view path) const;
  const report::Document* document() const { return document_.get(); }

private:
  struct Row {
    std::string text;
    schema::Tree tree;
  };
  std::shared_ptr<const Row> row_;
  std::shared_ptr<const report::Document> document_;
};

}  // namespace carom::scenario::catalogue
