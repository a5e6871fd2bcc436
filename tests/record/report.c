// SPDX-License-Identifier: MIT
// Reports: what the page reads back is what was recorded, and no name can break out of its place.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <zlib.h>

#include "carom/tools.h"
#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/scene/recorded_run.h"

static const char page[] = "<!doctype html><meta name=\"generator\" content=\"carom\">"
                           "<script id=\"carom-header\">@CAROM_HEADER@</script>"
                           "<script id=\"carom-packed\">@CAROM_PACKED@</script><p>the end</p>\n";

// ---- an independent reader, by docs/report.md

typedef struct read_report {
    char *text; // the whole file
    json_t *header;
    unsigned char *packed;
} read_report;

static char *between(const char *text, const char *start, const char *end) {
    const char *from = strstr(text, start), *to = from != NULL ? strstr(from, end) : NULL;
    assert_non_null(to);
    from += strlen(start);
    return strndup(from, (size_t)(to - from));
}

static size_t decode_base64(char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    unsigned long word = 0;
    int bits = 0;
    for (const char *c = text; *c != '\0' && *c != '='; c++) {
        const char *digit = strchr(digits, *c);
        assert_non_null(digit);
        word = (word << 6 | (unsigned long)(digit - digits)) & 0xffffff;
        bits += 6;
        if (bits >= 8) text[count++] = (char)(word >> (bits -= 8) & 0xff);
    }
    return count;
}

static read_report read_page(const char *path) {
    read_report r;
    size_t size;
    r.text = (char *)read_bytes(path, &size);
    r.text[size] = '\0';
    char *header = between(r.text, "id=\"carom-header\">", "</script>");
    char *packed = between(r.text, "id=\"carom-packed\">", "</script>");
    r.header = json_loads(header, 0, NULL);
    assert_non_null(r.header);
    uLongf wanted = (uLongf)json_integer_value(json_object_get(r.header, "packed_bytes")), got = wanted;
    r.packed = malloc(wanted + 1);
    if (wanted > 0) {
        size_t deflated = decode_base64(packed);
        assert_int_equal(uncompress(r.packed, &got, (unsigned char *)packed, deflated), Z_OK);
    }
    assert_int_equal(got, wanted);
    free(header);
    free(packed);
    return r;
}

static void free_page(read_report *r) {
    free(r->text);
    free(r->packed);
    json_decref(r->header);
}

static const json_t *blob_of(const read_report *r, const char *name) {
    return json_object_get(json_object_get(r->header, "blobs"), name);
}

