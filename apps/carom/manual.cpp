#include "manual.hpp"

#include <sstream>
#include <vector>

#include "commands.hpp"

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
  std::vector<const CLI::Option*> found;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional() == positional) found.push_back(option);
  return found;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// "-o", "--output"
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

/// The words an option can take, where there are few; see command_line().
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find("KIND") != std::string::npos) return kind_names();
  if (type.find("WORD") != std::string::npos) return glossary_words();
  if (type.find("SHELL") != std::string::npos) return {"bash", "zsh", "fish"};
  return {};
}

// --- manual ---

std::string troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else
      out += c;
    if (c == '\n') continue;
  }
  return out;
}

/// Text as it stands, line by line.
void literal(std::ostream& out, std::string_view text) {
  out << ".nf\n";
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    out << (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") << troff(line) << "\n";
  out << ".fi\n";
}

void describe(std::ostream& out, const CLI::Option& option) {
  out << ".TP\n";
  if (option.get_positional()) {
    out << "\\fI" << troff(option.get_name(true)) << "\\fR\n";
  } else {
    out << "\\fB" << troff(joined(spellings(option), ", ")) << "\\fR";
    if (takes_value(option)) out << " \\fI" << troff(option.get_type_name()) << "\\fR";
    out << "\n";
  }
  out << troff(option.get_description()) << "\n";
}

// --- shells ---

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash(const CLI::App& app) {
  std::ostringstream out;
  out << "# bash completion of carom\n_carom() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
         "  local words= files=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words="
      << single_quoted([&] {
           std::vector<std::string> all;
           for (const CLI::App* command : commands_of(app)) all.push_back(command->get_name());
           for (const CLI::Option* option : options_of(app, false))
             for (const std::string& one : spellings(*option)) all.push_back(one);
           return joined(all, " ");
         }())
      << "\n  else case $command in\n";
  for (const CLI::App* command : commands_of(app)) {
    out << "    " << command->get_name() << ")\n      case $before in\n";
    std::vector<std::string> flags;
    for (const CLI::Option* option : options_of(*command, false)) {
      for (const std::string& one : spellings(*option)) flags.push_back(one);
      if (!takes_value(*option)) continue;
      out << "        " << joined(spellings(*option), "|") << ") ";
      const std::string type = option->get_type_name();
      if (type == "DIR" || type == "FILE")
        out << "files=" << (type == "DIR" ? "-d" : "-f");
      else if (const auto words = choices(*option); !words.empty())
        out << "words=" << single_quoted(joined(words, " "));
      else
        out << "return";
      out << " ;;\n";
    }
    out << "        *) words=" << single_quoted(joined(flags, " "));
    for (const CLI::Option* option : options_of(*command, true)) {
      const std::string type = option->get_type_name();
      if (type == "SCENARIO")
        out << "\n          [[ $word == -* ]] || { words=$(carom list 2>/dev/null | cut -d' ' -f1); files=-f; }";
      else if (type == "FILE")
        out << "; files=-f";
      else if (const auto words = choices(*option); !words.empty())
        out << "\n          [[ $word == -* ]] || words=" << single_quoted(joined(words, " "));
    }
    out << " ;;\n      esac ;;\n";
  }
  out << "  esac fi\n"
         "  local IFS=$'\\n'\n"
         "  COMPREPLY=($(IFS=$' \\t\\n'; compgen -W \"$words\" -- \"$word\"))\n"
         "  if [ -n \"$files\" ]; then\n    compopt -o filenames 2>/dev/null\n"
         "    COMPREPLY+=($(compgen $files -- \"$word\"))\n  fi\n}\ncomplete -F _carom carom\n";
  return out.str();
}

/// Descriptions of _arguments end at brackets and colons.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == "SCENARIO") return "_carom_scenarios";
  if (type == "DIR") return "_files -/";
  if (type == "FILE") return "_files";
  const auto words = choices(option);
  return words.empty() ? " " : "(" + joined(words, " ") + ")";
}

