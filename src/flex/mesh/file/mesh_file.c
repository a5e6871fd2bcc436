// SPDX-License-Identifier: MIT
// Meshes from files and their texts.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "flex/mesh/file/mesh_draft.h"

// Files are at most so large, bytes: lines are counted by an int.
enum { MOST_BYTES = 1 << 30 };

// How much of a path sentences show.
enum { SHOWN = 160 };

static carom_status refuse_size(const char *name, carom_error *error) {
    return crm_fail(error, CAROM_ERR_TOO_LARGE, "%.*s: it is larger than %d MB; make the mesh coarser", SHOWN, name,
                    MOST_BYTES >> 20);
}

// "part.node" to "part.ele", or the other way. False where it is too long.
static bool other_name(const char *name, const char *end, char out[PATH_MAX]) {
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    size_t stem = dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - name) : strlen(name);
    if (stem + strlen(end) >= PATH_MAX) return false;
    memcpy(out, name, stem);
    strcpy(out + stem, end);
    return true;
}

carom_status carom_mesh_parse(carom_mesh_format format, const char *name, const char *text, size_t size,
                              const char *elements, size_t elements_size, int order, const carom_allocator *allocator,
                              carom_mesh **out, carom_error *error) {
    CRM_NEED(name, error);
    CRM_NEED(text, error);
    CRM_NEED(out, error);
    bool tetgen = format == CAROM_MESH_TETGEN;
    if ((unsigned)format >= CAROM_MESH_FORMAT_COUNT) return crm_refuse(error, "format is %d, there is none", format);
    if (order < 0 || order > 2) return crm_refuse(error, "order is %d, must be 0, 1 or 2", order);
    if (tetgen && elements == NULL)
        return crm_refuse(error, "%.*s: elements is NULL; give the text of the .ele file", SHOWN, name);
    if (size > MOST_BYTES || (tetgen && elements_size > MOST_BYTES)) return refuse_size(name, error);
    char ele[PATH_MAX];
    if (!other_name(name, ".ele", ele)) return crm_refuse(error, "%.*s...: the name is too long", SHOWN, name);
    crm_mesh_text first, second;
    crm_mesh_draft draft;
    crm_mesh_draft_start(&draft, allocator);
    crm_mesh_text_start(&first, name, text, size, tetgen, error);
    crm_mesh_text_start(&second, ele, tetgen ? elements : "", tetgen ? elements_size : 0, true, error);
    bool good = tetgen ? crm_mesh_read_tetgen(&first, &second, &draft) : crm_mesh_read_gmsh(&first, &draft);
    carom_status status = good                       ? crm_mesh_draft_build(&draft, order, allocator, out, error)
                          : first.status != CAROM_OK ? first.status
                                                     : second.status;
    crm_mesh_draft_free(&draft);
    return status;
}

// ---- files

typedef struct bytes {
    char *text;
    size_t size, room;
} bytes;

static carom_status read_open(FILE *file, const char *path, const carom_allocator *allocator, bytes *out,
                              carom_error *error) {
    char piece[16384];
    CRM_ARRAY(char) all = {0};
    carom_status status = CAROM_OK;
    errno = 0;
    for (size_t count; status == CAROM_OK && (count = fread(piece, 1, sizeof piece, file)) > 0;) {
        if ((size_t)all.count + count > MOST_BYTES) {
            status = refuse_size(path, error);
        } else if (!CRM_ARRAY_RESERVE(allocator, &all, (ptrdiff_t)all.count + (ptrdiff_t)count + 1)) {
            status = crm_fail_memory(error, path, (size_t)all.count + count);
        } else {
            memcpy(all.items + all.count, piece, count);
            all.count += (int)count;
        }
    }
    if (status == CAROM_OK && ferror(file))
        status = crm_fail(error, crm_file_status(errno), "%.*s: cannot be read: %s", SHOWN, path, strerror(errno));
    *out = (bytes){all.items, (size_t)all.count, (size_t)all.capacity};
    return status;
}

static carom_status read_file(const char *path, const carom_allocator *allocator, bytes *out, carom_error *error) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return crm_fail(error, crm_file_status(errno), "%.*s: cannot be opened: %s; check the name and the folder",
                        SHOWN, path, strerror(errno));
    carom_status status = read_open(file, path, allocator, out, error);
    fclose(file);
    return status;
}

static bool ends_with(const char *path, const char *end) {
    size_t size = strlen(path), length = strlen(end);
    return size > length && strcmp(path + size - length, end) == 0;
}

carom_status carom_mesh_read(const char *path, int order, const carom_allocator *allocator, carom_mesh **out,
                             carom_error *error) {
    CRM_NEED(path, error);
    CRM_NEED(out, error);
    char nodes[PATH_MAX], elements[PATH_MAX];
    bool gmsh = ends_with(path, ".msh");
    if (!gmsh && !ends_with(path, ".node") && !ends_with(path, ".ele"))
        return crm_refuse(error, "%.*s: a mesh is a .msh of gmsh, or a .node and a .ele of TetGen; name one of them",
                          SHOWN, path);
    if (!other_name(path, gmsh ? ".msh" : ".node", nodes) || !other_name(path, ".ele", elements))
        return crm_refuse(error, "%.*s...: the name is too long", SHOWN, path);
    carom_allocator memory = allocator != NULL ? *allocator : carom_allocator_default();
    bytes first = {0}, second = {0};
    carom_status status = read_file(nodes, &memory, &first, error);
    if (status == CAROM_OK && !gmsh) status = read_file(elements, &memory, &second, error);
    if (status == CAROM_OK)
        status = carom_mesh_parse(gmsh ? CAROM_MESH_GMSH : CAROM_MESH_TETGEN, nodes,
                                  first.text != NULL ? first.text : "", first.size,
                                  second.text != NULL ? second.text : "", second.size, order, allocator, out, error);
    if (first.text != NULL) memory.release(memory.user, first.text, first.room);
    if (second.text != NULL) memory.release(memory.user, second.text, second.room);
    return status;
}
