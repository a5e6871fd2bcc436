// SPDX-License-Identifier: MIT
// Whether a step with many contacts is stable.
//
// With K and D the stiffness and damping matrices of all contacts the step is M (x(n+1) - 2 x(n) + x(n-1)) =
// -h^2 K x(n) - h D (x(n+1) - x(n)). Its eigenvectors z, multiplied by z*, give the equation of one contact
// (penalty_propose.c) with A = h^2 z*Kz/z*Mz and B = h z*Dz/z*Mz; so it is stable if h^2 K < 4 M + 2 h D, and D is at
// least the least d/k of all contacts times K.
//
// That is asked body by body. A contact's row J = (J_a, J_b) has J^T J <= diag((1 + t) J_a^T J_a, (1 + 1/t) J_b^T J_b)
// for every t > 0. With t = w_b/w_a, w = J M^-1 J^T of each body, the bound is exact for one contact, and for any
// number of them on fixed ground. What is left is the largest eigenvalue of a 6 x 6 matrix a body, from above.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/force/evaluate.h"
#include "step/penalty/penalty.h"

// J M^-1/2 of one row on one body: its squared length is w.
typedef struct scaled_row {
    double x[6];
    double square;
} scaled_row;

static scaled_row scale_row(const crm_body *body, const crm_motion *m, carom_vec3 point, carom_vec3 direction) {
    scaled_row row = {{0.0}, 0.0};
    if (body->kind == CAROM_BODY_FIXED) return row;
    carom_vec3 arm = crm_sub(point, m->x);
    crm_vec6 wrench = crm_wrench_projected(body->kind, crm_vec6_of(direction, crm_cross(arm, direction)));
    carom_vec3 v = crm_scale(sqrt(body->inverse_mass), wrench.linear), rotation = wrench.angular,
               i = body->inverse_inertia;
    if (body->kind == CAROM_BODY_FREE) rotation = crm_quat_rotate_inverse(m->q, rotation);
    if (body->kind == CAROM_BODY_FREE)
        rotation = crm_vec3(sqrt(i.x) * rotation.x, sqrt(i.y) * rotation.y, sqrt(i.z) * rotation.z);
    if (body->kind == CAROM_BODY_PLANAR) rotation = crm_vec3(0.0, 0.0, sqrt(i.z) * rotation.z);
    const double x[6] = {v.x, v.y, v.z, rotation.x, rotation.y, rotation.z};
    for (int k = 0; k < 6; k++) row.square += x[k] * x[k];
    memcpy(row.x, x, sizeof x);
    return row;
}

static void add_row(const scaled_row *row, double factor, double k, double d, crm_penalty_load *load) {
    if (!load->touched) *load = (crm_penalty_load){.ratio = INFINITY, .touched = true};
    if (k > 0.0) load->ratio = fmin(load->ratio, d / k);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) load->stiffness[6 * i + j] += k * factor * row->x[i] * row->x[j];
}

static void add_contact(const carom_model *model, const carom_state *state, const crm_penalty_contact *c,
                        crm_penalty_load *loads) {
    const carom_penalty_def *def = &state->method.penalty;
    int rows = c->site.friction > 0.0 ? 3 : 1;
    for (int i = 0; i < rows; i++) {
        double k = i == 0 ? c->k : crm_penalty_tangent_stiffness(def, c);
        double d = i == 0 ? c->d : def->tangent_stiffness * c->d;
        const int body[2] = {c->site.a, c->site.b};
        scaled_row row[2];
        for (int s = 0; s < 2; s++)
            row[s] =
                scale_row(&model->bodies.items[body[s]], &state->motions[body[s]], c->site.point, c->site.direction[i]);
        double both = row[0].square + row[1].square;
        for (int s = 0; s < 2; s++)
            if (row[s].square > 0.0) add_row(&row[s], both / row[s].square, k, d, &loads[body[s]]);
    }
}

// The largest eigenvalue of a positive semidefinite 6 x 6 matrix from above: (tr A^n)^(1/n) with n = 2^7, which is no
// more than 6^(1/128), 1.4 percent, too large, and exact for one row.
static double largest_eigenvalue(const double *matrix) {
    double a[36], square[36], scale = 1.0, power = 1.0;
    memcpy(a, matrix, sizeof a);
    for (int round = 0;; round++) {
        double trace = 0.0;
        for (int i = 0; i < 6; i++) trace += a[7 * i];
        if (!(trace > 0.0)) return 0.0;
        scale *= pow(trace, power);
        if (round == 7) return scale;
        for (int i = 0; i < 36; i++) a[i] /= trace;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                double sum = 0.0;
                for (int k = 0; k < 6; k++) sum += a[6 * i + k] * a[6 * k + j];
                square[6 * i + j] = sum;
            }
        }
        memcpy(a, square, sizeof a);
        power *= 0.5;
    }
}

static void warn(const carom_model *model, double h, int body, double largest, carom_step_report *report) {
    char name[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_BROKEN;
    report->body = (carom_body){body};
    snprintf(report->text, sizeof report->text,
             "%s: springs and dampers of its contacts are unstable with a step of %g s; the largest stable step is "
             "%.3g s: make method.step smaller, or penalty.stiffness",
             crm_body_text(model, body, name), h, largest);
}

void crm_penalty_check_stable(const carom_model *model, const carom_state *state, crm_penalty *penalty,
                              carom_step_report *report) {
    double h = state->method.step, least = INFINITY;
    int worst = -1;
    for (int b = 0; b < model->bodies.count; b++) penalty->loads[b].touched = false;
    for (int c = 0; c < penalty->contacts.count; c++)
        add_contact(model, state, &penalty->contacts.items[c], penalty->loads);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_penalty_load *load = &penalty->loads[b];
        if (!load->touched) continue;
        double stiffness = largest_eigenvalue(load->stiffness);
        double largest = stiffness > 0.0 ? crm_penalty_largest_step(stiffness, load->ratio * stiffness) : INFINITY;
        if (largest < least) least = largest, worst = b;
    }
    if (least < h) warn(model, h, worst, least, report);
}
