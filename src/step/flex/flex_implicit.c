// SPDX-License-Identifier: MIT
#include "step/flex/flex_implicit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/so3.h"

// ---- memory

static bool take_arrays(crm_arena *arena, int bodies, crm_flex_implicit *f) {
    carom_vec3 **vectors[] = {&f->x,    &f->v0,   &f->given,   &f->impulse, &f->couple,      &f->factored,
                              &f->live, &f->rest, &f->viscous, &f->end,     &f->end_velocity};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, carom_vec3, f->node_count);
    f->parts = CRM_ARENA_ZEROED(arena, crm_flex_part, f->part_count);
    f->body_of = CRM_ARENA_ARRAY(arena, int, f->node_count);
    f->node_of = CRM_ARENA_ARRAY(arena, int, bodies);
    f->fixed = CRM_ARENA_ZEROED(arena, bool, f->node_count);
    f->factored_step = CRM_ARENA_ZEROED(arena, double, 1);
    f->late = CRM_ARENA_ZEROED(arena, bool, f->node_count);
    f->mass = CRM_ARENA_ZEROED(arena, double, f->node_count);
    f->start = CRM_ARENA_ARRAY(arena, int, f->node_count);
    f->component = CRM_ARENA_ARRAY(arena, int, f->node_count);
    return !crm_arena_refused(arena);
}

static void number_nodes(crm_flex_implicit *f) {
    const carom_model *model = f->model;
    for (int b = 0; b < model->bodies.count; b++) f->node_of[b] = -1;
    int node = 0, edge = 0;
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        part->flex = &model->flexes.items[p];
        part->first_node = node;
        part->first_edge = edge;
        for (int n = 0; n < part->flex->node_count; n++, node++) {
            const crm_body *body = &model->bodies.items[part->flex->first_body + n];
            f->body_of[node] = part->flex->first_body + n;
            f->node_of[f->body_of[node]] = node;
            f->fixed[node] = body->kind == CAROM_BODY_FIXED;
            f->mass[node] = body->mass;
            f->start[node] = 3 * node;
            f->component[node] = part->first_node;
            part->mass += body->mass;
            part->held |= f->fixed[node];
        }
        edge += part->flex->graph.edge_count;
    }
}

// The graphs of all bodies side by side.
static carom_status make_matrix(crm_arena *arena, crm_flex_implicit *f, carom_error *error) {
    int edges = 0, at = 0;
    for (int p = 0; p < f->part_count; p++) edges += f->parts[p].flex->graph.edge_count;
    int *size = CRM_ARENA_ARRAY(arena, int, f->node_count);
    crm_block_edge *edge = CRM_ARENA_ARRAY(arena, crm_block_edge, edges);
    if (size == NULL || edge == NULL) return crm_fail_memory(error, "flexible bodies", sizeof *edge * (size_t)edges);
    for (int n = 0; n < f->node_count; n++) size[n] = 3;
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        for (int e = 0; e < part->flex->graph.edge_count; e++) {
            crm_block_edge own = part->flex->graph.edge[e];
            edge[at++] = (crm_block_edge){part->first_node + own.row, part->first_node + own.column};
        }
    }
    f->graph = (crm_block_graph){f->node_count, size, edges, edge};
    return crm_block_matrix_create(&f->graph, true, arena, &f->matrix, error);
}

carom_status crm_flex_implicit_create(const carom_model *model, crm_arena *arena, crm_flex_implicit *f,
                                      carom_error *error) {
    *f = (crm_flex_implicit){.model = model, .theta = 1.0, .part_count = model->flexes.count};
    crm_coupled_mass_init(&f->factor, &model->allocator);
    for (int p = 0; p < f->part_count; p++) f->node_count += model->flexes.items[p].node_count;
    if (!take_arrays(arena, model->bodies.count, f))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d nodes of flexible bodies", f->node_count);
    number_nodes(f);
    f->nodes = (crm_coupled_nodes){
        .mass = &f->factor, .component = f->component, .start = f->start, .scalar_count = 3 * f->node_count};
    return make_matrix(arena, f, error);
}

void crm_flex_implicit_release(crm_flex_implicit *f) {
    crm_coupled_mass_free(&f->factor);
}

// ---- where a step begins

