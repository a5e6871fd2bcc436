// SPDX-License-Identifier: MIT
// Exports as comma-separated values (RFC 4180, lines ending in a newline), made anew and renamed when whole.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "record/csv_text.h"
#include "record/file/database.h"
#include "record/file/fresh_file.h"
#include "record/plan/plan_tables.h"
#include "record/recording.h"
#include "record/run/record_events.h"

static carom_status write_frames(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                 carom_error *error) {
    fputs("time,step,body,name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", to);
    size_t bytes = ((size_t)info->body_count + 1) * sizeof(carom_body_state);
    carom_body_state *bodies = malloc(bytes);
    if (bodies == NULL) return crm_fail_memory(error, "export of frames", bytes);
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < info->frame_count && status == CAROM_OK && !ferror(to); i++) {
        double time;
        int64_t step;
        status = carom_recording_get_frame(r, i, &time, &step, bodies, error);
        for (int b = 0; b < info->body_count && status == CAROM_OK; b++) {
            crm_csv_first_number(to, time);
            fprintf(to, ",%lld,%d", (long long)step, b);
            crm_csv_text(to, carom_recording_body_name(r, b));
            crm_csv_vec3(to, bodies[b].position);
            crm_csv_number(to, bodies[b].attitude.w);
            crm_csv_vec3(to, (carom_vec3){bodies[b].attitude.x, bodies[b].attitude.y, bodies[b].attitude.z});
            crm_csv_vec3(to, bodies[b].velocity);
            crm_csv_vec3(to, bodies[b].spin);
            fputc('\n', to);
        }
    }
    free(bodies);
    return status;
}

// Coordinates and rates that a joint has; the fields of the others stay empty.
static void print_some(FILE *to, const double *values, int count) {
    for (int i = 0; i < CAROM_JOINT_MOST_COORDINATES; i++) {
        if (i < count)
            crm_csv_number(to, values[i]);
        else
            fputc(',', to);
    }
}

static carom_status write_joints(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                 carom_error *error) {
    fputs("time,step,joint,name,kind,c0,c1,c2,c3,c4,c5,r0,r1,r2,r3,r4,r5,x,y,z,fx,fy,fz,tx,ty,tz,linear_drift,"
          "angular_drift\n",
          to);
    size_t bytes = ((size_t)info->joint_count + 1) * sizeof(carom_frame_joint);
    carom_frame_joint *joints = malloc(bytes);
    if (joints == NULL) return crm_fail_memory(error, "export of joints", bytes);
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < info->frame_count && status == CAROM_OK && !ferror(to); i++) {
        double time;
        int64_t step;
        status = carom_recording_get_frame(r, i, &time, &step, NULL, error);
        if (status == CAROM_OK) status = carom_recording_get_frame_joints(r, i, joints, error);
        for (int j = 0; j < info->joint_count && status == CAROM_OK; j++) {
            crm_csv_first_number(to, time);
            fprintf(to, ",%lld,%d", (long long)step, j);
            crm_csv_text(to, carom_recording_joint(r, j)->name);
            crm_csv_text(to, carom_recording_joint(r, j)->kind);
            print_some(to, joints[j].coordinate, joints[j].coordinate_count);
            print_some(to, joints[j].rate, joints[j].coordinate_count);
            crm_csv_vec3(to, joints[j].point);
            crm_csv_vec3(to, joints[j].force);
            crm_csv_vec3(to, joints[j].torque);
            crm_csv_number(to, joints[j].linear_drift);
            crm_csv_number(to, joints[j].angular_drift);
            fputc('\n', to);
        }
    }
    free(joints);
    return status;
}

static const char *status_word(carom_contact_status status) {
    return status == CAROM_CONTACT_STATUS_STICKS   ? "sticks"
           : status == CAROM_CONTACT_STATUS_SLIDES ? "slides"
                                                   : "apart";
}

