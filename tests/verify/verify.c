// SPDX-License-Identifier: MIT
// carom against reference files, and reference files against carom: a wrong number must fail, a broken file must be
// refused with a sentence.
#include "verify/verify.h"

#include <dirent.h>
#include <math.h>

#include "math/quat.h"
#include "support/harness/probe_allocator.h"
#include "verify/changed_file.h"

// ---- files that are right

TEST(thinned_trajectories_are_met) {
    failures failed;
    carom_error error;
    carom_verify_report report = verified(TEST_DATA "/dynamics.json", CAROM_OK, &failed, &error);
    CHECK_TEXT(report.name, "dynamics");
    CHECK_INT(report.passed, 14);
    CHECK_INT(report.failed, 0);
    CHECK_INT(report.unsupported, 0);
    CHECK_NEAR(report.worst_tolerance, 1e-9, 0.0);
    CHECK(report.worst_error > 0.0 && report.worst_error < 1e-10);
    CHECK(report.worst_id[0] != '\0' && strstr(report.worst_quantity, "at t = ") != NULL);
}

TEST(thinned_masses_are_met) {
    failures failed;
    carom_error error;
    carom_verify_report report = verified(TEST_DATA "/mass.json", CAROM_OK, &failed, &error);
    CHECK_INT(report.passed, 6);
    CHECK_INT(report.unsupported, 0);
    CHECK(report.worst_error < 1e-12 && report.worst_tolerance == 1e-11);
}

// A plane that pulls is no contact.
// Samples from the first one on at which the plane would have to pull are not compared, and said not to be.
TEST(a_motion_that_no_contact_makes_is_not_checked) {
    for (int pulls_from = 0; pulls_from <= 2; pulls_from += 2) {
        json_t *tree = load_data("dynamics.json");
        json_object_set_new(at(tree, "cases.11.expected"), "contact_kept", json_false());
        json_t *samples = at(tree, "cases.11.expected.samples");
        json_t *sample = json_array_get(samples, (size_t)pulls_from);
        json_array_set_new(json_object_get(sample, "force"), 2, json_real(-1.0));
        json_array_set_new(json_object_get(sample, "x"), 2, json_real(77.0));
        keep_case(tree, "cases.11.expected");
        failures failed;
        carom_error error;
        carom_verify_report report = verify_tree(tree, CAROM_OK, &failed, &error);
        CHECK_INT(report.unsupported, pulls_from == 0 ? 1 : 0);
        CHECK_INT(report.passed, pulls_from == 0 ? 0 : 1);
        CHECK_TEXT(report.unsupported_kinds, pulls_from == 0 ? "rolling on a plane that pulls" : "");
        if (pulls_from > 0) CHECK_CONTAINS(report.not_compared, "samples.force");
        if (pulls_from > 0) CHECK_CONTAINS(report.not_compared, "contact_kept");
    }
}

TEST(expected_fields_that_no_check_reads_are_named) {
    json_t *tree = load_data("dynamics.json");
    json_object_set_new(at(tree, "cases.11.expected"), "colour", json_string("red"));
    json_object_set_new(at(tree, "cases.11.expected.samples.1"), "smell", json_pack("{si}", "roses", 1));
    json_object_set_new(at(tree, "cases.11.expected"), "absent", json_null());
    keep_case(tree, "cases.11.");
    failures failed;
    carom_error error;
    carom_verify_report report = verify_tree(tree, CAROM_OK, &failed, &error);
    CHECK_INT(report.passed, 1);
    CHECK_TEXT(report.not_compared, "samples.smell, verified_to, colour");
    report = verified(TEST_DATA "/mass.json", CAROM_OK, &failed, &error);
    CHECK_TEXT(report.not_compared, "");
    report = verified(TEST_DATA "/ssh.json", CAROM_OK, &failed, &error);
    CHECK_TEXT(report.not_compared, "certificate");
    report = verified(TEST_DATA "/lcp.json", CAROM_OK, &failed, &error);
    CHECK_TEXT(report.not_compared, "note");
}

