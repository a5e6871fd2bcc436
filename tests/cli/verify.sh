#!/usr/bin/env bash
# verify: the table, the machine form and the exit codes.
#
#   tests/cli/verify.sh PROGRAM ROOT JSON_LINES
set -uo pipefail
program=$(realpath "$1") root=$(realpath "$2") reader=$(realpath "$3")
source "$(dirname "$0")/support.sh"
cd "$work" || exit 1
data=$root/tests/data

# All sets together: a table with a row each, then as objects with exactly the documented members in their order.
sets=("$data"/*.json)
expect 0 "worst" -- verify "${sets[@]}"
for set in "${sets[@]}"; do expect 0 "$(basename "$set")" -- verify "$set"; done
"$program" verify "${sets[@]}" --json >out.jsonl || complain "verify --json fails where verify does not"
answer=$("$reader" <out.jsonl) || complain "$answer"
same "number of objects" "$(wc -l <out.jsonl)" "${#sets[@]}"
whole='^\{"file":"[^"]*","cases":[0-9]+,"passed":[0-9]+,"failed":0,"unsupported":0,"unsupported_kinds":"","not_compared":"[^"]*","worst":(null|\{"id":"[^"]*","quantity":"[^"]*","error":[^,]+,"tolerance":[^,]+\})\}$'
strange=$(grep -vE "$whole" out.jsonl)
same "objects of another form" "$strange" ""

# What is expected and not compared is named.
expect 0 "not compared: verified_to" -- verify "$data/dynamics.json"
expect 0 '"not_compared":"certificate"' -- verify "$data/ssh.json" --json

# Kinds that are not supported are named: nothing of them was checked.
cat >later.json <<'JSON'
{"name": "dynamics", "tolerance": {"all": 1e-9}, "cases": [{"id": "x_1", "input": {"system": "perpetuum_mobile"}, "expected": {}}]}
JSON
expect 1 "later.json: 1 of 1 cases are of kinds that carom does not check: perpetuum_mobile" -- verify later.json
expect 1 '"unsupported":1,"unsupported_kinds":"perpetuum_mobile"' -- verify later.json --json
echo '{"name": "wobble", "cases": [1, 2]}' >wobble.json
expect 1 "wobble.json: 2 of 2 cases are of kinds that carom does not check: wobble" -- verify wobble.json "$data/mass.json"

# A wrong number is found: exit code 1, in both forms, with the case and the quantity.
sed -E 's/"volume": *[0-9.e+-]+/"volume": 77/' "$data/mass.json" >wrong.json
cmp -s wrong.json "$data/mass.json" && complain "no number was changed"
expect 1 "wrong.json" -- verify wrong.json
expect 1 '"quantity":"volume"' -- verify wrong.json --json
# A file that cannot be read does not keep the others from being checked.
expect 2 "mass.json" -- verify missing.json "$data/mass.json"
expect 2 "missing.json" -- verify missing.json "$data/mass.json" --json
echo '{"name": 3' >broken.json
expect 2 "broken.json" -- verify broken.json
expect 2 "/" -- verify /
verdict "reference data is checked as documented"
