// SPDX-License-Identifier: MIT
// Reads problem files.
//
//     {"kind": "local",  "dim": 3, "nc": 2, "mu": [...], "W": {m, n, p, i, x}, "q": [...]}
//     {"kind": "global", ... "M": {...}, "H": {...}, "f": [...], "w": [...], and W, q when M is not made of small
//     blocks}
//     {"kind": "bodies", "groups": [...], "w": [...], "nodes": [{"mass": [...], "free": [...]}],
//                        "entries": [{"group": 0, "node": 0, "rows": [...]}],
//                        "couplings": [{"a": 0, "b": 1, "block": [...]}] if there are any}
//     {"kind": "lcp", "M": [[...], ...], "q": [...], "z": [...]}
//
// Sparse matrices are compressed columns. The first three may have "groups" in place of dim, nc and mu, "compliance",
// and a solution: "reference": {"r": [...]}; all have a "name". Names that are not known are passed over: such files
// come from several places.
#include <string.h>

#include "base/fail.h"
#include "solve/file/problem_kinds.h"

typedef struct owned_problem {
    carom_stored_problem stored; // first: what the caller holds
    crm_arena arena;
} owned_problem;

static const char *read_name(crm_reader *in, const json_t *root) {
    const char *name = json_string_value(json_object_get(root, "name"));
    size_t length = name != NULL ? strlen(name) : 0;
    char *copy = crm_read_room(in, length + 1, 1);
    if (copy != NULL && length > 0) memcpy(copy, name, length);
    return copy;
}

typedef void read_kind(crm_reader *in, const json_t *root, int rows, carom_problem *problem);

static void read_problem(crm_reader *in, const json_t *root, read_kind *kind, carom_stored_problem *out) {
    carom_problem *problem = &out->problem;
    int rows = crm_read_groups(in, root, problem);
    if (in->status != CAROM_OK) return;
    kind(in, root, rows, problem);
    const json_t *compliance = json_object_get(root, "compliance");
    if (compliance != NULL && !json_is_null(compliance))
        problem->compliance = crm_read_numbers(in, compliance, "compliance", rows, NULL);
    const json_t *reference = json_object_get(json_object_get(root, "reference"), "r");
    if (reference != NULL) out->impulse = crm_read_numbers(in, reference, "reference.r", rows, NULL);
    carom_error error;
    if (in->status == CAROM_OK && carom_problem_check(problem, &error) != CAROM_OK) {
        crm_read_fail(in, "%s", error.text);
        if (error.status == CAROM_ERR_NO_MEMORY) crm_read_no_memory(in);
    }
}

static void read_dense(crm_reader *in, const json_t *root, carom_stored_problem *out) {
    out->lcp = crm_read_dense_lcp(in, root);
    const json_t *z = json_object_get(root, "z");
    if (in->status == CAROM_OK && z != NULL && !json_is_null(z))
        out->impulse = crm_read_numbers(in, z, "z", out->lcp->size, NULL);
}

static void read_file(crm_reader *in, const json_t *root, carom_stored_problem *out) {
    static const struct {
        const char *name;
        read_kind *read;
    } kinds[] = {{"local", crm_read_local}, {"global", crm_read_global}, {"bodies", crm_read_bodies}};
    const json_t *kind = json_object_get(root, "kind");
    // Dense problems of others do not say what they are, but have a matrix that no contact problem has.
    bool dense = kind == NULL && json_is_array(json_object_get(root, "M"));
    const char *word = dense ? "lcp" : json_string_value(kind);
    size_t k = 0, count = sizeof kinds / sizeof kinds[0];
    while (k < count && (word == NULL || strcmp(word, kinds[k].name) != 0)) k++;
    if (!json_is_object(root))
        crm_read_fail(in, "the file must be an object: {\"kind\": ...}");
    else if (k < count)
        read_problem(in, root, kinds[k].read, out);
    else if (word != NULL && strcmp(word, "lcp") == 0)
        read_dense(in, root, out);
    else
        crm_read_fail(in, "kind must be local, global, bodies or lcp");
    out->name = read_name(in, root);
}

carom_status carom_problem_read(const char *path, const carom_allocator *allocator, carom_stored_problem **out,
                                carom_error *error) {
    CRM_NEED(path, error);
    CRM_NEED(out, error);
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    *out = NULL;
    owned_problem *owned = hook.allocate(hook.user, sizeof *owned);
    if (owned == NULL) return crm_fail_memory(error, "a problem", sizeof *owned);
    *owned = (owned_problem){.stored = {.name = ""}};
    crm_arena_init(&owned->arena, &hook);
    crm_reader in = {.path = path, .arena = &owned->arena, .error = error, .status = CAROM_OK};
    json_t *root = crm_read_tree(&in);
    if (root != NULL) read_file(&in, root, &owned->stored);
    json_decref(root);
    if (in.status != CAROM_OK) {
        carom_stored_problem_destroy(&owned->stored);
        return in.status;
    }
    *out = &owned->stored;
    return CAROM_OK;
}

void carom_stored_problem_destroy(carom_stored_problem *stored) {
    if (stored == NULL) return;
    owned_problem *owned = (owned_problem *)stored;
    carom_allocator hook = owned->arena.allocator;
    crm_arena_free(&owned->arena);
    hook.release(hook.user, owned, sizeof *owned);
}
