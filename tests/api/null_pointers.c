// SPDX-License-Identifier: MIT
// NULL where a pointer is required: every public call with a status refuses with a sentence.
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/plan.h"
#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/model/world.h"
#include "support/scene/scene_file.h"

#define REFUSED(call_)                                   \
    do {                                                 \
        carom_error error = {.text = ""};                \
        CHECK((call_) != CAROM_OK);                      \
        if (!CHECK(error.text[0] != '\0')) puts(#call_); \
    } while (0)

// The same of calls that have no place for a sentence.
#define SILENTLY_REFUSED(call_) CHECK((call_) != CAROM_OK)

// In the order of the headers.
TEST(calls_without_any_pointer_are_refused) {
    REFUSED(carom_contact_set_create(NULL, NULL, NULL, &error));
    REFUSED(carom_contact_set_update(NULL, 0, NULL, NULL, &error));
    REFUSED(carom_contact_set_load(NULL, NULL, 0, &error));
    REFUSED(carom_contact_set_copy(NULL, NULL, &error));
    REFUSED(carom_ray_find(NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_gap_find(NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_gaps_find(1, NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_features_find(NULL, NULL, NULL, 0, NULL, NULL, &error));
    REFUSED(carom_model_add_flex(NULL, NULL, NULL, &error));
    REFUSED(carom_state_get_nodes(NULL, (carom_flex){0}, NULL, NULL, &error));
    REFUSED(carom_state_set_nodes(NULL, (carom_flex){0}, NULL, NULL, &error));
    REFUSED(carom_mesh_field(NULL, NULL, NULL, CAROM_FLEX_FIELD_VON_MISES, NULL, &error));
    REFUSED(carom_flex_field(NULL, (carom_flex){0}, CAROM_FLEX_FIELD_VON_MISES, NULL, &error));
    REFUSED(carom_flex_stiffness(NULL, (carom_flex){0}, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_impact_resolve(NULL, (carom_impact_law){0}, NULL, &error));
    REFUSED(carom_impact_of_pair(NULL, NULL, &error));
    REFUSED(carom_impact_resolve_pair(NULL, (carom_impact_law){0}, NULL, &error));
    REFUSED(carom_model_place_joint(NULL, NULL, NULL, &error));
    REFUSED(carom_model_add_joint(NULL, NULL, NULL, &error));
    REFUSED(carom_model_get_joint(NULL, (carom_joint){0}, NULL, &error));
    REFUSED(carom_limits_set(NULL, NULL, &error));
    REFUSED(carom_mass_of_ellipsoid((carom_vec3){0}, 0, NULL, &error));
    REFUSED(carom_mass_of_box((carom_vec3){0}, 0, NULL, &error));
    REFUSED(carom_mass_of_capsule(0, 0, 0, NULL, &error));
    REFUSED(carom_mass_get_principal(NULL, NULL, NULL, &error));
    REFUSED(carom_mesh_create(NULL, NULL, NULL, &error));
    REFUSED(carom_mesh_create_box((carom_vec3){1, 1, 1}, NULL, 1, NULL, NULL, &error));
    REFUSED(carom_mesh_parse(CAROM_MESH_GMSH, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, &error));
    REFUSED(carom_mesh_read(NULL, 0, NULL, NULL, &error));
    REFUSED(carom_elastic_check(NULL, &error));
    REFUSED(carom_mesh_evaluate(NULL, NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_mesh_stiffness(NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_mesh_stable_step(NULL, NULL, NULL, 0, NULL, NULL, &error));
    REFUSED(carom_mesh_modes(NULL, NULL, 0, NULL, 1, NULL, NULL, &error));
    REFUSED(carom_model_set_mobility(NULL, NULL, &error));
    REFUSED(carom_model_create(NULL, NULL, &error));
    REFUSED(carom_model_add_material(NULL, NULL, NULL, &error));
    REFUSED(carom_model_set_material_pair(NULL, (carom_material){0}, (carom_material){0}, 0, 0, &error));
    REFUSED(carom_model_add_body(NULL, NULL, NULL, &error));
    REFUSED(carom_model_add_drag(NULL, NULL, &error));
    REFUSED(carom_model_add_spring(NULL, NULL, &error));
    REFUSED(carom_model_add_charge(NULL, NULL, &error));
    REFUSED(carom_model_add_magnet(NULL, NULL, &error));
    REFUSED(carom_model_add_wrench(NULL, NULL, &error));
    REFUSED(carom_model_add_callback(NULL, NULL, &error));
    REFUSED(carom_model_add_pair(NULL, NULL, &error));
    REFUSED(carom_model_add_system_callback(NULL, NULL, &error));
    REFUSED(carom_model_add_central(NULL, NULL, &error));
    REFUSED(carom_model_add_atmosphere(NULL, NULL, &error));
    REFUSED(carom_model_add_sunlight(NULL, NULL, &error));
    REFUSED(carom_model_add_grid(NULL, NULL, &error));
    REFUSED(carom_model_add_shape(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_model_set_pair_filter(NULL, NULL, NULL, &error));
    REFUSED(carom_model_freeze(NULL, &error));
    REFUSED(carom_model_get_body(NULL, (carom_body){0}, NULL, &error));
    REFUSED(carom_model_set_body_user(NULL, (carom_body){0}, NULL, &error));
    REFUSED(carom_model_get_material_pair(NULL, (carom_material){0}, (carom_material){0}, NULL, NULL, &error));
    REFUSED(carom_plan_place(NULL, 0, NULL, &error));
    REFUSED(carom_plan_apply_impulses(NULL, 0, NULL, &error));
    REFUSED(carom_plan_create(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_plan_solve_next(NULL, 1, NULL, NULL, NULL, &error));
    REFUSED(carom_plan_load(NULL, NULL, 0, NULL, &error));
    SILENTLY_REFUSED(carom_plan_get_solve(NULL, 0, NULL));
    SILENTLY_REFUSED(carom_plan_get_node(NULL, 0, (carom_body){0}, NULL, NULL, NULL));
    SILENTLY_REFUSED(carom_plan_get_control(NULL, 0, 0, NULL));
    REFUSED(carom_plan_get_data(NULL, NULL, &error));
    SILENTLY_REFUSED(carom_plan_get_wrench(NULL, 0, 0, (carom_body){0}, NULL));
    REFUSED(carom_recorder_create(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_recorder_resume(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_recorder_step(NULL, NULL, NULL, &error));
    REFUSED(carom_recorder_checkpoint(NULL, NULL, &error));
    REFUSED(carom_recorder_confirm(NULL, NULL, &error));
    REFUSED(carom_recorder_finish(NULL, NULL, NULL, &error));
    REFUSED(carom_recording_open(NULL, NULL, &error));
    REFUSED(carom_recording_get_info(NULL, NULL, &error));
    REFUSED(carom_recording_get_frame(NULL, 0, NULL, NULL, NULL, &error));
    REFUSED(carom_recording_get_frame_joints(NULL, 0, NULL, &error));
    REFUSED(carom_recording_get_frame_contacts(NULL, 0, 0, NULL, NULL, &error));
    REFUSED(carom_recording_get_certificates(NULL, 0, 0, NULL, NULL, &error));
    REFUSED(carom_recording_get_joint_events(NULL, 0, NULL, NULL, &error));
    REFUSED(carom_recording_get_collisions(NULL, 0, 0, NULL, NULL, &error));
    REFUSED(carom_recording_export_csv(NULL, NULL, NULL, 0, &error));
    REFUSED(carom_recording_export_vtk(NULL, NULL, 0, &error));
    REFUSED(carom_report_write(NULL, NULL, NULL, &error));
    REFUSED(carom_scene_read(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_scene_read_shape(NULL, NULL, NULL, &error));
    REFUSED(carom_shape_create(NULL, NULL, NULL, &error));
    REFUSED(carom_shape_get_mass(NULL, 0, NULL, &error));
    REFUSED(carom_shape_get_support(NULL, (carom_vec3){0}, NULL, NULL, &error));
    REFUSED(carom_shape_get_edge(NULL, 0, NULL, &error));
    REFUSED(carom_shape_get_facet(NULL, 0, NULL, &error));
    REFUSED(carom_problem_check(NULL, &error));
    REFUSED(carom_solver_state_create(NULL, NULL, &error));
    REFUSED(carom_solve(NULL, NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_residual_evaluate(NULL, NULL, 0, NULL, NULL, NULL, &error));
    REFUSED(carom_problem_read(NULL, NULL, NULL, &error));
    REFUSED(carom_problem_write(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_dense_lcp_write(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_dense_lcp_solve(NULL, (carom_solver){0}, 0, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_method_supports(NULL, NULL, &error));
    REFUSED(carom_penalty_propose(NULL, NULL, (carom_body){0}, (carom_body){0}, NULL, &error));
    REFUSED(carom_state_create(NULL, NULL, NULL, &error));
    REFUSED(carom_state_copy(NULL, NULL, &error));
    REFUSED(carom_state_get_body(NULL, (carom_body){0}, NULL, &error));
    REFUSED(carom_state_set_body(NULL, (carom_body){0}, NULL, &error));
    REFUSED(carom_state_apply_impulse(NULL, (carom_body){0}, (carom_vec3){0}, (carom_vec3){0}, &error));
    REFUSED(carom_state_get_joint(NULL, (carom_joint){0}, NULL, &error));
    REFUSED(carom_state_assemble(NULL, &error));
    REFUSED(carom_state_get_body_contacts(NULL, (carom_body){0}, 0, NULL, NULL, &error));
    REFUSED(carom_state_get_body_contact_force(NULL, (carom_body){0}, NULL, &error));
    REFUSED(carom_state_write_problem(NULL, NULL, &error));
    REFUSED(carom_state_load(NULL, NULL, 0, &error));
    REFUSED(carom_step(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_step_by(NULL, NULL, NULL, 0.1, NULL, &error));
    REFUSED(carom_recording_step_time(NULL, 0, NULL, &error));
    REFUSED(carom_toi_find(NULL, NULL, NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_scene_read_pair(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_scene_read_impact(NULL, NULL, NULL, NULL, &error));
    REFUSED(carom_report_write_page(NULL, 0, NULL, NULL, NULL, &error));
}

// One pointer missing, all others there.
TEST(calls_that_lack_one_pointer_are_refused) {
    carom_model *model = world_model((carom_vec3){0, 0, -9.81}, 0.0);
    carom_body_def def = world_body_def(1.0, (carom_vec3){1, 1, 1});
    world_add(model, &def);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01), *other = NULL;
    carom_method_def method = carom_method_def_default();
    carom_step_report report;
    carom_body_state body;
    REFUSED(carom_step(model, state, NULL, NULL, &error));
    REFUSED(carom_step(model, NULL, NULL, &report, &error));
    REFUSED(carom_step(NULL, state, NULL, &report, &error));
    REFUSED(carom_state_load(state, NULL, 0, &error));
    REFUSED(carom_state_load(state, NULL, 1000, &error));
    REFUSED(carom_state_create(model, NULL, &other, &error));
    REFUSED(carom_state_create(NULL, &method, &other, &error));
    REFUSED(carom_state_create(model, &method, NULL, &error));
    REFUSED(carom_state_copy(state, NULL, &error));
    REFUSED(carom_state_copy(NULL, state, &error));
    REFUSED(carom_state_get_body(state, (carom_body){0}, NULL, &error));
    REFUSED(carom_state_get_body(NULL, (carom_body){0}, &body, &error));
    REFUSED(carom_state_set_body(state, (carom_body){0}, NULL, &error));
    carom_error error = {.text = ""};
    CHECK_INT(carom_step(model, state, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "carom_step: report is NULL; give one");
    CHECK_INT(carom_step(model, state, NULL, NULL, NULL), CAROM_ERR_BAD_INPUT);
    world_destroy(state);
}

// Every call with a status that the headers have is tried above, but for those that take no pointer.
TEST(no_call_is_left_out) {
    char *own = read_test_file(CAROM_SOURCE_DIR "/tests/api/null_pointers.c", NULL);
    glob_t headers;
    if (!CHECK(own != NULL && glob(CAROM_SOURCE_DIR "/include/carom/*.h", 0, NULL, &headers) == 0)) return;
    int count = 0;
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        char *text = read_test_file(headers.gl_pathv[i], NULL), name[80];
        static const char mark[] = "CAROM_API carom_status carom_";
        for (const char *at = text; text != NULL && (at = strstr(at, mark)) != NULL; count++) {
            at += strlen("CAROM_API carom_status ");
            snprintf(name, sizeof name, "REFUSED(%.*s(", (int)strcspn(at, "("), at);
            if (!CHECK(strstr(own, name) != NULL)) print_message("%s\n", name);
        }
        free(text);
    }
    CHECK(count > 60);
    globfree(&headers);
    free(own);
}

TEST_MAIN(CASE(calls_without_any_pointer_are_refused), CASE(calls_that_lack_one_pointer_are_refused),
          CASE(no_call_is_left_out))
