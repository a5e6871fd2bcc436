// SPDX-License-Identifier: MIT
// The inside of a state: the motions of all bodies, and scratch that never influences later bits.
#ifndef CRM_MODEL_MODEL_STATE_H
#define CRM_MODEL_MODEL_STATE_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/pool.h"
#include "carom/tools.h"
#include "math/spatial.h"
#include "model/account.h"
#include "model/force/follower.h"
#include "model/joint/joint.h"
#include "model/mechanism/closed_model.h"
#include "model/motion.h"
#include "model/phase_clock.h"
#include "model/step_plan.h"

// Loops over bodies are cut into chunks of this many: some ten microseconds of work, and the same cut whatever the
// threads.
enum { CRM_BODY_GRAIN = 64, CRM_BODY_SLOT = 256 };

// Drag of a body that is taken at the end of a step (step/implicit).
typedef struct crm_body_drag {
    double linear, angular; // h D, kg and kg m^2
    crm_vec6 impulse;       // of the step, about the centre of mass
} crm_body_drag;

// How large the terms are that a body's impulse is the sum of: of a body at rest the weight and what holds it, whose
// sum is rounding.
typedef struct crm_impulse_size {
    double linear, angular; // N s, N m s
} crm_impulse_size;

// A sum that should be zero, and the size of what it is made of.
typedef struct crm_balance {
    carom_vec3 sum;
    double size;
} crm_balance;

// Changes of P and of L about the origin less the impulses: step/certify/momentum_balance.h.
typedef struct crm_momentum_balance {
    crm_balance linear, angular;
    bool planar; // of a group: one of its bodies is
} crm_momentum_balance;

// What came into the whole system during a step, of methods that add it up themselves.
typedef struct crm_external_balance {
    carom_vec3 impulse, moment;       // of external forces and of joints to the ground; the moment about the origin
    double work;                      // of all that has no potential
    double passive, limits;           // what of it is of drag and dampers, and of limits
    double impulse_size, moment_size; // of all that was added up: their roundings count
} crm_external_balance;

// Work of forces over a step that a method tells of a body itself, as the sum over its substeps: of drag and dampers,
// of all else without a potential.
typedef struct crm_told_work {
    double passive, active; // J
} crm_told_work;

typedef struct crm_kept crm_kept;

// Whether a state can have this item of an array (aligned, kept->item_size bytes), as files can say anything: what is
// an index or a count is within its bounds, what has to be finite is.
typedef bool crm_kept_check(const carom_state *state, const crm_kept *kept, int index, const void *item);

// An array that later bits depend on, of motions or of certificates.
struct crm_kept {
    const char *what; // in sentences: "motions"
    void *start;
    int count;
    size_t item_size; // bytes
    crm_kept_check *fits;
    bool of_contacts;     // it belongs to the list of contacts, and counts for nothing while that is not known
    bool of_certificates; // no motion depends on it: it is not hashed
};

static inline size_t crm_kept_bytes(const crm_kept *kept) {
    return (size_t)kept->count * kept->item_size;
}

enum { CRM_MOST_KEPT = 16 };

typedef struct crm_setting_value {
    const carom_setting *setting;
    double value;
} crm_setting_value;

// Contacts in somebody else's memory.
typedef struct crm_contact_list {
    const carom_contact *items;
    int count;
} crm_contact_list;

typedef CRM_ARRAY(carom_contact_state) crm_contact_table;
typedef CRM_ARRAY(carom_collision) crm_collision_list;

// Whether the step that is being made was interrupted. Once asked for, an end stays asked for until the next step.
typedef struct crm_interruption {
    carom_interrupt asked; // the model's
    atomic_bool happened;
    bool stepping; // a step is being made: what is asked for outside of one is given whole
} crm_interruption;

typedef struct crm_former crm_former;

// Of models whose joints open and close. A switch is prepared in `next` and `next_base`, made by `remake`, and then
// kept or undone (step/switch/remake.h).
typedef struct crm_switches {
    crm_joint_switch *joint, *next;       // of the whole model (joint_count)
    crm_motion *base, *next_base;         // motions at which the method was prepared, when a joint last switched
    crm_closed_model *closed;             // what the state runs on
    CRM_ARRAY(carom_joint_event) events;  // of the last step, room for one a joint
    CRM_ARRAY(carom_motor_input) motors;  // scratch: of the closed joints, room for all
    crm_arena arena;                      // owns the arrays
    const struct crm_remake_calls *calls; // of step/switch
} crm_switches;

// How a state goes over to `next`: it keeps poses, momenta, accounts and what joints bear, and its method starts anew
// at `next_base`. A failed remake leaves it as it was.
typedef struct crm_remake_calls {
    carom_status (*remake)(carom_state *state, crm_former **former, carom_error *error);
    void (*keep)(carom_state *state, crm_former *former); // for good
    void (*undo)(carom_state *state, crm_former *former); // the state as it was before, bit for bit
} crm_remake_calls;