static json_t *three(double x, double y, double z) {
    return json_pack("[fff]", x, y, z);
}

// A thin disc of radius a and mass m that rolls in a circle, its plane inclined by b, precessing at W. With r from
// the contact towards below the centre, u = z x r, t from the contact to the centre, e the axis:
//   centre's velocity a w u,  w (C + m a^2) W sin b = cos b (A W^2 sin b - m g a),  force m (g z - a w W r),
// A = m a^2 / 4, C = m a^2 / 2, spin W sin b t + w e.
static json_t *rolling_disc(double precession, const double *times, int count) {
    const double a = 0.1, m = 1.0, g = 9.81, b = 1.0471975511965976, cb = cos(b), sb = sin(b);
    double w = cb * (0.25 * a * precession * precession * sb - g) / (precession * sb * 1.5 * a), speed = a * w;
    double inertia = 0.25 * m * a * a, ratio = fabs(speed * precession) / g;
    json_t *samples = json_array(), *input = NULL;
    for (int i = 0; i < count; i++) {
        double angle = precession * times[i], c = cos(angle), s = sin(angle);
        // The centre's circle has the radius speed / W, and its middle is the origin: the contact's side is away.
        carom_vec3 r = {c, s, 0.0}, u = {-s, c, 0.0};
        carom_vec3 t = {cb * r.x, cb * r.y, sb}, e = {-sb * r.x, -sb * r.y, cb};
        carom_vec3 x = {speed / precession * r.x, speed / precession * r.y, a * sb}, v = crm_scale(speed, u);
        carom_vec3 spin = crm_madd(crm_scale(precession * sb, t), w, e);
        carom_vec3 contact = crm_madd(x, -a, t),
                   force = {-m * speed * precession * r.x, -m * speed * precession * r.y, m * g};
        double own = 0.5 * (w - precession * cb) * times[i]; // half of the rotation about the axis
        carom_quat q = crm_quat_mul((carom_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)},
                                    crm_quat_mul((carom_quat){cos(0.5 * b), 0.0, -sin(0.5 * b), 0.0},
                                                 (carom_quat){cos(own), 0.0, 0.0, sin(own)}));
        json_t *sample =
            json_pack("{sfsosososososo}", "t", times[i], "x", three(x.x, x.y, x.z), "v", three(v.x, v.y, v.z), "w",
                      three(spin.x, spin.y, spin.z), "q", json_pack("[ffff]", q.w, q.x, q.y, q.z), "contact",
                      three(contact.x, contact.y, contact.z), "force", three(force.x, force.y, force.z));
        json_array_append_new(samples, sample);
        if (i > 0) continue;
        input = json_pack("{ss s{sssf} sf s[[fff][fff][fff]] sO sO sO sO so}", "system", "rolling_without_slip",
                          "shape", "kind", "thin_disc", "radius", a, "mass", m, "inertia_body", inertia, 0.0, 0.0, 0.0,
                          inertia, 0.0, 0.0, 0.0, 2.0 * inertia, "x", json_object_get(sample, "x"), "v",
                          json_object_get(sample, "v"), "w", json_object_get(sample, "w"), "q",
                          json_object_get(sample, "q"), "gravity", three(0.0, 0.0, -g));
    }
    json_t *expected = json_pack("{sosfsfsb}", "samples", samples, "largest_friction_ratio_at_samples", ratio,
                                 "smallest_normal_force_at_samples", m * g, "contact_kept", 1);
    return json_pack("{sss{sf}s[{ssso so}]}", "name", "dynamics", "tolerance", "samples", 1e-9, "cases", "id", "disc",
                     "input", input, "expected", expected);
}

