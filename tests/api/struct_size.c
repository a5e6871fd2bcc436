// SPDX-License-Identifier: MIT
// Every definition says how large it is: one that did not come from its `_default()`, or from the headers of another
// carom, is refused with one sentence that names it.
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/model/world.h"
#include "support/scene/recorded_run.h"

// What a wrong definition has at its head.
typedef enum fault { FAULT_NONE, FAULT_ZERO, FAULT_SMALLER, FAULT_LARGER, FAULT_COUNT } fault;

static void spoil(uint32_t *size, fault fault) {
    if (fault == FAULT_ZERO) *size = 0;
    if (fault == FAULT_SMALLER) *size -= 8;
    if (fault == FAULT_LARGER) *size += 8;
}

// A call with a definition that is spoiled in this way.
typedef carom_status attempt(fault fault, carom_error *error);

// Refused for every fault, by the name of the type, and not refused for its size without one.
static void check_refused(const char *type, attempt *call) {
    carom_error error;
    char made_by[96];
    snprintf(made_by, sizeof made_by, "%s_default()", type);
    for (fault fault = FAULT_ZERO; fault < FAULT_COUNT; fault++) {
        error.text[0] = '\0';
        if (!CHECK_INT(call(fault, &error), CAROM_ERR_BAD_INPUT)) print_message("of %s\n", type);
        CHECK_CONTAINS(error.text, made_by);
        CHECK_CONTAINS(error.text, "struct_size");
    }
    error.text[0] = '\0';
    if (call(FAULT_NONE, &error) != CAROM_OK) CHECK(strstr(error.text, "struct_size") == NULL);
}

// ---- models

static carom_model *model; // of the running test, with one body and one shape
static carom_body body;

static void begin(void) {
    model = world_model((carom_vec3){0, 0, -9.81}, 1.0);
    carom_body_def def = carom_body_def_default();
    body = world_add(model, &def);
}

static carom_status create_model(fault fault, carom_error *error) {
    carom_model_def def = carom_model_def_default();
    spoil(&def.struct_size, fault);
    carom_model *made = NULL;
    carom_status status = carom_model_create(&def, &made, error);
    carom_model_destroy(made);
    return status;
}

static carom_status add_material(fault fault, carom_error *error) {
    carom_material_def def = carom_material_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_material(model, &def, NULL, error);
}

static carom_status add_body(fault fault, carom_error *error) {
    carom_body_def def = carom_body_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_body(model, &def, NULL, error);
}

static carom_status add_drag(fault fault, carom_error *error) {
    carom_drag_def def = carom_drag_def_default();
    spoil(&def.struct_size, fault);
    def.body = body;
    return carom_model_add_drag(model, &def, error);
}

static carom_status add_spring(fault fault, carom_error *error) {
    carom_spring_def def = carom_spring_def_default();
    spoil(&def.struct_size, fault);
    def.b = body;
    return carom_model_add_spring(model, &def, error);
}

static carom_status add_charge(fault fault, carom_error *error) {
    carom_charge_def def = carom_charge_def_default();
    spoil(&def.struct_size, fault);
    def.body = body;
    return carom_model_add_charge(model, &def, error);
}

static carom_status add_magnet(fault fault, carom_error *error) {
    carom_magnet_def def = carom_magnet_def_default();
    spoil(&def.struct_size, fault);
    def.body = body;
    def.length = 0.1;
    return carom_model_add_magnet(model, &def, error);
}

static carom_status add_wrench(fault fault, carom_error *error) {
    carom_wrench_def def = carom_wrench_def_default();
    spoil(&def.struct_size, fault);
    def.body = body;
    return carom_model_add_wrench(model, &def, error);
}

static int no_force(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user, (void)sample, (void)value;
    return 0;
}

static carom_status add_callback(fault fault, carom_error *error) {
    carom_callback_def def = carom_callback_def_default();
    spoil(&def.struct_size, fault);
    def.body = body;
    def.function = no_force;
    return carom_model_add_callback(model, &def, error);
}

static carom_status set_mobility(fault fault, carom_error *error) {
    carom_mobility_def def = carom_mobility_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_set_mobility(model, &def, error);
}

static carom_status add_joint(fault fault, carom_error *error) {
    carom_joint_def def = carom_joint_def_default();
    spoil(&def.struct_size, fault);
    def.a = CAROM_WORLD;
    def.b = body;
    return carom_model_add_joint(model, &def, NULL, error);
}

