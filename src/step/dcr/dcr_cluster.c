// SPDX-License-Identifier: MIT
// Bodies that touch where a projection has put them, and what their momenta keep there.
//
// A projection moves bodies of a cluster against each other without outside impulses, as if contacts had pushed them;
// but momenta that are carried along unchanged have other arms then, and the sum of x x p + l is not what it was. What
// the cluster has of a rigid motion is therefore set to the angular momentum from before: about all axes while it
// floats, about the normal where it touches fixed bodies along one normal only, not at all otherwise. What is left,
// the motion of its bodies against each other, is stretched such that the kinetic energy is what it was. Both are
// orthogonal in the metric of the masses, and both keep velocities that joints allow. The spins of balls that only
// smooth contacts touch are left alone: what rotates then is where they are.
#include <math.h>

#include "base/forest.h"
#include "math/eigen3.h"
#include "step/dcr/dcr.h"

// Normals that differ by less are one. Moments of inertia below this share of the largest are none, and so are
// energies.
static const double same_normal = 1e-9, no_moment = 1e-12, no_energy = 1e-12;
// Stretches beyond this factor are not made: the energy changes instead, if by no more than this share, or else the
// angular momentum. Both are reported.
static const double largest_stretch = 2.0, largest_gain = 1e-3;

// ---- who touches whom

static void keep_axis(crm_dcr_cluster *cluster, carom_vec3 axis) {
    if (cluster->kept == CRM_DCR_ALL_AXES) {
        cluster->kept = CRM_DCR_ONE_AXIS;
        cluster->axis = axis;
    } else if (fabs(crm_dot(cluster->axis, axis)) < 1.0 - same_normal) {
        cluster->kept = CRM_DCR_NO_AXIS;
    }
}

static bool is_moved(const crm_motion *from, const crm_motion *to) {
    return crm_distance(from->x, to->x) > 0.0 || from->q.w != to->q.w || from->q.x != to->q.x || from->q.y != to->q.y ||
           from->q.z != to->q.z;
}

static void find_clusters(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    for (int b = 0; b < model->bodies.count; b++) {
        dcr->cluster[b] = dcr->tree[b];
        dcr->clusters[b] = (crm_dcr_cluster){.kept = CRM_DCR_ALL_AXES};
        dcr->slippery[b] = crm_dcr_is_ball(dcr, b) && !dcr->trees[dcr->tree[b]].coupled;
    }
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        bool touch = site->gap <= CRM_DCR_TOUCH * site->size;
        if (touch && site->friction > 0.0) dcr->slippery[site->a] = dcr->slippery[site->b] = false;
        if (touch && crm_body_moves(dcr->model, site->a) && crm_body_moves(dcr->model, site->b))
            crm_forest_join(dcr->cluster, site->a, site->b);
    }
    for (int b = 0; b < model->bodies.count; b++) dcr->cluster[b] = crm_forest_root(dcr->cluster, b);
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        if (site->gap > CRM_DCR_TOUCH * site->size ||
            (crm_body_moves(dcr->model, site->a) && crm_body_moves(dcr->model, site->b)))
            continue;
        int body = crm_body_moves(dcr->model, site->a) ? site->a : site->b;
        keep_axis(&dcr->clusters[dcr->cluster[body]], site->direction[0]);
    }
    for (int b = 0; b < model->bodies.count; b++) {
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        if (!crm_body_moves(dcr->model, b)) continue;
        cluster->moved |= is_moved(&dcr->made[b], &dcr->state->next[b]);
        cluster->grounded |= dcr->trees[dcr->tree[b]].grounded;
        if (model->bodies.items[b].kind != CAROM_BODY_PLANAR) continue;
        cluster->planar = true;
        keep_axis(cluster, crm_vec3(0.0, 0.0, 1.0));
    }
}

// ---- what they have in common

