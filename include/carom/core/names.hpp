// What is an enumerator called, in files, rows, messages and other languages?
// Every enum that users meet has one table, names_of<Enum>, beside its definition. name() and the choices that readers
// accept come from it.
#pragma once

#include <array>
#include <type_traits>

#pragma GCC visibility push(default)

namespace carom {

template <class Enum>
struct Named {
  Enum value;
  const char* name;
};

/// The enumerators of an enum with their names, in the order users see them. Specialised beside each enum.
template <class Enum>
inline constexpr std::array<Named<Enum>, 0> names_of{};

/// The name of an enumerator; "?" for a value that is none.
template <class Enum>
requires(std::is_enum_v<Enum> && !names_of<Enum>.empty()) constexpr const char* name(Enum value) {
  for (const Named<Enum>& each : names_of<Enum>)
    if (each.value == value) return each.name;
  return "?";
}

}  // namespace carom

#pragma GCC visibility pop