static void print_contact(FILE *to, const carom_recording *r, const carom_contact_state *contact) {
    fprintf(to, ",%d,%d", contact->a.index, contact->b.index);
    crm_csv_text(to, carom_recording_body_name(r, contact->a.index));
    crm_csv_text(to, carom_recording_body_name(r, contact->b.index));
    crm_csv_vec3(to, contact->point);
    crm_csv_vec3(to, contact->normal);
    crm_csv_vec3(to, contact->tangent);
    crm_csv_number(to, contact->gap);
    crm_csv_number(to, contact->friction);
    crm_csv_number(to, contact->normal_impulse);
    crm_csv_number(to, contact->tangent_impulse[0]);
    crm_csv_number(to, contact->tangent_impulse[1]);
    crm_csv_number(to, contact->normal_velocity);
    crm_csv_number(to, contact->slip[0]);
    crm_csv_number(to, contact->slip[1]);
    crm_csv_text(to, status_word(contact->status));
    fputc('\n', to);
}

// Room for as many as a frame has, which the first reading tells.
static carom_status read_contacts(const carom_recording *r, int64_t frame, int *room, carom_contact_state **contacts,
                                  int *count, carom_error *error) {
    carom_status status = carom_recording_get_frame_contacts(r, frame, 0, NULL, count, error);
    if (status != CAROM_OK || *count == 0) return status;
    if (*count > *room) {
        carom_contact_state *larger = realloc(*contacts, (size_t)*count * sizeof *larger);
        if (larger == NULL) return crm_fail_memory(error, "export of contacts", (size_t)*count * sizeof *larger);
        *contacts = larger;
        *room = *count;
    }
    return carom_recording_get_frame_contacts(r, frame, *room, *contacts, count, error);
}

static carom_status write_contacts(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                   carom_error *error) {
    if (!info->contacts)
        return crm_refuse(error, "%s: was recorded without contacts; record the run again with them (record_contacts)",
                          crm_shown_path(r->path));
    fputs("time,step,contact,a,b,name_a,name_b,x,y,z,nx,ny,nz,tx,ty,tz,gap,friction,normal_impulse,tangent_impulse_1,"
          "tangent_impulse_2,normal_velocity,slip_1,slip_2,status\n",
          to);
    carom_contact_state *contacts = NULL;
    int room = 0;
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < info->frame_count && status == CAROM_OK && !ferror(to); i++) {
        double time;
        int64_t step;
        int count = 0;
        status = carom_recording_get_frame(r, i, &time, &step, NULL, error);
        if (status == CAROM_OK) status = read_contacts(r, i, &room, &contacts, &count, error);
        for (int c = 0; c < count && status == CAROM_OK; c++) {
            crm_csv_first_number(to, time);
            fprintf(to, ",%lld,%d", (long long)step, c);
            print_contact(to, r, &contacts[c]);
        }
    }
    free(contacts);
    return status;
}

static void print_collision(FILE *to, const carom_recording *r, const carom_collision *c, int64_t number) {
    crm_csv_first_number(to, c->time);
    fprintf(to, ",%lld,%lld,%d,%d", (long long)c->step, (long long)number, c->a.index, c->b.index);
    crm_csv_text(to, carom_recording_body_name(r, c->a.index));
    crm_csv_text(to, carom_recording_body_name(r, c->b.index));
    crm_csv_vec3(to, c->point);
    crm_csv_vec3(to, c->normal);
    crm_csv_vec3(to, c->impulse);
    crm_csv_number(to, c->approach);
    crm_csv_number(to, c->separation);
    crm_csv_number(to, c->energy_before);
    crm_csv_number(to, c->energy_jump);
    fputc('\n', to);
}

