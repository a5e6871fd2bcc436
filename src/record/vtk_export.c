// SPDX-License-Identifier: MIT
// Flexible bodies for ParaView: NAME.pvd, a list of times, and NAME/000000.vtu and so on, one file a frame, with the
// tetrahedra, velocities and fields of all flexible bodies. All are written before the first has its name, and the list
// is named last: where it is, all of it is.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "carom/flex.h"
#include "record/file/base64.h"
#include "record/file/database.h"
#include "record/file/fresh_file.h"
#include "record/recording.h"

// How every file begins, so that nothing else is ever overwritten.
static const char signature[] = "<?xml version=\"1.0\"?>\n<!-- carom -->\n";
// VTK's numbers of kinds of cells: their nodes are in our order.
enum { VTK_TETRA = 10, VTK_QUADRATIC_TETRA = 24, NAME_ROOM = 32 };

typedef struct exporter {
    const carom_recording *recording;
    carom_recording_info info;
    int nodes, elements; // of all flexible bodies
    carom_body_state *bodies;
    carom_vec3 *position; // of all nodes
    double *field[CAROM_FLEX_FIELD_COUNT];
    unsigned char *packed; // an array before it is encoded
    size_t packed_room;
} exporter;

// ---- arrays

// As VTK has them in one line: the number of bytes, and the bytes.
static void put_array(FILE *to, const char *type, const char *name, int components, const unsigned char *bytes,
                      size_t size) {
    unsigned char head[8];
    crm_put_u64(head, size);
    fprintf(to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name,
            components);
    crm_base64 base64 = {.to = to};
    crm_base64_put(&base64, head, sizeof head);
    crm_base64_put(&base64, bytes, size);
    crm_base64_end(&base64);
    fputs("</DataArray>\n", to);
}

typedef carom_vec3 node_vector(const carom_body_state *body);

static carom_vec3 position_of(const carom_body_state *body) {
    return body->position;
}

static carom_vec3 velocity_of(const carom_body_state *body) {
    return body->velocity;
}

static void put_vectors(exporter *x, FILE *to, const char *name, node_vector *vector) {
    unsigned char *at = x->packed;
    for (int f = 0; f < x->info.flex_count; f++) {
        const carom_recorded_flex *flex = carom_recording_flex(x->recording, f);
        for (int n = 0; n < carom_mesh_node_count(flex->mesh); n++)
            at = crm_put_vec3(at, vector(&x->bodies[flex->first_body + n]));
    }
    put_array(to, "Float64", name, 3, x->packed, 24 * (size_t)x->nodes);
}

static void put_numbers(exporter *x, FILE *to, const char *name, const double *value) {
    unsigned char *at = x->packed;
    for (int n = 0; n < x->nodes; n++) at = crm_put_double(at, value[n]);
    put_array(to, "Float64", name, 1, x->packed, 8 * (size_t)x->nodes);
}

static void put_cells(exporter *x, FILE *to) {
    unsigned char *at = x->packed;
    uint64_t offset = 0;
    int first = 0;
    fputs("<Cells>\n", to);
    for (int f = 0; f < x->info.flex_count; f++) {
        const carom_mesh *mesh = carom_recording_flex(x->recording, f)->mesh;
        const int32_t *node = carom_mesh_elements(mesh);
        int numbers = CAROM_ELEMENT_NODES(carom_mesh_order(mesh)) * carom_mesh_element_count(mesh);
        for (int k = 0; k < numbers; k++, at += 8) crm_put_u64(at, (uint64_t)(first + node[k]));
        first += carom_mesh_node_count(mesh);
    }
    put_array(to, "Int64", "connectivity", 1, x->packed, (size_t)(at - x->packed));
    at = x->packed;
    for (int f = 0; f < x->info.flex_count; f++) {
        const carom_mesh *mesh = carom_recording_flex(x->recording, f)->mesh;
        for (int e = 0; e < carom_mesh_element_count(mesh); e++, at += 8)
            crm_put_u64(at, offset += (uint64_t)CAROM_ELEMENT_NODES(carom_mesh_order(mesh)));
    }
    put_array(to, "Int64", "offsets", 1, x->packed, (size_t)(at - x->packed));
    at = x->packed;
    for (int f = 0; f < x->info.flex_count; f++) {
        const carom_mesh *mesh = carom_recording_flex(x->recording, f)->mesh;
        for (int e = 0; e < carom_mesh_element_count(mesh); e++)
            *at++ = carom_mesh_order(mesh) == 2 ? VTK_QUADRATIC_TETRA : VTK_TETRA;
    }
    put_array(to, "UInt8", "types", 1, x->packed, (size_t)(at - x->packed));
    fputs("</Cells>\n", to);
}

