// SPDX-License-Identifier: MIT
// A point r from the centre of mass moves by dx - [r]x dtheta; a force F at it has the torque r x F, which changes by
// r x dF + [F]x [r]x dtheta.
#include "model/force/derivatives.h"

#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "math/spatial.h"
#include "model/field/field.h"
#include "model/flex/flex_forces.h"
#include "model/force/body_graph.h"
#include "model/force/evaluate.h"
#include "model/force/pair_potential.h"
#include "model/force/system_callback.h"

carom_status crm_force_derivatives_create(const carom_model *model, crm_arena *arena, crm_force_derivatives *out,
                                          carom_error *error) {
    int bodies = model->bodies.count;
    int *node = CRM_ARENA_ARRAY(arena, int, bodies),
        *pair_edge = CRM_ARENA_ARRAY(arena, int, model->pair_potentials.count),
        *system_edge = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)crm_system_pair_count(model)),
        *flex_edge = CRM_ARENA_ARRAY(arena, int, crm_flex_edge_count(model));
    *out = (crm_force_derivatives){.pair_edge = pair_edge, .system_edge = system_edge, .flex_edge = flex_edge};
    out->elements = CRM_ARENA_ZEROED(arena, crm_block_matrix, model->flexes.count);
    if (model->system_callbacks.count > 0) {
        out->plus = CRM_ARENA_ARRAY(arena, crm_vec6, bodies);
        out->minus = CRM_ARENA_ARRAY(arena, crm_vec6, bodies);
    }
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the derivatives of %d bodies", bodies);
    for (int b = 0; b < bodies; b++) node[b] = b;
    crm_block_graph graph;
    carom_status status =
        crm_body_graph_create(model, node, bodies, arena, &graph, pair_edge, system_edge, flex_edge, error);
    for (int f = 0; status == CAROM_OK && f < model->flexes.count; f++)
        status = crm_block_matrix_create(&model->flexes.items[f].graph, true, arena, &out->elements[f], error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, false, arena, &out->stiffness, error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, false, arena, &out->damping, error);
    return status;
}

// block += [1; [r]x] S [1, -[q]x]: a force S dp at r, where dp is the motion of a point at q.
static void add_point_block(double *block, carom_mat3 s, carom_vec3 r, carom_vec3 q) {
    carom_mat3 halves[2] = {s, crm_mat3_scale(-1.0, crm_mat3_mul(s, crm_skew(q)))};
    for (int half = 0; half < 2; half++) {
        const carom_vec3 columns[3] = {halves[half].x, halves[half].y, halves[half].z};
        for (int j = 0; j < 3; j++) {
            double *out = block + 6 * (3 * half + j);
            carom_vec3 torque = crm_cross(r, columns[j]);
            out[0] += columns[j].x, out[1] += columns[j].y, out[2] += columns[j].z;
            out[3] += torque.x, out[4] += torque.y, out[5] += torque.z;
        }
    }
}

// Adds a 3x3 matrix to a quarter of a 6x6 block: rows and columns 0 (linear) or 3 (angular).
static void add_quarter(double *block, int row, int column, carom_mat3 m) {
    const carom_vec3 columns[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; j++) {
        double *out = block + row + 6 * (column + j);
        out[0] += columns[j].x, out[1] += columns[j].y, out[2] += columns[j].z;
    }
}

// Where a force between two points enters the matrix: the blocks of the bodies a and b, NULL for the world.
typedef struct pair_blocks {
    double *aa, *bb, *ab, *ba;
} pair_blocks;

static pair_blocks blocks_of(const crm_block_matrix *m, int a, int b, int edge) {
    pair_blocks blocks = {a < 0 ? NULL : m->diagonal + m->node_block[a], b < 0 ? NULL : m->diagonal + m->node_block[b],
                          NULL, NULL};
    if (edge < 0) return blocks;
    double *row_is_late = m->edges + m->edge_block[edge], *mirrored = m->mirror + m->edge_block[edge];
    blocks.ab = a > b ? row_is_late : mirrored;
    blocks.ba = a > b ? mirrored : row_is_late;
    return blocks;
}