static carom_status write_collisions(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                     carom_error *error) {
    if (!info->collisions)
        return crm_refuse(error,
                          "%s: its method, %s as it was set, finds no times of impacts, so that there is no table of "
                          "collisions; record the run with exact, or with impulse by events",
                          crm_shown_path(r->path), info->method);
    fputs("time,step,collision,a,b,name_a,name_b,x,y,z,nx,ny,nz,jx,jy,jz,approach,separation,energy_before,"
          "energy_jump\n",
          to);
    enum { AT_ONCE = 64 };
    carom_collision some[AT_ONCE];
    for (int64_t first = 0; first < info->collision_count && !ferror(to);) {
        int got;
        carom_status status = carom_recording_get_collisions(r, first, AT_ONCE, some, &got, error);
        if (status != CAROM_OK) return status;
        for (int i = 0; i < got && first + i < info->collision_count; i++) print_collision(to, r, &some[i], first + i);
        first += got;
    }
    return CAROM_OK;
}

static void print_quantity(FILE *to, const carom_quantity *quantity, const carom_step_report *c) {
    if (quantity->type == CAROM_QUANTITY_SOLVER) {
        crm_csv_text(to, c->contacts > 0 ? carom_solver_name(c->solver) : "");
        return;
    }
    for (int i = 0; i < carom_quantity_column_count(quantity); i++)
        crm_csv_number(to, carom_quantity_get(quantity, c, i));
}

static carom_status write_certificates(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                       carom_error *error) {
    int count;
    const carom_quantity *quantity = carom_quantities(&count);
    fputs("step", to);
    for (int q = 0; q < count; q++)
        for (int i = 0; i < carom_quantity_column_count(&quantity[q]); i++) fprintf(to, ",%s", quantity[q].column[i]);
    fputc('\n', to);
    enum { AT_ONCE = 64 };
    carom_step_report some[AT_ONCE];
    for (int64_t first = 0; first < info->certificate_count && !ferror(to);) {
        int got;
        carom_status status = carom_recording_get_certificates(r, first, AT_ONCE, some, &got, error);
        if (status != CAROM_OK) return status;
        for (int i = 0; i < got && first + i < info->certificate_count; i++) {
            fprintf(to, "%lld", (long long)some[i].step);
            for (int q = 0; q < count; q++) print_quantity(to, &quantity[q], &some[i]);
            fputc('\n', to);
        }
        first += got;
    }
    return CAROM_OK;
}

static void print_event(FILE *to, const carom_recording *r, int number, const carom_joint_event *event) {
    crm_csv_first_number(to, event->time);
    fprintf(to, ",%lld,%d,%d", (long long)event->step, number, event->joint.index);
    crm_csv_text(to, carom_recording_joint(r, event->joint.index)->name);
    crm_csv_text(to, crm_event_outcome(event));
    crm_csv_text(to, carom_switch_reason_name(event->reason));
    const double numbers[] = {
        event->force, event->moment, event->impulse, event->distance,      event->angle,
        event->speed, event->moved,  event->rotated, event->impact_energy, event->projection_energy};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) crm_csv_number(to, numbers[i]);
    fputc('\n', to);
}

static carom_status write_events(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                 carom_error *error) {
    (void)info;
    fputs("time,step,event,joint,name,outcome,reason,force,moment,impulse,distance,angle,speed,moved,rotated,"
          "impact_energy,projection_energy\n",
          to);
    int count, got;
    carom_status status = carom_recording_get_joint_events(r, 0, NULL, &count, error);
    if (status != CAROM_OK || count == 0) return status;
    carom_joint_event *events = malloc((size_t)count * sizeof *events);
    if (events == NULL) return crm_fail_memory(error, "export of joint events", (size_t)count * sizeof *events);
    status = carom_recording_get_joint_events(r, count, events, &got, error);
    for (int i = 0; i < count && i < got && status == CAROM_OK; i++) print_event(to, r, i, &events[i]);
    free(events);
    return status;
}

typedef carom_status write_function(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                    carom_error *error);

