// What does a word of an answer mean?
// Every flag, verdict, status, mode and case that an answer can carry, in a sentence or two for people: what happened,
// and what to do about it. One table, from which `carom explain` and docs/glossary.md are made.
#pragma once

#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace carom::scenario {

struct Term {
  std::string_view name;     ///< as answers write it
  std::string_view what;     ///< "flag", "verdict", "status", "mode" or "case"
  std::string_view where;    ///< the models or kinds that say it
  std::string_view meaning;  ///< whole sentences
};

/// Every term there is, in the order of the page; a name may stand for several.
std::span<const Term> glossary();

/// The glossary as the page docs/glossary.md.
std::string glossary_page();

}  // namespace carom::scenario

#pragma GCC visibility pop