// Where impulses act on a node that goes its way with v.
static carom_vec3 place_of(const crm_flex_implicit *f, int n, carom_vec3 v) {
    return f->theta == 1.0 ? f->x[n] : crm_madd(f->x[n], (1.0 - f->theta) * f->step, v);
}

void crm_flex_implicit_begin(crm_flex_implicit *f, const crm_motion *motions, double step, const crm_vec6 *given) {
    f->step = step;
    f->folding = false;
    f->motions = motions;
    for (int n = 0; n < f->node_count; n++) {
        const crm_motion *motion = &motions[f->body_of[n]];
        f->x[n] = motion->x;
        f->v0[n] = f->fixed[n] ? crm_vec3_zero() : crm_scale(1.0 / f->mass[n], motion->p);
        f->given[n] = f->fixed[n] ? crm_vec3_zero() : given[f->body_of[n]].linear;
    }
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        int end = part->first_node + part->flex->node_count;
        carom_vec3 sum = crm_vec3_zero();
        for (int n = part->first_node; n < end; n++) sum = crm_madd(sum, f->mass[n] / part->mass, f->x[n]);
        part->centre = sum;
        part->shift = crm_vec3_zero();
        crm_elastic_result at = crm_elastic_evaluate(part->flex->elastic, crm_flex_positions(part->flex, motions),
                                                     (crm_node_view){0}, (crm_node_sum){0}, (crm_node_sum){0});
        part->upright = at.least_determinant > 0.0;
        part->energy_before = at.energy;
    }
}

// sum m (x.y 1 - y x^T), the matrix of sum m x x (w x y) of the vectors w.
static void add_inertia(double m, carom_vec3 x, carom_vec3 y, carom_mat3 *to) {
    double dot = m * crm_dot(x, y);
    to->x = crm_madd(to->x, -m * x.x, y);
    to->y = crm_madd(to->y, -m * x.y, y);
    to->z = crm_madd(to->z, -m * x.z, y);
    to->x.x += dot, to->y.y += dot, to->z.z += dot;
}

// The change of a part's velocities as that of a rigid body about its centre `at` the nodes' places; what is left bends
// it.
typedef struct rigid_change {
    carom_vec3 centre, velocity, spin;
} rigid_change;

static rigid_change find_change(const crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *at,
                                const carom_vec3 *change) {
    int begin = part->first_node, end = begin + part->flex->node_count;
    rigid_change rigid = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    carom_vec3 moment = crm_vec3_zero();
    carom_mat3 inertia = {0};
    for (int n = begin; n < end; n++) {
        double weight = f->mass[n] / part->mass;
        rigid.centre = crm_madd(rigid.centre, weight, at[n]);
        rigid.velocity = crm_madd(rigid.velocity, weight, change[n]);
    }
    for (int n = begin; n < end; n++) {
        carom_vec3 arm = crm_sub(at[n], rigid.centre);
        moment = crm_add(moment, crm_cross(arm, crm_scale(f->mass[n], change[n])));
        add_inertia(f->mass[n], arm, arm, &inertia);
    }
    (void)crm_mat3_solve(inertia, moment, &rigid.spin);
    return rigid;
}

// How far a node gets from `at` in so much time with such a change: rotated, and bent in the rotated axes.
static carom_vec3 way_of(const rigid_change *rigid, carom_quat rotation, carom_vec3 at, carom_vec3 change,
                         double duration, bool bending) {
    carom_vec3 arm = crm_sub(at, rigid->centre), bent = arm;
    if (bending) bent = crm_madd(arm, duration, crm_sub(crm_sub(change, rigid->velocity), crm_cross(rigid->spin, arm)));
    return crm_madd(crm_sub(crm_quat_rotate(rotation, bent), arm), duration, rigid->velocity);
}

static carom_vec3 free_velocity(const crm_flex_implicit *f, int n) {
    return f->fixed[n] ? crm_vec3_zero() : crm_madd(f->v0[n], f->theta / f->mass[n], f->given[n]);
}

// From velocities without elements to those of a body that keeps its form, or goes on bending as it rotates.
static void go_on(const crm_flex_implicit *f, const crm_flex_part *part, bool bending, carom_vec3 *v) {
    double h = f->step;
    rigid_change rigid = find_change(f, part, f->x, v);
    carom_quat rotation = crm_so3_exp(crm_scale(h, rigid.spin));
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
        v[n] = crm_scale(1.0 / h, way_of(&rigid, rotation, f->x[n], v[n], h, bending));
}