// The energy of the spin of a ball that only smooth contacts touch: no impulse of theirs has a part in it, and a
// rotation of the cluster none either.
static double spin_left_alone(const crm_dcr *dcr, int b, const crm_motion *m) {
    return dcr->slippery[b] ? 0.5 * crm_dot(m->l, crm_motion_spin(&dcr->model->bodies.items[b], m)) : 0.0;
}

static void weigh(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        const crm_motion *made = &dcr->made[b], *next = &dcr->state->next[b];
        if (!crm_body_moves(dcr->model, b) || !cluster->moved) continue;
        cluster->mass += body->mass;
        cluster->centre = crm_madd(cluster->centre, body->mass, next->x);
        cluster->momentum = crm_add(cluster->momentum, next->p);
        cluster->before += crm_motion_kinetic_energy(body, made) - spin_left_alone(dcr, b, made);
        cluster->after += crm_motion_kinetic_energy(body, next) - spin_left_alone(dcr, b, next);
    }
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        crm_dcr_cluster *cluster = &dcr->clusters[b];
        if (!(cluster->mass > 0.0)) continue;
        cluster->centre = crm_scale(1.0 / cluster->mass, cluster->centre);
        if (cluster->planar) cluster->momentum.z = 0.0; // planar bodies cannot go along
        if (!cluster->grounded) continue;
        cluster->momentum = crm_vec3_zero();
        cluster->kept = CRM_DCR_NO_AXIS;
    }
}

// About the centre of the cluster.
static carom_vec3 moment_of(const crm_dcr *dcr, int b, const crm_motion *m, carom_vec3 centre) {
    carom_vec3 moment = crm_cross(crm_sub(m->x, centre), m->p);
    return dcr->slippery[b] ? moment : crm_add(m->l, moment);
}

// Of its own in a rigid rotation of its cluster.
static carom_vec3 own_moment(const crm_dcr *dcr, int b, const crm_motion *m, carom_vec3 spin) {
    if (dcr->slippery[b]) return crm_vec3_zero();
    return crm_motion_angular_momentum(&dcr->model->bodies.items[b], m->q, spin);
}

static carom_mat3 inertia_of(const crm_dcr *dcr, int b, const crm_motion *m, carom_vec3 centre) {
    const crm_body *body = &dcr->model->bodies.items[b];
    carom_vec3 r = crm_sub(m->x, centre);
    carom_mat3 own =
        crm_mat3_columns(own_moment(dcr, b, m, crm_vec3(1.0, 0.0, 0.0)), own_moment(dcr, b, m, crm_vec3(0.0, 1.0, 0.0)),
                         own_moment(dcr, b, m, crm_vec3(0.0, 0.0, 1.0)));
    carom_mat3 arm = crm_mat3_sub(crm_mat3_scale(crm_dot(r, r), crm_mat3_identity()), crm_outer(r, r));
    return crm_mat3_add(own, crm_mat3_scale(body->mass, arm));
}

static void measure_rotations(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        if (!crm_body_moves(dcr->model, b) || !(cluster->mass > 0.0)) continue;
        carom_vec3 before = moment_of(dcr, b, &dcr->made[b], cluster->centre);
        carom_vec3 after = moment_of(dcr, b, &dcr->state->next[b], cluster->centre);
        cluster->angular_momentum = crm_add(cluster->angular_momentum, after);
        cluster->missing = crm_add(cluster->missing, crm_sub(before, after));
        cluster->inertia = crm_mat3_add(cluster->inertia, inertia_of(dcr, b, &dcr->state->next[b], cluster->centre));
    }
}

