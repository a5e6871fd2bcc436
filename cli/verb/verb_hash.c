// SPDX-License-Identifier: MIT
// The hash of a run's last state: two runs that agree to the bit have the same.
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "run/run_summary.h"
#include "verb/verb.h"

typedef struct hash_options {
    bool json;
} hash_options;

static const option hash_table[] = {
    {.name = "--json", .offset = offsetof(hash_options, json), .help = "one object"},
    {.name = NULL},
};

static int run_hash(int argument_count, char **arguments) {
    hash_options options = {0};
    int words = read_options("hash", hash_table, argument_count, arguments, &options);
    if (words < 0 || !check_one_word(&verb_hash, "a recording", words, arguments)) return EXIT_BAD_INPUT;
    run_summary summary;
    int code = read_summary(arguments[0], &summary);
    if (code != EXIT_GOOD) return code;
    const carom_recording_info *info = &summary.info;
    if (options.json) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "recording", arguments[0]);
        jsonl_hash(&json, "hash", info->hash);
        jsonl_int(&json, "steps", info->step_count);
        jsonl_bool(&json, "finished", info->finished);
        jsonl_end(&json);
        return EXIT_GOOD;
    }
    printf("%016" PRIx64 "\n", info->hash);
    if (!info->finished)
        note("%s: the run is not finished; this is the hash after step %" PRId64, arguments[0], info->step_count);
    return EXIT_GOOD;
}

const verb verb_hash = {
    .name = "hash",
    .group = GROUP_LOOK,
    .arguments = "RUN [--json]",
    .summary = "the hash of a recording's last state",
    .help = "Sixteen hexadecimal digits over everything that influences later bits. Equal hashes mean equal runs.",
    .options = hash_table,
    .run = run_hash,
};