// The force of the plane rotates by a radian in the first step that is asked for it.
TEST(forces_of_fast_rolling_are_met) {
    static const double times[] = {0.0, 0.01, 0.02, 0.05};
    for (double precession = 15.0; precession < 130.0; precession *= 2.0) {
        failures failed;
        carom_error error;
        carom_verify_report report = verify_tree(rolling_disc(precession, times, 4), CAROM_OK, &failed, &error);
        CHECK_INT(report.passed, 1);
        if (!CHECK_INT(report.failed, 0)) fprintf(stderr, "%g rad/s: %s\n", precession, failed.text);
        CHECK_TEXT(report.not_compared, "");
    }
}

TEST(thinned_collisions_are_met) {
    failures failed;
    carom_error error;
    carom_verify_report report = verified(TEST_DATA "/impulse.json", CAROM_OK, &failed, &error);
    CHECK_INT(report.passed, 26);
    CHECK_INT(report.failed, 0);
    CHECK_INT(report.unsupported, 0);
}

// The full files, where there are some.
TEST(full_reference_files_are_met) {
    const char *folder = getenv("CAROM_REFERENCE");
    if (folder == NULL || folder[0] == '\0') return;
    DIR *directory = opendir(folder);
    if (!CHECK(directory != NULL)) return;
    int files = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".json") != 0) continue;
        char path[4096];
        snprintf(path, sizeof path, "%.3000s/%.255s", folder, entry->d_name);
        failures failed;
        carom_error error;
        carom_verify_report report = verified(path, CAROM_OK, &failed, &error);
        if (!CHECK_INT(report.failed, 0)) CHECK_TEXT(failed.text, "");
        files++;
    }
    closedir(directory);
    CHECK(files > 0);
}

// ---- files that are not

static void check_refused(const char *text, const char *sentence) {
    failures failed;
    carom_error error;
    verified(write_file(text, strlen(text)), CAROM_ERR_FILE, &failed, &error);
    CHECK_CONTAINS(error.text, sentence);
    CHECK_CONTAINS(error.text, scratch_path);
    unlink(scratch_path);
}

TEST(files_that_cannot_be_read_are_refused) {
    failures failed;
    carom_error error;
    verified("/nonexistent/dynamics.json", CAROM_ERR_FILE, &failed, &error);
    CHECK_TEXT(error.text, "/nonexistent/dynamics.json: cannot be read: No such file or directory");
    verified("/", CAROM_ERR_FILE, &failed, &error);
    CHECK_TEXT(error.text, "/: cannot be read: Is a directory");
    verified("", CAROM_ERR_FILE, &failed, &error);
    carom_verify_report report;
    CHECK_INT(carom_verify_file("/nonexistent", NULL, NULL, NULL, &report, NULL), CAROM_ERR_FILE);
}

TEST(files_that_are_not_json_are_refused_with_the_line) {
    check_refused("", "line 1, column 0: this is not JSON");
    check_refused("{\n\"name\": \"mass\",\n\"cases\" [}\n", "line 3, column 9: this is not JSON");
    check_refused("{\"name\": \"mass\", \"name\": \"mass\"}", "the object has this key already");
    check_refused("{\"name\": \"mass\"} trailing", "this is not JSON");
    check_refused("{\"name\": 1e999}", "a number is too large");
    failures failed;
    carom_error error;
    verified(write_file("{\"name\":\0\"mass\"}", 16), CAROM_ERR_FILE, &failed, &error);
    unlink(scratch_path);
}