static int64_t whole(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static double item(const json_t *object, const char *key, size_t index) {
    return json_number_value(json_array_get(json_object_get(object, key), index));
}

// Value `index` of a blob of plain numbers.
static double value_of(const read_report *r, const char *name, int64_t index) {
    const json_t *blob = blob_of(r, name);
    const char *type = json_string_value(json_object_get(blob, "type"));
    assert_non_null(type);
    assert_true(index < whole(blob, "count") && whole(blob, "offset") % 8 == 0);
    const unsigned char *at = r->packed + whole(blob, "offset");
    if (strcmp(type, "f64") == 0) {
        double value;
        memcpy(&value, at + 8 * index, sizeof value);
        return value;
    }
    assert_string_equal(type, "f32");
    float value;
    memcpy(&value, at + 4 * index, sizeof value);
    return value;
}

// All numbers of a table of deltas, row by row; freed by the caller.
static uint32_t *table_of(const read_report *r, const char *name, int bytes) {
    const json_t *blob = blob_of(r, name);
    assert_string_equal(json_string_value(json_object_get(blob, "type")), bytes == 2 ? "delta16" : "delta24");
    int64_t rows = whole(blob, "rows"), columns = whole(blob, "columns"), count = rows * columns;
    assert_int_equal(whole(blob, "count"), count);
    const unsigned char *at = r->packed + whole(blob, "offset");
    int64_t modulus = 1LL << 8 * bytes;
    uint32_t *q = malloc((size_t)count * sizeof *q + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t z = 0;
        for (int p = bytes - 1; p >= 0; p--) z = 256 * z + at[p * count + i];
        int64_t s = z % 2 == 0 ? z / 2 : -(z + 1) / 2;
        int64_t predicted = i < columns       ? 0
                            : i < 2 * columns ? q[i - columns]
                                              : 2LL * q[i - columns] - q[i - 2 * columns];
        q[i] = (uint32_t)(((predicted + s) % modulus + modulus) % modulus);
    }
    return q;
}

// ---- runs

enum { BODIES = 6 };

static const char *const names[BODIES] = {"plain",
                                          "</script><script>alert(1)</script>",
                                          "<!-- \"quoted\"\n",
                                          "\xc3\xbcml \xe2\x80\xa8",
                                          NULL,
                                          "not utf-8: \xff\xfe"};

// Bodies that fly and tumble apart; the first rotates by almost half a rotation a frame.
static void record_bodies(const char *path, int bodies, int steps, int every) {
    carom_model *model;
    carom_model_def model_def = carom_model_def_default();
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    sampler s = {.seed = 7};
    for (int i = 0; i < bodies; i++) {
        carom_body_def def = carom_body_def_default();
        def.name = i < BODIES ? names[i] : NULL;
        def.position = (carom_vec3){sample_between(&s, -5, 5), 3.0, sample_between(&s, -5, 5)};
        def.velocity = (carom_vec3){sample_between(&s, -1, 1), 0.0, sample_between(&s, -1, 1)};
        def.spin = (carom_vec3){i == 0 ? 100.0 : 3.0, sample_between(&s, -9, 9), 1.0};
        assert_int_equal(carom_model_add_body(model, &def, &(carom_body){0}, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    small_run run = {.model = model, .method = carom_method_def_default()};
    run.method.method = CAROM_METHOD_VARIATIONAL;
    assert_int_equal(carom_state_create(model, &run.method, &run.state, NULL), CAROM_OK);
    carom_recorder_def def = recorder_to(path);
    def.every = every;
    small_run_record_whole(&def, NULL, &run, steps);
    small_run_free(&run);
}

typedef struct reported {
    scratch_folder folder;
    carom_recording *recording;
    carom_recording_info info;
    carom_report_size size;
    read_report page;
} reported;

static void open_and_report(reported *r) {
    carom_error error = {0};
    carom_report_def def = carom_report_def_default();
    def.path = in_folder(&r->folder, "run.html");
    def.page = page;
    if (carom_recording_open(in_folder(&r->folder, "run.carom"), &r->recording, &error) != CAROM_OK ||
        carom_recording_get_info(r->recording, &r->info, &error) != CAROM_OK ||
        carom_report_write(r->recording, &def, &r->size, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    r->page = read_page(def.path);
}

static reported report_of(int bodies, int steps, int every) {
    reported r = {.folder = scratch_folder_make()};
    record_bodies(in_folder(&r.folder, "run.carom"), bodies, steps, every);
    open_and_report(&r);
    return r;
}

static void forget(reported *r) {
    free_page(&r->page);
    carom_recording_close(r->recording);
    scratch_folder_remove(&r->folder);
}

// ---- frames

// The angle of the rotation from one attitude to the other.
static double angle_between(carom_quat a, const double b[4]) {
    double length = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
    double dot = fabs(a.w * b[0] + a.x * b[1] + a.y * b[2] + a.z * b[3]) / length;
    return 2.0 * acos(fmin(dot, 1.0));
}

static void check_frame(const reported *r, int64_t index, int64_t recorded, const uint32_t *positions,
                        const uint32_t *attitudes, const uint32_t *velocities) {
    const json_t *place = blob_of(&r->page, "positions"), *motion = blob_of(&r->page, "velocities");
    int bodies = r->info.body_count;
    carom_body_state *frame = malloc((size_t)bodies * sizeof *frame);
    double time;
    int64_t step;
    assert_int_equal(carom_recording_get_frame(r->recording, recorded, &time, &step, frame, NULL), CAROM_OK);
    CHECK_NEAR(value_of(&r->page, "frame_times", index), time, 0.0);
    CHECK_NEAR(value_of(&r->page, "frame_steps", index), (double)step, 0.0);
    for (int b = 0; b < bodies; b++) {
        const double x[3] = {frame[b].position.x, frame[b].position.y, frame[b].position.z};
        const double v[6] = {frame[b].velocity.x, frame[b].velocity.y, frame[b].velocity.z,
                             frame[b].spin.x,     frame[b].spin.y,     frame[b].spin.z};
        double q[4];
        for (int i = 0; i < 3; i++) {
            double scale = item(place, "scale", (size_t)i);
            double got = item(place, "low", (size_t)i) + scale * positions[(index * 3 + i) * bodies + b];
            CHECK_NEAR(got, x[i], 0.5000001 * scale);
        }
        for (int i = 0; i < 4; i++) q[i] = (int16_t)(uint16_t)attitudes[(index * 4 + i) * bodies + b];
        CHECK(angle_between(frame[b].attitude, q) < 6.2e-5);
        for (int i = 0; i < 6 && velocities != NULL; i++) {
            double scale = item(motion, "scale", (size_t)i);
            double got = item(motion, "low", (size_t)i) + scale * velocities[(index * 6 + i) * bodies + b];
            CHECK_NEAR(got, v[i], 0.5000001 * scale);
        }
    }
    free(frame);
}

TEST(poses_come_back_to_half_a_quantum) {
    reported r = report_of(BODIES, 700, 7);
    uint32_t *positions = table_of(&r.page, "positions", 3), *attitudes = table_of(&r.page, "attitudes", 2);
    uint32_t *velocities = table_of(&r.page, "velocities", 2);
    CHECK_INT(r.size.frames, 101);
    CHECK_INT(r.size.frame_stride, 1);
    for (int64_t f = 0; f < r.size.frames; f++) check_frame(&r, f, f, positions, attitudes, velocities);
    // The quantum is what docs/report.md says: the box of all positions over 2^24 - 1.
    CHECK(item(blob_of(&r.page, "positions"), "scale", 0) < 40.0 / 16777215.0);
    // Of an attitude the nearer quaternion is kept: from frame to frame its dot product is not negative.
    for (int64_t f = 1; f < r.size.frames; f++)
        for (int b = 0; b < BODIES; b++) {
            double dot = 0.0;
            for (int i = 0; i < 4; i++)
                dot += (double)(int16_t)(uint16_t)attitudes[(f * 4 + i) * BODIES + b] *
                       (double)(int16_t)(uint16_t)attitudes[((f - 1) * 4 + i) * BODIES + b];
            CHECK(dot >= -65536.0); // but for rounding
        }
    free(positions);
    free(attitudes);
    free(velocities);
    forget(&r);
}

TEST(many_frames_are_thinned_but_for_the_last) {
    reported r = report_of(1, 20001, 1);
    // 20,002 frames: two in three fit.
    CHECK_INT(whole(r.page.header, "recorded_frames"), 20002);
    CHECK_INT(whole(r.page.header, "frame_stride"), 2);
    CHECK_INT(r.size.frames, 10002);
    uint32_t *positions = table_of(&r.page, "positions", 3), *attitudes = table_of(&r.page, "attitudes", 2);
    for (int64_t f = 0; f < 10001; f += 100) check_frame(&r, f, 2 * f, positions, attitudes, NULL);
    check_frame(&r, 10001, 20001, positions, attitudes, NULL);
    free(positions);
    free(attitudes);
    forget(&r);
}

// ---- certificates

TEST(certificates_come_back_as_they_are) {
    reported r = report_of(2, 300, 10);
    CHECK_INT(r.size.rows, 301);
    CHECK(json_object_get(r.page.header, "certificate_bucket") == NULL);
    // The first row is the start, of which there are energies, momenta and sums, but nothing of a step.
    const carom_summary *summary = &r.info.summary;
    CHECK_NEAR(value_of(&r.page, "certificate_step", 0), 0.0, 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_time", 0), 0.0, 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_total", 0), summary->first_energy, 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_kinetic", 0), summary->first_kinetic, 0.0);
    CHECK(summary->first_kinetic > 0.0 && summary->first_momentum.angular.x != 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_lx", 0), summary->first_momentum.angular.x, 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_work_conservative", 0), 0.0, 0.0);
    CHECK(isnan(value_of(&r.page, "certificate_iterations", 0)));
    double sum = 0.0;
    for (int64_t i = 1; i <= 300; i++) {
        carom_step_report c;
        int got;
        assert_int_equal(carom_recording_get_certificates(r.recording, i - 1, 1, &c, &got, NULL), CAROM_OK);
        CHECK_NEAR(value_of(&r.page, "certificate_step", i), (double)c.step, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_time", i), c.time, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_total", i), c.energy.kinetic + c.energy.potential, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_pz", i), c.momentum.linear.z, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_lx", i), c.momentum.angular.x, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_energy_balance", i), c.energy_balance, 6e-8 * fabs(c.energy_balance));
        CHECK_NEAR(value_of(&r.page, "certificate_iterations", i), c.iterations, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_good", i), (c.outcome == CAROM_STEP_GOOD), 0.0);
        // Lines of the ledger are what they have come to: of this one, what the potential energy has lost.
        sum += c.ledger.conservative;
        CHECK_NEAR(value_of(&r.page, "certificate_work_conservative", i), sum, 6e-8 * fabs(sum));
        CHECK_NEAR(sum, summary->first_energy - summary->first_kinetic - c.energy.potential, 1e-9);
    }
    CHECK(fabs(sum) > 1.0);
    CHECK(blob_of(&r.page, "certificate_joint_drift") == NULL);
    forget(&r);
}

// Smallest and largest of a bucket, in the order in which they occur.
static void find_extremes(const double *values, int count, double out[2]) {
    int low = 0, high = 0;
    for (int i = 1; i < count; i++) {
        if (values[i] < values[low]) low = i;
        if (values[i] > values[high]) high = i;
    }
    out[0] = values[low <= high ? low : high];
    out[1] = values[low <= high ? high : low];
}

TEST(long_runs_keep_every_peak) {
    enum { STEPS = 9001, BUCKET = 5 }; // ceil(9001 / 2048)
    reported r = report_of(1, STEPS, 1000);
    CHECK_INT(whole(r.page.header, "certificate_bucket"), BUCKET);
    CHECK_INT(r.size.rows, 1 + 2 * 1801);
    carom_step_report *all = malloc(STEPS * sizeof *all);
    int got;
    assert_int_equal(carom_recording_get_certificates(r.recording, 0, STEPS, all, &got, NULL), CAROM_OK);
    for (int k = 0; k < 1801; k++) {
        int first = k * BUCKET, count = first + BUCKET <= STEPS ? BUCKET : STEPS - first;
        double energy[BUCKET], moment[BUCKET], wanted[2];
        for (int i = 0; i < count; i++) {
            energy[i] = all[first + i].energy_balance;
            moment[i] = all[first + i].momentum.angular.y;
        }
        CHECK_NEAR(value_of(&r.page, "certificate_step", 1 + 2 * k), first + 1.0, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_step", 2 + 2 * k), first + count, 0.0);
        find_extremes(energy, count, wanted);
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(value_of(&r.page, "certificate_energy_balance", 1 + 2 * k + i), wanted[i],
                       6e-8 * fabs(wanted[i]));
        find_extremes(moment, count, wanted);
        for (int i = 0; i < 2; i++) CHECK_NEAR(value_of(&r.page, "certificate_ly", 1 + 2 * k + i), wanted[i], 0.0);
    }
    free(all);
    forget(&r);
}

// ---- contacts

// A run whose every step has `count` contacts, put into the state by hand: their impulses depend on their number alone,
// so that the largest are known.
static reported report_with_contacts(int frames, int count) {
    reported r = {.folder = scratch_folder_make()};
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&r.folder, "run.carom"));
    def.every = 1;
    def.contacts = true;
    carom_recorder *recorder;
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    carom_contact_state *contacts = calloc((size_t)count, sizeof *contacts);
    for (int i = 0; i < count; i++)
        contacts[i] = (carom_contact_state){.a = {-1},
                                            .b = {1},
                                            .point = {i, 0.5, -i},
                                            .normal = {0.6, 0.0, 0.8},
                                            .tangent = {0.0, 1.0, 0.0},
                                            .gap = -1e-3 * i,
                                            .normal_impulse = (i * 7) % count,
                                            .tangent_impulse = {0.25, -0.5},
                                            .status = CAROM_CONTACT_STATUS_SLIDES};
    for (int f = 1; f < frames; f++) {
        carom_step_report report;
        assert_int_equal(carom_step(run.model, run.state, NULL, &report, NULL), CAROM_OK);
        run.state->contact_table.items = contacts;
        run.state->contact_table.count = count;
        report.contacts = count;
        assert_int_equal(carom_recorder_step(recorder, run.state, &report, NULL), CAROM_OK);
    }
    assert_int_equal(carom_recorder_finish(recorder, run.state, NULL, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    run.state->contact_table.items = NULL;
    run.state->contact_table.count = 0;
    small_run_free(&run);
    free(contacts);
    open_and_report(&r);
    return r;
}

// A run of a method that reports what projections and impacts have added: so much times the number of the step.
static reported report_with_projections(int steps, double projected, double hit) {
    reported r = {.folder = scratch_folder_make()};
    small_run run = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&r.folder, "run.carom"));
    carom_recorder *recorder;
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    for (int i = 1; i <= steps; i++) {
        carom_step_report report;
        assert_int_equal(carom_step(run.model, run.state, NULL, &report, NULL), CAROM_OK);
        report.contacts = 1;
        report.projection_energy = projected * i;
        report.projection_momentum = (carom_vec3){0.0, 3.0 * projected * i, -4.0 * projected * i};
        report.impact_energy = hit * i;
        assert_int_equal(carom_recorder_step(recorder, run.state, &report, NULL), CAROM_OK);
    }
    assert_int_equal(carom_recorder_finish(recorder, run.state, NULL, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    open_and_report(&r);
    return r;
}

// The worst value in the table of the certificate; NAN when it has no such row.
static double worst_of(const reported *r, const char *quantity) {
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(r->page.header, "certificate"), i,
                       row) if (strcmp(json_string_value(json_object_get(row, "quantity")), quantity) ==
                                0) return json_number_value(json_object_get(row, "worst"));
    return NAN;
}

TEST(projections_and_impacts_are_shown_where_there_are_any) {
    enum { STEPS = 20 };
    reported r = report_with_projections(STEPS, 0.25, -2.0);
    for (int i = 0; i < STEPS; i++) {
        double n = i + 1.0; // all numbers are floats
        CHECK_NEAR(value_of(&r.page, "certificate_projection_energy", i + 1), 0.25 * n, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_projection_lx", i + 1), 0.0, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_projection_ly", i + 1), 0.75 * n, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_projection_lz", i + 1), -1.0 * n, 0.0);
        CHECK_NEAR(value_of(&r.page, "certificate_impact_energy", i + 1), -2.0 * n, 0.0);
    }
    CHECK_NEAR(worst_of(&r, "projection energy"), 0.25 * STEPS, 0.0);
    CHECK_NEAR(worst_of(&r, "projection momentum"), 1.25 * STEPS, 1e-14);
    CHECK_NEAR(worst_of(&r, "impact energy"), -2.0 * STEPS, 0.0);
    forget(&r);
    r = report_with_projections(STEPS, 0.0, -2.0); // as of a method without projections
    CHECK(blob_of(&r.page, "certificate_projection_energy") == NULL);
    CHECK(blob_of(&r.page, "certificate_projection_lz") == NULL);
    CHECK_NEAR(value_of(&r.page, "certificate_impact_energy", 1), -2.0, 0.0);
    CHECK(isnan(worst_of(&r, "projection energy")));
    forget(&r);
    r = report_with_projections(STEPS, 0.0, 0.0); // as of a method without either
    CHECK(blob_of(&r.page, "certificate_impact_energy") == NULL && blob_of(&r.page, "certificate_friction_work"));
    CHECK(isnan(worst_of(&r, "impact energy")));
    forget(&r);
}

// Number `index` of a blob of whole numbers of `bytes` bytes, as unsigned.
static uint32_t whole_value(const read_report *r, const char *name, int bytes, int64_t index) {
    const json_t *blob = blob_of(r, name);
    assert_true(index < whole(blob, "count"));
    const unsigned char *at = r->packed + whole(blob, "offset") + bytes * index;
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
    return value;
}

TEST(contacts_come_back_with_their_impulses) {
    enum { FRAMES = 4, COUNT = 5 }; // frame 0 has none, as no step was made
    reported r = report_with_contacts(FRAMES, COUNT);
    CHECK_INT(whole_value(&r.page, "contact_first", 4, FRAMES), (FRAMES - 1) * COUNT);
    for (int f = 0; f < FRAMES; f++) {
        CHECK_INT(whole_value(&r.page, "contact_total", 4, f), f > 0 ? COUNT : 0);
        CHECK_INT(whole_value(&r.page, "contact_first", 4, f), f > 0 ? (f - 1) * COUNT : 0);
    }
    for (int k = 0; k < (FRAMES - 1) * COUNT; k++) {
        int i = k % COUNT;
        double n = (i * 7) % COUNT;
        // n normal + 0.25 tangent - 0.5 normal x tangent, which is (-0.8, 0, 0.6)
        const double impulse[3] = {0.6 * n + 0.4, 0.25, 0.8 * n - 0.3};
        for (int c = 0; c < 3; c++) CHECK_NEAR(value_of(&r.page, "contact_impulses", 3 * k + c), impulse[c], 1e-6);
        CHECK_NEAR(value_of(&r.page, "contact_points", 3 * k + 2), -i, 0.0);
        CHECK_NEAR(value_of(&r.page, "contact_gaps", k), -1e-3 * i, 1e-9);
        CHECK_NEAR((int16_t)whole_value(&r.page, "contact_normals", 2, 3 * k) / 32767.0, 0.6, 1.6e-5);
        CHECK_INT((int32_t)whole_value(&r.page, "contact_bodies", 4, 2 * k), -1);
        CHECK_INT(whole_value(&r.page, "contact_bodies", 4, 2 * k + 1), 1);
        CHECK_INT(whole_value(&r.page, "contact_status", 1, k), CAROM_CONTACT_STATUS_SLIDES);
    }
    CHECK_NEAR(value_of(&r.page, "certificate_contacts", 1), COUNT, 0.0);
    forget(&r);
}

TEST(of_too_many_contacts_the_largest_stay) {
    enum { FRAMES = 101, COUNT = 1009, KEPT = 100000 / FRAMES };
    reported r = report_with_contacts(FRAMES, COUNT); // 100,900 of them
    for (int f = 1; f < FRAMES; f++) {
        CHECK_INT(whole_value(&r.page, "contact_total", 4, f), COUNT);
        CHECK_INT(whole_value(&r.page, "contact_first", 4, f), (f - 1) * KEPT);
        // Normal impulses are 0 to 1008, each once, and 0.25 along y in all.
        for (int i = 0; i < KEPT; i += 89) {
            int64_t k = (int64_t)(f - 1) * KEPT + i;
            CHECK_NEAR(value_of(&r.page, "contact_impulses", 3 * k), 0.6 * (COUNT - 1 - i) + 0.4, 1e-4);
        }
    }
    forget(&r);
}

// ---- what stands in the file

static int count_of(const char *text, const char *piece) {
    int count = 0;
    for (; (text = strstr(text, piece)) != NULL; text++) count++;
    return count;
}

// ---- collisions

// A run of two steps, whose first one has so many collisions, put into the state by hand: all numbers are floats.
static reported report_with_collisions(int count) {
    reported r = {.folder = scratch_folder_make()};
    small_run run = small_run_make(3, 0.5);
    carom_collision *list = calloc((size_t)count + 1, sizeof *list);
    for (int i = 0; i < count; i++)
        list[i] = (carom_collision){.step = 1,
                                    .time = 0.5 * i / count,
                                    .a = {i % 2},
                                    .b = {2},
                                    .point = {i, 1.0, 0.0},
                                    .normal = {0.0, 0.0, 1.0},
                                    .impulse = {0.0, 0.0, 0.5 * i},
                                    .approach = -2.0,
                                    .separation = 1.5,
                                    .energy_before = i + 0.25,
                                    .energy_jump = -0.125};
    carom_recorder_def def = recorder_to(in_folder(&r.folder, "run.carom"));
    carom_recorder *recorder;
    carom_step_report report;
    run.state->tells_collisions = true;
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(carom_step(run.model, run.state, NULL, &report, NULL), CAROM_OK);
        report.discrete_energy = 3.0 + i;
        run.state->collisions.items = list;
        run.state->collisions.count = i == 0 ? count : 0;
        CHECK_INT(carom_recorder_step(recorder, run.state, &report, NULL), CAROM_OK);
        run.state->collisions.items = NULL;
        run.state->collisions.count = 0;
    }
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    free(list);
    open_and_report(&r);
    return r;
}

static void check_collisions(int count, int stride) {
    reported r = report_with_collisions(count);
    CHECK_INT(whole(r.page.header, "collision_total"), count);
    CHECK_INT(whole(r.page.header, "collision_stride"), stride);
    int kept = (count + stride - 1) / stride;
    CHECK_INT(whole(blob_of(&r.page, "collision_times"), "count"), kept);
    CHECK_INT(whole(blob_of(&r.page, "collision_energies"), "count"), 2 * kept);
    for (int k = 0; k < kept; k++) {
        int i = k * stride;
        CHECK_NEAR(value_of(&r.page, "collision_times", k), 0.5 * i / count, 0.0);
        CHECK_INT(whole_value(&r.page, "collision_bodies", 4, 2 * k), i % 2);
        CHECK_INT(whole_value(&r.page, "collision_bodies", 4, 2 * k + 1), 2);
        CHECK_NEAR(value_of(&r.page, "collision_points", 3 * k), i, 0.0);
        CHECK_NEAR(value_of(&r.page, "collision_impulses", 3 * k + 2), 0.5 * i, 0.0);
        CHECK_NEAR(value_of(&r.page, "collision_speeds", 2 * k), -2.0, 0.0);
        CHECK_NEAR(value_of(&r.page, "collision_speeds", 2 * k + 1), 1.5, 0.0);
        CHECK_NEAR(value_of(&r.page, "collision_energies", 2 * k), i + 0.25, 0.0);
        CHECK_NEAR(value_of(&r.page, "collision_energies", 2 * k + 1), -0.125, 0.0);
    }
    forget(&r);
}

TEST(collisions_come_back_and_too_many_are_thinned) {
    check_collisions(7, 1);
    check_collisions(20001, 2);
    reported r = report_with_collisions(0);
    CHECK_INT(whole(r.page.header, "collision_total"), 0);
    CHECK(blob_of(&r.page, "collision_times") == NULL);
    forget(&r);
    r = report_of(1, 3, 1); // of a method that finds no times
    CHECK(json_object_get(r.page.header, "collision_total") == NULL);
    forget(&r);
}

// E_d has no value at the start; H_d is the total once more.
TEST(the_discrete_energy_is_beside_the_hamiltonian) {
    reported r = report_with_collisions(0);
    CHECK(isnan(value_of(&r.page, "certificate_discrete_energy", 0)));
    CHECK_NEAR(value_of(&r.page, "certificate_discrete_energy", 1), 3.0, 0.0);
    CHECK_NEAR(value_of(&r.page, "certificate_discrete_energy", 2), 4.0, 0.0);
    int shown = 0;
    const json_t *list = json_object_get(r.page.header, "certificate_quantities"), *entry;
    size_t i;
    json_array_foreach(list, i, entry) {
        if (strcmp(json_string_value(json_object_get(entry, "plot")), "discrete_energy") != 0) continue;
        const char *column = json_string_value(json_array_get(json_object_get(entry, "columns"), 0));
        CHECK_TEXT(column, shown++ == 0 ? "discrete_energy" : "total");
    }
    CHECK_INT(shown, 2);
    forget(&r);
}

TEST(names_cannot_leave_their_place) {
    reported r = report_of(BODIES, 20, 5);
    CHECK_INT(count_of(r.page.text, "</script>"), 2);
    CHECK_INT(count_of(r.page.text, "<!--"), 0);
    const json_t *bodies = json_object_get(r.page.header, "bodies");
    for (int i = 0; i < BODIES - 1; i++)
        CHECK_TEXT(json_string_value(json_object_get(json_array_get(bodies, (size_t)i), "name")),
                   names[i] != NULL ? names[i] : "");
    CHECK_TEXT(json_string_value(json_object_get(json_array_get(bodies, BODIES - 1), "name")), "not utf-8: ??");
    CHECK_CONTAINS(r.page.text, "<p>the end</p>\n");
    forget(&r);
}

static const char joint_scene[] =
    "{\"carom\": 1, \"name\": \"a <b> & c\", \"description\": \"</script>\", \"until\": 0.1, \"gravity\": [0, 0, -2],"
    " \"method\": {\"name\": \"multiplier\", \"step\": 0.01}, \"frame_rate\": 100,"
    " \"shapes\": {\"bar\": {\"kind\": \"box\", \"size\": [1, 0.1, 0.2]},"
    "              \"peak\": {\"kind\": \"tetrahedron\", \"edge\": 2}},"
    " \"bodies\": [{\"name\": \"arm\", \"shape\": \"bar\", \"density\": 1000, \"position\": [0.5, 0, 0]},"
    "              {\"name\": \"wall\", \"kind\": \"fixed\", \"shape\": \"peak\", \"position\": [9, 0, 0]}],"
    " \"joints\": [{\"name\": \"pin\", \"kind\": \"hinge\", \"a\": \"world\", \"b\": \"arm\", \"point\": [0, 0, 0],"
    "               \"axis\": [0, 1, 0]}],"
    " \"forces\": [{\"kind\": \"spring\", \"a\": \"arm\", \"b\": \"world\", \"point_b\": [1, 2, 3], \"stiffness\": "
    "1}]}";

TEST(scenes_tell_shapes_joints_and_forces) {
    reported r = {.folder = scratch_folder_make()};
    carom_scene *scene = scene_of_text(joint_scene);
    small_run run = {.model = (carom_model *)carom_scene_model(scene), .state = state_of_scene(scene)};
    carom_recorder_def def = recorder_to(in_folder(&r.folder, "run.carom"));
    small_run_record_whole(&def, scene, &run, 10);
    open_and_report(&r);
    const json_t *header = r.page.header;
    CHECK_TEXT(json_string_value(json_object_get(header, "title")), "a <b> & c");
    CHECK_NEAR(item(header, "gravity", 2), -2.0, 0.0);
    const json_t *arm = json_array_get(json_object_get(header, "bodies"), 0);
    const json_t *wall = json_array_get(json_object_get(header, "bodies"), 1);
    CHECK_NEAR(json_number_value(json_object_get(arm, "mass")), 20.0, 1e-12);
    CHECK_TEXT(json_string_value(json_object_get(wall, "kind")), "fixed");
    CHECK(json_is_null(json_object_get(wall, "mass")));
    const json_t *shapes = json_object_get(header, "shapes");
    const json_t *bar = json_array_get(shapes, (size_t)whole(arm, "shape"));
    CHECK_TEXT(json_string_value(json_object_get(bar, "kind")), "box");
    CHECK_NEAR(item(bar, "edges", 2), 0.2, 0.0);
    const json_t *peak = json_array_get(shapes, (size_t)whole(wall, "shape"));
    CHECK_INT(json_array_size(json_object_get(peak, "vertices")), 4);
    CHECK_INT(json_array_size(json_object_get(peak, "facets")), 4);
    const json_t *joint = json_array_get(json_object_get(header, "joints"), 0);
    CHECK_TEXT(json_string_value(json_object_get(joint, "name")), "pin");
    CHECK_INT(whole(joint, "a"), -1);
    CHECK_NEAR(item(joint, "axis", 1), 1.0, 1e-15); // in the frame of the arm, which began unturned
    const json_t *spring = json_array_get(json_object_get(header, "springs"), 0);
    CHECK_INT(whole(spring, "a"), 0);
    CHECK_INT(whole(spring, "b"), -1);
    CHECK_NEAR(item(spring, "point_b", 1), 2.0, 0.0);
    // The joint's place in the last frame, and the bound that its method promises.
    carom_frame_joint last;
    assert_int_equal(carom_recording_get_frame_joints(r.recording, r.info.frame_count - 1, &last, NULL), CAROM_OK);
    int64_t at = 3 * (r.size.frames - 1);
    CHECK_NEAR(value_of(&r.page, "joint_forces", at + 2), last.force.z, 6e-8 * fabs(last.force.z));
    bool found = false;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(header, "certificate"), i, row) {
        if (strcmp(json_string_value(json_object_get(row, "quantity")), "joint drift") != 0) continue;
        found = true;
        CHECK_NEAR(json_number_value(json_object_get(row, "bound")), 1e-8, 0.0);
        CHECK_TEXT(json_string_value(json_object_get(row, "verdict")), "kept");
    }
    CHECK(found);
    carom_state_destroy(run.state);
    carom_scene_destroy(scene);
    forget(&r);
}

TEST(only_reports_are_replaced) {
    reported r = report_of(1, 10, 5);
    carom_error error = {0};
    const char *foreign = in_folder(&r.folder, "foreign.html"), *report = in_folder(&r.folder, "run.html");
    write_bytes(foreign, "<p>mine</p>", 11);
    carom_report_def def = {.struct_size = sizeof(carom_report_def), .path = report, .page = page};
    CHECK_INT(carom_report_write(r.recording, &def, NULL, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "exists already");
    def.overwrite = true;
    CHECK_INT(carom_report_write(r.recording, &def, NULL, &error), CAROM_OK);
    def.path = foreign;
    CHECK_INT(carom_report_write(r.recording, &def, NULL, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "is no report of carom and is left alone");
    def.path = in_folder(&r.folder, "new.html");
    def.page = "<p>no marks</p>";
    CHECK_INT(carom_report_write(r.recording, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the page lacks @CAROM_HEADER@");
    def.page = page;
    CHECK_INT(carom_report_write_page("[1]", 0, NULL, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_report_write(NULL, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(scratch_folder_count(&r.folder), 3); // nothing half-made is left
    forget(&r);
}

TEST(other_pages_carry_their_numbers) {
    scratch_folder folder = scratch_folder_make();
    const double values[] = {1.5, -2.0, 1e300};
    carom_report_blob blob = {"difference_0", 3, values};
    carom_report_def def = {
        .struct_size = sizeof(carom_report_def), .path = in_folder(&folder, "study.html"), .page = page};
    carom_error error = {0};
    if (carom_report_write_page("{\"kind\":\"compare\"}", 1, &blob, &def, NULL, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    read_report r = read_page(def.path);
    CHECK_TEXT(json_string_value(json_object_get(r.header, "kind")), "compare");
    for (int i = 0; i < 3; i++) CHECK_NEAR(value_of(&r, "difference_0", i), values[i], 0.0);
    free_page(&r);
    scratch_folder_remove(&folder);
}

// The worst there can be: every body is somewhere else in every frame.
TEST(a_thousand_bodies_over_six_hundred_frames_stay_below_fifteen_megabytes) {
    enum { MANY = 1000, FRAMES = 600 };
    scratch_folder folder = scratch_folder_make();
    reported r = {.folder = folder};
    carom_model *model;
    carom_model_def model_def = carom_model_def_default();
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    carom_body_def body = carom_body_def_default();
    for (int i = 0; i < MANY; i++)
        assert_int_equal(carom_model_add_body(model, &body, &(carom_body){0}, NULL), CAROM_OK);
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    carom_state *state;
    assert_int_equal(carom_state_create(model, &method, &state, NULL), CAROM_OK);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    def.every = 1;
    carom_recorder *recorder;
    assert_int_equal(carom_recorder_create(&def, NULL, state, &recorder, NULL), CAROM_OK);
    sampler s = {.seed = 11};
    for (int step = 1; step < FRAMES; step++) {
        for (int i = 0; i < MANY; i++) {
            carom_body_state to = {.position = sample_vec3(&s, 10.0), .attitude = sample_attitude(&s)};
            assert_int_equal(carom_state_set_body(state, (carom_body){i}, &to, NULL), CAROM_OK);
        }
        carom_step_report report;
        assert_int_equal(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
        assert_int_equal(carom_recorder_step(recorder, state, &report, NULL), CAROM_OK);
    }
    assert_int_equal(carom_recorder_finish(recorder, state, NULL, NULL), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    carom_model_destroy(model);
    open_and_report(&r);
    CHECK_INT(r.size.frames, FRAMES);
    printf("%lld bytes\n", (long long)r.size.bytes);
    CHECK(r.size.bytes < 15000000 - 1000000); // and the page itself is below a megabyte
    forget(&r);
}

TEST_MAIN(CASE(poses_come_back_to_half_a_quantum), CASE(many_frames_are_thinned_but_for_the_last),
          CASE(certificates_come_back_as_they_are), CASE(long_runs_keep_every_peak),
          CASE(contacts_come_back_with_their_impulses), CASE(of_too_many_contacts_the_largest_stay),
          CASE(projections_and_impacts_are_shown_where_there_are_any),
          CASE(collisions_come_back_and_too_many_are_thinned), CASE(the_discrete_energy_is_beside_the_hamiltonian),
          CASE(names_cannot_leave_their_place), CASE(scenes_tell_shapes_joints_and_forces),
          CASE(only_reports_are_replaced), CASE(other_pages_carry_their_numbers),
          LONG_CASE(a_thousand_bodies_over_six_hundred_frames_stay_below_fifteen_megabytes))
