#!/usr/bin/env bash
# cli_test.sh <carom> <scenarios>: what a person or a script sees of the command line: output, files and exit codes.
set -uo pipefail
carom=$1
scenarios=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# expect <what> <exit code> <text in the output> <command...>
expect() {
  local what=$1 code=$2 text=$3
  shift 3
  local output got
  output=$("$@" 2>&1)
  got=$?
  if [ "$got" -ne "$code" ] || [[ "$output" != *"$text"* ]]; then
    echo "FAILED: $what: exit code $got (wanted $code), output:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

expect "version" 0 "carom " "$carom" --version
expect "help has examples" 0 "Examples:" "$carom" --help
for command in run sweep check list new explain reproduce validate solve schema manual; do
  expect "help of $command has examples" 0 "Example" "$carom" "$command" --help
done
expect "no command" 2 "needs a command" "$carom"
expect "unknown command" 2 "there is no command 'fly'; \`carom --help\`" "$carom" fly
expect "a misspelt command" 2 "there is no command 'lst', did you mean 'list'?" "$carom" lst
expect "a misspelt option" 2 "carom run: there is no option '--jsn', did you mean '--json'?" "$carom" run cradle --jsn
expect "one word too many" 2 "carom run: did not expect 'again'" "$carom" run cradle again
expect "a word too few" 2 "carom run: scenario is required" "$carom" run
expect "list" 0 "falling_rod_case_2" "$carom" list
expect "list as JSON" 0 '"name":"falling_rod_case_2"' "$carom" list --json

expect "run by name" 0 "out/falling_rod_case_2/routh_diagram.svg" "$carom" run falling_rod_case_2
for file in report.json laws.csv trace.csv bodies.csv routh_diagram.svg; do
  [ -s "out/falling_rod_case_2/$file" ] || { echo "FAILED: run wrote no $file"; failures=$((failures + 1)); }
done
expect "run by file" 0 "C-sticking" "$carom" run "$scenarios/falling_rod_case_2.yaml" -o elsewhere
[ -s elsewhere/report.json ] || { echo "FAILED: -o wrote nothing"; failures=$((failures + 1)); }
expect "run as JSON" 0 '"C-sticking"' "$carom" run falling_rod_case_2 --json
expect "run with another friction" 0 "C-reversed" "$carom" run falling_rod_case_2 --set material.friction=0.05
expect "a setting that is refused" 2 "material.friction: must be >= 0, got -1" "$carom" run falling_rod_case_2 --set material.friction=-1
expect "a setting of nothing" 2 "did you mean 'friction'" "$carom" run falling_rod_case_2 --set material.fricton=1
expect "a sweep" 0 "sweep_velocity_after.svg" "$carom" sweep falling_rod_case_2 --vary material.friction=0:1:11
expect "a sweep over two numbers" 0 "12 runs over" "$carom" sweep falling_rod_case_2 --vary material.friction=0:1:4 --vary material.restitution=0,0.5,1 --show energy_after
expect "a sweep of a generator" 0 "cradle_sweep/sweep.csv" "$carom" sweep cradle --vary cradle.angle=5deg:45deg:3
# The examples of its help.
for example in "superball --vary material.friction=0:1:101" "cradle --vary cradle.angle=5deg:45deg:41 --show speed_exact" \
  "rod_undamped --vary impact_speed=0.1:8:80 --vary damping=0,0.1,0.2 --show e_energy"; do
  expect "help of sweep has: $example" 0 "$example" "$carom" sweep --help
  # shellcheck disable=SC2086
  expect "sweep $example" 0 "runs over" "$carom" sweep $example
done
expect "a fact that is nowhere" 2 "there are springs, verdict" "$carom" sweep cradle --vary cradle.angle=0.1:0.2:2 --show xyz
expect "a sweep of nothing" 2 "did you mean 'friction'" "$carom" sweep falling_rod_case_2 --vary material.fricton=0:1:3
expect "a sweep that is none" 2 "--vary: must be path=from:to:steps" "$carom" sweep falling_rod_case_2 --vary friction
expect "a fact that is none" 2 "did you mean 'energy_after'" "$carom" sweep falling_rod_case_2 --vary material.friction=0:1:3 --show energy_aftr
expect "a setting that is none" 2 "must be path=value" "$carom" run falling_rod_case_2 --set friction
expect "run of nothing" 2 "no_such_scenario: there is no such file, nor does a scenario of this name come with carom; \`carom list\` shows those that do" "$carom" run no_such_scenario
expect "a misspelt scenario" 2 "did you mean 'falling_rod_case_2'? \`carom list\` shows them all" "$carom" run fallng_rod_case_2
expect "a misspelt file" 2 "./mine.yml: there is no such file, did you mean './mine.yaml'?" sh -c "touch mine.yaml; \"$carom\" check ./mine.yml"
expect "an empty file" 2 "mine.yaml: is empty: a scenario starts with" "$carom" run mine.yaml
expect "a folder in the way of a name" 0 "Newton's cradle" sh -c "mkdir -p cradle; \"$carom\" run cradle --no-files"
expect "run of standard input" 0 "out/stdin/routh_diagram.svg" sh -c "\"$carom\" run - <\"$scenarios/falling_rod_case_2.yaml\""
expect "check of standard input" 2 "standard input:1: kind: must be one of" sh -c "echo 'kind: impcat' | \"$carom\" check -"
expect "nothing on standard input" 2 "standard input: is empty" "$carom" run - </dev/null

# How much is said, and where.
[ -z "$("$carom" run rod_materials_steel -q 2>&1)" ] || { echo "FAILED: --quiet says something"; failures=$((failures + 1)); }
expect "--quiet still warns" 0 "warning: newton: kinetic energy rises." "$carom" run falling_rod_case_2 --quiet
expect "--quiet and --json" 2 "excludes" "$carom" run cradle --quiet --json
"$carom" run tennis_racket --no-files >no_files || { echo "FAILED: --no-files"; failures=$((failures + 1)); }
[ -e out/tennis_racket ] && { echo "FAILED: --no-files wrote files"; failures=$((failures + 1)); }
grep -q "Written" no_files && { echo "FAILED: --no-files says it wrote"; failures=$((failures + 1)); }
# Every table fits, whatever the width; a long one names its file.
for width in 60 80 100 160; do
  for name in falling_rod_case_2 icosahedron_tetrahedron nine_ball_follow five_bounces batting; do
    COLUMNS=$width "$carom" run "$name" -o "wide_$name" | sed '/^Written:/,$d' >shown
    widest=$(LC_ALL=C.UTF-8 wc -L <shown)
    [ "$widest" -le "$width" ] || { echo "FAILED: $name is $widest wide on $width columns"; failures=$((failures + 1)); }
  done
done
expect "a long table names its file" 0 "more rows, all in out/five_bounces/trajectories.csv" "$carom" run five_bounces
# Colours: on a terminal only, and not where they are refused. (script makes a terminal.)
if command -v script >/dev/null; then
  escape=$(printf '\033[1m')
  [[ "$(TERM=xterm script -qec "\"$carom\" run cradle --no-files" /dev/null)" == *"$escape"* ]] ||
    { echo "FAILED: no colours on a terminal"; failures=$((failures + 1)); }
  for refused in NO_COLOR=1 TERM=dumb; do
    [[ "$(env TERM=xterm $refused script -qec "\"$carom\" run cradle --no-files" /dev/null)" == *"$escape"* ]] &&
      { echo "FAILED: colours although $refused"; failures=$((failures + 1)); }
  done
fi

# A folder holds one run.
expect "first run" 0 "shared/routh_diagram.svg" "$carom" run falling_rod_case_2 -o shared
echo mine >shared/notes.txt
expect "second run" 0 "shared/trajectories.csv" "$carom" run five_bounces -o shared
[ -e shared/routh_diagram.svg ] && { echo "FAILED: two runs are mixed in one folder"; failures=$((failures + 1)); }
[ "$(cat shared/notes.txt)" = mine ] || { echo "FAILED: a file of somebody else is gone"; failures=$((failures + 1)); }
echo mine >shared/routh_diagram.svg
expect "somebody's file in the way" 1 "shared/routh_diagram.svg: is there already, and carom did not write it" "$carom" run falling_rod_case_2 -o shared
[ "$(cat shared/routh_diagram.svg)" = mine ] && [ -e shared/trajectories.csv ] ||
  { echo "FAILED: a refused run touched the folder"; failures=$((failures + 1)); }

# New scenarios of every kind pass and run.
expect "the kinds" 0 "pendulum, drop" "$carom" list --kind
expect "the kinds as JSON" 0 '"example":"five_bounces"' "$carom" list --kind --json
expect "one kind" 0 "rod_structural" "$carom" list --kind rod
[[ "$("$carom" list --kind rod)" == *cradle* ]] && { echo "FAILED: --kind shows others"; failures=$((failures + 1)); }
expect "no kind" 2 "there is no kind 'wrld', did you mean 'world'?" "$carom" list --kind wrld
"$carom" list --kind | sed 's/,* .*//' | grep . | sort -u >kinds
[ "$(wc -l <kinds)" -ge 12 ] || { echo "FAILED: only $(wc -l <kinds) kinds"; failures=$((failures + 1)); }
for kind in impact collide rod flight world normal_impact contact_parameters stick_slip pendulum tick batting fit fem rest_shape; do
  expect "new $kind" 0 "Written: new_$kind.yaml" "$carom" new "$kind" -o "new_$kind.yaml"
  expect "check of new $kind" 0 "fine ($kind" "$carom" check "new_$kind.yaml"
  expect "run of new $kind" 0 "" "$carom" run "new_$kind.yaml" --quiet --no-files
  grep -q "  # " "new_$kind.yaml" || { echo "FAILED: new $kind explains nothing"; failures=$((failures + 1)); }
done
for model in "impact planar" "impact spatial" "impact compliant" "pendulum impact" "pendulum drop"; do
  expect "new $model" 0 "" sh -c "\"$carom\" new ${model% *} --model ${model#* } | \"$carom\" run - -q --no-files"
done
expect "new over a file" 2 "new_rod.yaml: is there already and stays as it is" "$carom" new rod -o new_rod.yaml
expect "new of no kind" 2 "there is no kind 'imapct', did you mean 'impact'?" "$carom" new imapct
expect "new of no model" 2 "did you mean 'planar'?" "$carom" new impact --model planr

expect "what a word means" 0 "Friction drives the contact into itself" "$carom" explain jamb
expect "a word with its parameter" 0 "lies beyond the bound" "$carom" explain at_bound:mu
expect "all words" 0 "near_tangency" "$carom" explain
expect "a word as JSON" 0 '"what":"flag"' "$carom" explain jamb --json
expect "no word" 2 "there is no word 'jam', did you mean 'jamb'?" "$carom" explain jam

expect "what a work prints" 0 "0 not as expected" "$carom" reproduce wang-mason-1992 --only wm.case2.poisson.px
expect "the same as JSON" 0 '"kind": "reproduce"' "$carom" reproduce --only wm.case2.poisson.px --json
expect "as a page for a browser" 0 "0 not as expected" "$carom" reproduce --only wm.case2.poisson.px --only wm.fig1 --html page.html
expect "an entry of the page" 0 "tangential impulse" cat page.html
expect "a figure of the page" 0 "<svg" cat page.html
expect "a page into nowhere" 2 "--html: there is no folder 'nowhere'" "$carom" reproduce --only wm.fig1 --html nowhere/page.html
expect "as pages of the docs" 0 "0 not as expected" "$carom" reproduce --only wm.fig1 --markdown pages
expect "its figure" 0 "figures/disc_and_plank_bodies.svg" cat pages/wang-mason-1992.md
expect "beside it" 0 "<svg" cat pages/figures/disc_and_plank_bodies.svg
expect "entries of the works" 0 "wm.case2.poisson.px" "$carom" reproduce --list
expect "no such work" 2 "there is no work 'wang-mason-1993', did you mean 'wang-mason-1992'?" "$carom" reproduce wang-mason-1993
expect "no such entry" 2 "there is no entry 'wm.fig22', did you mean 'wm.fig2'?" "$carom" reproduce --only wm.fig22
sed 's/^  printed: 0.8$/  printed: 0.9/' "$scenarios/../reproduce/wang-mason-1992.yaml" >changed.yaml
expect "a print that is changed" 1 "1 not as expected" "$carom" reproduce changed.yaml --only wm.case2.newton.threshold
expect "a measured set" 0 "excluded" "$carom" validate oblique-sphere
expect "a set as JSON" 0 '"kind": "validate"' "$carom" validate oblique-sphere --json
expect "sets" 0 "planar-impacts (needs --data)" "$carom" validate --list
expect "no such set" 2 "there is no set 'cradel', did you mean 'cradle'?" "$carom" validate cradel
expect "impacts that are not there" 2 "cannot be opened" "$carom" validate planar-impacts --data nowhere.csv
expect "impacts of nobody" 2 "needs the measured impacts: --data FILE" "$carom" validate planar-impacts

# The manual and the completions name every command and option that there is.
"$carom" manual >carom.1
plain=$(sed 's/[\]-/-/g' carom.1)
for shell in bash zsh fish; do "$carom" manual --completion "$shell" >"carom.$shell"; done
for command in run sweep check list new explain reproduce validate solve schema manual; do
  grep -q "^\.SS $command$" carom.1 || { echo "FAILED: the manual lacks $command"; failures=$((failures + 1)); }
  for option in $("$carom" $command --help | grep -o '^ *\(-[a-z],\)\?--[a-z-]*' | grep -o -- '--[a-z-]*'); do
    grep -q -- "$option" <<<"$plain" || { echo "FAILED: the manual lacks $option"; failures=$((failures + 1)); }
    for shell in bash zsh; do
      grep -q -- "$option" "carom.$shell" || { echo "FAILED: $shell lacks $option"; failures=$((failures + 1)); }
    done
    grep -q -- "-l ${option#--} " carom.fish || { echo "FAILED: fish lacks $option"; failures=$((failures + 1)); }
  done
done
for shell in bash zsh fish; do
  command -v "$shell" >/dev/null || continue
  "$shell" -n "carom.$shell" || { echo "FAILED: $shell cannot read its completions"; failures=$((failures + 1)); }
done
if command -v mandoc >/dev/null; then
  mandoc -T lint -W error carom.1 || { echo "FAILED: the manual page"; failures=$((failures + 1)); }
fi
completed() {
  PATH="$(dirname "$carom"):$PATH" bash -c 'source carom.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom
    echo "${COMPREPLY[*]}"' complete "$@"
}
[ "$(completed carom lis)" = list ] || { echo "FAILED: bash completes no command"; failures=$((failures + 1)); }
[[ "$(completed carom run falling_rod_case_)" == *falling_rod_case_4* ]] ||
  { echo "FAILED: bash completes no scenario"; failures=$((failures + 1)); }
[ "$(completed carom run cradle --no)" = --no-files ] || { echo "FAILED: bash completes no option"; failures=$((failures + 1)); }
[ "$(completed carom new wo)" = world ] || { echo "FAILED: bash completes no kind"; failures=$((failures + 1)); }
[ "$(completed carom explain near_)" = near_tangency ] || { echo "FAILED: bash completes no word"; failures=$((failures + 1)); }
touch in_the_way
expect "output that cannot be written" 1 "in_the_way" "$carom" run falling_rod_case_2 -o in_the_way/below

expect "a scene in time" 0 "out/five_bounces/trajectories.csv" "$carom" run five_bounces
for file in events.csv bodies.csv beside.csv strobe.svg energy.svg; do
  [ -s "out/five_bounces/$file" ] || { echo "FAILED: run wrote no $file"; failures=$((failures + 1)); }
done
printf 'kind: world\nchain: {count: 2, speed: 1}\nmaterials: [{restitution: 2}]\nend_time: 1\n' >bad_scene.yaml
expect "a bad scene" 2 "bad_scene.yaml:3: materials[0].restitution: must be in [0, 1], got 2" "$carom" check bad_scene.yaml
# Ctrl-C ends a long run, and what was finished is written.
cat >long.yaml <<'END'
kind: world
gravity: 0
chain: {count: 2, radius: 0.1, gap: 0.1, from: [0.2, 0, 0]}
planes: [{point: [0, 0, 0], normal: [1, 0, 0]}, {point: [1, 0, 0], normal: [-1, 0, 0]}]
materials: [{restitution: 1}]
end_time: 1e9
max_events: 1000000000
END
expect "an interrupted scene" 1 "interrupted at" timeout --preserve-status --signal=INT 1 "$carom" run long.yaml

printf 'kind: impact\nmodel: planar\nmaterial: {friction: -1, restitution: 2}\n' >bad.yaml
expect "bad file" 2 "bad.yaml:3: material.friction: must be >= 0, got -1" "$carom" run bad.yaml
expect "every mistake" 2 "bad.yaml:3: material.restitution: must be in [0, 1], got 2" "$carom" check bad.yaml
[ -e out/bad ] && { echo "FAILED: a bad file left output behind"; failures=$((failures + 1)); }
expect "check" 0 "fine" "$carom" check "$scenarios"/*.yaml

row='{"id":1,"model":"planar","law":"poisson","W":[[2.5,-1.5],[-1.5,2.5]],"v":[0.6,-1],"mu":0.7,"e":0.5}'
echo "$row" >rows.jsonl
expect "solve a file" 0 '{"id":1,"verdict":"separated"' "$carom" solve rows.jsonl
expect "solve standard input" 0 '"C-sticking"' sh -c "\"$carom\" solve - <rows.jsonl"
expect "solve without a file name" 0 '"C-sticking"' sh -c "\"$carom\" solve <rows.jsonl"
expect "solve with a bad row" 1 '"field":"model"' sh -c "(cat rows.jsonl; echo '{}') | \"$carom\" solve - --threads 2"
expect "solve of nothing" 0 "" "$carom" solve /dev/null
expect "solve of no file" 2 "nowhere.jsonl: cannot be opened" "$carom" solve nowhere.jsonl
expect "solve suggests models" 1 "did you mean 'planar'?" sh -c "echo '{\"model\":\"planr\"}' | \"$carom\" solve"
expect "solve knows other names" 1 "unknown key, did you mean 'mu'?" sh -c "echo '{\"model\":\"planar\",\"friction\":1}' | \"$carom\" solve"
expect "solve of a folder" 2 "cannot be opened" "$carom" solve "$work"

# What cannot be delivered is a failure, and so is input that cannot be read.
if [ -w /dev/full ]; then
  for command in "run falling_rod_case_2" "run falling_rod_case_2 --json" list "list --json" schema "check falling_rod_case_2" \
    "solve rows.jsonl" --help --version; do
    expect "$command to a full device" 1 "the output cannot be written" sh -c "\"$carom\" $command >/dev/full"
  done
fi
expect "list to a closed output" 1 "the output cannot be written" sh -c "\"$carom\" list >&-"
expect "solve from a closed input" 2 "standard input: cannot be read" sh -c "\"$carom\" solve <&-"

# A program that waits for each answer before it asks again must get it.
coproc CAROM { "$carom" solve -; }
ask=${CAROM[1]} hear=${CAROM[0]} program=$CAROM_PID # bash forgets these as soon as the program ends
answered=0
for _ in 1 2 3; do
  echo "$row" >&"$ask"
  read -r -t 20 -u "$hear" answer && [[ "$answer" == *separated* ]] && answered=$((answered + 1))
done
eval "exec $ask>&-"
wait "$program" 2>/dev/null
[ "$answered" -eq 3 ] || { echo "FAILED: question and answer: $answered of 3"; failures=$((failures + 1)); }

[ "$failures" -eq 0 ] && echo "all as expected"
exit $((failures > 0))
