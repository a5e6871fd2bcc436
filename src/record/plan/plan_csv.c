// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "record/csv_text.h"
#include "record/plan/plan_tables.h"

static carom_status find_plan(const carom_recording *r, const carom_plan_data **plan, carom_error *error) {
    *plan = carom_recording_plan(r);
    if (*plan != NULL) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "export: the recording is of a run, and has no plan; `carom plan` makes one");
}

static void print_control(FILE *to, const carom_recording *r, const carom_plan_data *plan, int interval, int control) {
    const carom_plan_control *c = &plan->control[control];
    const carom_recorded_joint *joint = carom_recording_joint(r, c->joint);
    for (int i = 0; i < c->size; i++) {
        int64_t place = (int64_t)interval * plan->number_count + c->first + i;
        fprintf(to, "%d", interval);
        crm_csv_number(to, plan->time[interval]);
        crm_csv_number(to, plan->time[interval + 1]);
        fprintf(to, ",%d,%d", control, c->first + i);
        crm_csv_text(to, carom_control_kind_name(c->kind));
        crm_csv_text(to, carom_recording_body_name(r, c->body.index));
        crm_csv_text(to, joint != NULL ? joint->name : "");
        crm_csv_text(to, c->in_body_axes || c->kind == CAROM_CONTROL_THRUSTER ? "body" : "world");
        crm_csv_text(to, carom_plan_number_name(c, i));
        crm_csv_text(to, i < c->force_count ? "N" : "N m");
        crm_csv_number(to, plan->value[place]);
        crm_csv_number(to, plan->guess_value[place]);
        fputc('\n', to);
    }
}

carom_status crm_plan_write_controls(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                     carom_error *error) {
    const carom_plan_data *plan;
    (void)info;
    carom_status status = find_plan(r, &plan, error);
    if (status != CAROM_OK) return status;
    fputs("interval,from,until,control,number,kind,body,joint,axes,quantity,unit,value,guess\n", to);
    for (int k = 0; k < plan->interval_count && !ferror(to); k++)
        for (int c = 0; c < plan->control_count; c++) print_control(to, r, plan, k, c);
    return CAROM_OK;
}

static void print_nearest(FILE *to, const carom_recording *r, const carom_plan_nearest *nearest) {
    if (nearest == NULL || nearest->a.index < 0) {
        fputs(",,,,,", to);
        return;
    }
    crm_csv_number(to, nearest->gap);
    fprintf(to, ",%d,%d", nearest->a.index, nearest->b.index);
    crm_csv_text(to, carom_recording_body_name(r, nearest->a.index));
    crm_csv_text(to, carom_recording_body_name(r, nearest->b.index));
}

carom_status crm_plan_write_gaps(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                 carom_error *error) {
    const carom_plan_data *plan;
    (void)info;
    carom_status status = find_plan(r, &plan, error);
    if (status != CAROM_OK) return status;
    fputs("node,time,gap,a,b,name_a,name_b,least_until_next,next_a,next_b,next_name_a,next_name_b\n", to);
    for (int k = 0; plan->interval_count > 0 && k <= plan->interval_count && !ferror(to); k++) {
        fprintf(to, "%d", k);
        crm_csv_number(to, plan->time[k]);
        print_nearest(to, r, &plan->at_node[k]);
        print_nearest(to, r, k < plan->interval_count ? &plan->between[k] : NULL);
        fputc('\n', to);
    }
    return CAROM_OK;
}

carom_status crm_plan_write_solves(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                   carom_error *error) {
    const carom_plan_data *plan;
    (void)info;
    carom_status status = find_plan(r, &plan, error);
    if (status != CAROM_OK) return status;
    fputs("solve,start,level,intervals,outcome,iterations,effort,violation,optimality,seconds\n", to);
    for (int i = 0; i < plan->solve_count && !ferror(to); i++) {
        const carom_plan_solve *solve = &plan->solve[i];
        fprintf(to, "%d,%d,%d,%d", i, solve->start, solve->level, solve->intervals);
        crm_csv_text(to, carom_plan_outcome_name(solve->outcome));
        fprintf(to, ",%d", solve->iterations);
        crm_csv_number(to, solve->effort);
        crm_csv_number(to, solve->violation);
        crm_csv_number(to, solve->optimality);
        crm_csv_number(to, solve->seconds);
        fputc('\n', to);
    }
    return CAROM_OK;
}
