// SPDX-License-Identifier: MIT
// Bodies that touch where a projection has put them, and what their momenta keep there.
//
// A projection moves bodies of a cluster against each other without outside impulses, as if contacts had pushed them;
// but momenta that are carried along unchanged have other arms then, and the sum of x x p + l is not what it was. What
// the cluster has of a rigid motion is therefore set to the angular momentum from before: about all axes while it
// floats, about the normal where it touches fixed bodies along one normal only, not at all otherwise. What is left,
// the motion of its bodies against each other, is stretched such that the kinetic energy is what it was. Both are
// orthogonal in the metric of the masses, and both keep velocities that joints allow.
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

static bool moves(const crm_dcr *dcr, int body) {
    return dcr->model->bodies.items[body].kind != CAROM_BODY_FIXED;
}

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
    }
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        bool touch = site->gap <= CRM_DCR_TOUCH * site->size;
        if (touch && moves(dcr, site->a) && moves(dcr, site->b)) crm_forest_join(dcr->cluster, site->a, site->b);
    }
    for (int b = 0; b < model->bodies.count; b++) dcr->cluster[b] = crm_forest_root(dcr->cluster, b);
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        if (site->gap > CRM_DCR_TOUCH * site->size || (moves(dcr, site->a) && moves(dcr, site->b))) continue;
        int body = moves(dcr, site->a) ? site->a : site->b;
        keep_axis(&dcr->clusters[dcr->cluster[body]], site->direction[0]);
    }
    for (int b = 0; b < model->bodies.count; b++) {
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        if (!moves(dcr, b)) continue;
        cluster->moved |= is_moved(&dcr->made[b], &dcr->state->next[b]);
        cluster->grounded |= dcr->trees[dcr->tree[b]].grounded;
        if (model->bodies.items[b].kind != CAROM_BODY_PLANAR) continue;
        cluster->planar = true;
        keep_axis(cluster, crm_vec3(0.0, 0.0, 1.0));
    }
}

// ---- what they have in common

static void weigh(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        const crm_motion *made = &dcr->made[b], *next = &dcr->state->next[b];
        if (!moves(dcr, b) || !cluster->moved) continue;
        cluster->mass += body->mass;
        cluster->centre = crm_madd(cluster->centre, body->mass, next->x);
        cluster->momentum = crm_add(cluster->momentum, next->p);
        cluster->before += crm_motion_kinetic_energy(body, made);
        cluster->after += crm_motion_kinetic_energy(body, next);
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
static carom_vec3 moment_of(const crm_motion *m, carom_vec3 centre) {
    return crm_add(m->l, crm_cross(crm_sub(m->x, centre), m->p));
}

static carom_mat3 inertia_of(const crm_body *body, const crm_motion *m, carom_vec3 centre) {
    carom_vec3 r = crm_sub(m->x, centre);
    carom_mat3 own = crm_mat3_columns(crm_motion_angular_momentum(body, m->q, crm_vec3(1.0, 0.0, 0.0)),
                                      crm_motion_angular_momentum(body, m->q, crm_vec3(0.0, 1.0, 0.0)),
                                      crm_motion_angular_momentum(body, m->q, crm_vec3(0.0, 0.0, 1.0)));
    carom_mat3 arm = crm_mat3_sub(crm_mat3_scale(crm_dot(r, r), crm_mat3_identity()), crm_outer(r, r));
    return crm_mat3_add(own, crm_mat3_scale(body->mass, arm));
}

static void measure_rotations(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_dcr_cluster *cluster = &dcr->clusters[dcr->cluster[b]];
        if (!moves(dcr, b) || !(cluster->mass > 0.0)) continue;
        carom_vec3 before = moment_of(&dcr->made[b], cluster->centre);
        carom_vec3 after = moment_of(&dcr->state->next[b], cluster->centre);
        cluster->angular_momentum = crm_add(cluster->angular_momentum, after);
        cluster->missing = crm_add(cluster->missing, crm_sub(before, after));
        cluster->inertia = crm_mat3_add(cluster->inertia, inertia_of(body, &dcr->state->next[b], cluster->centre));
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
    crm_vec6 rigid = crm_vec6_of(crm_scale(body->mass, common), crm_motion_angular_momentum(body, m->q, cluster->spin));
    crm_vec6 rotated = crm_vec6_of(crm_scale(body->mass, crm_cross(cluster->more_spin, r)),
                                   crm_motion_angular_momentum(body, m->q, cluster->more_spin));
    crm_vec6 against = crm_vec6_sub(crm_vec6_of(m->p, m->l), rigid);
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
        if (moves(dcr, b) && dcr->clusters[dcr->cluster[b]].moved) change(dcr, b);
}