TEST(files_without_their_fields_are_refused_by_the_field) {
    check_refused("[]", "the file must be an object");
    check_refused("{}", "the file has no field 'name'");
    check_refused("{\"name\": 3}", "the file.name must be a text that is not empty");
    check_refused("{\"name\": \"mass\"}", "the file has no field 'cases'");
    check_refused("{\"name\": \"mass\", \"cases\": []}", "the file.cases must be an array with at least one entry");
    check_refused("{\"name\": \"mass\", \"cases\": {}}", "the file.cases must be an array");
    check_refused("{\"name\": \"mass\", \"cases\": [{}]}", "the file has no field 'tolerance'");
    const char *head = "{\"name\": \"%s\", \"tolerance\": %s, \"cases\": [%s]}";
    static const struct {
        const char *name, *tolerance, *cases, *sentence;
    } files[] = {
        {"mass", "{}", "7", "cases[0] must be an object"},
        {"mass", "{}", "{}", "cases[0] has no field 'id'"},
        {"mass", "{}", "{\"id\": \"a\"}", "case 'a': the case has no field 'input'"},
        {"mass", "{}", "{\"id\": \"a\", \"input\": []}", "case 'a': the case.input must be an object"},
        {"mass", "{}", "{\"id\": \"a\", \"input\": {}, \"expected\": {}}", "case 'a': input has no field 'kind'"},
        {"mass", "{}", "{\"id\": \"a\", \"input\": {\"kind\": \"ellipsoid\"}, \"expected\": {}}",
         "case 'a': tolerance has no field 'all'"},
        {"mass", "{\"all\": -1}", "{\"id\": \"a\", \"input\": {\"kind\": \"ellipsoid\"}, \"expected\": {}}",
         "case 'a': tolerance.all is -1, must be positive"},
        {"mass", "{\"all\": 1e-11}",
         "{\"id\": \"a\", \"input\": {\"kind\": \"ellipsoid\", \"centre\": [1, 2]}, \"expected\": {}}",
         "case 'a': input.centre must be an array of 3 numbers"},
        {"mass", "{\"all\": 1}",
         "{\"id\": \"a\", \"input\": {\"kind\": \"compound\", \"parts\": [3]}, \"expected\": {}}",
         "case 'a': input.parts[0] must be an object"},
        {"mass", "{\"all\": 1}",
         "{\"id\": \"a\", \"input\": {\"kind\": \"compound\", \"parts\": [{\"kind\": \"torus\", \"x\": [0, 0, 0], "
         "\"q\": [1, 0, 0, 0]}]}, \"expected\": {}}",
         "case 'a': input.parts[0].kind is 'torus', must be ellipsoid or polyhedron"},
        {"mass", "{\"all\": 1}",
         "{\"id\": \"a\", \"input\": {\"kind\": \"polyhedron:p\", \"density\": 1, \"vertices\": [[0, 0, 0], [1]]}, "
         "\"expected\": {}}",
         "case 'a': input.vertices[1] must be an array of 3 numbers"},
        {"dynamics", "{}", "{\"id\": \"a\", \"input\": {\"system\": null}, \"expected\": {}}",
         "case 'a': input.system must be a text that is not empty"},
        {"dynamics", "{\"samples\": \"x\"}", "{\"id\": \"a\", \"input\": {\"system\": \"free_top\"}, \"expected\": {}}",
         "case 'a': tolerance.samples must be a number"},
        {"dynamics", "{\"samples\": 1}", "{\"id\": \"a\", \"input\": {\"system\": \"free_top\"}, \"expected\": {}}",
         "case 'a': expected has no field 'samples'"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, head, files[i].name, files[i].tolerance, files[i].cases);
        check_refused(text, files[i].sentence);
    }
}

