// SPDX-License-Identifier: MIT
// The table of certificate quantities. A new one is a line here, a field in carom_step_report (and one in carom_summary
// for each item that summaries keep of it), and its row in docs/recording.md.
#include <stddef.h>

#include "carom/certificate.h"

#define SCALAR(name_, type_, field_) \
    .name = name_, .column = {name_}, .type = CAROM_QUANTITY_##type_, .offset = offsetof(carom_step_report, field_)
#define VECTOR(name_, columns_, field_)                                                                 \
    .name = name_, .column = {columns_ "x", columns_ "y", columns_ "z"}, .type = CAROM_QUANTITY_VECTOR, \
    .offset = offsetof(carom_step_report, field_)
#define KEEP(rule_, type_, field_) \
    { CAROM_SUMMARY_##rule_, #field_, CAROM_QUANTITY_##type_, offsetof(carom_summary, field_) }
#define KEEP_AS(rule_, type_, name_, field_) \
    { CAROM_SUMMARY_##rule_, name_, CAROM_QUANTITY_##type_, offsetof(carom_summary, field_) }
#define BOUND(field_) 1 + offsetof(carom_contract, field_)

// clang-format off
static const carom_quantity quantities[] = {
    {SCALAR("time", REAL, time), .label = "time", .unit = "s", .text = "Time at the end of the step.", .of_state = true},
    {SCALAR("kinetic", REAL, energy.kinetic), .label = "kinetic energy", .unit = "J", .text = "Kinetic energy at the end of the step.",
     .of_state = true, .plot = "energy", .title = "energy", .series = "kinetic"},
    {SCALAR("potential", REAL, energy.potential), .label = "potential energy", .unit = "J",
     .text = "Potential energy there: of gravity, springs, charges, callbacks and contact potentials.",
     .of_state = true, .plot = "energy", .series = "potential"},
    {VECTOR("momentum", "p", momentum.linear), .label = "momentum", .unit = "kg m/s",
     .text = "Momentum of all bodies there.", .of_state = true, .plot = "momentum", .title = "momentum"},
    {VECTOR("angular_momentum", "l", momentum.angular), .label = "angular momentum", .unit = "kg m^2/s",
     .text = "Angular momentum of all bodies about the world's origin there.",
     .of_state = true, .plot = "angular_momentum", .title = "angular momentum"},
    {SCALAR("momentum_balance", REAL, momentum_balance), .label = "momentum balance", .unit = "",
     .text = "Change of momentum and angular momentum less the impulses of all forces, relative to their size.",
     .compared = true, .worst = true, .bound = BOUND(momentum_balance),
     .plot = "momentum_balance", .title = "momentum balance", .logarithmic = true, .series = "momentum balance",
     .summary = {KEEP(LARGEST, REAL, largest_momentum_balance)}},
    {SCALAR("energy_balance", REAL, energy_balance), .label = "energy balance", .unit = "J",
     .text = "Change of the energy less the work of drag, wrenches, inputs and dampers.",
     .worst = true, .plot = "energy_balance", .title = "energy balance of a step", .series = "energy balance"},
    {SCALAR("residual", REAL, residual), .label = "residual", .unit = "",
     .text = "Residual of the method's equations, relative; 0 of explicit methods.",
     .scope = CAROM_SCOPE_EQUATIONS, .compared = true, .worst = true, .bound = BOUND(residual),
     .plot = "residual", .title = "residual", .logarithmic = true, .series = "residual",
     .summary = {KEEP(LARGEST, REAL, largest_residual)}},
    {SCALAR("joint_drift", REAL, joint_drift), .label = "joint drift", .unit = "",
     .text = "Largest error of a motion that a joint blocks: relative to the size of the jointed system, or in rad.",
     .scope = CAROM_SCOPE_JOINTS, .compared = true, .worst = true, .bound = BOUND(joint_drift),
     .plot = "joint_drift", .title = "joint drift", .logarithmic = true, .series = "joint drift",
     .summary = {KEEP(LARGEST, REAL, largest_joint_drift)}},
    {SCALAR("iterations", COUNT, iterations), .label = "iterations", .unit = "",
     .text = "Iterations of the method: Newton's, the solver's, or substeps of an integrator.",
     .scope = CAROM_SCOPE_EQUATIONS, .compared = true, .worst = true,
     .plot = "iterations", .title = "iterations", .series = "iterations",
     .summary = {KEEP(LARGEST, COUNT, most_iterations)}},
    {SCALAR("substeps", COUNT, substeps), .label = "substeps", .unit = "",
     .text = "Into how many the step was divided: by collisions, or as it had no solution or was unstable whole.",
     .rare = true, .usual = 1.0, .worst = true, .plot = "substeps", .title = "substeps", .series = "substeps",
     .summary = {KEEP(STEPS, COUNT, divided_steps), KEEP(LARGEST, COUNT, most_substeps)}},
    {SCALAR("good", OUTCOME, outcome), .label = "contract kept", .unit = "",
     .text = "0 when the step broke its contract, else 1; its residual tells whether it was solved as far as asked for.", .usual = 1.0},
    {SCALAR("contacts", COUNT, contacts), .label = "contacts", .unit = "",
     .text = "Contacts that the step was made with.",
     .scope = CAROM_SCOPE_CONTACTS, .compared = true, .worst = true,
     .plot = "contacts", .title = "contacts", .series = "contacts", .summary = {KEEP(LARGEST, COUNT, most_contacts)}},
    {SCALAR("infeasibility", REAL, infeasibility), .label = "infeasibility", .unit = "",
     .text = "Largest overlap at the end of the step over the size of the smaller body.",
     .scope = CAROM_SCOPE_CONTACTS, .worst = true,
     .plot = "infeasibility", .title = "overlap over body size", .logarithmic = true, .series = "largest",
     .summary = {KEEP(LARGEST, REAL, largest_infeasibility)}},
    {SCALAR("mean_infeasibility", REAL, mean_infeasibility), .label = "mean infeasibility", .unit = "",
     .text = "The same as a mean over all pairs of bodies near each other.",
     .scope = CAROM_SCOPE_CONTACTS, .worst = true, .plot = "infeasibility", .series = "mean",
     .summary = {KEEP(MEAN, REAL, mean_infeasibility_sum)}},
    {SCALAR("friction_work", REAL, friction_work), .label = "friction work", .unit = "J",
     .text = "Work of friction in the step; positive by rounding only.",
     .scope = CAROM_SCOPE_CONTACTS, .worst = true,
     .plot = "friction_work", .title = "work of friction in a step", .series = "friction work",
     .summary = {KEEP(LARGEST, REAL, largest_friction_work)}},
    {SCALAR("fallbacks", COUNT, fallbacks), .label = "fallbacks", .unit = "",
     .text = "How many solvers had given up before one found the impulses.",
     .scope = CAROM_SCOPE_CONTACTS, .plot = "fallbacks", .title = "fallbacks", .series = "fallbacks",
     .summary = {KEEP(STEPS, COUNT, fallback_steps)}},
    {SCALAR("solver", SOLVER, solver), .label = "solver", .unit = "",
     .text = "The number of the solver that found the impulses of the worst island.",
     .scope = CAROM_SCOPE_CONTACTS},
    {SCALAR("projection_energy", REAL, projection_energy), .label = "projection energy", .unit = "J",
     .text = "Energy that moving bodies out of overlaps has added.",
     .scope = CAROM_SCOPE_CONTACTS, .rare = true, .compared = true, .worst = true,
     .plot = "projection_energy", .title = "energy added by projection in a step", .series = "projection",
     .summary = {KEEP(SUM, REAL, projection_energy_sum), KEEP(LARGEST_SIZE, REAL, largest_projection_energy)}},
    {VECTOR("projection_momentum", "projection_l", projection_momentum), .label = "projection momentum",
     .unit = "kg m^2/s", .text = "Angular momentum about the world's origin that it has added.",
     .scope = CAROM_SCOPE_CONTACTS, .rare = true, .compared = true, .worst = true,
     .plot = "projection_momentum", .title = "angular momentum added by projection in a step",
     .summary = {KEEP(SUM, VECTOR, projection_momentum_sum), KEEP(LARGEST_SIZE, REAL, largest_projection_momentum)}},
    {SCALAR("impact_energy", REAL, impact_energy), .label = "impact energy", .unit = "J",
     .text = "Energy that impacts have added; positive by rounding only.",
     .scope = CAROM_SCOPE_CONTACTS, .rare = true, .compared = true, .worst = true,
     .plot = "impact_energy", .title = "energy added by impacts in a step", .series = "impacts",
     .summary = {KEEP(SUM, REAL, impact_energy_sum), KEEP(LARGEST, REAL, largest_impact_energy)}},
    {SCALAR("work_conservative", REAL, ledger.conservative), .label = "conservative work", .unit = "J",
     .text = "Work of forces with a potential: what the potential energy has lost.",
     .plot = "ledger", .summed = true, .title = "energy ledger, summed up", .series = "conservative", .summary = {KEEP_AS(SUM, REAL, "work_conservative_sum", ledger.conservative)}},
    {SCALAR("work_passive", REAL, ledger.passive), .label = "passive work", .unit = "J",
     .text = "Work of drag, dampers, damping of joints and fluids; never above 0.",
     .plot = "ledger", .summed = true, .series = "passive", .summary = {KEEP_AS(SUM, REAL, "work_passive_sum", ledger.passive)}},
    {SCALAR("work_active", REAL, ledger.active), .label = "active work", .unit = "J",
     .text = "Work of motors, wrenches, inputs and callbacks without a potential.",
     .plot = "ledger", .summed = true, .series = "active", .summary = {KEEP_AS(SUM, REAL, "work_active_sum", ledger.active)}},
    {SCALAR("work_limits", REAL, ledger.limits), .label = "work of limits", .unit = "J",
     .text = "Work of limits of joints.",
     .plot = "ledger", .summed = true, .series = "limits", .summary = {KEEP_AS(SUM, REAL, "work_limits_sum", ledger.limits)}},
    {SCALAR("work_friction", REAL, ledger.friction), .label = "work of friction", .unit = "J",
     .text = "Work of contacts along their surfaces.",
     .plot = "ledger", .summed = true, .series = "friction", .summary = {KEEP_AS(SUM, REAL, "work_friction_sum", ledger.friction)}},
    {SCALAR("work_impacts", REAL, ledger.impacts), .label = "work of impacts", .unit = "J",
     .text = "Work of contacts along their normals, without what undoes overlaps.",
     .plot = "ledger", .summed = true, .series = "impacts", .summary = {KEEP_AS(SUM, REAL, "work_impacts_sum", ledger.impacts)}},
    {SCALAR("work_stabilisation", REAL, ledger.stabilisation), .label = "work of stabilisation", .unit = "J",
     .text = "Work of what undoes overlaps and errors of joints by velocities.",
     .plot = "ledger", .summed = true, .series = "stabilisation", .summary = {KEEP_AS(SUM, REAL, "work_stabilisation_sum", ledger.stabilisation)}},
    {SCALAR("work_projection", REAL, ledger.projection), .label = "work of projection", .unit = "J",
     .text = "Energy of poses that were moved without a velocity.",
     .plot = "ledger", .summed = true, .series = "projection", .summary = {KEEP_AS(SUM, REAL, "work_projection_sum", ledger.projection)}},
    {SCALAR("work_remainder", REAL, ledger.remainder), .label = "remainder", .unit = "J",
     .text = "Change of the energy that no line of the ledger has: the error of the method.",
     .plot = "ledger", .summed = true, .series = "remainder", .summary = {KEEP_AS(SUM, REAL, "work_remainder_sum", ledger.remainder)}},
    {SCALAR("discrete_energy", REAL, discrete_energy), .label = "discrete energy", .unit = "J",
     .text = "E_d: that of the step's differences and midpoints, of its last substep where collisions cut it.",
     .of_state = true, .rare = true, .plot = "discrete_energy", .title = "energy of the step E_d, of the momenta H_d", .series = "E_d"},
};
// clang-format on

const carom_quantity *carom_quantities(int *count) {
    *count = (int)(sizeof quantities / sizeof quantities[0]);
    return quantities;
}