// Which flexible body every element is of.
static void put_owners(exporter *x, FILE *to) {
    unsigned char *at = x->packed;
    for (int f = 0; f < x->info.flex_count; f++) {
        int elements = carom_mesh_element_count(carom_recording_flex(x->recording, f)->mesh);
        for (int e = 0; e < elements; e++, at += 4) crm_put_u32(at, (uint32_t)f);
    }
    fputs("<CellData>\n", to);
    put_array(to, "Int32", "body", 1, x->packed, (size_t)(at - x->packed));
    fputs("</CellData>\n", to);
}

static void write_frame(exporter *x, FILE *to) {
    fprintf(
        to,
        "%s<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
        signature, x->nodes, x->elements);
    put_vectors(x, to, "position", position_of);
    fputs("</Points>\n", to);
    put_cells(x, to);
    fputs("<PointData>\n", to);
    put_vectors(x, to, "velocity", velocity_of);
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++)
        put_numbers(x, to, carom_flex_field_name((carom_flex_field_kind)k), x->field[k]);
    fputs("</PointData>\n", to);
    put_owners(x, to);
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", to);
}

// ---- frames

static carom_status read_frame(exporter *x, int64_t frame, double *time, carom_error *error) {
    carom_status status = carom_recording_get_frame(x->recording, frame, time, NULL, x->bodies, error);
    int first = 0, nodes;
    for (int f = 0; f < x->info.flex_count && status == CAROM_OK; f++, first += nodes) {
        const carom_recorded_flex *flex = carom_recording_flex(x->recording, f);
        nodes = carom_mesh_node_count(flex->mesh);
        for (int n = 0; n < nodes; n++) x->position[n] = x->bodies[flex->first_body + n].position;
        for (int k = 0; k < CAROM_FLEX_FIELD_COUNT && status == CAROM_OK; k++) {
            carom_error why;
            double *out = x->field[k] + first;
            carom_status found =
                carom_mesh_field(flex->mesh, &flex->elastic, x->position, (carom_flex_field_kind)k, out, &why);
            if (found == CAROM_ERR_NO_MEMORY) status = found;
            if (found == CAROM_ERR_NO_MEMORY && error != NULL) *error = why;
            for (int n = 0; n < nodes && found != CAROM_OK; n++) out[n] = 0.0; // inverted: there is no stress
        }
    }
    return status;
}

static carom_status take_memory(exporter *x, carom_error *error) {
    size_t numbers = 0;
    for (int f = 0; f < x->info.flex_count; f++) {
        const carom_mesh *mesh = carom_recording_flex(x->recording, f)->mesh;
        x->nodes += carom_mesh_node_count(mesh);
        x->elements += carom_mesh_element_count(mesh);
        numbers += (size_t)CAROM_ELEMENT_NODES(carom_mesh_order(mesh)) * (size_t)carom_mesh_element_count(mesh);
    }
    size_t nodes = (size_t)x->nodes, room = 24 * nodes > 8 * numbers ? 24 * nodes : 8 * numbers;
    x->bodies = calloc((size_t)x->info.body_count, sizeof *x->bodies);
    x->position = calloc(nodes, sizeof *x->position);
    x->packed = malloc(room);
    bool taken = x->bodies != NULL && x->position != NULL && x->packed != NULL;
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++)
        taken &= (x->field[k] = calloc(nodes, sizeof *x->field[k])) != NULL;
    return taken ? CAROM_OK : crm_fail_memory(error, "export", room);
}

static void free_memory(exporter *x) {
    free(x->bodies);
    free(x->position);
    free(x->packed);
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++) free(x->field[k]);
}

// ---- files

static carom_status fail_writing(const char *path, carom_error *error) {
    int number = errno;
    return crm_fail(error, crm_file_status(number),
                    "%s: cannot be written (%s); check the disk and choose another name", crm_shown_path(path),
                    strerror(number));
}

static bool is_export(const char *head) {
    return strncmp(head, signature, sizeof signature - 1) == 0;
}

typedef void write_function(void *context, FILE *to);

// The whole file under a temporary name; crm_fresh_file_end must follow.
static carom_status write_file(crm_fresh_file *file, const char *path, bool overwrite, write_function *write,
                               void *context, carom_error *error) {
    carom_status status = overwrite ? crm_fresh_file_claim(path, is_export, "export", error) : CAROM_OK;
    if (status == CAROM_OK) status = crm_fresh_file_begin(file, path, overwrite, error);
    if (status != CAROM_OK) return status;
    FILE *to = fopen(file->temporary, "w");
    if (to == NULL) return fail_writing(path, error);
    write(context, to);
    bool written = fflush(to) == 0 && !ferror(to);
    if (fclose(to) != 0) written = false;
    return written ? CAROM_OK : fail_writing(path, error);
}

static void write_frame_to(void *context, FILE *to) {
    write_frame(context, to);
}

typedef struct time_list {
    double *time; // s (count)
    int64_t count;
    const char *folder; // beside the list
} time_list;

static void put_name(FILE *to, const char *name) {
    for (; *name != '\0'; name++) switch (*name) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fputc(*name, to);
        }
}