void crm_flex_implicit_start(const crm_flex_implicit *f, bool bending, carom_vec3 *v) {
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        int begin = part->first_node, end = begin + part->flex->node_count;
        for (int n = begin; n < end; n++)
            v[n] = !part->held ? free_velocity(f, n) : bending ? f->v0[n] : crm_vec3_zero();
        if (!part->held) go_on(f, part, bending, v);
    }
}

// ---- evaluation

// What elastic forces would change of the angular momentum, about where impulses act on nodes, is taken off by a
// rotation of velocities: sum over nodes of place x (h f + m w x (x1 - c)) = 0.
static void find_couple(crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *v) {
    int begin = part->first_node, end = begin + part->flex->node_count;
    carom_vec3 moment = crm_negate(part->shift), centre = crm_vec3_zero(), spin = crm_vec3_zero();
    carom_mat3 inertia = {0};
    for (int n = begin; n < end && !part->held; n++) centre = crm_madd(centre, f->mass[n] / part->mass, f->end[n]);
    for (int n = begin; n < end && !part->held; n++) {
        carom_vec3 arm = crm_sub(place_of(f, n, v[n]), part->centre);
        moment = crm_sub(moment, crm_cross(arm, f->impulse[n]));
        add_inertia(f->mass[n], arm, crm_sub(f->end[n], centre), &inertia);
    }
    if (!part->held) (void)crm_mat3_solve(inertia, moment, &spin);
    for (int n = begin; n < end; n++)
        f->couple[n] =
            part->held ? crm_vec3_zero() : crm_scale(f->mass[n], crm_cross(spin, crm_sub(f->end[n], centre)));
}

// With theta < 1 a share of the forces is that of the energy-momentum step, which takes nothing of the energy. It needs
// elements that are not inverted.
static void mix_forces(crm_flex_implicit *f, const crm_flex_part *part, crm_elastic_result *result) {
    int begin = part->first_node, count = part->flex->node_count;
    double share = 2.0 * f->theta - 1.0;
    crm_elastic_step step = {.before = {f->x + begin, sizeof(carom_vec3)},
                             .after = {f->end + begin, sizeof(carom_vec3)},
                             .duration = f->step};
    memset(f->viscous + begin, 0, (size_t)count * sizeof *f->viscous);
    crm_elastic_result even =
        crm_elastic_discrete_forces(part->flex->elastic, &step, (crm_node_sum){f->viscous + begin, sizeof(carom_vec3)});
    for (int n = begin; n < begin + count; n++)
        f->impulse[n] = crm_madd(crm_scale(share, f->impulse[n]), (1.0 - share) * f->step, f->viscous[n]);
    result->dissipated = share * result->dissipated + (1.0 - share) * even.dissipated;
    result->inverted |= even.inverted;
}

static crm_elastic_result find_forces(crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *v) {
    int begin = part->first_node, count = part->flex->node_count;
    bool viscous = crm_flex_is_viscous(part->flex);
    for (int n = begin; n < begin + count; n++) {
        f->end[n] = crm_madd(f->x[n], f->step, v[n]);
        f->impulse[n] = f->viscous[n] = crm_vec3_zero();
    }
    crm_node_sum none = {0};
    crm_elastic_result result = crm_elastic_evaluate(
        part->flex->elastic, (crm_node_view){f->end + begin, sizeof(carom_vec3)},
        (crm_node_view){v + begin, sizeof(carom_vec3)}, (crm_node_sum){f->impulse + begin, sizeof(carom_vec3)},
        viscous ? (crm_node_sum){f->viscous + begin, sizeof(carom_vec3)} : none);
    for (int n = begin; n < begin + count; n++)
        f->impulse[n] = crm_scale(f->step, crm_add(f->impulse[n], f->viscous[n]));
    if (f->theta < 1.0 && part->upright) mix_forces(f, part, &result);
    return result;
}

