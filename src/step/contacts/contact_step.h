// SPDX-License-Identifier: MIT
// The contact step: what all methods with contact share. It finds contacts and says what became of them; it knows no
// law of contact and no solver.
//
//   enters    motions that bodies are expected to keep up for a while
//   leaves    the contacts that these can bring about; what two bodies in contact have in common; the table of
//             contacts and the overlaps that a step reports
//   callers   lcp, impulse, penalty, dcr, exact, potential, newmark
#ifndef CRM_STEP_CONTACT_STEP_H
#define CRM_STEP_CONTACT_STEP_H

#include "base/array.h"
#include "carom/contact.h"
#include "model/model_state.h"

// A contact as methods take it. A force acts on both bodies at the same point: no couple is left, and angular momentum
// is kept.
typedef struct crm_contact_site {
    int a, b;                // bodies
    double gap;              // m; below 0: they overlap
    carom_vec3 point;        // in the middle of the two nearest ones, m: where both are pushed
    carom_vec3 direction[3]; // normal, from a to b, and two tangents, unit
    double size;             // of the smaller body, m: what overlaps are measured by
    double friction, restitution;
    bool midway; // point and directions are of the middle of the step
} crm_contact_site;

typedef CRM_ARRAY(crm_contact_site) crm_contact_sites;

// Where two bodies are closest in the middle of a step: what their only contact has in place of where they are closest
// at its start.
typedef struct crm_midway_contact {
    int a, b;                 // bodies
    carom_vec3 point, normal; // the point carried back to the start of the step
} crm_midway_contact;

// Where two bodies are closest, for methods that follow it through a step.
typedef struct crm_contact_point {
    double gap;        // m
    carom_vec3 normal; // unit, from a to b
    carom_vec3 point;  // where both are pushed
} crm_contact_point;

// What contacts ask of a body with a shape.
typedef struct crm_contact_side {
    int body, material;
    double size;             // m
    const carom_shape *ball; // of a node of a flexible body, which is pushed where it is; else NULL
} crm_contact_side;

typedef struct crm_contact_step {
    const carom_model *model;
    crm_phase_clock *phases; // of the state
    carom_contact_set *set;
    bool owns_set;              // else it is the state's, and saved with it
    carom_proxy *proxies;       // of the last detection, one for every body with a shape or those chosen (proxy_count)
    crm_contact_side *sides;    // of the same bodies (proxy_count)
    int proxy_count;            // 0: there is nothing to find, and no set
    const carom_contact *found; // by the last detection, in the set's memory (found_count)
    int found_count;
    crm_contact_sites sites;              // of the contacts that were asked for last
    CRM_ARRAY(int) listed;                // which of them each site is of
    CRM_ARRAY(crm_midway_contact) midway; // of some pairs, in the order of their contacts

    // Of methods that keep a list from step to step.
    double *margin;    // of every proxy when the list was made, m; kept with the state (proxy_count)
    crm_motion *ahead; // scratch: what a detection is for (body_count)

    // Of methods whose bodies can rest. Contacts between bodies that do are kept as they were, and have no sites.
    const bool *resting; // of a body; NULL: none does (body_count)
    const int *awake;    // how many bodies do not
} crm_contact_step;

// ---- contact_step.c: finding contacts

// Makes the set with `options` (crm_contact_options, perhaps changed). `kept`: it becomes the state's, which saves what
// it remembers of pairs. The step is to be released, whatever the status.
carom_status crm_contact_step_create(carom_state *state, const carom_contact_options *options, bool kept,
                                     crm_contact_step *step, carom_error *error);
void crm_contact_step_release(crm_contact_step *step);

// Only these bodies with shapes, ascending, are looked at from now on.
void crm_contact_step_choose(crm_contact_step *step, const int *bodies, int count);
// Only those that move in this part of the step (state->only), and what cannot move.
void crm_contact_step_choose_moving(const carom_state *state, crm_contact_step *step);

// Bodies as the set sees them, when they keep up `motions` for `duration`, s; margins are `slack` times the way that
// they can go then, and may be changed before contacts are found.
void crm_contact_step_expect(crm_contact_step *step, const crm_motion *motions, double duration, double slack);
// Contacts of the proxies, into `found`.
carom_status crm_contact_step_find(crm_contact_step *step, carom_error *error);

// Forgets what was found and remembered.
carom_status crm_contact_step_forget(crm_contact_step *step, carom_error *error);

// The bodies of a contact.
static inline int crm_contact_body_a(const crm_contact_step *step, const carom_contact *contact) {
    return step->sides[contact->a].body;
}

static inline int crm_contact_body_b(const crm_contact_step *step, const carom_contact *contact) {
    return step->sides[contact->b].body;
}

// The pairs of bodies among `found`, one after the other: the first contact of the next pair from `from` on;
// found_count if there is none.
int crm_contact_step_next_pair(const crm_contact_step *step, int from);