// The force on a changes by -s (dp_a - dp_b), that on b by the opposite.
static void add_pair(pair_blocks to, carom_mat3 s, carom_vec3 arm_a, carom_vec3 arm_b) {
    carom_mat3 minus = crm_mat3_scale(-1.0, s);
    if (to.aa != NULL) add_point_block(to.aa, minus, arm_a, arm_a);
    if (to.bb != NULL) add_point_block(to.bb, minus, arm_b, arm_b);
    if (to.ab != NULL) add_point_block(to.ab, s, arm_a, arm_b);
    if (to.ba != NULL) add_point_block(to.ba, s, arm_b, arm_a);
}

// The rotation of the arm under a constant force.
static void add_arm_rotation(double *block, carom_vec3 force, carom_vec3 arm) {
    if (block != NULL) add_quarter(block, 3, 3, crm_mat3_mul(crm_skew(force), crm_skew(arm)));
}

static carom_vec3 arm_of(crm_point point, const crm_motion *motions) {
    return point.body < 0 ? crm_vec3_zero() : crm_quat_rotate(motions[point.body].q, point.at);
}

static void add_potentials(const carom_model *model, const crm_motion *motions, crm_force_derivatives *out) {
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        crm_pair_potential_value value = crm_pair_potential_evaluate(pair, crm_point_position(pair->a, motions),
                                                                     crm_point_position(pair->b, motions));
        carom_vec3 arm_a = arm_of(pair->a, motions), arm_b = arm_of(pair->b, motions);
        pair_blocks to = blocks_of(&out->stiffness, pair->a.body, pair->b.body, out->pair_edge[p]);
        add_pair(to, value.hessian, arm_a, arm_b);
        add_arm_rotation(to.aa, crm_negate(value.gradient), arm_a);
        add_arm_rotation(to.bb, value.gradient, arm_b);
    }
}

// A damper's force on a is -c (n.u) n, u = u_a - u_b the relative velocity of its ends. With poses it changes by way of
// n, dn = (1 - n n^T) (dp_a - dp_b) / d, and by way of u: an end's velocity v + w x r rotates with r.
static void add_damper(const carom_model *model, const crm_motion *motions, int spring_index,
                       crm_force_derivatives *out) {
    const crm_spring *spring = &model->springs.items[spring_index];
    const crm_point ends[2] = {spring->a, spring->b};
    carom_vec3 n, arm[2], spin[2], velocity[2];
    double d = crm_normalise(crm_sub(crm_point_position(ends[0], motions), crm_point_position(ends[1], motions)), &n);
    if (spring->damping == 0.0 || d == 0.0) return;
    for (int e = 0; e < 2; e++) {
        int b = ends[e].body;
        arm[e] = arm_of(ends[e], motions);
        spin[e] = b < 0 ? crm_vec3_zero() : crm_motion_spin(&model->bodies.items[b], &motions[b]);
        velocity[e] = b < 0 ? crm_vec3_zero() : crm_motion_velocity(&model->bodies.items[b], &motions[b]);
        velocity[e] = crm_add(velocity[e], crm_cross(spin[e], arm[e]));
    }
    carom_vec3 u = crm_sub(velocity[0], velocity[1]);
    double c = spring->damping, rate = crm_dot(n, u);
    int edge = out->pair_edge[spring_index]; // springs are the first pair potentials, in their order
    carom_mat3 along = crm_outer(crm_scale(c, n), n);
    add_pair(blocks_of(&out->damping, ends[0].body, ends[1].body, edge), along, arm[0], arm[1]);

    carom_mat3 across = crm_mat3_sub(crm_mat3_identity(), crm_outer(n, n));
    carom_mat3 by_direction = crm_mat3_mul(crm_outer(n, u), across);
    by_direction = crm_mat3_scale(c / d, crm_mat3_add(by_direction, crm_mat3_scale(rate, across)));
    pair_blocks to = blocks_of(&out->stiffness, ends[0].body, ends[1].body, edge);
    add_pair(to, by_direction, arm[0], arm[1]);
    carom_vec3 force = crm_scale(-c * rate, n);
    add_arm_rotation(to.aa, force, arm[0]);
    add_arm_rotation(to.bb, crm_negate(force), arm[1]);
    // d u_e = w x (dtheta x r) = -[w]x [r]x dtheta: a force -along d u_a on a, and so on.
    for (int e = 0; e < 2; e++) {
        carom_mat3 rotation = crm_mat3_mul(along, crm_mat3_mul(crm_skew(spin[e]), crm_skew(arm[e])));
        carom_mat3 other = crm_mat3_scale(-1.0, rotation);
        double *own = e == 0 ? to.aa : to.bb, *cross = e == 0 ? to.ba : to.ab;
        if (own != NULL) {
            add_quarter(own, 0, 3, rotation);
            add_quarter(own, 3, 3, crm_mat3_mul(crm_skew(arm[e]), rotation));
        }
        if (cross != NULL) {
            add_quarter(cross, 0, 3, other);
            add_quarter(cross, 3, 3, crm_mat3_mul(crm_skew(arm[1 - e]), other));
        }
    }
}