// Residual, floor and potential of one body.
static void add_part(crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *v, const carom_vec3 *r,
                     double elastic, crm_flex_sums *sums) {
    double worst = 0.0, scale = 0.0, potential = elastic, size = fabs(elastic);
    double weight = f->step * crm_length(f->model->gravity);
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
        f->rest[n] = crm_vec3_zero();
        if (f->fixed[n]) continue;
        double m = f->mass[n], inertia = m / f->theta;
        carom_vec3 given = crm_add(f->given[n], f->couple[n]);
        carom_vec3 gained = crm_sub(v[n], crm_madd(f->v0[n], 1.0 / inertia, given));
        f->rest[n] = crm_madd(f->impulse[n], -inertia, gained);
        worst = fmax(worst, crm_length(crm_add(f->rest[n], r[n])));
        scale = fmax(scale, fmax(crm_length(f->impulse[n]), m * fmax(crm_length(v[n]), weight)));
        double kinetic = 0.5 * inertia * crm_length_squared(gained), work = crm_dot(r[n], v[n]);
        potential += kinetic - work;
        size += kinetic + fabs(work);
    }
    double residual = worst > 0.0 ? worst / scale : 0.0;
    if (isnan(potential)) residual = INFINITY; // maxima pass over what is no number
    if (!(residual <= sums->residual) || sums->body < 0) {
        sums->residual = residual;
        sums->floor = scale > 0.0 ? part->floor / scale : 0.0;
        sums->body = part->flex->first_body;
    }
    sums->missing = isnan(potential) ? INFINITY : fmax(sums->missing, worst);
    sums->potential += potential;
    sums->size += size;
}

crm_flex_sums crm_flex_implicit_evaluate(crm_flex_implicit *f, const carom_vec3 *v, const carom_vec3 *r) {
    crm_flex_sums sums = {.least_determinant = INFINITY, .possible = true, .body = -1};
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        crm_elastic_result result = find_forces(f, part, v);
        sums.least_determinant = fmin(sums.least_determinant, result.least_determinant);
        part->energy = result.energy;
        part->dissipated = f->step * result.dissipated;
        bool folded = part->upright && !f->folding && !(result.least_determinant > 0.0);
        sums.folded |= folded;
        if (result.inverted || !isfinite(result.energy)) sums.possible = false;
        find_couple(f, part, v);
        add_part(f, part, v, r, result.energy, &sums);
    }
    sums.folded &= sums.possible;
    sums.possible &= !sums.folded;
    return sums;
}

// ---- A

// theta h^2 K + h C.
static void add_elements(crm_flex_implicit *f, bool definite) {
    double h = f->step;
    crm_block_matrix *a = &f->matrix;
    crm_block_matrix_clear(a);
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        crm_elastic_add_stiffness(part->flex->elastic, (crm_node_view){f->end + part->first_node, sizeof(carom_vec3)},
                                  f->theta * h * h, h, definite,
                                  (crm_elastic_place){a, part->first_node, part->first_edge});
    }
}

static double block_size(const double *block) {
    double sum = 0.0;
    for (int k = 0; k < 9; k++) sum += block[k] * block[k];
    return sqrt(sum);
}

// eps h max over a of sum over b of |K_ab| |x_b|, from theta h^2 K; `viscous` is used.
static void find_floors(crm_flex_implicit *f) {
    const crm_block_matrix *a = &f->matrix;
    for (int n = 0; n < f->node_count; n++)
        f->viscous[n].x = block_size(a->diagonal + a->node_block[n]) * crm_length(f->end[n]);
    for (int e = 0; e < f->graph.edge_count; e++) {
        int row = f->graph.edge[e].row, column = f->graph.edge[e].column;
        double size = block_size(a->edges + a->edge_block[e]);
        f->viscous[row].x += size * crm_length(f->end[column]);
        f->viscous[column].x += size * crm_length(f->end[row]);
    }
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        part->floor = 0.0;
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
            if (!f->fixed[n]) part->floor = fmax(part->floor, DBL_EPSILON * f->viscous[n].x / (f->theta * f->step));
    }
}

// Masses; what is fixed stands by itself.
static void add_masses(crm_flex_implicit *f) {
    crm_block_matrix *a = &f->matrix;
    for (int n = 0; n < f->node_count; n++) {
        double *block = a->diagonal + a->node_block[n];
        if (f->fixed[n]) memset(block, 0, 9 * sizeof *block);
        for (int k = 0; k < 3; k++) block[4 * k] += f->mass[n] / f->theta;
    }
    for (int e = 0; e < f->graph.edge_count; e++)
        if (f->fixed[f->graph.edge[e].row] || f->fixed[f->graph.edge[e].column])
            memset(a->edges + a->edge_block[e], 0, 9 * sizeof(double));
}