TEST(unknown_sets_and_systems_are_counted_and_named) {
    static const char set[] = "{\"name\": \"wobble\", \"cases\": [1, 2, 3]}";
    failures failed;
    carom_error error;
    carom_verify_report report = verified(write_file(set, sizeof set - 1), CAROM_OK, &failed, &error);
    CHECK_INT(report.cases, 3);
    CHECK_INT(report.unsupported, 3);
    CHECK_TEXT(report.unsupported_kinds, "wobble");
    CHECK_TEXT(report.worst_id, "");
    unlink(scratch_path);
    // More kinds than there is room for.
    static char text[16384];
    int used = snprintf(text, sizeof text, "{\"name\": \"mass\", \"tolerance\": {}, \"cases\": [");
    for (int i = 0; i < 100; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s{\"id\": \"%d\", \"input\": {\"kind\": \"kind number %d\"}, \"expected\": {}}",
                         i > 0 ? "," : "", i, i / 2);
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    report = verified(write_file(text, strlen(text)), CAROM_OK, &failed, &error);
    CHECK_INT(report.unsupported, 100);
    CHECK_CONTAINS(report.unsupported_kinds, "kind number 0, kind number 1, kind number 2, ");
    CHECK_CONTAINS(report.unsupported_kinds, ", ...");
    unlink(scratch_path);
}

// ---- a shortened file with one thing changed

TEST(a_wrong_number_fails_its_case_and_is_named) {
    static const struct {
        const char *file, *path;
        double change;
        const char *quantity;
    } changes[] = {
        {"dynamics.json", "cases.0.expected.samples.2.bodies.0.x.1", 3e-9, "x at t = "},
        {"dynamics.json", "cases.0.expected.samples.1.bodies.0.q.2", 5e-9, "q at t = "},
        {"dynamics.json", "cases.0.expected.samples.3.bodies.0.v.0", 3e-9, "v at t = 10 s"},
        {"dynamics.json", "cases.0.expected.samples.3.bodies.0.w.2", 3e-9, "w at t = 10 s"},
        {"dynamics.json", "cases.0.expected.samples.0.energy", 3e-9, "energy at t = 0 s"},
        {"dynamics.json", "cases.0.expected.angular_momentum.1", 3e-9, "angular_momentum at t = "},
        {"dynamics.json", "cases.0.input.bodies.0.w.0", 1e-8, " at t = "},
        {"dynamics.json", "cases.2.expected.samples.3.x.2", 3e-9, "x at t = 4 s"},
        {"dynamics.json", "cases.2.input.drag", 1e-8, " at t = "},
        {"dynamics.json", "cases.4.expected.samples.3.v2.0", -3e-9, "v2 at t = 6 s"},
        {"dynamics.json", "cases.1.expected.momentum_axis", 3e-9, "momentum_axis at t = "},
        {"dynamics.json", "cases.1.input.bodies.0.joint_in_parent.0", 1e-8, " at t = "},
        {"dynamics.json", "cases.5.expected.samples.1.bodies.4.x.2", 3e-9, "x at t = "},
        {"dynamics.json", "cases.6.expected.joint_angles.2.1", 3e-9, "joint_angles[1] at t = "},
        {"dynamics.json", "cases.7.expected.angular_momentum.2", 3e-9, "angular_momentum at t = "},
        {"dynamics.json", "cases.3.expected.samples.2.x.2", 3e-9, "x at t = "},
        {"dynamics.json", "cases.3.expected.samples.3.v.2", 3e-9, "v at t = "},
        {"dynamics.json", "cases.3.expected.impact_times.1", 3e-9, "impact "},
        {"dynamics.json", "cases.3.expected.impact_speeds_before.1", 3e-9, "impact_speeds_before[1]"},
        {"dynamics.json", "cases.3.input.restitution", 1e-8, " at t = "},
        {"dynamics.json", "cases.3.expected.impact_times.7", 3e-9, "impact "},
        {"dynamics.json", "cases.3.expected.accumulation_time", 3e-8, "accumulation_time at t = "},
        {"dynamics.json", "cases.8.expected.samples.1.w.1", 3e-9, "w at t = "},
        {"dynamics.json", "cases.8.expected.samples.1.slip_speed", 3e-9, "slip_speed at t = "},
        {"dynamics.json", "cases.8.expected.rolling_starts", 3e-9, "rolling_starts"},
        {"dynamics.json", "cases.9.expected.samples.3.s", 3e-9, "s at t = 2 s"},
        {"dynamics.json", "cases.9.input.mu", 1e-8, " at t = 2 s"},
        {"dynamics.json", "cases.10.expected.stop_position", 3e-9, "stop_position"},
        {"dynamics.json", "cases.9.expected.stops_at", 3e-9, "stops_at"},
        {"dynamics.json", "cases.9.expected.stop_position", 3e-9, "stop_position"},
        {"dynamics.json", "cases.10.expected.stops_at", 3e-9, "stops_at"},
        {"dynamics.json", "cases.11.expected.smallest_normal_force_at_samples", 3e-9,
         "smallest_normal_force_at_samples"},
        {"dynamics.json", "cases.11.expected.largest_friction_ratio_at_samples", 3e-9,
         "largest_friction_ratio_at_samples"},
        {"dynamics.json", "cases.11.expected.samples.2.q.1", 3e-9, "q at t = "},
        {"dynamics.json", "cases.11.expected.samples.2.contact.0", 3e-9, "contact at t = "},
        {"dynamics.json", "cases.12.expected.samples.2.force.2", 3e-9, "force at t = "},
        {"dynamics.json", "cases.12.expected.energy", 3e-9, "energy at t = "},
        {"dynamics.json", "cases.13.expected.samples.3.w.1", 3e-9, "w at t = 1.5 s"},
        {"mass.json", "cases.1.expected.volume", 1e-11, "volume"},
        {"mass.json", "cases.1.expected.inertia_com.0.1", 1e-9, "inertia_com"},
        {"mass.json", "cases.2.expected.inertia_origin.2.2", 1e-8, "inertia_origin"},
        {"mass.json", "cases.2.expected.principal_moments.1", 1e-9, "principal_moments"},
        {"mass.json", "cases.0.expected.mass", 1e-9, "mass"},
        {"mass.json", "cases.3.input.vertices.1.0", 1e-9, "inertia_"},
        {"mass.json", "cases.4.expected.centre_of_mass.2", 1e-8, "centre_of_mass"},
        {"mass.json", "cases.5.expected.volume_sum", 1e-9, "volume_sum"},
        {"mass.json", "cases.5.input.parts.0.x.1", 1e-8, "inertia_"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data(changes[i].file), *number = at(tree, changes[i].path);
        if (!CHECK(json_is_number(number))) fprintf(stderr, "%s\n", changes[i].path);
        json_real_set(number, json_number_value(number) + changes[i].change);
        keep_case(tree, changes[i].path);
        failures failed;
        carom_error error;
        carom_verify_report report = verify_tree(tree, CAROM_OK, &failed, &error);
        CHECK_INT(report.failed, 1);
        CHECK_CONTAINS(report.worst_quantity, changes[i].quantity);
        CHECK_TEXT(report.worst_id, failed.id);
        CHECK_CONTAINS(failed.text, changes[i].quantity);
        CHECK_CONTAINS(failed.text, "is off by ");
        CHECK(report.worst_error > report.worst_tolerance);
    }
}

TEST(a_wrong_sign_of_an_attitude_is_no_error) {
    json_t *tree = load_data("dynamics.json");
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "cases.0.expected.samples.2.bodies.0.q.%d", i);
        json_t *number = at(tree, path);
        json_real_set(number, -json_number_value(number));
    }
    keep_case(tree, "cases.0.");
    failures failed;
    carom_error error;
    CHECK_INT(verify_tree(tree, CAROM_OK, &failed, &error).failed, 0);
}