static carom_status place_a_joint(fault fault, carom_error *error) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    spoil(&def.struct_size, fault);
    def.a = CAROM_WORLD;
    def.b = body;
    return carom_model_place_joint(model, &placing, &def, error);
}

static carom_status place_by(fault fault, carom_error *error) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    spoil(&placing.struct_size, fault);
    def.a = CAROM_WORLD;
    def.b = body;
    return carom_model_place_joint(model, &placing, &def, error);
}

static carom_status add_pair(fault fault, carom_error *error) {
    carom_pair_def def = carom_pair_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_pair(model, &def, error);
}

static carom_status add_system_callback(fault fault, carom_error *error) {
    carom_system_callback_def def = carom_system_callback_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_system_callback(model, &def, error);
}

static carom_status add_central(fault fault, carom_error *error) {
    carom_central_def def = carom_central_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_central(model, &def, error);
}

static carom_status add_atmosphere(fault fault, carom_error *error) {
    carom_atmosphere_def def = carom_atmosphere_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_atmosphere(model, &def, error);
}

static carom_status add_sunlight(fault fault, carom_error *error) {
    carom_sunlight_def def = carom_sunlight_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_sunlight(model, &def, error);
}

static carom_status add_grid(fault fault, carom_error *error) {
    carom_grid_def def = carom_grid_def_default();
    spoil(&def.struct_size, fault);
    return carom_model_add_grid(model, &def, error);
}

TEST(definitions_of_a_model) {
    begin();
    check_refused("carom_model_def", create_model);
    check_refused("carom_material_def", add_material);
    check_refused("carom_body_def", add_body);
    check_refused("carom_drag_def", add_drag);
    check_refused("carom_spring_def", add_spring);
    check_refused("carom_charge_def", add_charge);
    check_refused("carom_magnet_def", add_magnet);
    check_refused("carom_wrench_def", add_wrench);
    check_refused("carom_callback_def", add_callback);
    check_refused("carom_pair_def", add_pair);
    check_refused("carom_system_callback_def", add_system_callback);
    check_refused("carom_central_def", add_central);
    check_refused("carom_atmosphere_def", add_atmosphere);
    check_refused("carom_sunlight_def", add_sunlight);
    check_refused("carom_grid_def", add_grid);
    check_refused("carom_mobility_def", set_mobility);
    check_refused("carom_joint_def", add_joint);
    check_refused("carom_joint_def", place_a_joint);
    check_refused("carom_joint_placing", place_by);
    carom_model_destroy(model);
}

// ---- shapes

static carom_status create_shape(fault fault, carom_error *error) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    spoil(&def.struct_size, fault);
    carom_shape *shape = NULL;
    carom_status status = carom_shape_create(&def, NULL, &shape, error);
    carom_shape_destroy(shape);
    return status;
}

static carom_status add_shape(fault fault, carom_error *error) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    spoil(&def.struct_size, fault);
    return carom_model_add_shape(model, NULL, &def, NULL, error);
}

static carom_status create_compound(fault fault, carom_error *error) {
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    carom_compound_part part = carom_compound_part_default();
    part.shape = &ball;
    spoil(&ball.struct_size, fault);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){1, &part};
    carom_shape *shape = NULL;
    carom_status status = carom_shape_create(&def, NULL, &shape, error);
    carom_shape_destroy(shape);
    return status;
}

TEST(definitions_of_a_shape) {
    begin();
    check_refused("carom_shape_def", create_shape);
    check_refused("carom_shape_def", add_shape);
    check_refused("carom_shape_def", create_compound);
    carom_model_destroy(model);
}

// ---- flexible bodies

static const carom_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t tetrahedron[4] = {0, 1, 2, 3};

static carom_mesh_def mesh_def(void) {
    carom_mesh_def def = carom_mesh_def_default();
    def.node_count = 4, def.nodes = corners;
    def.element_count = 1, def.elements = tetrahedron;
    return def;
}

static carom_status create_mesh(fault fault, carom_error *error) {
    carom_mesh_def def = mesh_def();
    spoil(&def.struct_size, fault);
    carom_mesh *made = NULL;
    carom_status status = carom_mesh_create(&def, NULL, &made, error);
    carom_mesh_destroy(made);
    return status;
}

static carom_status check_elastic(fault fault, carom_error *error) {
    carom_elastic_def def = carom_elastic_def_default();
    spoil(&def.struct_size, fault);
    return carom_elastic_check(&def, error);
}