// Nodes that were touched stay late, as what touches one moment touches again, until there are too many.
static carom_status order_for(crm_flex_implicit *f, const bool *touched, carom_error *error) {
    int fresh = 0, late = 0, now = 0;
    for (int n = 0; n < f->node_count; n++) {
        fresh += touched[n] && !f->late[n];
        late += f->late[n];
        now += touched[n];
    }
    bool ordered = f->factor.symbolic.node_count == f->node_count;
    if (ordered && fresh == 0 && late <= 2 * now + 16) return CAROM_OK;
    for (int n = 0; n < f->node_count; n++) f->late[n] = touched[n] || (f->late[n] && late + fresh <= 2 * now + 16);
    return crm_coupled_mass_analyse(&f->factor, &f->graph, f->late, error);
}

static void keep_configuration(crm_flex_implicit *f) {
    memcpy(f->factored, f->end, (size_t)f->node_count * sizeof *f->end);
    memcpy(f->live, f->end, (size_t)f->node_count * sizeof *f->end);
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        part->factored_centre = crm_vec3_zero();
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
            part->factored_centre = crm_madd(part->factored_centre, f->mass[n] / part->mass, f->end[n]);
    }
}

// Of f->end and f->step.
static carom_status factor_numbers(crm_flex_implicit *f, carom_error *error) {
    *f->factored_step = 0.0;
    f->factorizations++;
    for (int definite = 0; definite < 2; definite++) {
        add_elements(f, definite == 1);
        if (definite == 0) find_floors(f);
        add_masses(f);
        if (!crm_coupled_mass_factor(&f->factor, &f->matrix)) continue;
        *f->factored_step = f->live_step = f->step;
        f->clipped = definite == 1;
        keep_configuration(f);
        return CAROM_OK;
    }
    return crm_fail(error, CAROM_ERR_BAD_INPUT,
                    "the stiffness of a flexible body is no number: elastic constants, viscosity or the stretch of "
                    "elements are too large, or masses too small, to compute with; give it those of a material");
}

carom_status crm_flex_implicit_factor(crm_flex_implicit *f, const bool *touched, carom_error *error) {
    carom_status status = order_for(f, touched, error);
    return status == CAROM_OK ? factor_numbers(f, error) : status;
}

carom_status crm_flex_implicit_restore(crm_flex_implicit *f, carom_error *error) {
    size_t bytes = (size_t)f->node_count * sizeof *f->live;
    if (*f->factored_step == 0.0) {
        f->live_step = 0.0;
        for (int p = 0; p < f->part_count; p++) f->parts[p].floor = 0.0; // no stiffness is known
        f->factor.symbolic.node_count = 0;                               // the next one is ordered anew
        return CAROM_OK;
    }
    if (f->live_step == *f->factored_step && memcmp(f->live, f->factored, bytes) == 0) return CAROM_OK;
    memcpy(f->end, f->factored, bytes);
    f->step = *f->factored_step;
    carom_status status = crm_coupled_mass_analyse(&f->factor, &f->graph, f->late, error);
    return status == CAROM_OK ? factor_numbers(f, error) : status;
}

// ---- what is saved

static bool is_truth(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    return *(const unsigned char *)item <= 1;
}

static bool is_length(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    double step = *(const double *)item;
    return step >= 0.0 && isfinite(step);
}

void crm_flex_implicit_keep(carom_state *state, crm_flex_implicit *f) {
    crm_state_keep(state, (crm_kept){"factored nodes", f->factored, 3 * f->node_count, sizeof(double), crm_numbers_fit,
                                     .of_contacts = false});
    crm_state_keep(
        state, (crm_kept){"order of nodes", f->late, f->node_count, sizeof *f->late, is_truth, .of_contacts = false});
    crm_state_keep(state, (crm_kept){"factored step", f->factored_step, 1, sizeof *f->factored_step, is_length,
                                     .of_contacts = false});
}

// ---- a step of Newton's method

