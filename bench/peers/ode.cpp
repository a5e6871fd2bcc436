// SPDX-License-Identifier: MIT
// ODE's quick step on the tumbling body.
#include <ode/ode.h>

#include "worlds/tumble.h"

namespace {

struct engine {
    dWorldID world;
    dBodyID body;
};

void step(void *context) {
    dWorldQuickStep(static_cast<engine *>(context)->world, BENCH_TUMBLE_STEP);
}

void read(void *context, double attitude[4], double spin[3]) {
    dBodyID body = static_cast<engine *>(context)->body;
    const dReal *q = dBodyGetQuaternion(body), *w = dBodyGetAngularVel(body);
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    for (int i = 0; i < 3; i++) spin[i] = w[i];
}

} // namespace

int main() {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    engine ode = {dWorldCreate(), nullptr};
    ode.body = dBodyCreate(ode.world);
    dMass mass;
    dMassSetParameters(&mass, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0);
    dBodySetMass(ode.body, &mass);
    dBodySetAngularVel(ode.body, 0.01, 5.0, 0.01);
    dBodySetAutoDisableFlag(ode.body, 0);
    bench_tumbler tumbler = {&ode, step, read};
    bench_tumble result = bench_tumble_run(&tumbler, BENCH_TUMBLE_STEP);
    bench_tumble_print(&result);
    dWorldDestroy(ode.world);
    dCloseODE();
    return 0;
}