static void add_drags(const carom_model *model, const crm_motion *motions, crm_force_derivatives *out) {
    for (int i = 0; i < model->drags.count; i++) {
        const carom_drag_def *drag = &model->drags.items[i];
        int b = drag->body.index;
        double *block = out->damping.diagonal + out->damping.node_block[b];
        carom_vec3 v = crm_motion_velocity(&model->bodies.items[b], &motions[b]), direction;
        double speed = crm_normalise(v, &direction);
        double resistance = drag->linear + drag->quadratic * speed;
        carom_mat3 linear = crm_outer(crm_scale(-drag->quadratic * speed, direction), direction);
        linear = crm_mat3_sub(linear, crm_mat3_diagonal(crm_vec3(resistance, resistance, resistance)));
        add_quarter(block, 0, 0, linear);
        add_quarter(block, 3, 3, crm_mat3_diagonal(crm_vec3(-drag->angular, -drag->angular, -drag->angular)));
    }
}

// In world axes only the arm rotates; in body axes force and torque rotate as a whole.
static void add_wrenches(const carom_model *model, const crm_motion *motions, crm_force_derivatives *out) {
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *w = &model->wrenches.items[i];
        int b = w->point.body;
        double *block = out->stiffness.diagonal + out->stiffness.node_block[b];
        carom_vec3 arm = arm_of(w->point, motions);
        if (!w->in_body_axes) {
            add_arm_rotation(block, w->force, arm);
            continue;
        }
        carom_vec3 force = crm_quat_rotate(motions[b].q, w->force);
        carom_vec3 torque = crm_add(crm_quat_rotate(motions[b].q, w->torque), crm_cross(arm, force));
        add_quarter(block, 0, 3, crm_skew(crm_negate(force)));
        add_quarter(block, 3, 3, crm_skew(crm_negate(torque)));
    }
}

// ---- callbacks

// A motion that is varied, and by how much: of position, attitude, velocity, spin.
typedef struct variation {
    const crm_body *body;
    const crm_motion *motion;
    carom_vec3 spin;
    double change[4];
} variation;

// Central differences: the cube root of the rounding error balances truncation, relative to each quantity's size.
static variation variation_of(const crm_body *body, const crm_motion *m) {
    const double share = cbrt(DBL_EPSILON);
    carom_vec3 spin = crm_motion_spin(body, m);
    return (variation){body,
                       m,
                       spin,
                       {share * fmax(1.0, crm_length(m->x)), share,
                        share * fmax(1.0, crm_length(crm_motion_velocity(body, m))),
                        share * fmax(1.0, crm_length(spin))}};
}

static crm_motion varied_motion(const variation *v, int component, double change) {
    crm_motion varied = *v->motion;
    double unit[12] = {0};
    unit[component] = change;
    varied.x = crm_add(varied.x, crm_vec3(unit[0], unit[1], unit[2]));
    varied.q = crm_quat_step(varied.q, crm_vec3(unit[3], unit[4], unit[5]), 1.0);
    varied.p = crm_madd(varied.p, v->body->mass, crm_vec3(unit[6], unit[7], unit[8]));
    carom_vec3 spin = crm_add(v->spin, crm_vec3(unit[9], unit[10], unit[11]));
    varied.l = crm_motion_angular_momentum(v->body, varied.q, spin);
    return varied;
}

