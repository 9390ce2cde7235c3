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
for command in run check list solve schema; do
  expect "help of $command has examples" 0 "Example" "$carom" "$command" --help
done
expect "no command" 2 "subcommand" "$carom"
expect "unknown command" 2 "" "$carom" fly
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
expect "run of nothing" 2 "no_such_scenario: cannot be opened" "$carom" run no_such_scenario
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
