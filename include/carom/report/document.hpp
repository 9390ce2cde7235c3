// How is a result shown?
// A neutral document: key numbers, tables, plots and scenes, filled by whoever has a result and written by the writers
// of this room (terminal, JSON, CSV, SVG). It knows no physics.
//
// Text that people read may hold math between dollar signs: "$P_x$ [N s]", "$e^2$", "$\mu$". Inside, letters are
// italic, `_` and `^` take one character or a {group}, and \mu, \eta, \theta, ... are Greek letters.
#pragma once

#include <string>
#include <vector>

#include "carom/report/plot.hpp"
#include "carom/report/scene.hpp"
#include "carom/report/table.hpp"

#pragma GCC visibility push(default)

namespace carom::report {

/// A file that other programs read, such as a mesh for ParaView: written beside the others as it is.
struct Attachment {
  std::string name;  ///< with its extension, unique in its document: "rest_shape.vtu"
  std::string content;
};

struct Document {
  std::string title;
  std::string kind;     ///< of the scenario it came from
  std::string summary;  ///< a sentence or two in plain words
  std::vector<Fact> facts;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Scene> scenes;
  std::vector<Attachment> files;
  std::vector<std::string> notes;  ///< warnings and remarks worth reading
};

}  // namespace carom::report

#pragma GCC visibility pop
