// SPDX-License-Identifier: MIT
// A point of the program from the poses of a path.
#include <math.h>

#include "control/guess/guess.h"
#include "control/rows/plan_pieces.h"
#include "model/force/pair_potential.h"

static void put(double *z, int32_t first, carom_vec3 v) {
    z[first] = v.x, z[first + 1] = v.y, z[first + 2] = v.z;
}

static void fill_node(const crm_draft *draft, const crm_path *path, int node, double *z) {
    for (int s = 0; s < draft->moving_count; s++) {
        int body = draft->body[s];
        const crm_motion *m = crm_path_at(path, node, body);
        int32_t first = draft->pose[node * draft->moving_count + s];
        put(z, first, crm_scale(1.0 / draft->units.length, m->x));
        if (!crm_has_directors(crm_draft_body(draft, body))) continue;
        carom_mat3 d = crm_quat_to_mat3(crm_quat_mul(m->q, draft->axes[body]));
        put(z, first + 3, d.x), put(z, first + 6, d.y), put(z, first + 9, d.z);
    }
}

// Whatever the kinds of bodies do not admit is fixed, and stays as it is.
static void fill_momenta(const crm_draft *draft, int interval, double *z) {
    double length = 1.0 / draft->intervals * z[draft->scale[draft->arc[interval]]];
    double unit = draft->units.mass * draft->units.length * draft->units.length;
    for (int s = 0; s < draft->moving_count; s++) {
        const crm_body *body = crm_draft_body(draft, draft->body[s]);
        const double *from = z + draft->pose[interval * draft->moving_count + s];
        const double *to = z + draft->pose[(interval + 1) * draft->moving_count + s];
        double *p = z + draft->momentum[interval * draft->moving_count + s];
        for (int i = 0; i < 3; i++) p[i] = body->mass / draft->units.mass * (to[i] - from[i]) / length;
        if (!crm_has_directors(body)) continue;
        carom_vec3 e = crm_scale(1.0 / (unit * length), crm_director_inertia(body)), l = crm_vec3_zero();
        for (int i = 0; i < 3; i++) {
            const double *d = from + 3 + 3 * i, *f = to + 3 + 3 * i;
            l = crm_madd(l, crm_component(e, i), crm_cross(crm_vec3(d[0], d[1], d[2]), crm_vec3(f[0], f[1], f[2])));
        }
        p[3] = l.x, p[4] = l.y, p[5] = l.z;
    }
}

static void fill_fields(const crm_draft *draft, const crm_path *path, int interval, double *z) {
    const carom_model *model = draft->model;
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        const crm_motion *from = crm_path_at(path, interval, 0), *to = crm_path_at(path, interval + 1, 0);
        carom_vec3 a = crm_scale(0.5, crm_add(crm_point_position(pair->a, from), crm_point_position(pair->a, to)));
        carom_vec3 b = crm_scale(0.5, crm_add(crm_point_position(pair->b, from), crm_point_position(pair->b, to)));
        carom_vec3 gradient = crm_pair_potential_evaluate(pair, a, b).gradient;
        int32_t first = draft->field[interval * model->pair_potentials.count + p];
        put(z, first, crm_scale(1.0 / draft->units.length, crm_sub(a, b)));
        if (crm_vec3_finite(gradient)) put(z, first + 3, crm_scale(-1.0 / draft->units.force, gradient));
    }
}

void crm_guess_fill(const crm_draft *draft, const crm_program *program, const crm_path *path, double *z) {
    for (int i = 0; i < program->unknown_count; i++) z[i] = 0.0;
    for (int a = 0; a < draft->arc_count; a++)
        z[draft->scale[a]] = fmin(fmax(1.0, program->lower[draft->scale[a]]), program->upper[draft->scale[a]]);
    for (int node = 0; node <= draft->intervals; node++) fill_node(draft, path, node, z);
    for (int i = 0; i < program->unknown_count; i++) z[i] = fmin(fmax(z[i], program->lower[i]), program->upper[i]);
    for (int k = 0; k < draft->intervals; k++) {
        fill_momenta(draft, k, z);
        fill_fields(draft, path, k, z);
    }
    for (int i = 0; i < program->unknown_count; i++) z[i] = fmin(fmax(z[i], program->lower[i]), program->upper[i]);
}