// Where the bodies of a contact are pushed.
carom_vec3 crm_contact_step_point(const crm_contact_step *step, const carom_contact *contact);

// Fills `sites` for the contacts of a list: those found, or others of the same proxies; but not for contacts between
// bodies that rest. False: no memory.
bool crm_contact_step_take_sites(crm_contact_step *step, const carom_contact *list, int count);

// Of the centre of mass, and the spin.
static inline crm_vec6 crm_twist_of(const carom_model *model, const crm_motion *motions, int body) {
    const crm_body *of = &model->bodies.items[body];
    return crm_vec6_of(crm_motion_velocity(of, &motions[body]), crm_motion_spin(of, &motions[body]));
}

// One of two bodies that are closest at a point; size, friction and restitution are 0.
crm_contact_site crm_contact_site_at(int a, int b, const crm_contact_point *at);

// The shape of a body where it is at its motion.
carom_view crm_body_view(const carom_model *model, int body, const crm_motion *motion);

// The velocity of b's point against a's, when the bodies have these twists: m/s, world axes.
carom_vec3 crm_point_velocity(carom_vec3 point, const crm_motion *a, const crm_motion *b, crm_vec6 twist_a,
                              crm_vec6 twist_b);
// The same of a contact with the twists of all bodies (body_count).
carom_vec3 crm_contact_velocity(const crm_contact_site *site, const crm_motion *motions, const crm_vec6 *twist);
// The same with the twists that `motions` have.
carom_vec3 crm_contact_approach(const carom_model *model, const crm_contact_site *site, const crm_motion *motions);

// The rows of a contact along its normal and tangents, on the bodies a and b at `motions`.
void crm_contact_rows(const crm_contact_site *site, const crm_motion *motions, crm_vec6 on_a[3], crm_vec6 on_b[3]);

// ---- contact_list.c: contacts as long as bodies stay within their margins

// A body that is hit may get farther than its margin, to where no contact was looked for: then it is looked for there,
// and all is solved again when that brings a contact.
typedef struct crm_attempts {
    int most; // as a rule CRM_MOST_ATTEMPTS
    carom_status (*attempt)(void *context, int round, carom_error *error);
    // Whether a body got beyond its margin, to new contacts; sees to it that the next attempt has them. Not asked after
    // the last.
    carom_status (*beyond)(void *context, bool *beyond, carom_error *error);
    void *context;
} crm_attempts;

// A hit is seldom handed on more often than this.
enum { CRM_MOST_ATTEMPTS = 4 };

// *covered: no body got beyond its margin, as far as was looked.
carom_status crm_attempts_make(const crm_attempts *attempts, bool *covered, carom_error *error);

// Contacts that are found at the end of a step and last through the next one, in state->contact_list with
// step->margin:

carom_status crm_contact_list_create(carom_state *state, crm_contact_step *step, carom_error *error);
// Makes sure that the list holds every contact that a step with the momenta of state->next can bring about.
carom_status crm_contact_list_detect(carom_state *state, crm_contact_step *step, carom_error *error);
// Lets attempts be made with the contacts of the list, in step->sites, until the list holds every contact that the
// impulses which they find can bring about: `change`, on top of state->next (body_count).
carom_status crm_contact_list_resolve(carom_state *state, crm_contact_step *step, const crm_vec6 *change,
                                      const crm_attempts *attempts, carom_error *error);
// Makes the list again, with no less margins, as other bodies rest now; with sites.
carom_status crm_contact_list_renew(carom_state *state, crm_contact_step *step, carom_error *error);
// Finds the contacts at state->next, where the step ends: what is wrong there, and what the next step begins with.
// `impulse`: of the forces, which act once more as far as anyone knows (body_count).
carom_status crm_contact_list_look_ahead(carom_state *state, crm_contact_step *step, const crm_vec6 *impulse,
                                         carom_step_report *report, carom_error *error);

// ---- contact_table.c: what a step says of its contacts

// No step: `who` could not find contacts, or impulses for them.
void crm_contacts_refuse(const char *who, const char *why, carom_step_report *report);
// The same after a call that failed.
void crm_contacts_failed(const char *who, const carom_error *error, carom_step_report *report);

// Adds a line to state->contact_table: impulse on b and velocity of b's point, along normal and tangents. False: no
// memory.
bool crm_contact_table_add(carom_state *state, const crm_contact_site *site, const double impulse[3],
                           const double velocity[3], carom_contact_status status);

// Overlaps as shares of the size of the smaller body: one of every pair of bodies that has contacts.
typedef struct crm_overlaps {
    double largest, sum;
    int pairs;
} crm_overlaps;

void crm_overlaps_add(crm_overlaps *overlaps, double share);
// The largest of every pair among the contacts of a list.
crm_overlaps crm_overlaps_of(const crm_contact_step *step, const carom_contact *list, int count);
// The largest of all pairs, and the mean over them.
void crm_overlaps_report(const crm_overlaps *overlaps, carom_step_report *report);

#endif