static carom_status add_flex(fault fault, carom_error *error) {
    carom_mesh_def of_mesh = mesh_def();
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_create(&of_mesh, NULL, &mesh, NULL), CAROM_OK);
    carom_flex_def def = carom_flex_def_default();
    def.mesh = mesh;
    spoil(&def.struct_size, fault);
    carom_status status = carom_model_add_flex(model, &def, NULL, error);
    carom_mesh_destroy(mesh);
    return status;
}

TEST(definitions_of_flexible_bodies) {
    begin();
    check_refused("carom_mesh_def", create_mesh);
    check_refused("carom_elastic_def", check_elastic);
    check_refused("carom_flex_def", add_flex);
    carom_model_destroy(model);
}

// What comes back can be given again.
TEST(definitions_that_are_asked_for_are_complete) {
    begin();
    carom_body_def body_def;
    CHECK_INT(carom_model_get_body(model, body, &body_def, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_body(model, &body_def, NULL, NULL), CAROM_OK);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CAPSULE), again;
    carom_shape *shape = NULL, *copy = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    carom_shape_get_def(shape, &again);
    CHECK_INT(carom_shape_create(&again, NULL, &copy, NULL), CAROM_OK);
    carom_shape_destroy(shape);
    carom_shape_destroy(copy);
    carom_model_destroy(model);
}

// ---- distances and contacts

static carom_view ball_at(double x) {
    static const carom_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_view view = carom_view_of_vertices(4, corners);
    view.pose.position.x = x;
    return view;
}

static carom_status find_gap(fault fault, carom_error *error) {
    carom_distance_options options = carom_distance_options_default();
    spoil(&options.struct_size, fault);
    carom_view a = ball_at(0.0), b = ball_at(3.0);
    carom_gap_witness out;
    return carom_gap_find(&a, &b, &options, NULL, &out, error);
}

static carom_status find_gaps(fault fault, carom_error *error) {
    carom_distance_options options = carom_distance_options_default();
    spoil(&options.struct_size, fault);
    carom_view a = ball_at(0.0), b = ball_at(3.0);
    carom_gap_witness out;
    return carom_gaps_find(1, &a, &b, &options, NULL, &out, error);
}

static carom_status find_ray(fault fault, carom_error *error) {
    carom_distance_options options = carom_distance_options_default();
    spoil(&options.struct_size, fault);
    carom_view a = ball_at(0.0), b = ball_at(3.0);
    carom_ray_witness out;
    return carom_ray_find(&a, &b, &options, NULL, &out, error);
}

static carom_status find_features(fault fault, carom_error *error) {
    carom_feature_options options = carom_feature_options_default();
    spoil(&options.struct_size, fault);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_shape *box = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &box, NULL), CAROM_OK);
    carom_view a = carom_view_of(box, (carom_pose){{0, 0, 0}, {1, 0, 0, 0}});
    carom_view b = carom_view_of(box, (carom_pose){{0, 0, 1}, {1, 0, 0, 0}});
    int count;
    carom_status status = carom_features_find(&a, &b, &options, 0, NULL, &count, error);
    carom_shape_destroy(box);
    return status;
}

static carom_status find_impact(fault fault, carom_error *error) {
    carom_toi_options options = carom_toi_options_default();
    spoil(&options.struct_size, fault);
    carom_view a = ball_at(0.0), b = ball_at(3.0);
    carom_toi_result out;
    return carom_toi_find(&a, NULL, &b, NULL, &options, &out, error);
}

static carom_status create_set(fault fault, carom_error *error) {
    carom_contact_options options = carom_contact_options_default();
    spoil(&options.struct_size, fault);
    carom_contact_set *set = NULL;
    carom_status status = carom_contact_set_create(&options, NULL, &set, error);
    carom_contact_set_destroy(set);
    return status;
}

TEST(options_of_distances_and_contacts) {
    check_refused("carom_distance_options", find_gap);
    check_refused("carom_distance_options", find_gaps);
    check_refused("carom_distance_options", find_ray);
    check_refused("carom_feature_options", find_features);
    check_refused("carom_toi_options", find_impact);
    check_refused("carom_contact_options", create_set);
}

// ---- solvers

static carom_status solve_nothing(fault fault, carom_error *error) {
    carom_solve_options options = carom_solve_options_default();
    spoil(&options.struct_size, fault);
    carom_solver_state *state = NULL;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    carom_problem problem = {.form = CAROM_FORM_BODIES};
    carom_solve_report report;
    double none = 0.0;
    carom_status status = carom_solve(state, &problem, &options, &none, &none, &report, error);
    carom_solver_state_destroy(state);
    return status;
}

TEST(options_of_solvers) {
    check_refused("carom_solve_options", solve_nothing);
}

// ---- methods

