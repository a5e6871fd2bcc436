// SPDX-License-Identifier: MIT
// What a method is to the rest: a table of functions and a list of what it can do.
//
//   enters    a model, a state, the input of a step
//   leaves    the state a step later, with the report that certify.c makes of it
//   callers   carom_step and what makes states; every method is a folder beside this file
#ifndef CRM_STEP_METHOD_H
#define CRM_STEP_METHOD_H

#include "model/force/evaluate.h"
#include "model/model_state.h"

// What a model may ask for and a method may lack.
typedef enum crm_feature {
    CRM_FEATURE_DRAG = 1,
    CRM_FEATURE_DAMPER = 2,
    CRM_FEATURE_WRENCH = 4,
    CRM_FEATURE_CALLBACK = 8,
    CRM_FEATURE_JOINT = 16, // in trees
    CRM_FEATURE_LOOP = 32,  // closing joints; limits and velocity motors of joints in no tree
    CRM_FEATURE_LIMIT = 64, // on coordinates of joints
    CRM_FEATURE_JOINT_SPRING = 128,
    CRM_FEATURE_JOINT_DAMPER = 256,
    CRM_FEATURE_MOTOR = 512, // of force and position
    CRM_FEATURE_VELOCITY_MOTOR = 1024,
    CRM_FEATURE_MOBILITY = 2048,   // in place of inertia
    CRM_FEATURE_CONTACT = 4096,    // of bodies with shapes; no model is refused for the lack of it
    CRM_FEATURE_MATERIAL = 8192,   // contacts have friction and restitution; no model is refused for the lack of it
    CRM_FEATURE_CONTAINER = 16384, // of methods with contact: bodies in containers touch them
    CRM_FEATURE_FIELD = 32768,     // atmospheres, light, grids of forces, the Coriolis term of Hill's frame
    CRM_FEATURE_SWITCH = 65536,    // joints that open and close
    CRM_FEATURE_FLEX = 131072,     // flexible bodies
    CRM_FEATURE_ATTACHED = 262144, // nodes of theirs that bodies carry
} crm_feature;

// What crm_unpaired_forces_evaluate knows.
#define CRM_UNPAIRED_FEATURES \
    (CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD)

// The coarsest residuals that contracts promise, whatever was asked for: of contact problems, where 1e-3 is the
// coarsest that is right in kind (docs/method-lcp.md), and of equations of motion.
#define CRM_COARSEST_CONTACTS 1e-3
#define CRM_COARSEST_EQUATIONS 1e-6

typedef struct crm_method {
    const char *name;
    unsigned features;       // of crm_feature
    const char *settings;    // the group of settings that are its own (carom/tools.h), or NULL
    const char *variant_key; // the scene's key under "method" that chooses among the method's forms, or NULL

    // Fills state->external_balance and end_reaction, and leaves impulse and active alone.
    bool keeps_external_balance;

    // Its contacts' impulses, in the table of contacts, act on bodies as they are at the start of the step, and the
    // certificate finds their work (docs/math.md 12); else the method adds it to the ledger itself.
    bool works_by_table;

    // A hit lasts for several steps, so that what rebounds is known only over all of them.
    bool hits_last;

    // Impulses act where bodies are at the start of the step; else where they are on average.
    bool impulses_first;

    // It has an E_d, of the whole step, which the certificate adds to what the method has told of it: contact
    // potentials. A method without this tells all of it, if it has one.
    bool discrete_energy;

    // Flexible bodies move by themselves, so that the certificate knows all that changes their energies.
    bool balances_elastic;

    // Changes the contract that all methods have by default to that which these settings promise. May be NULL.
    void (*contract)(const carom_method_def *def, carom_contract *contract);

    // Memory of the method's own, from the state's arena, into state->method_data; what of it later steps depend on is
    // declared by crm_state_keep. May be NULL.
    carom_status (*prepare)(carom_state *state, carom_error *error);

    // Gives back what `prepare` took from elsewhere than the state's arena. May be NULL.
    void (*release)(carom_state *state);

    // Fills state->next, state->impulse and state->active from state->motions; residual and iterations go to the
    // report. When there is no step, sets the report's outcome to CAROM_STEP_IMPOSSIBLE with a sentence
    // (crm_step_impossible).
    void (*advance)(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report);

    // The step was made: what was found for its end is what the next one begins with. May be NULL.
    void (*accept)(carom_state *state);

    // Writes the problem that the last step solved, with the impulses that it was started from. NULL: it solves none.
    carom_status (*dump_problem)(const carom_state *state, const char *path, carom_error *error);
} crm_method;

extern const crm_method crm_method_euler, crm_method_variational, crm_method_multiplier, crm_method_reduced,
    crm_method_lcp, crm_method_impulse, crm_method_penalty, crm_method_potential, crm_method_newmark, crm_method_exact,
    crm_method_dcr;

// That of a state.
const crm_method *crm_method_of(const carom_state *state);

// Marks the report with body, sentence and outcome. `format` continues "body 'name' ".
void crm_step_impossible(const carom_model *model, int body, carom_step_report *report, const char *format, ...)
    CAROM_PRINTF_LIKE(4, 5);

// The same for a callback that answered something, or gave no number.
void crm_step_callback_refused(const carom_model *model, const crm_callback_answer *answer, double time,
                               carom_step_report *report);

// The names of all other methods with contact that can do this model, with commas; "none yet" without any.
const char *crm_contact_alternatives(const carom_model *model, carom_method method, char *text, size_t size);

// The parts of making a state that are made again when its joints switch (switch/remake.h): memory for the bodies and
// joints of state->model; the method, its settings and what is derived from them. The first is false without memory.
bool crm_state_take_memory(carom_state *state);
carom_status crm_state_prepare(carom_state *state, carom_error *error);
void crm_state_release_method(carom_state *state);

// Checks the motions in state->next against those in state->motions and fills the certificate.
void crm_certify(const carom_model *model, carom_state *state, const crm_method *method, carom_step_report *report);

#endif