static void add_column(double *column, crm_vec6 slope) {
    column[0] += slope.linear.x, column[1] += slope.linear.y, column[2] += slope.linear.z;
    column[3] += slope.angular.x, column[4] += slope.angular.y, column[5] += slope.angular.z;
}

static void add_callbacks(const carom_model *model, double time, const crm_motion *motions,
                          crm_force_derivatives *out) {
    out->differenced = model->callbacks.count > 0;
    for (int i = 0; i < model->callbacks.count; i++) {
        const carom_callback_def *callback = &model->callbacks.items[i];
        int b = callback->body.index;
        variation v = variation_of(&model->bodies.items[b], &motions[b]);
        for (int k = 0; k < 12; k++) {
            double change = v.change[k / 3];
            crm_motion more = varied_motion(&v, k, change), less = varied_motion(&v, k, -change);
            crm_vec6 plus, minus;
            if (crm_callback_wrench(model, callback, time, &more, &plus) != 0 ||
                crm_callback_wrench(model, callback, time, &less, &minus) != 0)
                continue;
            const crm_block_matrix *matrix = k < 6 ? &out->stiffness : &out->damping;
            add_column(matrix->diagonal + matrix->node_block[b] + 6 * (k % 6),
                       crm_vec6_scale(0.5 / change, crm_vec6_sub(plus, minus)));
        }
    }
}

// ---- functions of several bodies

// The wrenches of a callback's bodies when one of them is varied (all bodies, of which its own are filled).
static bool system_wrenches(carom_system *system, const crm_motion *varied, crm_vec6 *wrench) {
    const crm_system_callback *callback = system->callback;
    for (int i = 0; i < callback->count; i++) wrench[callback->body[i]] = crm_vec6_zero();
    system->instead = *varied;
    system->conservative = system->active = wrench;
    return crm_system_ask(system) == 0 && system->not_finite < 0;
}

static double *block_between(const crm_block_matrix *m, int row, int column, int edge) {
    return row == column  ? m->diagonal + m->node_block[row]
           : row > column ? m->edges + m->edge_block[edge]
                          : m->mirror + m->edge_block[edge];
}

// The columns of the j-th body of a callback, whose first pair is at `edge`.
static void add_system_columns(const carom_model *model, carom_system *system, int j, const int *edge,
                               crm_force_derivatives *out) {
    const crm_system_callback *callback = system->callback;
    int b = callback->body[j];
    variation v = variation_of(&model->bodies.items[b], &system->motions[b]);
    system->varied = b;
    for (int k = 0; k < 12; k++) {
        crm_motion plus = varied_motion(&v, k, v.change[k / 3]), minus = varied_motion(&v, k, -v.change[k / 3]);
        if (!system_wrenches(system, &plus, out->plus) || !system_wrenches(system, &minus, out->minus)) continue;
        for (int i = 0; i < callback->count; i++) {
            int row = callback->body[i], late = i > j ? i : j, early = i > j ? j : i;
            int pair = i == j ? -1 : edge[(ptrdiff_t)late * (late - 1) / 2 + early];
            crm_vec6 slope = crm_vec6_scale(0.5 / v.change[k / 3], crm_vec6_sub(out->plus[row], out->minus[row]));
            double *block = block_between(k < 6 ? &out->stiffness : &out->damping, row, b, pair);
            add_column(block + 6 * (k % 6), slope);
        }
    }
}

static void add_system_callbacks(const carom_model *model, double time, const crm_motion *motions,
                                 crm_force_derivatives *out) {
    const int *edge = out->system_edge;
    for (int c = 0; c < model->system_callbacks.count; c++) {
        const crm_system_callback *callback = &model->system_callbacks.items[c];
        carom_system system = crm_system_of(model, callback, time, motions);
        for (int j = 0; j < callback->count; j++) add_system_columns(model, &system, j, edge, out);
        edge += (ptrdiff_t)callback->count * (callback->count - 1) / 2;
        out->differenced = true;
    }
}

