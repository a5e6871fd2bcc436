// SPDX-License-Identifier: MIT
// Reference elements: gradients, energy, stresses, forces, stiffness and masses of one tetrahedron.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "verify/flex/verify_flex.h"

enum { NODES_MOST = 10, POINTS_MOST = 4, NUMBERS_MOST = 9 * NODES_MOST * NODES_MOST };

// What carom says of an element.
typedef struct answer {
    int nodes, points;
    carom_status status; // of the energy
    double energy, masses[NODES_MOST];
    carom_vec3 forces[NODES_MOST];
    carom_elastic_point point[POINTS_MOST];
    int start[3 * NODES_MOST + 1], column[NUMBERS_MOST];
    double stiffness[NUMBERS_MOST];
} answer;

// The units of the file's tolerances.
typedef struct scales {
    double modulus, volume, slope; // lambda + 2 mu, Pa; m^3; max(1, |F^-1|^2) over the points
} scales;

static double largest_in(carom_mat3 a) {
    double x = crm_max_component(crm_vec3_abs(a.x)), y = crm_max_component(crm_vec3_abs(a.y));
    return crm_mat3_finite(a) ? fmax(fmax(x, y), crm_max_component(crm_vec3_abs(a.z))) : INFINITY;
}

static carom_mat3 matrix_at(crm_reference *r, const json_t *list, const char *key, int point) {
    double m[3][3] = {{0.0}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            const json_t *row = json_array_get(json_array_get(list, (size_t)point), i);
            const json_t *entry = json_array_get(row, j);
            if (!json_is_number(entry)) crm_reference_fail(r, "expected.%s must be 3x3 matrices, one a point", key);
            m[i][j] = json_number_value(entry);
        }
    return (carom_mat3){{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}};
}

static double number_at(crm_reference *r, const json_t *list, const char *key, int index) {
    const json_t *entry = json_array_get(list, (size_t)index);
    if (!json_is_number(entry)) crm_reference_fail(r, "expected.%s has too few numbers", key);
    return json_number_value(entry);
}

static bool ask(crm_reference *r, const carom_mesh *mesh, const carom_elastic_def *elastic, const carom_vec3 *positions,
                answer *out) {
    carom_error error;
    int64_t count;
    out->nodes = carom_mesh_node_count(mesh);
    out->points = CAROM_ELEMENT_POINTS(carom_mesh_order(mesh));
    carom_mesh_masses(mesh, elastic->density, out->masses);
    out->status = carom_mesh_evaluate(mesh, elastic, positions, &out->energy, out->forces, out->point, &error);
    carom_status status = out->status == CAROM_ERR_BAD_INPUT ? CAROM_OK : out->status; // which may be what is expected
    if (out->status == CAROM_OK)
        status =
            carom_mesh_stiffness(mesh, elastic, positions, &count, out->start, out->column, out->stiffness, &error);
    if (status != CAROM_OK) crm_reference_refuse(r, &error);
    return status == CAROM_OK;
}

static void compare_geometry(crm_reference *r, const crm_case *what, const answer *got, double volume,
                             crm_verdict *verdict) {
    double relative = crm_flex_tolerance(r, what, "masses"), unit = crm_flex_tolerance(r, what, "J");
    double wanted = crm_reference_number(r, what->expected, "expected", "volume");
    const json_t *masses = crm_reference_array(r, what->expected, "expected", "masses");
    const json_t *gradients = crm_reference_array(r, what->expected, "expected", "F");
    const json_t *determinants = crm_reference_array(r, what->expected, "expected", "J");
    crm_check_error(verdict, fabs(volume - wanted) / wanted, relative, "volume");
    for (int a = 0; a < got->nodes; a++) {
        double mass = number_at(r, masses, "masses", a);
        crm_check_error(verdict, fabs(got->masses[a] - mass) / mass, relative, "masses");
    }
    for (int q = 0; q < got->points; q++) {
        carom_mat3 f = matrix_at(r, gradients, "F", q);
        double scale = fmax(1.0, crm_mat3_norm(f));
        crm_check_error(verdict, largest_in(crm_mat3_sub(got->point[q].gradient, f)), unit * scale, "F");
        crm_check_error(verdict, fabs(got->point[q].determinant - number_at(r, determinants, "J", q)), unit, "J");
    }
}

// P, and where the file has them, the Cauchy stress P F^T/J and its size, to what P's tolerance makes of them.
static void compare_stresses(crm_reference *r, const crm_case *what, const answer *got, const scales *scale,
                             crm_verdict *verdict) {
    double tolerance = crm_flex_tolerance(r, what, "P") * scale->modulus * scale->slope;
    const json_t *piola = crm_reference_array(r, what->expected, "expected", "P");
    const json_t *cauchy = crm_reference_optional(r, what->expected, "cauchy");
    const json_t *von_mises = crm_reference_optional(r, what->expected, "von_mises");
    for (int q = 0; q < got->points; q++) {
        const carom_elastic_point *p = &got->point[q];
        double spread = tolerance * fmax(1.0, crm_mat3_norm(p->gradient) / fabs(p->determinant));
        crm_check_error(verdict, largest_in(crm_mat3_sub(p->piola, matrix_at(r, piola, "P", q))), tolerance, "P");
        if (cauchy != NULL)
            crm_check_error(verdict, largest_in(crm_mat3_sub(p->cauchy, matrix_at(r, cauchy, "cauchy", q))), spread,
                            "cauchy");
        if (von_mises != NULL)
            crm_check_error(verdict, fabs(p->von_mises - number_at(r, von_mises, "von_mises", q)), spread, "von_mises");
    }
}