// The spin of a rigid motion with this angular momentum, of what the cluster keeps of it.
static carom_vec3 spin_of(const crm_dcr_cluster *cluster, carom_vec3 l) {
    carom_vec3 n = cluster->axis, values, spin = crm_vec3_zero();
    carom_mat3 axes;
    if (cluster->kept == CRM_DCR_NO_AXIS) return spin;
    if (cluster->kept == CRM_DCR_ONE_AXIS) {
        double moment = crm_dot(n, crm_mat3_apply(cluster->inertia, n));
        return crm_scale(moment > 0.0 ? crm_dot(n, l) / moment : 0.0, n);
    }
    if (!crm_eigen3(cluster->inertia, &values, &axes)) return spin;
    const carom_vec3 axis[] = {axes.x, axes.y, axes.z};
    const double moment[] = {values.x, values.y, values.z};
    for (int k = 0; k < 3; k++)
        if (moment[k] > no_moment * moment[2]) spin = crm_madd(spin, crm_dot(axis[k], l) / moment[k], axis[k]);
    return spin;
}

static double spin_energy(const crm_dcr_cluster *cluster, carom_vec3 spin) {
    return 0.5 * crm_dot(spin, crm_mat3_apply(cluster->inertia, spin));
}

// Stretches what moves against the rigid motion to the energy from before. False: that takes more than is allowed.
static bool find_growth(crm_dcr_cluster *cluster) {
    double common = 0.5 * crm_length_squared(cluster->momentum) / cluster->mass;
    double wanted = cluster->before - common - spin_energy(cluster, crm_add(cluster->spin, cluster->more_spin));
    double found = cluster->after - common - spin_energy(cluster, cluster->spin);
    cluster->growth = 1.0;
    if (!(found > no_energy * cluster->after && wanted > 0.0)) return false;
    double growth = sqrt(wanted / found);
    bool allowed = growth < largest_stretch && growth > 1.0 / largest_stretch;
    if (allowed) cluster->growth = growth;
    return allowed;
}

static void find_changes(crm_dcr_cluster *cluster) {
    cluster->spin = spin_of(cluster, cluster->angular_momentum);
    cluster->more_spin = spin_of(cluster, cluster->missing);
    if (find_growth(cluster)) return;
    double gained =
        spin_energy(cluster, crm_add(cluster->spin, cluster->more_spin)) - spin_energy(cluster, cluster->spin);
    if (fabs(gained) <= largest_gain * cluster->before) return;
    cluster->more_spin = crm_vec3_zero();
    find_growth(cluster);
}

// ---- what is done to them

static void change(crm_dcr *dcr, int b) {
    const crm_body *body = &dcr->model->bodies.items[b];
    const crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
    crm_motion *m = &dcr->state->next[b];
    carom_vec3 r = crm_sub(m->x, cluster->centre);
    carom_vec3 common = crm_madd(crm_scale(1.0 / cluster->mass, cluster->momentum), 1.0, crm_cross(cluster->spin, r));
    crm_vec6 rigid = crm_vec6_of(crm_scale(body->mass, common), own_moment(dcr, b, m, cluster->spin));
    crm_vec6 rotated =
        crm_vec6_of(crm_scale(body->mass, crm_cross(cluster->more_spin, r)), own_moment(dcr, b, m, cluster->more_spin));
    crm_vec6 own = crm_vec6_of(m->p, dcr->slippery[b] ? crm_vec3_zero() : m->l);
    crm_vec6 against = crm_vec6_sub(own, rigid);
    crm_vec6 lift = crm_vec6_madd(rotated, cluster->growth - 1.0, against);
    dcr->lift[b] = crm_vec6_add(dcr->lift[b], lift);
    m->p = crm_add(m->p, lift.linear);
    m->l = crm_add(m->l, lift.angular);
}

void crm_dcr_restore(crm_dcr *dcr) {
    find_clusters(dcr);
    weigh(dcr);
    measure_rotations(dcr);
    for (int b = 0; b < dcr->model->bodies.count; b++)
        if (dcr->clusters[b].mass > 0.0) find_changes(&dcr->clusters[b]);
    for (int b = 0; b < dcr->model->bodies.count; b++)
        if (crm_body_moves(dcr->model, b) && dcr->clusters[dcr->cluster[b]].moved) change(dcr, b);
}
