// SPDX-License-Identifier: MIT
#include "pair/pair_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scene_input.h"
#include "verb/verb.h"

enum { MOST_SIZES = 4, MOST_PLACES = 7 };

// Puts sizes into a definition of its kind.
typedef void fill_function(const double *size, carom_shape_def *def);

static carom_vec3 three(const double *v) {
    return (carom_vec3){v[0], v[1], v[2]};
}

static void fill_sphere(const double *size, carom_shape_def *def) {
    def->sphere.radius = size[0];
}

static void fill_ellipsoid(const double *size, carom_shape_def *def) {
    def->ellipsoid.half_axes = three(size);
}

static void fill_box(const double *size, carom_shape_def *def) {
    def->box.size = three(size);
}

static void fill_capsule(const double *size, carom_shape_def *def) {
    def->capsule = (carom_capsule_def){size[0], size[1]};
}

static void fill_tetrahedron(const double *size, carom_shape_def *def) {
    def->polytope.form = CAROM_POLYTOPE_TETRAHEDRON;
    def->polytope.edge = size[0];
}

// Of polygons the library allows far fewer sides than this.
static const double most_sides = 1e6;

static void fill_upright(const double *size, carom_shape_def *def) {
    def->polytope.sides = (int)size[0];
    def->polytope.radius = size[1];
    def->polytope.height = size[2];
}

static void fill_pyramid(const double *size, carom_shape_def *def) {
    def->polytope.form = CAROM_POLYTOPE_PYRAMID;
    fill_upright(size, def);
}

static void fill_prism(const double *size, carom_shape_def *def) {
    def->polytope.form = CAROM_POLYTOPE_PRISM;
    fill_upright(size, def);
}

static void fill_half_space(const double *size, carom_shape_def *def) {
    def->half_space = (carom_half_space){three(size), size[3]};
}

static void fill_container(const double *size, carom_shape_def *def) {
    def->container.radius = size[0];
}

typedef struct word_kind {
    const char *name;
    carom_shape_kind kind;
    int size_count;
    const char *sizes; // for sentences
    fill_function *fill;
} word_kind;

static const word_kind word_kinds[] = {
    {"sphere", CAROM_SHAPE_SPHERE, 1, "RADIUS", fill_sphere},
    {"ellipsoid", CAROM_SHAPE_ELLIPSOID, 3, "A,B,C", fill_ellipsoid},
    {"box", CAROM_SHAPE_BOX, 3, "X,Y,Z", fill_box},
    {"capsule", CAROM_SHAPE_CAPSULE, 2, "RADIUS,LENGTH", fill_capsule},
    {"tetrahedron", CAROM_SHAPE_POLYTOPE, 1, "EDGE", fill_tetrahedron},
    {"pyramid", CAROM_SHAPE_POLYTOPE, 3, "SIDES,RADIUS,HEIGHT", fill_pyramid},
    {"prism", CAROM_SHAPE_POLYTOPE, 3, "SIDES,RADIUS,HEIGHT", fill_prism},
    {"half-space", CAROM_SHAPE_HALF_SPACE, 4, "NX,NY,NZ,OFFSET", fill_half_space},
    {"container", CAROM_SHAPE_CONTAINER, 1, "RADIUS", fill_container},
};
enum { KIND_COUNT = sizeof word_kinds / sizeof word_kinds[0] };

static const word_kind *find_kind(const char *word) {
    size_t length = strcspn(word, ":");
    for (int i = 0; i < KIND_COUNT; i++)
        if (strlen(word_kinds[i].name) == length && strncmp(word_kinds[i].name, word, length) == 0)
            return &word_kinds[i];
    return NULL;
}

// Numbers with commas between them, up to `end`; -1 when they are none, or more than `most`.
static int read_numbers(const char *text, const char *end, int most, double *out) {
    for (int count = 0; count < most;) {
        char *stop;
        out[count] = strtod(text, &stop);
        if (stop == text || stop > end || !isfinite(out[count])) return -1;
        count++;
        if (stop == end) return count;
        if (*stop != ',') return -1;
        text = stop + 1;
    }
    return -1;
}