static carom_status create_state(fault fault, carom_error *error) {
    carom_method_def def = carom_method_def_default();
    spoil(&def.struct_size, fault);
    carom_state *state = NULL;
    carom_status status = carom_state_create(model, &def, &state, error);
    carom_state_destroy(state);
    return status;
}

static carom_status ask_support(fault fault, carom_error *error) {
    carom_method_def def = carom_method_def_default();
    spoil(&def.struct_size, fault);
    return carom_method_supports(model, &def, error);
}

static carom_status propose(fault fault, carom_error *error) {
    carom_method_def def = carom_method_def_default();
    spoil(&def.struct_size, fault);
    carom_penalty_pair pair;
    return carom_penalty_propose(model, &def, body, body, &pair, error);
}

TEST(definitions_of_a_method) {
    begin();
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    check_refused("carom_method_def", create_state);
    check_refused("carom_method_def", ask_support);
    check_refused("carom_method_def", propose);
    carom_model_destroy(model);
}

// ---- scenes

static carom_scene_source spoiled_source(fault fault, const char *text) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    spoil(&source.struct_size, fault);
    return source;
}

static carom_status read_scene(fault fault, carom_error *error) {
    carom_scene_source source = spoiled_source(fault, "{\"carom\": 1, \"until\": 1}");
    carom_scene *scene = NULL;
    carom_status status = carom_scene_read(&source, NULL, &scene, NULL, error);
    carom_scene_destroy(scene);
    return status;
}

static carom_status read_pair(fault fault, carom_error *error) {
    carom_scene_source source = spoiled_source(fault, "{}");
    carom_scene_pair *pair = NULL;
    carom_status status = carom_scene_read_pair(&source, NULL, &pair, NULL, error);
    carom_scene_pair_destroy(pair);
    return status;
}

static carom_status read_impact(fault fault, carom_error *error) {
    carom_scene_source source = spoiled_source(fault, "{}");
    carom_scene_impact impact;
    return carom_scene_read_impact(&source, NULL, &impact, NULL, error);
}

TEST(sources_of_scenes) {
    check_refused("carom_scene_source", read_scene);
    check_refused("carom_scene_source", read_pair);
    check_refused("carom_scene_source", read_impact);
}

// ---- recordings

static scratch_folder folder;
static small_run run;

static carom_status create_recorder(fault fault, carom_error *error) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = in_folder(&folder, "run.carom");
    def.overwrite = true;
    spoil(&def.struct_size, fault);
    carom_recorder *recorder = NULL;
    carom_status status = carom_recorder_create(&def, NULL, run.state, &recorder, error);
    carom_recorder_destroy(recorder);
    return status;
}

static carom_status resume(fault fault, carom_error *error) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = in_folder(&folder, "run.carom");
    spoil(&def.struct_size, fault);
    carom_recorder *recorder = NULL;
    bool finished;
    carom_status status = carom_recorder_resume(&def, run.state, &finished, &recorder, error);
    carom_recorder_destroy(recorder);
    return status;
}

static carom_status write_report(fault fault, carom_error *error) {
    carom_report_def def = carom_report_def_default();
    def.path = in_folder(&folder, "run.html");
    def.overwrite = true;
    def.page = "";
    spoil(&def.struct_size, fault);
    carom_recording *recording = NULL;
    CHECK_INT(carom_recording_open(in_folder(&folder, "run.carom"), &recording, NULL), CAROM_OK);
    carom_status status = carom_report_write(recording, &def, NULL, error);
    carom_recording_close(recording);
    return status;
}

static carom_status write_page(fault fault, carom_error *error) {
    carom_report_def def = carom_report_def_default();
    def.path = in_folder(&folder, "page.html");
    def.overwrite = true;
    def.page = "";
    spoil(&def.struct_size, fault);
    return carom_report_write_page("{}", 0, NULL, &def, NULL, error);
}

TEST(definitions_of_recordings) {
    folder = scratch_folder_make();
    run = small_run_make(2, 0.01);
    check_refused("carom_recorder_def", create_recorder);
    check_refused("carom_recorder_def", resume);
    check_refused("carom_report_def", write_report);
    check_refused("carom_report_def", write_page);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(definitions_of_a_model), CASE(definitions_of_a_shape), CASE(definitions_of_flexible_bodies),
          CASE(definitions_that_are_asked_for_are_complete), CASE(options_of_distances_and_contacts),
          CASE(options_of_solvers), CASE(definitions_of_a_method), CASE(sources_of_scenes),
          CASE(definitions_of_recordings))
