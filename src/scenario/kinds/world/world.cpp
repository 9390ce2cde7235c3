#include "world.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "carom/core/error.hpp"

#include "fields.hpp"
#include "kind.hpp"
#include "parts/impact.hpp"
#include "parts/spatial.hpp"

namespace carom::scenario {

namespace {

using report::Document;
using report::Table;

/// Rows of the table of trajectories: what a spreadsheet opens at once.
constexpr std::size_t most_rows = 20'000;

/// "bodies[3].position" -> 3; nothing for other fields.
std::optional<std::size_t> index_in(const std::string& field, const std::string& list) {
  if (!field.starts_with(list + "[")) return std::nullopt;
  return std::stoul(field.substr(list.size() + 1));
}

/// What the library calls a field, in the words of a file.
std::string in_file(std::string field) {
  const std::pair<std::string_view, const char*> words[] = {
      {".exponent", ".springs"}, {".stiffness_ratio_root", ".eta0"}, {".inertia", ".principal"},
      {".shape.type", ".shape"}, {".shape.radius", ".radius"},       {".shape.faces", ".faces"},
      {"regularized.v_min", "v_min"}};
  for (const auto& [theirs, ours] : words)
    if (field.ends_with(theirs)) return field.substr(0, field.size() - theirs.size()) + ours;
  return field;
}

/// "body 3" -> "\"cue\"": the library knows numbers, a file has names.
std::string with_names(std::string message, const std::string& word, const std::vector<std::string>& names) {
  for (std::size_t at = message.find(word); at != std::string::npos; at = message.find(word, at + 1)) {
    const std::size_t from = at + word.size();
    const std::size_t to = std::min(message.find_first_not_of("0123456789", from), message.size());
    if (to == from || to - from > 6) continue;
    const std::size_t number = std::stoul(message.substr(from, to - from));
    if (number < names.size()) message.replace(at, to - at, "\"" + names[number] + "\"");
  }
  return message;
}

/// Blames the field of the file: of what was made, the key that made it.
void blame(const InvalidInput& error, const WorldArrangement& arrangement, const Value& root, const Path& path,
           Mistakes& mistakes) {
  std::string field = in_file(error.field());
  std::string message = with_names(error.message(), "body ", arrangement.names);
  message = with_names(std::move(message), "plane ", arrangement.plane_names);
  message = with_names(std::move(message), "tube ", arrangement.tube_names);
  message = with_names(std::move(message), "cushion ", arrangement.cushion_names);
  message = with_names(std::move(message), "pocket ", arrangement.pocket_names);
  const auto made = [&](const char* list, const std::vector<std::string>& sources) {
    const auto i = index_in(field, list);
    return i && *i < sources.size() && !sources[*i].empty() ? sources[*i] : std::string();
  };
  for (const std::string& source : {made("bodies", arrangement.body_source), made("planes", arrangement.plane_source),
                                    made("supports", arrangement.support_source)})
    if (!source.empty()) {
      message = field + ": " + message;
      field = source;
      break;
    }
  // The line: of the item in a list, else of the key.
  const std::string key = field.substr(0, field.find_first_of(".["));
  const Value* at = root.find(key);
  int line = at != nullptr ? at->place() : root.place();
  if (const auto i = index_in(field, key); i && at != nullptr) {
    std::size_t k = 0;
    for (const Value& item : at->items())
      if (k++ == *i) line = item.place();
  }
  mistakes.add(path.at(std::string_view(field)), line, message);
}

/// "1-2", "ball-floor", "1-2, 2-3, ..."
std::string contact_text(const WorldArrangement& arrangement, const WorldEvent& event) {
  constexpr std::size_t most = 4;
  const auto brief = [&](std::size_t body) {
    const std::string& name = arrangement.names[body];
    return name.starts_with("ball ") ? name.substr(5) : name;
  };
  std::string text;
  for (std::size_t k = 0; k < event.contacts.size() && k < most; ++k) {
    const WorldContact& c = event.contacts[k];
    text += (k > 0 ? ", " : "") + brief(c.first) + "-" +
            (c.second.kind == PartnerKind::body    ? brief(c.second.index)
             : c.second.kind == PartnerKind::plane ? arrangement.plane_names[c.second.index]
             : c.second.kind == PartnerKind::tube  ? arrangement.tube_names[c.second.index]
                                                   : arrangement.cushion_names[c.second.index]);
  }
  return event.contacts.size() > most ? text + ", ..." : text;
}

std::string who_text(const WorldArrangement& arrangement, const WorldEvent& event) {
  if (!event.contacts.empty()) return contact_text(arrangement, event);
  if (event.type == WorldEventType::pocketed)
    return arrangement.names[event.bodies.front()] + ": " + arrangement.pocket_names[event.pocket];
  return event.bodies.empty() ? "" : arrangement.names[event.bodies.front()];
}

Table events_table(const WorldResult& result) {
  const WorldTrack& run = result.own;
  const std::size_t shown = run.first.size() + run.last.size();
  Table table{"events",
              shown == run.events ? "What happened, in order"
                                  : fmt::format("What happened: the first {} and the last {} of {}", run.first.size(),
                                                run.last.size(), run.events),
              {}};
  table.columns = {{"number", "no.", ""},
                   {"time", "time", "s"},
                   {"event", "event", ""},
                   {"who", "who", ""},
                   {"model", "model", ""},
                   {"position", "place of the first", "m"},
                   {"velocity", "its velocity after", "m/s"},
                   {"spin", "its spin after", "rad/s"},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"}};
  for (const auto* list : {&run.first, &run.last})
    for (const KeptEvent& kept : *list) {
      const WorldEvent& e = kept.event;
      const bool impact = e.type == WorldEventType::impact;
      table.add_row({static_cast<double>(kept.number), e.time, std::string(name(e.type)),
                     who_text(result.arrangement, e), std::string(impact ? name(e.model) : ""), numbers(kept.position),
                     numbers(kept.velocity), numbers(kept.spin), e.restitution_loss, e.friction_loss});
    }
  return table;
}

Table bodies_table(const WorldResult& result) {
  Table table{"bodies", fmt::format("The bodies at the end, {:.6g} s", result.own.time), {}};
  table.columns = {{"body", "body", ""},          {"state", "state", ""},
                   {"position", "position", "m"}, {"velocity", "velocity", "m/s"},
                   {"spin", "spin", "rad/s"},     {"way", "from its start", "m"}};
  for (std::size_t i = 0; i < result.own.final.size(); ++i) {
    const WorldBodyAt& at = result.own.final[i];
    if (at.body.immovable) continue;
    table.add_row({result.arrangement.names[i], std::string(name(at.state)), numbers(at.body.position),
                   numbers(at.body.velocity), numbers(at.body.angular_velocity),
                   (at.body.position - result.arrangement.problem.bodies[i].body.position).norm()});
  }
  return table;
}

Table trajectories_table(const WorldResult& result) {
  Table table{"trajectories", "Every body over time", {}};
  table.columns = {{"time", "time", "s"},         {"body", "body", ""},
                   {"position", "position", "m"}, {"velocity", "velocity", "m/s"},
                   {"spin", "spin", "rad/s"},     {"orientation", "orientation (w, x, y, z)", ""},
                   {"state", "state", ""}};
  std::size_t movable = 0;
  for (const WorldBodyAt& at : result.own.final) movable += !at.body.immovable;
  const std::vector<WorldFrame>& frames = result.own.frames;
  const std::size_t samples = frames.size() / result.frames_per_sample + 1;
  const std::size_t stride = result.frames_per_sample * ((samples * movable + most_rows - 1) / most_rows);
  for (std::size_t k = 0; k < frames.size(); k += std::max<std::size_t>(stride, 1))
    for (std::size_t i = 0; i < frames[k].bodies.size(); ++i) {
      const SeenBody& b = frames[k].bodies[i];
      if (b.state == WorldBodyState::immovable) continue;
      const Eigen::Quaterniond& q = b.orientation;
      table.add_row({frames[k].time, result.arrangement.names[i], numbers(b.position), numbers(b.velocity),
                     numbers(b.spin), std::vector<double>{q.w(), q.x(), q.y(), q.z()}, std::string(name(b.state))});
    }
  return table;
}

Table beside_table(const WorldResult& result) {
  Table table{"beside", "The same scene with something else in it", {}};
  table.columns = {{"scene", "scene", ""},
                   {"verdict", "verdict", ""},
                   {"time", "time", "s"},
                   {"impacts", "impacts", ""},
                   {"energy_end", "energy at the end", "J"},
                   {"restitution_loss", "lost normally", "J"},
                   {"friction_loss", "lost to friction", "J"},
                   {"support_loss", "lost on supports", "J"},
                   {"flags", "flags", ""}};
  const auto row = [&](const WorldTrack& t) {
    table.add_row({t.name.empty() ? "this one" : t.name, std::string(name(t.verdict)), t.time,
                   static_cast<double>(t.impacts), t.energy.end, t.energy.restitution_loss, t.energy.friction_loss,
                   t.energy.support_loss, flag_list(t)});
  };
  row(result.own);
  for (const WorldTrack& track : result.beside) row(track);
  return table;
}

std::string summary_of(const WorldResult& result) {
  const WorldTrack& run = result.own;
  const auto count = [](std::size_t n, const char* one, const char* many) {
    return n == 1 ? std::string("one ") + one : std::to_string(n) + " " + many;
  };
  std::size_t movable = 0;
  for (const WorldBodyAt& at : run.final) movable += !at.body.immovable;
  const std::string what = count(movable, "body", "bodies") + ", " +
                           (run.impacts == 0 && run.touches > 0 ? count(run.touches, "touch", "touches")
                                                                : count(run.impacts, "impact", "impacts")) +
                           ": ";
  if (run.interrupted) return what + fmt::format("interrupted at {:.6g} s.", run.time);
  switch (run.verdict) {
    case WorldVerdict::time:
      return what + fmt::format("followed for {:.6g} s.", run.time);
    case WorldVerdict::rest:
      return what + fmt::format("after {:.6g} s everything rests.", run.time);
    case WorldVerdict::event_limit:
      return what + fmt::format("stopped after event {}, at {:.6g} s.", run.events, run.time);
    case WorldVerdict::zeno:
      return what + fmt::format(
                        "at {:.6g} s bounces pile up where they have no sum; `micro_speed` or `contact: regularized` "
                        "would go on.",
                        run.time);
    case WorldVerdict::no_solution:
      break;
  }
  return what + fmt::format("at {:.6g} s the law of groups has no answer.", run.time);
}

Facts facts(const WorldScenario&, const WorldResult& result) {
  const WorldTrack& run = result.own;
  const WorldEnergy& energy = run.energy;
  Facts all = {{"verdict", "verdict", std::string(run.interrupted ? "interrupted" : name(run.verdict)), ""},
               {"time", "ends at", run.time, "s"},
               {"events", "events", static_cast<double>(run.events), ""},
               {"impacts", "impacts", static_cast<double>(run.impacts), ""},
               {"touches", "touches with forces over time", static_cast<double>(run.touches), ""},
               {"first_impact", "first impact", run.first_impact, "s"},
               {"last_impact", "last impact", run.last_impact, "s"},
               {"energy_start", "energy at the start", energy.start, "J"},
               {"energy_end", "energy at the end", energy.end, "J"},
               {"kinetic_end", "of it kinetic", energy.end - energy.potential_end, "J"},
               {"restitution_loss", "lost by normal impulses", energy.restitution_loss, "J"},
               {"friction_loss", "lost to friction in impacts", energy.friction_loss, "J"},
               {"support_loss", "lost on planes and cloths", energy.support_loss, "J"},
               {"stored", "in springs of contacts", energy.stored, "J"},
               {"residual", "energy not accounted for", energy.residual, "J"},
               {"momentum_residual", "momentum not accounted for",
                run.momentum_residual.value_or(std::numeric_limits<double>::quiet_NaN()), "N s"},
               {"flags", "flags", flag_list(run), ""}};
  if (energy.pocketed) {
    double fallen = 0.0;
    for (const WorldBodyAt& at : run.final) fallen += at.state == WorldBodyState::pocketed ? 1.0 : 0.0;
    all.insert(all.end() - 4, {"pocketed", "balls that fell", fallen, ""});
    all.insert(all.end() - 4, {"pocketed_energy", "with them went", *energy.pocketed, "J"});
  }
  if (const auto& strike = result.arrangement.strike) {
    const Eigen::Vector3d& v = strike->ball.velocity;
    all.insert(all.begin() + 1, {{"strike", "strike of the cue", std::string(name(strike->verdict)), ""},
                                 {"strike_velocity", "gives the ball $(x, y, z)$", numbers(v), "m/s"},
                                 {"strike_spin", "and the spin", numbers(strike->ball.angular_velocity), "rad/s"},
                                 {"tip_slip", "the tip lets go slipping at", strike->slip, "m/s"}});
  }
  if (energy.air_loss) all.insert(all.end() - 4, {"air_loss", "taken by the air", *energy.air_loss, "J"});
  return all;
}

/// Where the bodies are at the end, and how they move.
Facts details(const WorldScenario&, const WorldResult& result) {
  Facts facts;
  for (std::size_t i = 0; i < result.own.final.size(); ++i) {
    const Body& body = result.own.final[i].body;
    if (body.immovable) continue;
    const std::string& who = result.arrangement.names[i];
    facts.push_back({key_of(who) + "_position", "position of " + who + " $(x, y, z)$", numbers(body.position), "m"});
    add_motion(facts, who, "$(x, y, z)$", numbers(body.velocity), numbers(body.angular_velocity));
  }
  return facts;
}

void add_notes(const WorldTrack& run, Document& document) {
  const auto note = [&](WorldFlag flag, const char* text) {
    if (run.flags.has(flag)) document.notes.push_back(std::string(name(flag)) + ": " + text);
  };
  note(WorldFlag::micro_bounces, "bounces that have no sum went on at `micro_speed`.");
  note(WorldFlag::sustained_contact,
       "the run ended at a contact that lasts; `micro_speed` or `contact: regularized` lets it go on.");
  note(WorldFlag::regularized, "contacts that last were followed with forces over time.");
  note(WorldFlag::several_solutions, "lcp has several answers; the first was taken.");
  note(WorldFlag::not_exhaustive, "lcp may have answers that were not found.");
  note_flags(document, run.impact_flags);
}

Document describe(const WorldScenario&, const WorldResult& result) {
  Document document;
  document.summary = summary_of(result);
  document.tables.push_back(events_table(result));
  document.tables.push_back(bodies_table(result));
  if (!result.beside.empty()) document.tables.push_back(beside_table(result));
  if (!result.own.frames.empty()) {
    document.tables.push_back(trajectories_table(result));
    document.plots = world_pictures(result);
    document.scenes.push_back(world_scene(result));
  }
  add_notes(result.own, document);
  if (result.interrupted) document.notes.push_back("interrupted: what was finished until then is shown.");
  return document;
}

}  // namespace

std::string flag_list(const WorldTrack& track) {
  std::string list = flag_list(track.impact_flags);
  for (const Named<WorldFlag>& flag : names_of<WorldFlag>)
    if (track.flags.has(flag.value)) list += (list.empty() ? "" : ", ") + std::string(flag.name);
  return list;
}

void check_world_scene(const WorldScenario& s, const Value& root, const Path& path, Mistakes& mistakes) {
  if (s.bodies.empty() && !s.rack && !s.cradle && !s.chain && !s.grid && !s.random && !s.table)
    return mistakes.add(path, root.place(),
                        "needs some of `bodies`, `rack`, `cradle`, `chain`, `grid`, `random` and `table`");
  WorldArrangement arrangement;
  try {
    arrangement = arrangement_of(s);
    World{arrangement.problem};
    // Balls that hop meet their cloth: it needs a material.
    if (std::find(s.compare.begin(), s.compare.end(), WorldVariant::hop) != s.compare.end())
      World{arrangement_of(changed(s, WorldVariant::hop)).problem};
  } catch (const InvalidInput& error) {
    blame(error, arrangement, root, path, mistakes);
  }
}

Kind world_kind() {
  return make_kind<WorldScenario, WorldResult>(
      {"world", "", "A scene in time: bodies fly, tumble, roll, swing and meet, from one impact to the next",
       world_scenario_fields(), run_world_scenario, facts, details, describe});
}

}  // namespace carom::scenario