std::string zsh(const CLI::App& app) {
  std::ostringstream out;
  out << "#compdef carom\n# zsh completion of carom\n_carom_scenarios() {\n"
         "  local -a names\n  names=(${(f)\"$(carom list 2>/dev/null | cut -d' ' -f1)\"})\n"
         "  _alternative 'names:scenario:compadd -a names' 'files:file:_files'\n}\n"
         "_carom() {\n  local -a commands\n  commands=(\n";
  for (const CLI::App* command : commands_of(app))
    out << "    " << single_quoted(command->get_name() + ":" + zsh_text(command->get_description())) << "\n";
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CLI::App* command : commands_of(app)) {
    out << "    " << command->get_name() << ")\n      _arguments";
    for (const CLI::Option* option : options_of(*command, false))
      for (const std::string& one : spellings(*option)) {
        std::string text = (option->get_items_expected_max() > 0 && one.starts_with("--") ? "*" : "") + one + "[" +
                           zsh_text(option->get_description()) + "]";
        if (takes_value(*option)) text += ":" + zsh_text(option->get_type_name()) + ":" + zsh_action(*option);
        out << " \\\n        " << single_quoted(text);
      }
    for (const CLI::Option* option : options_of(*command, true))
      out << " \\\n        " << single_quoted("*:" + zsh_text(option->get_name(true)) + ":" + zsh_action(*option));
    out << " ;;\n";
  }
  out << "  esac\n}\nif [ \"$funcstack[1]\" = _carom ]; then\n  _carom \"$@\"\nelse\n  compdef _carom carom\nfi\n";
  return out.str();
}

std::string fish(const CLI::App& app) {
  std::ostringstream out;
  out << "# fish completion of carom\ncomplete -c carom -f\n";
  for (const CLI::App* command : commands_of(app))
    out << "complete -c carom -n __fish_use_subcommand -a " << command->get_name() << " -d "
        << single_quoted(command->get_description()) << "\n";
  const auto names = [&out](const CLI::Option& option) {
    for (const std::string& name : option.get_snames()) out << " -s " << name;
    for (const std::string& name : option.get_lnames()) out << " -l " << name;
  };
  for (const CLI::Option* option : options_of(app, false)) {
    out << "complete -c carom -n __fish_use_subcommand";
    names(*option);
    out << " -d " << single_quoted(option->get_description()) << "\n";
  }
  for (const CLI::App* command : commands_of(app)) {
    const std::string here = "complete -c carom -n '__fish_seen_subcommand_from " + command->get_name() + "'";
    for (const CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      out << here;
      if (!option->get_positional()) names(*option);
      if (!option->get_positional() && takes_value(*option)) out << " -r";
      if (type == "SCENARIO")
        out << " -F -a '(carom list 2>/dev/null | string split -f1 \" \")'";
      else if (type == "DIR" || type == "FILE")
        out << " -F";
      else if (const auto words = choices(*option); !words.empty())
        out << " -a " << single_quoted(joined(words, " "));
      if (!option->get_positional()) out << " -d " << single_quoted(option->get_description());
      out << "\n";
    }
  }
  return out.str();
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::ostringstream out;
  out << ".TH CAROM 1 \"\" \"carom " << CAROM_VERSION << "\" \"User Commands\"\n.SH NAME\n"
      << "carom \\- what happens when bodies hit each other\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(app)) {
    out << ".B carom " << command->get_name() << "\n";
    for (const CLI::Option* option : options_of(*command, true)) {
      const std::string name = "\\fI" + troff(option->get_name(true)) + "\\fR";
      out << (option->get_required() ? name : "[" + name + "]") << (option->get_items_expected_max() > 1 ? " ..." : "")
          << "\n";
    }
    out << "[\\fIoptions\\fR]\n.br\n";
  }
  out << ".SH DESCRIPTION\ncarom answers what happens when bodies hit each other: friction, spin, slip that ends or\n"
         "reverses, three meanings of restitution, and where the energy went. A scenario is a YAML or JSON file.\n"
         ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    out << ".SS " << command->get_name() << "\n" << troff(command->get_description()) << ".\n";
    for (const bool positional : {true, false})
      for (const CLI::Option* option : options_of(*command, positional)) describe(out, *option);
    if (const std::string footer = command->get_footer(); !footer.empty()) {
      out << ".PP\n";
      literal(out, footer);
    }
  }
  out << ".SH OPTIONS\n";
  for (const CLI::Option* option : options_of(app, false)) describe(out, *option);
  out << ".SH EXIT STATUS\n0 fine, 1 the run failed (or a row had an error), 2 bad input.\n"
         ".SH ENVIRONMENT\n.TP\n.B COLUMNS\nthe width that tables and text are set to; else that of the terminal, or "
         "100 "
         "in a pipe.\n.TP\n.B NO_COLOR\nwhen set, no colours are written to a terminal.\n.SH EXAMPLES\n";
  literal(out, app.get_footer());
  return out.str();
}

std::string completion(const CLI::App& app, std::string_view shell) {
  return shell == "bash" ? bash(app) : shell == "zsh" ? zsh(app) : fish(app);
}
