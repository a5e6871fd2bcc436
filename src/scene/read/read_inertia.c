// SPDX-License-Identifier: MIT
// An inertia: three numbers for a diagonal, or a symmetric matrix, that some body can have.
#include <math.h>

#include "math/eigen3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

// Entries across the diagonal may differ by this share of the largest entry, as numbers copied from elsewhere do.
static const double symmetry_share = 1e-9;

// The share by which the largest principal moment may exceed the sum of the others before the body is impossible: the
// rounding of a flat plate, which reaches the bound. The model forgives as much.
static const double triangle_share = 1e-9;

static bool read_matrix(const crm_json_node *node, carom_mat3 *out) {
    double m[3][3];
    bool good = true;
    for (int row = 0; row < 3; row++) {
        crm_json_node item = crm_scene_item(node, row);
        good &= crm_scene_numbers_of(&item, CRM_SCENE_ANY, "kg m^2", 3, m[row]);
    }
    if (!good) return false;
    double largest = 0.0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i / 3][i % 3]));
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < row; column++) {
            double above = m[column][row], below = m[row][column];
            if (fabs(above - below) > symmetry_share * largest)
                return crm_scene_error(node, "needs a symmetric matrix; row %d column %d is %g, row %d column %d is %g",
                                       column + 1, row + 1, above, row + 1, column + 1, below);
            if (above != below) m[row][column] = m[column][row] = 0.5 * above + 0.5 * below;
        }
    }
    *out = crm_mat3_columns(crm_vec3(m[0][0], m[1][0], m[2][0]), crm_vec3(m[0][1], m[1][1], m[2][1]),
                            crm_vec3(m[0][2], m[1][2], m[2][2]));
    return true;
}

static bool is_possible(const crm_json_node *node, carom_mat3 inertia) {
    carom_vec3 moments;
    carom_mat3 axes;
    bool finite = crm_eigen3(inertia, &moments, &axes);
    if (!finite || !(moments.x > 0.0))
        return crm_scene_error(node, "the principal moments are %g, %g, %g kg m^2; they must be positive", moments.x,
                               moments.y, moments.z);
    if (moments.z > (1.0 + triangle_share) * (moments.x + moments.y))
        return crm_scene_error(
            node, "the principal moments are %g, %g, %g kg m^2; no body has one above the sum of the other two",
            moments.x, moments.y, moments.z);
    return true;
}

bool crm_scene_read_inertia(const crm_json_node *object, carom_mat3 *out) {
    static const char wanted[] = "3 numbers for a diagonal or 3 rows of 3 numbers (kg m^2)";
    crm_json_node node = crm_scene_member(object, "inertia");
    if (node.value == NULL) return true;
    if (!json_is_array(node.value) || json_array_size(node.value) != 3) return crm_scene_needs(&node, wanted);
    carom_mat3 inertia;
    double d[3];
    if (json_is_array(json_array_get(node.value, 0))) {
        if (!read_matrix(&node, &inertia)) return false;
    } else {
        if (!crm_scene_numbers_of(&node, CRM_SCENE_POSITIVE, "kg m^2", 3, d)) return false;
        inertia = crm_mat3_diagonal(crm_vec3(d[0], d[1], d[2]));
    }
    if (!is_possible(&node, inertia)) return false;
    *out = inertia;
    return true;
}