TEST(cases_that_make_no_sense_are_refused_by_field) {
    static const struct {
        const char *path, *key;
        double value;
        const char *sentence;
    } changes[] = {
        {"cases.0.input.bodies.0", "mass", -1.0, "body 0: mass is -1 kg, must be positive and finite"},
        {"cases.2.input", "drag", -1.0, "drag: linear is -1, must be finite and not negative"},
        {"cases.2.expected.samples.1", "t", 0.0, "expected.samples[1].t is 0; times must ascend from 0"},
        {"cases.2.expected.samples.0", "t", -1.0, "expected.samples[0].t is -1; times must ascend from 0"},
        {"cases.4.input", "m2", 0.0, "body 1: mass is 0 kg"},
        {"cases.4.input", "x1", 5.0, "input.x1 must be an array of 3 numbers"},
        {"cases.4.expected.samples.2", "v1", 5.0, "expected.samples[2].v1 must be an array of 3 numbers"},
        {"cases.0.expected.samples.2.bodies.0", "q", 5.0,
         "expected.samples[2].bodies[0].q must be an array of 4 numbers"},
        {"cases.0.expected", "angular_momentum", 5.0, "expected.angular_momentum must be an array of 3 numbers"},
        {"cases.0.input.bodies.0", "inertia_body", 5.0, "input.bodies[0].inertia_body must be 3 rows of 3 numbers"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        json_t *tree = load_data("dynamics.json");
        json_object_set_new(at(tree, changes[i].path), changes[i].key, json_real(changes[i].value));
        keep_case(tree, changes[i].path);
        char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
        failures failed;
        carom_error error;
        carom_verify_report report;
        carom_status status =
            carom_verify_file(write_file(text, strlen(text)), NULL, note_failure, &failed, &report, &error);
        CHECK(status == CAROM_ERR_FILE || status == CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, changes[i].sentence);
        CHECK_CONTAINS(error.text, "case 'dyn_");
        unlink(scratch_path);
        free(text);
        json_decref(tree);
    }
}

// A motion that cannot be found to the tolerance is a failed case with the reason, not a wrong number.
TEST(motions_without_a_solution_fail_with_the_reason) {
    json_t *tree = load_data("dynamics.json");
    json_t *input = at(tree, "cases.4.input");
    // Two charges that fall into each other within the first interval.
    json_object_set_new(input, "v1", three(0.0, 0.0, 0.0));
    json_object_set_new(input, "v2", three(0.0, 0.0, 0.0));
    json_object_set_new(input, "x1", three(0.0, 0.0, 0.0));
    json_object_set_new(input, "x2", three(0.1, 0.0, 0.0));
    keep_case(tree, "cases.4.");
    failures failed;
    carom_error error;
    carom_verify_report report = verify_tree(tree, CAROM_OK, &failed, &error);
    CHECK_INT(report.failed, 1);
    CHECK_TEXT(failed.id, "dyn_030");
    CHECK_CONTAINS(failed.text, "motion: ");
    CHECK(isinf(report.worst_error));
    CHECK_TEXT(report.worst_quantity, "motion");
}

// On a chain of two, which all methods of joints run: one that is quickly done.
TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    json_t *tree = load_data("dynamics.json");
    keep_case(tree, "cases.6.");
    json_array_remove(at(tree, "cases.0.expected.samples"), 3);
    json_array_remove(at(tree, "cases.0.expected.samples"), 2);
    char *text = json_dumps(tree, JSON_REAL_PRECISION(17));
    const char *path = write_file(text, strlen(text));
    bool refused = true;
    int tried = 0;
    for (long long n = 1; refused && n < 100000; n += 1 + n / 4) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_verify_report report;
        carom_error error = {.text = ""};
        carom_status status = carom_verify_file(path, &hook, NULL, NULL, &report, &error);
        refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        CHECK(!refused || error.text[0] != '\0');
        CHECK_INT(error.status, status);
        CHECK_INT(probe.live_blocks, 0);
        tried++;
    }
    CHECK(tried > 10 && !refused);
    unlink(path);
    free(text);
    json_decref(tree);
}

TEST_MAIN(CASE(thinned_trajectories_are_met), CASE(a_motion_that_no_contact_makes_is_not_checked),
          CASE(expected_fields_that_no_check_reads_are_named), CASE(forces_of_fast_rolling_are_met),
          CASE(thinned_masses_are_met), CASE(thinned_collisions_are_met), CASE(full_reference_files_are_met),
          CASE(files_that_cannot_be_read_are_refused), CASE(files_that_are_not_json_are_refused_with_the_line),
          CASE(files_without_their_fields_are_refused_by_the_field),
          CASE(unknown_sets_and_systems_are_counted_and_named), CASE(a_wrong_number_fails_its_case_and_is_named),
          CASE(a_wrong_sign_of_an_attitude_is_no_error), CASE(cases_that_make_no_sense_are_refused_by_field),
          CASE(motions_without_a_solution_fail_with_the_reason), CASE(any_refused_allocation_is_said_and_leaks_nothing))
