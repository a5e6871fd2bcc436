// SPDX-License-Identifier: MIT
#include "worlds/bed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"

carom_pose bench_bed_pose(const bench_bed *bed, int body, double time) {
    const bench_bed_body *b = &bed->bodies[body];
    double out = sin(b->rate * time + b->phase);
    carom_vec3 place = crm_madd(b->rest.position, time, bed->drift);
    return (carom_pose){crm_madd(place, out, b->shake), crm_quat_step(b->rest.attitude, b->nod, out)};
}

carom_motion bench_bed_motion(const bench_bed *bed, int body, double time) {
    const bench_bed_body *b = &bed->bodies[body];
    double outward = b->rate * cos(b->rate * time + b->phase);
    return (carom_motion){crm_madd(bed->drift, outward, b->shake), crm_scale(outward, b->nod)};
}

double bench_bed_radius(const bench_bed_body *body) {
    return body->is_box ? crm_length(body->half) : crm_max_component(body->half);
}

carom_shape *bench_bed_shape(const bench_bed_body *body) {
    carom_shape_def def = carom_shape_def_default(body->is_box ? CAROM_SHAPE_BOX : CAROM_SHAPE_ELLIPSOID);
    if (body->is_box)
        def.box.size = crm_scale(2.0, body->half);
    else
        def.ellipsoid.half_axes = body->half;
    carom_shape *shape = NULL;
    carom_shape_create(&def, NULL, &shape, NULL);
    return shape;
}

bool bench_bed_write(const char *path, const bench_bed *bed) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    size_t count = (size_t)bed->count;
    bool good =
        fwrite(bed, sizeof *bed, 1, file) == 1 && fwrite(bed->bodies, sizeof *bed->bodies, count, file) == count;
    return fclose(file) == 0 && good;
}

bool bench_bed_read(const char *path, bench_bed *bed) {
    *bed = (bench_bed){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool good = fread(bed, sizeof *bed, 1, file) == 1 && bed->count > 0;
    size_t count = good ? (size_t)bed->count : 0;
    bed->bodies = good ? malloc(count * sizeof *bed->bodies) : NULL;
    good = bed->bodies != NULL && fread(bed->bodies, sizeof *bed->bodies, count, file) == count;
    fclose(file);
    return good;
}

void bench_bed_free(bench_bed *bed) {
    free(bed->bodies);
    *bed = (bench_bed){0};
}
