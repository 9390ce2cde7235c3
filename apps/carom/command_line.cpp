#include "command_line.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>

#include "carom/schema/mistakes.hpp"

#include "commands.hpp"
#include "manual.hpp"

namespace {

void add_run_options(CLI::App& command, RunOptions& options, const char* folder) {
  command
      .add_option("scenario", options.scenario,
                  "a scenario file, the name of one that `carom list` shows, or - for standard input")
      ->required()
      ->type_name("SCENARIO");
  CLI::Option* output = command
                            .add_option("-o,--output", options.folder,
                                        std::string("folder to write into (default ") + folder +
                                            "); it holds one run: files of the run before are replaced, others stay")
                            ->type_name("DIR");
  command.add_option("--set", options.set, "path=value, e.g. material.friction=0.3: instead of what the file says")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
  CLI::Option* json = command.add_flag("--json", options.json, "print the answer as JSON");
  command.add_flag("-q,--quiet", options.quiet, "print nothing but warnings and errors")->excludes(json);
  command.add_flag("--no-files", options.no_files, "write no tables and pictures")->excludes(output);
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Run a scenario, print the answer and write tables and pictures");
  const auto options = std::make_shared<RunOptions>();
  add_run_options(*command, *options, "out/<scenario>");
  command->footer(
      "Examples:\n  carom run falling_rod_case_2\n  carom run scenarios/disc_and_plank.yaml -o results --json\n"
      "  carom run superball --set material.friction=0.1 --set 'bodies[0].velocity[0]=-2'\n"
      "  carom new rod | carom run - --no-files");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a scenario over many values of one or two of its numbers, on all cores");
  const auto options = std::make_shared<SweepOptions>();
  add_run_options(*command, *options, "out/<scenario>_sweep");
  command
      ->add_option("--vary", options->vary,
                   "path=from:to:steps, path=from:to:steps:log or path=value,value,...; given twice: every combination")
      ->required()
      ->allow_extra_args(false)
      ->type_name("PATH=VALUES");
  command->add_option("--show", options->show, "a fact to draw (default: those that change)")
      ->allow_extra_args(false)
      ->type_name("FACT");
  command->footer(
      "One row per run with every fact of it; a second field that lists its values gives a curve each, otherwise a "
      "map.\n"
      "A path may name any number of the file, or one that the file leaves at its default.\n\n"
      "Examples:\n  carom sweep superball --vary material.friction=0:1:101\n"
      "  carom sweep cradle --vary cradle.angle=5deg:45deg:41 --show speed_exact\n"
      "  carom sweep rod_undamped --vary impact_speed=0.1:8:80 --vary damping=0,0.1,0.2 --show e_energy");
  command->callback([&action, options] { action = [options] { return sweep(*options); }; });
}

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("check", "Check scenario files without running them");
  const auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("scenarios", *files, "scenario files or names, or - for standard input")
      ->required()
      ->type_name("SCENARIO");
  command->footer("Examples:\n  carom check my_scenario.yaml\n  carom check scenarios/*.yaml");
  command->callback([&action, files] { action = [files] { return check(*files); }; });
}

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List the scenarios that come with carom");
  const auto options = std::make_shared<ListOptions>();
  const auto kind = std::make_shared<std::string>();
  CLI::Option* of_kind =
      command->add_option("--kind", *kind, "only those of a kind; without a name, the kinds themselves")
          ->expected(0, 1)
          ->type_name("KIND");
  command->add_flag("--json", options->json, "as JSON");
  command->footer("Examples:\n  carom list\n  carom list --kind\n  carom list --kind world\n  carom list --json");
  command->callback([&action, options, kind, of_kind] {
    if (of_kind->count() > 0) options->kind = *kind;
    action = [options] { return list(*options); };
  });
}