// How a part has rotated since its configuration was factored: the rotation that fits best.
static void find_rotated(crm_flex_implicit *f, crm_flex_part *part) {
    part->rotated = crm_mat3_identity();
    if (part->held) return;
    carom_mat3 sum = {0};
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
        carom_vec3 then = crm_scale(f->mass[n], crm_sub(f->factored[n], part->factored_centre));
        sum.x = crm_madd(sum.x, then.x, f->end[n]);
        sum.y = crm_madd(sum.y, then.y, f->end[n]);
        sum.z = crm_madd(sum.z, then.z, f->end[n]);
    }
    carom_mat3 rotation;
    if (crm_nearest_rotation(sum, &rotation)) part->rotated = rotation;
}

void crm_flex_implicit_free(crm_flex_implicit *f, const carom_vec3 *v, carom_vec3 *free) {
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        find_rotated(f, part);
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
            free[n] = crm_mat3_apply_t(part->rotated, f->rest[n]);
    }
    crm_coupled_mass_divide(&f->factor, &free[0].x);
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
            free[n] = f->fixed[n] ? crm_vec3_zero() : crm_add(v[n], crm_mat3_apply(part->rotated, free[n]));
    }
}

// ---- the way of a step of Newton's method

static void go_rigidly(crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *v, const carom_vec3 *next,
                       double share, carom_vec3 *out) {
    int begin = part->first_node, end = begin + part->flex->node_count;
    double h = f->step;
    for (int n = begin; n < end; n++) {
        f->end[n] = crm_madd(f->x[n], h, v[n]);
        f->end_velocity[n] = crm_sub(next[n], v[n]);
    }
    rigid_change rigid = find_change(f, part, f->end, f->end_velocity);
    carom_quat rotation = crm_so3_exp(crm_scale(share * h, rigid.spin));
    for (int n = begin; n < end; n++)
        out[n] = crm_madd(v[n], 1.0 / h, way_of(&rigid, rotation, f->end[n], f->end_velocity[n], share * h, true));
}

void crm_flex_implicit_go(crm_flex_implicit *f, const carom_vec3 *v, const carom_vec3 *next, double share,
                          carom_vec3 *out) {
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        if (!part->held) go_rigidly(f, part, v, next, share, out);
        for (int n = part->first_node; part->held && n < part->first_node + part->flex->node_count; n++)
            out[n] = crm_madd(v[n], share, crm_sub(next[n], v[n]));
    }
}

// ---- the end

// What a part lacks of its momenta, about the centre where the step begins, and what a rotation gives of it.
typedef struct rigid_sums {
    carom_vec3 linear, angular;
    carom_mat3 inertia;
} rigid_sums;

static carom_vec3 middle_of(const crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *v) {
    carom_vec3 middle = crm_vec3_zero();
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++)
        middle = crm_madd(middle, f->mass[n] / part->mass, crm_madd(f->x[n], f->step, v[n]));
    return middle;
}

static rigid_sums find_missing(const crm_flex_implicit *f, const crm_flex_part *part, const carom_vec3 *r,
                               const carom_vec3 *v, carom_vec3 middle) {
    rigid_sums sums = {.angular = part->shift};
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
        double inertia = f->mass[n] / f->theta;
        carom_vec3 arm = crm_sub(place_of(f, n, v[n]), part->centre);
        carom_vec3 missing = crm_madd(crm_add(f->given[n], r[n]), inertia, crm_sub(f->v0[n], v[n]));
        sums.linear = crm_add(sums.linear, missing);
        sums.angular = crm_add(sums.angular, crm_cross(arm, missing));
        add_inertia(inertia, arm, crm_sub(crm_madd(f->x[n], f->step, v[n]), middle), &sums.inertia);
    }
    return sums;
}

void crm_flex_implicit_balance(const crm_flex_implicit *f, const carom_vec3 *r, carom_vec3 *v) {
    for (int p = 0; p < f->part_count; p++) {
        const crm_flex_part *part = &f->parts[p];
        if (part->held) continue;
        carom_vec3 middle = middle_of(f, part, v), spin = crm_vec3_zero();
        rigid_sums sums = find_missing(f, part, r, v, middle);
        carom_vec3 velocity = crm_scale(f->theta / part->mass, sums.linear);
        (void)crm_mat3_solve(sums.inertia, sums.angular, &spin);
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
            carom_vec3 arm = crm_sub(crm_madd(f->x[n], f->step, v[n]), middle);
            v[n] = crm_add(v[n], crm_add(velocity, crm_cross(spin, arm)));
        }
    }
}