// What can be exported, and how the first line of it begins, of whatever version.
static const struct {
    const char *what, *begin;
    write_function *write;
} exports[] = {{"frames", "time,step,body,", write_frames},
               {"joints", "time,step,joint,", write_joints},
               {"contacts", "time,step,contact,", write_contacts},
               {"collisions", "time,step,collision,", write_collisions},
               {"certificates", "step,time,", write_certificates},
               {"joint_events", "time,step,event,", write_events},
               {"controls", "interval,from,", crm_plan_write_controls},
               {"gaps", "node,time,gap,", crm_plan_write_gaps},
               {"solves", "solve,start,", crm_plan_write_solves}};
enum { EXPORT_COUNT = sizeof exports / sizeof exports[0] };

static carom_status fail_writing(const char *path, int number, carom_error *error) {
    return crm_fail(error, crm_file_status(number),
                    "%s: cannot be written (%s); check the disk and choose another name", crm_shown_path(path),
                    strerror(number));
}

static carom_status write_all(const carom_recording *r, write_function *write, FILE *to, const char *path,
                              carom_error *error) {
    carom_recording_info info;
    carom_status status = carom_recording_get_info(r, &info, error);
    if (status == CAROM_OK) status = write(r, &info, to, error);
    errno = 0;
    if (status == CAROM_OK && (fflush(to) != 0 || ferror(to))) status = fail_writing(path, errno, error);
    return status;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat about_a, about_b;
    return stat(a, &about_a) == 0 && stat(b, &about_b) == 0 && about_a.st_dev == about_b.st_dev &&
           about_a.st_ino == about_b.st_ino;
}

// Of an existing file: whether it is an export, or empty. One that cannot be read is none.
static bool is_export(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    char start[32] = {0};
    size_t got = fread(start, 1, sizeof start - 1, file);
    bool its = got == 0 && !ferror(file);
    for (int i = 0; i < EXPORT_COUNT; i++) its |= strncmp(start, exports[i].begin, strlen(exports[i].begin)) == 0;
    fclose(file);
    return its;
}

// What is not an export is left alone, as recordings and reports leave what is not theirs.
static carom_status check_target(const carom_recording *r, const char *path, bool overwrite, carom_error *error) {
    struct stat about;
    if (is_same_file(path, r->path))
        return crm_refuse(error, "%s: is the recording itself; choose another name for the export",
                          crm_shown_path(path));
    if (overwrite && stat(path, &about) == 0 && S_ISREG(about.st_mode) && !is_export(path))
        return crm_fail(error, CAROM_ERR_FILE, "%s: is no export of carom and is left alone; choose another name",
                        crm_shown_path(path));
    return CAROM_OK;
}

carom_status carom_recording_export_csv(const carom_recording *r, const char *what, const char *path, bool overwrite,
                                        carom_error *error) {
    if (r == NULL || what == NULL || path == NULL || path[0] == '\0')
        return crm_refuse(error, "export: %s is missing; give it",
                          r == NULL      ? "the recording"
                          : what == NULL ? "what to export"
                                         : "the name of the file");
    write_function *write = NULL;
    for (int i = 0; i < EXPORT_COUNT; i++)
        if (strcmp(what, exports[i].what) == 0) write = exports[i].write;
    if (write == NULL)
        return crm_refuse(error,
                          "export: there is no '%.60s'; choose frames, joints, contacts, collisions, certificates, "
                          "joint_events, controls, gaps or solves",
                          what);
    if (strcmp(path, "-") == 0) return write_all(r, write, stdout, "standard output", error);
    carom_status status = check_target(r, path, overwrite, error);
    if (status != CAROM_OK) return status;
    crm_fresh_file file;
    status = crm_fresh_file_begin(&file, path, overwrite, error);
    if (status == CAROM_OK) {
        FILE *to = fopen(file.temporary, "w");
        status = to != NULL ? write_all(r, write, to, path, error) : fail_writing(path, errno, error);
        if (to != NULL && fclose(to) != 0 && status == CAROM_OK) status = fail_writing(path, errno, error);
        if (status == CAROM_OK) status = crm_fresh_file_publish(&file, error);
    }
    crm_fresh_file_end(&file);
    return status;
}
