// SPDX-License-Identifier: MIT
#include "model/field/grid.h"

#include <math.h>

// Weights of up to four nodes along one direction, with their first two derivatives by the coordinate, 1/m and 1/m^2.
typedef struct axis_weights {
    int first, count;
    double value[4], slope[4], bend[4];
} axis_weights;

// The cell of a coordinate, of cells 0 ... nodes - 2, and where in it: 0 ... 1; `beyond` is by how many cells the
// coordinate lies outside of the grid.
static int cell_of(double coordinate, double origin, double spacing, int nodes, double *t, double *beyond) {
    double s = (coordinate - origin) / spacing, inside = fmin(fmax(s, 0.0), (double)(nodes - 1));
    int cell = (int)fmin(inside, (double)(nodes - 2)); // the last node ends the last cell
    *t = inside - cell;
    *beyond = s - inside;
    return cell;
}

// One node: nothing changes along this direction.
static axis_weights constant_weights(void) {
    return (axis_weights){.count = 1, .value = {1.0}};
}

static axis_weights linear_weights(double coordinate, double origin, double spacing, int nodes) {
    if (nodes == 1) return constant_weights();
    double t, beyond;
    axis_weights w = {.count = 2};
    w.first = cell_of(coordinate, origin, spacing, nodes, &t, &beyond);
    w.value[0] = 1.0 - t, w.value[1] = t;
    if (beyond == 0.0) w.slope[0] = -1.0 / spacing, w.slope[1] = 1.0 / spacing;
    return w;
}

// The weight of a node that the grid has not goes to those that continue it as a parabola, of two nodes as a line.
static void fold(axis_weights *w, const double *from[3], int ghost, int nodes, bool before) {
    double *to[3] = {w->value, w->slope, w->bend};
    const double share[2][3] = {{2.0, -1.0, 0.0}, {3.0, -3.0, 1.0}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < (nodes > 2 ? 3 : 2); i++) {
            int node = before ? i : nodes - 1 - i;
            to[k][node - w->first] += share[nodes > 2][i] * from[k][ghost];
        }
}

// Keys' cubic convolution with a = -1/2; outside it goes on as a line.
static axis_weights cubic_weights(double coordinate, double origin, double spacing, int nodes) {
    if (nodes == 1) return constant_weights();
    double t, beyond, per = 1.0 / spacing;
    int cell = cell_of(coordinate, origin, spacing, nodes, &t, &beyond);
    double value[4] = {t * (t * (1.0 - 0.5 * t) - 0.5), 1.0 + t * t * (1.5 * t - 2.5), t * (0.5 + t * (2.0 - 1.5 * t)),
                       0.5 * t * t * (t - 1.0)};
    double slope[4] = {t * (2.0 - 1.5 * t) - 0.5, t * (4.5 * t - 5.0), 0.5 + t * (4.0 - 4.5 * t), t * (1.5 * t - 1.0)};
    double bend[4] = {2.0 - 3.0 * t, 9.0 * t - 5.0, 4.0 - 9.0 * t, 3.0 * t - 1.0};
    for (int i = 0; i < 4; i++) {
        value[i] += beyond * slope[i];
        bend[i] = beyond == 0.0 ? bend[i] * per * per : 0.0;
        slope[i] *= per;
    }
    const double *from[3] = {value, slope, bend};
    axis_weights w = {.first = cell > 0 ? cell - 1 : 0};
    int last = cell + 2 < nodes ? cell + 2 : nodes - 1;
    w.count = last - w.first + 1;
    for (int i = 0; i < 4; i++) {
        int node = cell - 1 + i;
        if (node < 0 || node >= nodes) {
            fold(&w, from, i, nodes, node < 0);
            continue;
        }
        w.value[node - w.first] += value[i];
        w.slope[node - w.first] += slope[i];
        w.bend[node - w.first] += bend[i];
    }
    return w;
}

static ptrdiff_t node_of(const crm_grid *grid, const axis_weights w[3], int i, int j, int k) {
    ptrdiff_t row = w[1].first + j + (ptrdiff_t)grid->count[1] * (w[2].first + k);
    return w[0].first + i + grid->count[0] * row;
}

carom_vec3 crm_grid_vector(const crm_grid *grid, const carom_vec3 *of_node, carom_vec3 at, carom_mat3 *gradient) {
    const axis_weights w[3] = {linear_weights(at.x, grid->origin.x, grid->spacing.x, grid->count[0]),
                               linear_weights(at.y, grid->origin.y, grid->spacing.y, grid->count[1]),
                               linear_weights(at.z, grid->origin.z, grid->spacing.z, grid->count[2])};
    carom_vec3 sum = crm_vec3_zero();
    *gradient = crm_mat3_zero();
    for (int k = 0; k < w[2].count; k++)
        for (int j = 0; j < w[1].count; j++)
            for (int i = 0; i < w[0].count; i++) {
                carom_vec3 f = of_node[node_of(grid, w, i, j, k)];
                double x = w[0].value[i], y = w[1].value[j], z = w[2].value[k];
                sum = crm_madd(sum, x * y * z, f);
                gradient->x = crm_madd(gradient->x, w[0].slope[i] * y * z, f);
                gradient->y = crm_madd(gradient->y, x * w[1].slope[j] * z, f);
                gradient->z = crm_madd(gradient->z, x * y * w[2].slope[k], f);
            }
    return sum;
}

crm_pair_potential_value crm_grid_energy(const crm_grid *grid, carom_vec3 at) {
    const axis_weights w[3] = {cubic_weights(at.x, grid->origin.x, grid->spacing.x, grid->count[0]),
                               cubic_weights(at.y, grid->origin.y, grid->spacing.y, grid->count[1]),
                               cubic_weights(at.z, grid->origin.z, grid->spacing.z, grid->count[2])};
    crm_pair_potential_value sum = {0.0, crm_vec3_zero(), crm_mat3_zero()};
    for (int k = 0; k < w[2].count; k++)
        for (int j = 0; j < w[1].count; j++)
            for (int i = 0; i < w[0].count; i++) {
                double u = grid->energy[node_of(grid, w, i, j, k)];
                double x = w[0].value[i], y = w[1].value[j], z = w[2].value[k];
                double dx = w[0].slope[i], dy = w[1].slope[j], dz = w[2].slope[k];
                double xy = u * dx * dy * z, xz = u * dx * y * dz, yz = u * x * dy * dz;
                carom_vec3 columns[3] = {crm_vec3(u * w[0].bend[i] * y * z, xy, xz),
                                         crm_vec3(xy, u * x * w[1].bend[j] * z, yz),
                                         crm_vec3(xz, yz, u * x * y * w[2].bend[k])};
                sum.energy += u * x * y * z;
                sum.gradient = crm_add(sum.gradient, crm_vec3(u * dx * y * z, u * x * dy * z, u * x * y * dz));
                sum.hessian = crm_mat3_add(sum.hessian, crm_mat3_columns(columns[0], columns[1], columns[2]));
            }
    return sum;
}