static void compare_energy(crm_reference *r, const crm_case *what, const answer *got, const scales *scale,
                           crm_verdict *verdict) {
    static const double of_itself = 1e-7; // what small strains ask for
    double wanted = crm_reference_number(r, what->expected, "expected", "energy"), error = fabs(got->energy - wanted);
    double tolerance = crm_flex_tolerance(r, what, "energy") * scale->modulus * scale->volume;
    crm_check_error(verdict, error, tolerance, "energy");
    if (strcmp(crm_reference_text(r, what->input, "input", "situation"), "small_strain") == 0)
        crm_check_error(verdict, error / wanted, of_itself, "energy of small strain");
}

static void compare_stiffness(crm_reference *r, const crm_case *what, const answer *got, crm_verdict *verdict) {
    const json_t *rows = crm_reference_array(r, what->expected, "expected", "stiffness");
    double largest = 0.0, error = 0.0;
    for (int i = 0; i < 3 * got->nodes; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        if (got->start[i + 1] - got->start[i] != 3 * got->nodes) error = INFINITY;
        for (int at = got->start[i]; at < got->start[i + 1]; at++) {
            double wanted = number_at(r, row, "stiffness", got->column[at]);
            largest = fmax(largest, fabs(wanted));
            double off = fabs(got->stiffness[at] - wanted);
            error = off <= error ? error : off; // NaN counts
        }
    }
    crm_check_error(verdict, error / largest, crm_flex_tolerance(r, what, "stiffness"), "stiffness");
}

static void compare(crm_reference *r, const crm_case *what, const carom_mesh *mesh, const carom_elastic_def *elastic,
                    const answer *got, crm_arena *arena, crm_verdict *verdict) {
    scales scale = {elastic->lambda + 2.0 * elastic->mu, carom_mesh_get_quality(mesh).volume, 1.0};
    bool inverted = false;
    for (int q = 0; q < got->points; q++) {
        carom_mat3 inverse;
        (void)crm_mat3_inverse(got->point[q].gradient, &inverse);
        scale.slope = fmax(scale.slope, crm_mat3_norm(inverse) * crm_mat3_norm(inverse));
        inverted |= got->point[q].determinant <= 0.0;
    }
    compare_geometry(r, what, got, scale.volume, verdict);
    crm_check_flag(verdict, "inverted", inverted, crm_reference_bool(r, what->expected, "expected", "inverted"));
    bool refused = !crm_reference_has(what->expected, "energy"); // of inverted elements of some materials
    crm_check_flag(verdict, "refused", got->status == CAROM_ERR_BAD_INPUT, refused);
    if (refused || got->status != CAROM_OK || r->status != CAROM_OK) return;
    int count;
    const carom_vec3 *forces = crm_reference_points(r, what->expected, "expected", "forces", arena, &count);
    double size = scale.modulus * pow(scale.volume, 2.0 / 3.0) * scale.slope;
    if (count == got->nodes)
        crm_check_error(verdict, crm_flex_difference(count, got->forces, forces, size),
                        crm_flex_tolerance(r, what, "forces"), "forces");
    else
        crm_reference_fail(r, "expected.forces must be %d vectors", got->nodes);
    if (r->status != CAROM_OK) return;
    compare_stresses(r, what, got, &scale, verdict);
    compare_energy(r, what, got, &scale, verdict);
    compare_stiffness(r, what, got, verdict);
}

void crm_verify_flex_element(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    carom_mesh *mesh = crm_flex_read_mesh(reference, what->input, what->allocator, &arena);
    carom_elastic_def elastic = crm_flex_read_elastic(reference, what->input);
    int count;
    const carom_vec3 *positions = crm_reference_points(reference, what->input, "input", "positions", &arena, &count);
    answer *got = CRM_ARENA_ARRAY(&arena, answer, 1);
    if (got == NULL) crm_reference_refuse_memory(reference, "an element of a reference file", sizeof *got);
    if (reference->status == CAROM_OK && carom_mesh_element_count(mesh) != 1)
        crm_reference_fail(reference, "input has %d elements, must have one", carom_mesh_element_count(mesh));
    if (reference->status == CAROM_OK && count != carom_mesh_node_count(mesh))
        crm_reference_fail(reference, "input.positions must be as many as input.nodes");
    if (reference->status == CAROM_OK && ask(reference, mesh, &elastic, positions, got))
        compare(reference, what, mesh, &elastic, got, &arena, verdict);
    carom_mesh_destroy(mesh);
    crm_arena_free(&arena);
}