static void add_fields(const carom_model *model, const crm_motion *motions, crm_force_derivatives *out) {
    for (int i = 0; i < model->fields.count; i++) {
        const crm_field *field = &model->fields.items[i];
        int b = field->body;
        crm_field_add_derivatives(model, field, &motions[b], out->stiffness.diagonal + out->stiffness.node_block[b],
                                  out->damping.diagonal + out->damping.node_block[b]);
    }
}

// ---- elements

static carom_mat3 block_at(const double *block) {
    return crm_mat3_columns(crm_vec3(block[0], block[1], block[2]), crm_vec3(block[3], block[4], block[5]),
                            crm_vec3(block[6], block[7], block[8]));
}

// The upper left quarters of the blocks of nodes; `edge` of its edges.
static void add_element_blocks(const crm_flex *flex, const crm_block_matrix *from, const int *edge,
                               crm_block_matrix *to) {
    for (int n = 0; n < flex->node_count; n++)
        add_quarter(to->diagonal + to->node_block[flex->first_body + n], 0, 0,
                    block_at(from->diagonal + from->node_block[n]));
    for (int e = 0; e < flex->graph.edge_count; e++) { // rows are the larger nodes on both
        carom_mat3 block = block_at(from->edges + from->edge_block[e]);
        add_quarter(to->edges + to->edge_block[edge[e]], 0, 0, block);
        add_quarter(to->mirror + to->edge_block[edge[e]], 0, 0, crm_mat3_transpose(block));
    }
}

static void add_elements(const carom_model *model, const crm_motion *motions, crm_force_derivatives *out) {
    const int *edge = out->flex_edge;
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        crm_block_matrix *own = &out->elements[f];
        crm_node_view positions = crm_flex_positions(flex, motions);
        crm_block_matrix_clear(own);
        crm_elastic_add_stiffness(flex->elastic, positions, -1.0, 0.0, false, (crm_elastic_place){.matrix = own});
        add_element_blocks(flex, own, edge, &out->stiffness);
        if (crm_flex_is_viscous(flex)) {
            crm_block_matrix_clear(own);
            crm_elastic_add_stiffness(flex->elastic, positions, 0.0, -1.0, false, (crm_elastic_place){.matrix = own});
            add_element_blocks(flex, own, edge, &out->damping);
        }
        edge += flex->graph.edge_count;
    }
}

// Zero rows of directions in which the body does not move.
static void restrict_rows(const carom_model *model, crm_block_matrix *m) {
    for (int e = -m->graph.node_count; e < m->graph.edge_count; e++) {
        const bool is_node = e < 0;
        int row = is_node ? e + m->graph.node_count : m->graph.edge[e].row;
        int mirrored_row = is_node ? row : m->graph.edge[e].column;
        double *block = is_node ? m->diagonal + m->node_block[row] : m->edges + m->edge_block[e];
        double *mirror = is_node ? block : m->mirror + m->edge_block[e];
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6; j++) {
                if (!crm_kind_admits(model->bodies.items[row].kind, k)) block[k + 6 * j] = 0.0;
                if (!crm_kind_admits(model->bodies.items[mirrored_row].kind, k)) mirror[k + 6 * j] = 0.0;
            }
        }
    }
}

static void evaluate(const carom_model *model, double time, const crm_motion *motions, bool paired,
                     crm_force_derivatives *out) {
    crm_block_matrix_clear(&out->stiffness);
    crm_block_matrix_clear(&out->damping);
    if (paired) add_potentials(model, motions, out);
    if (paired) add_elements(model, motions, out);
    for (int i = 0; i < model->springs.count && model->damper_count > 0; i++) add_damper(model, motions, i, out);
    add_drags(model, motions, out);
    add_wrenches(model, motions, out);
    add_fields(model, motions, out);
    add_callbacks(model, time, motions, out);
    add_system_callbacks(model, time, motions, out);
    restrict_rows(model, &out->stiffness);
    restrict_rows(model, &out->damping);
}

void crm_force_derivatives_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                    crm_force_derivatives *out) {
    evaluate(model, time, motions, true, out);
}

void crm_unpaired_derivatives_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                       crm_force_derivatives *out) {
    evaluate(model, time, motions, false, out);
}