static void write_list(void *context, FILE *to) {
    const time_list *list = context;
    fprintf(to, "%s<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
            signature);
    for (int64_t f = 0; f < list->count; f++) {
        fprintf(to, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", list->time[f]);
        put_name(to, list->folder);
        fprintf(to, "/%06lld.vtu\"/>\n", (long long)f);
    }
    fputs("</Collection>\n</VTKFile>\n", to);
}

// What is to appear: the frames, and the list behind them.
typedef struct file_set {
    char *folder;
    time_list list;
    crm_fresh_file *file; // (list.count + 1)
    bool made_folder;
    int64_t named; // of the files
} file_set;

static carom_status begin_set(file_set *set, const char *path, int64_t frames, carom_error *error) {
    size_t length = strlen(path) - strlen(".pvd");
    set->folder = malloc(length + 1);
    set->list.time = calloc((size_t)frames + 1, sizeof *set->list.time);
    set->file = calloc((size_t)frames + 1, sizeof *set->file);
    if (set->folder == NULL || set->list.time == NULL || set->file == NULL)
        return crm_fail_memory(error, "export", ((size_t)frames + 1) * sizeof *set->file);
    memcpy(set->folder, path, length);
    set->folder[length] = '\0';
    const char *slash = strrchr(set->folder, '/');
    set->list.folder = slash != NULL ? slash + 1 : set->folder;
    set->list.count = frames;
    set->made_folder = mkdir(set->folder, 0777) == 0;
    return set->made_folder || errno == EEXIST ? CAROM_OK : fail_writing(set->folder, error);
}

static carom_status write_set(exporter *x, file_set *set, const char *path, bool overwrite, carom_error *error) {
    size_t room = strlen(set->folder) + NAME_ROOM;
    char *name = malloc(room);
    carom_status status = name != NULL ? CAROM_OK : crm_fail_memory(error, "export", room);
    for (int64_t f = 0; f < set->list.count && status == CAROM_OK; f++) {
        snprintf(name, room, "%s/%06lld.vtu", set->folder, (long long)f);
        status = read_frame(x, f, &set->list.time[f], error);
        if (status == CAROM_OK) status = write_file(&set->file[f], name, overwrite, write_frame_to, x, error);
    }
    free(name);
    return status == CAROM_OK ? write_file(&set->file[set->list.count], path, overwrite, write_list, &set->list, error)
                              : status;
}

// A list that is replaced goes before its frames do.
static carom_status name_set(file_set *set, carom_error *error) {
    crm_fresh_file *list = &set->file[set->list.count];
    carom_status status = CAROM_OK;
    if (list->exists && unlink(list->target) != 0) status = fail_writing(list->target, error);
    list->exists = false;
    while (set->named <= set->list.count && status == CAROM_OK) {
        status = crm_fresh_file_publish(&set->file[set->named], error);
        if (status == CAROM_OK) set->named++;
    }
    return status;
}

// Of an export that did not succeed nothing stays but what was replaced.
static void end_set(file_set *set, bool whole) {
    for (int64_t f = 0; f <= set->list.count && set->file != NULL; f++) {
        if (!whole && f < set->named && !set->file[f].exists) unlink(set->file[f].target);
        crm_fresh_file_end(&set->file[f]);
    }
    if (!whole && set->made_folder) rmdir(set->folder);
    free(set->folder);
    free(set->list.time);
    free(set->file);
}

static carom_status export_all(exporter *x, const char *path, bool overwrite, carom_error *error) {
    file_set set = {0};
    carom_status status = take_memory(x, error);
    if (status == CAROM_OK) status = begin_set(&set, path, x->info.frame_count, error);
    if (status == CAROM_OK) status = write_set(x, &set, path, overwrite, error);
    if (status == CAROM_OK) status = name_set(&set, error);
    end_set(&set, status == CAROM_OK);
    return status;
}

carom_status carom_recording_export_vtk(const carom_recording *recording, const char *path, bool overwrite,
                                        carom_error *error) {
    CRM_NEED(recording, error);
    CRM_NEED(path, error);
    const char *ending = strrchr(path, '.');
    if (ending == NULL || strcmp(ending, ".pvd") != 0 || ending == path)
        return crm_refuse(error, "export: '%.200s' does not end in .pvd, as ParaView's lists of times do; name it so",
                          crm_shown_path(path));
    exporter x = {.recording = recording};
    carom_status status = carom_recording_get_info(recording, &x.info, error);
    if (status == CAROM_OK && x.info.flex_count == 0)
        status = crm_fail(error, CAROM_ERR_UNSUPPORTED,
                          "export: this run has no flexible bodies, which --vtk is for; --csv writes rigid ones");
    struct stat about;
    if (status == CAROM_OK && !overwrite && lstat(path, &about) == 0)
        status =
            crm_fail(error, CAROM_ERR_FILE, "%s: exists already; choose another name or ask for it to be overwritten",
                     crm_shown_path(path));
    if (status == CAROM_OK) status = export_all(&x, path, overwrite, error);
    free_memory(&x);
    return status;
}