struct carom_state {
    const carom_model *model; // that the state runs on: of the joints that are closed
    const carom_model *whole; // that it was made of; the same, unless joints can open
    crm_switches *switches;   // NULL: none can
    crm_interruption interruption;
    carom_method_def method; // while a step is made, `step` is its own length; else as it was given
    crm_step_plan plan;
    crm_step_clock clock;
    carom_contract contract; // of these settings
    int64_t step_count;
    crm_motion *motions;      // (body_count)
    carom_vec3 *start_centre; // of mass, world, when the last step began: moments of contacts are about it (body_count)
    crm_joint_config *configs; // at these motions; with full rotations, which motions do not tell (joint_count)
    crm_vec6 *reaction;        // on b about B's origin, mean over the last step: methods fill it (joint_count)
    crm_vec6 *end_reaction;    // the same at its end, of methods that know it; behind `reaction` (joint_count)
    crm_vec6 *former_reaction; // both before the step that is being made, which may be none (2 joint_count)
    carom_assembly assembly;
    carom_start_report start;
    crm_kept kept[CRM_MOST_KEPT]; // by the method, and for verdicts (kept_count)
    int kept_count;
    crm_setting_value *settings; // that influence its bits (setting_count)
    int setting_count;

    // Of methods with contact.
    carom_contact_set *contact_set;  // what is remembered of pairs
    crm_contact_list contact_list;   // at these motions, the set's own: what the next step begins with
    CRM_ARRAY(carom_contact) loaded; // the same of a state that was loaded or copied, whose set has no list yet
    bool contacts_known;             // false: the list is to be found first
    bool nodes_touch;                // nodes of flexible bodies are proxies, too
    crm_contact_table contact_table; // of the last step
    crm_collision_list collisions;   // of the last step that this state has made
    bool tells_collisions;           // the method finds the times of its impacts

    crm_accounts accounts;
    crm_phase_clock phases;
    carom_step_work work; // of the last step

    // Scratch.
    crm_arena arena;            // owns the memory of the state on the joints that are closed
    crm_arena lasting;          // owns what stays when joints open or close: the plan of steps
    crm_motion *next;           // motions at the end of a step that may still fail (body_count)
    crm_vec6 *impulse;          // force and torque times step, about the centres of mass (body_count)
    const bool *impulse_midway; // of a body: its impulse acts in the middle of its way; NULL: as the method says
    const double
        *node_impulse_place;        // after which share of its way it acts on a node of a flexible body; NULL: likewise
    crm_impulse_size *impulse_size; // of methods whose impulses are sums that can cancel; else NULL (body_count)
    crm_external_balance external_balance; // of the last step, instead of impulse and active, when the method keeps one
    crm_external_balance *externals;       // the same for every body; NULL: it is not known (body_count)
    crm_momentum_balance *balances;        // of the bodies over the last step (body_count)
    int *joined;                           // groups of bodies that act on each other without contact (body_count)
    int *groups;                           // scratch: the same with the contacts of a step (body_count)
    crm_vec6 *active;                      // the part of it that is not from potentials (body_count)
    crm_vec6 *contact_active;              // the part of it that contacts make, of methods that tell; else NULL
    crm_vec6 *passive;                     // the part of that which is from drag and dampers (body_count)
    const crm_follower *followers; // of the input of the step that is made, of methods that take them at both ends;
                                   // NULL: none (body_count)
    crm_told_work *told_work;      // of methods that tell it, beside `active` and `passive`; else NULL (body_count)
    double spent;                  // J: work that the method tells beside `active`, as of what it lost in the step
                                   // without moving anything
    crm_body_drag *drag;           // of methods that take it at the end of the step; NULL: none (body_count)
    const bool *only;          // who moves in this part of a step, others stay (step/divide); NULL: all (body_count)
    int near_pairs;            // that report.mean_infeasibility is the mean over, of methods whose steps are divided
    struct crm_divide *divide; // NULL: groups in contact have no substeps of their own
    void *method_data;         // of the method, made when the state is
    // Potential energy that the method adds to the model's, at these motions; NULL: none. As crm_coupling_energy.
    double (*stored_energy)(const carom_state *state, const crm_motion *motions, double *of_body, size_t stride);
    crm_pool *pool; // NULL for one thread
    void *slots;    // for reductions over bodies, up to CRM_BODY_SLOT bytes a chunk
};

// Whether a body has no part in what is being moved.
static inline bool crm_state_stays(const carom_state *state, int body) {
    return state->only != NULL && !state->only[body];
}

// While a step is made: its length over that of the step before. Exactly 1 where steps do not vary.
static inline double crm_state_step_ratio(const carom_state *state) {
    return state->method.step / state->clock.step;
}

// Declares memory that later bits depend on: it is saved, loaded, copied and hashed with the state, or, of
// certificates, all but hashed. Its size is that of every state of the same model and method. To be called while the
// method prepares the state.
void crm_state_keep(carom_state *state, crm_kept kept);

// A crm_kept_check of items that are doubles: all are finite.
bool crm_numbers_fit(const carom_state *state, const crm_kept *kept, int index, const void *item);

// A joint of the whole model where the state runs: -1 while it is open.
int crm_state_joint_number(const carom_state *state, int joint);

// What solvers and contact sets of this state ask. {0} while nobody can ask for an end.
carom_interrupt crm_state_interrupt(const carom_state *state);

// Whether the step that is being made is to end. Asked between pieces of work of some milliseconds; whoever hears yes
// may leave undone what follows, as the step is dropped.
bool crm_state_interrupted(const carom_state *state);

// A hash of what a saved state must fit: masses, inertias, kinds, forces and joints of a model, and of one with shapes
// all that contacts depend on.
uint64_t crm_model_fingerprint(const carom_model *model);

#endif