void add_new(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("new", "Start a scenario: one of a kind that runs, with what each key means");
  const auto options = std::make_shared<NewOptions>();
  command->add_option("kind", options->kind, "what it asks for: one that `carom list --kind` shows")
      ->required()
      ->type_name("KIND");
  command->add_option("--model", options->model, "which model answers, where there are several (default: the first)")
      ->type_name("MODEL");
  command->add_option("-o,--output", options->file, "a new file (default: standard output)")->type_name("FILE");
  command->footer(
      "Examples:\n  carom new impact -o my_scenario.yaml\n  carom new impact --model spatial -o my_scenario.yaml\n"
      "  carom new world > my_scene.yaml");
  command->callback([&action, options] { action = [options] { return new_scenario(*options); }; });
}

void add_explain(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("explain", "Say what a flag, a verdict or another word of an answer means");
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("words", options->words, "as the answer writes them (default: list them all)")->type_name("WORD");
  CLI::Option* json = command->add_flag("--json", options->json, "as JSON");
  command->add_flag("--markdown", options->markdown, "all of them as a page")->excludes(json);
  command->footer(
      "Examples:\n  carom explain\n  carom explain jamb energy_gain\n  carom explain --markdown > glossary.md");
  command->callback([&action, options] { action = [options] { return explain(*options); }; });
}

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Compute what the works print, now, and compare: numbers, figures and claims");
  const auto options = std::make_shared<ReproduceOptions>();
  command->add_option("works", options->works, "which works, or files of the same kind (default: all)")
      ->type_name("WORK");
  command->add_option("--only", options->only, "the entry of this id; may be given several times")
      ->allow_extra_args(false)
      ->type_name("ID");
  CLI::Option* json = command->add_flag("--json", options->json, "as JSON");
  CLI::Option* html =
      command->add_option("--html", options->html, "write a page for a browser, figures inside")->type_name("FILE");
  CLI::Option* markdown =
      command->add_option("--markdown", options->markdown, "write pages as in docs/reproduce, with their figures")
          ->type_name("DIR");
  command->add_flag("--list", options->list, "list the works and their entries, compute nothing")
      ->excludes(json)
      ->excludes(html)
      ->excludes(markdown);
  command->footer(
      "Exit code 1 if anything comes out otherwise than the catalogue says.\n\n"
      "Examples:\n  carom reproduce\n  carom reproduce wang-mason-1992\n"
      "  carom reproduce jia-2012 --only jia.fig15b.argmax\n  carom reproduce rodriguez-2010 --html page.html\n"
      "  carom reproduce --markdown docs/reproduce");
  command->callback([&action, options] { action = [options] { return reproduce(*options); }; });
}

void add_validate(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("validate", "Hold the models against measurements: which laws do the data exclude?");
  const auto options = std::make_shared<ValidateOptions>();
  command
      ->add_option("sets", options->sets, "which sets, or files of the same kind (default: all that come with carom)")
      ->type_name("SET");
  command->add_option("--data", options->data, "your table of planar impacts (CSV), for the set planar-impacts")
      ->type_name("FILE");
  command->add_option("--mass", options->mass, "of the body in it [kg]")->check(CLI::PositiveNumber);
  command->add_option("--gyration", options->gyration, "its radius of gyration [m]")->check(CLI::PositiveNumber);
  CLI::Option* json = command->add_flag("--json", options->json, "as JSON");
  command->add_flag("--list", options->list, "list the sets")->excludes(json);
  command->footer(
      "Exit code 1 if a model agrees or is excluded otherwise than a set says.\n\n"
      "Examples:\n  carom validate\n  carom validate oblique-sphere\n"
      "  carom validate planar-impacts --data impacts.csv --mass 0.0364 --gyration 0.01924");
  command->callback([&action, options] { action = [options] { return validate(*options); }; });
}