static bool read_place(const char *word, const char *text, carom_pose *pose) {
    double v[MOST_PLACES];
    int count = read_numbers(text, text + strlen(text), MOST_PLACES, v);
    double length = 1.0;
    if (count == 7) length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if ((count != 3 && count != 7) || !(length > 0.0 && isfinite(length))) {
        refuse("'%s': after @ there must be 3 numbers, x,y,z, or 7, x,y,z,qw,qx,qy,qz with a quaternion", word);
        return false;
    }
    pose->position = three(v);
    if (count == 7) pose->attitude = (carom_quat){v[3] / length, v[4] / length, v[5] / length, v[6] / length};
    return true;
}

// One word, such as "box:1,2,3@0,0,1".
static int read_word(const char *word, carom_shape **shape, carom_view *view) {
    const char *names[KIND_COUNT + 1] = {NULL};
    for (int i = 0; i < KIND_COUNT; i++) names[i] = word_kinds[i].name;
    const word_kind *kind = find_kind(word);
    if (kind == NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":@"), word);
        return refuse_unknown("shape", name, names);
    }
    const char *sizes = word + strlen(kind->name);
    const char *end = sizes + strcspn(sizes, "@");
    double size[MOST_SIZES];
    if (*sizes != ':' || read_numbers(sizes + 1, end, MOST_SIZES, size) != kind->size_count)
        return refuse("'%s' must be %s:%s, with @x,y,z after it when it is not at the origin", word, kind->name,
                      kind->sizes);
    if (strncmp(kind->sizes, "SIDES", 5) == 0 && !(fabs(size[0]) <= most_sides && size[0] == floor(size[0])))
        return refuse("'%s': the number of sides must be whole and at most %g", word, most_sides);
    carom_shape_def def = carom_shape_def_default(kind->kind);
    kind->fill(size, &def);
    carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    if (*end == '@' && !read_place(word, end + 1, &pose)) return EXIT_BAD_INPUT;
    carom_error error;
    if (carom_shape_create(&def, NULL, shape, &error) != CAROM_OK) {
        carom_error about = {.status = error.status};
        snprintf(about.text, sizeof about.text, "'%.60s': %.400s", word, error.text);
        return refuse_error(&about);
    }
    *view = carom_view_of(*shape, pose);
    return EXIT_GOOD;
}

static int read_file(const char *file, pair_input *pair) {
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    carom_scene_messages *messages = NULL;
    carom_error error = {.status = CAROM_OK};
    if (carom_scene_read_pair(&source, NULL, &pair->file, &messages, &error) != CAROM_OK)
        return refuse_messages(messages, &error);
    carom_scene_messages_destroy(messages);
    pair->a = pair->file->a;
    pair->b = pair->file->b;
    pair->options = pair->file->options;
    return EXIT_GOOD;
}

static int read_direction(const char *text, carom_distance_options *options) {
    double v[3];
    if (read_numbers(text, text + strlen(text), 3, v) != 3 || (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0))
        return refuse("--direction needs 3 numbers that are not all zero, x,y,z, not '%s'", text);
    options->has_direction = true;
    options->direction = three(v);
    return EXIT_GOOD;
}

int read_pair(int word_count, char **words, const char *direction, pair_input *pair) {
    *pair = (pair_input){.options = carom_distance_options_default()};
    static const char usage[] = "a pair file, or two shapes such as box:1,1,1 sphere:0.5@2,0,0";
    if (word_count == 0) return refuse("'distance' needs %s", usage);
    if (word_count > 2) return refuse("'distance' takes %s, but there is also '%s'", usage, words[2]);
    int code;
    if (word_count == 2) {
        code = read_word(words[0], &pair->shape_a, &pair->a);
        if (code == EXIT_GOOD) code = read_word(words[1], &pair->shape_b, &pair->b);
    } else if (strchr(words[0], ':') != NULL && find_kind(words[0]) != NULL) {
        code = refuse("'distance' needs a second shape beside '%s', such as sphere:0.5@2,0,0", words[0]);
    } else {
        code = read_file(words[0], pair);
    }
    return code == EXIT_GOOD && direction != NULL ? read_direction(direction, &pair->options) : code;
}

void free_pair(pair_input *pair) {
    carom_scene_pair_destroy(pair->file);
    carom_shape_destroy(pair->shape_a);
    carom_shape_destroy(pair->shape_b);
}