void add_solve(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("solve", "Answer JSON Lines, one model call per line");
  const auto source = std::make_shared<std::string>("-");
  const auto threads = std::make_shared<int>(0);
  command->add_option("file", *source, "a file, or - for standard input (default)")->type_name("FILE");
  command->add_option("--threads", *threads, "threads; 0, the default, uses every core")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  command->footer(
      "Each line holds a model's name and its fields; the answer comes on the same line of the output.\n"
      "A bad row gets {\"error\":{\"field\",\"message\"}} and exit code 1. See docs/solve.md.\n\n"
      "Examples:\n  carom solve rows.jsonl > answers.jsonl\n  generate | carom solve - --threads 1");
  command->callback([&action, source, threads] { action = [source, threads] { return solve(*source, *threads); }; });
}

void add_schema(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of scenario files, for editors");
  const auto rows = std::make_shared<bool>(false);
  command->add_flag("--rows", *rows, "instead that of the rows of `carom solve` and of their answers");
  command->footer("Examples:\n  carom schema > scenario.schema.json\n  carom schema --rows > solve.schema.json");
  command->callback([&action, rows] { action = [rows] { return schema(*rows); }; });
}

void add_manual(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page, or what a shell needs to complete commands");
  const auto shell = std::make_shared<std::string>();
  command->add_option("--completion", *shell, "bash, zsh or fish: the completions of that shell")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL");
  command->footer(
      "Examples:\n  carom manual | man -l -\n  carom manual --completion bash > "
      "~/.local/share/bash-completion/completions/carom");
  command->callback([&app, &action, shell] {
    action = [&app, shell] {
      std::cout << (shell->empty() ? manual_page(app) : completion(app, *shell));
      return fine;
    };
  });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

std::unique_ptr<CLI::App> command_line(Action& action) {
  auto app = std::make_unique<CLI::App>("carom: what happens when bodies hit each other?", "carom");
  app->set_version_flag("--version", std::string("carom ") + CAROM_VERSION);
  app->require_subcommand(1);
  app->footer(
      "Examples:\n"
      "  carom list\n"
      "  carom run falling_rod_case_2\n"
      "  carom new impact -o my_scenario.yaml\n"
      "  carom run my_scenario.yaml -o results\n"
      "  carom sweep superball --vary material.friction=0:1:101\n"
      "  carom check my_scenario.yaml\n"
      "  carom explain jamb\n"
      "  echo '{\"model\":\"planar\",\"law\":\"poisson\",\"W\":[[2.5,-1.5],[-1.5,2.5]],\"v\":[0.6,-1],\"mu\":0.7,"
      "\"e\":0.5}' | carom solve -\n"
      "\nExit code: 0 fine, 1 the run failed, 2 bad input.");
  for (const auto add : {add_run, add_sweep, add_check, add_list, add_new, add_explain, add_reproduce, add_validate,
                         add_solve, add_schema, add_manual})
    add(*app, action);
  return app;
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  using carom::schema::suggestion;
  const std::vector<std::string> commands = command_names(app);
  if (arguments.empty()) return "carom: needs a command; `carom --help` shows them";
  const std::string& word = arguments.front();
  const auto known = std::find(commands.begin(), commands.end(), word);
  if (known == commands.end() && !word.starts_with("-")) {
    const std::string meant = suggestion(word, commands);
    return "carom: there is no command '" + word + "'" + meant + (meant.empty() ? ";" : "") +
           " `carom --help` shows them";
  }
  const CLI::App* command = known != commands.end() ? app.get_subcommand(*known) : &app;
  const std::string name = command == &app ? "carom" : "carom " + *known;
  const std::string help = " `" + name + " --help` shows what it takes";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command->get_options())
      for (const std::string& each : option->get_lnames()) options.push_back("--" + each);
    for (const std::string& extra : app.remaining(true)) {
      const bool option = extra.starts_with("-");
      const std::string meant = option ? suggestion(extra, options) : "";
      return name + ": " + (option ? "there is no option '" : "did not expect '") + extra + "'" + meant +
             (meant.empty() ? ";" : "") + help;
    }
  }
  return name + ": " + error.what() + ";" + help;
}
