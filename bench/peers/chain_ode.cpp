// SPDX-License-Identifier: MIT
// ODE on the falling chain, by its quick step or its exact one.
//
//   chain_ode quick | step
#include <ode/ode.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "worlds/chain.h"

namespace {

struct engine {
    dWorldID world;
    bool quick;
    std::vector<dBodyID> links;
};

void make_links(engine *ode) {
    const double *inertia = bench_link_inertia;
    for (int i = 0; i < BENCH_CHAIN_LINKS; i++) {
        dBodyID link = dBodyCreate(ode->world);
        dMass mass;
        dMassSetParameters(&mass, BENCH_LINK_MASS, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
        dBodySetMass(link, &mass);
        dBodySetPosition(link, (i + 0.5) * BENCH_LINK_LENGTH, 0, 0);
        dBodySetAutoDisableFlag(link, 0);
        dJointID joint = dJointCreateBall(ode->world, nullptr);
        dJointAttach(joint, link, i > 0 ? ode->links.back() : nullptr);
        dJointSetBallAnchor(joint, i * BENCH_LINK_LENGTH, 0, 0);
        ode->links.push_back(link);
    }
}

bool step(void *context) {
    engine *ode = static_cast<engine *>(context);
    return (ode->quick ? dWorldQuickStep : dWorldStep)(ode->world, BENCH_CHAIN_STEP) != 0;
}

void read(void *context, int index, bench_link *out) {
    dBodyID link = static_cast<engine *>(context)->links[static_cast<size_t>(index)];
    const dReal *position = dBodyGetPosition(link), *attitude = dBodyGetQuaternion(link);
    const dReal *velocity = dBodyGetLinearVel(link), *spin = dBodyGetAngularVel(link);
    for (int i = 0; i < 4; i++) out->attitude[i] = attitude[i];
    for (int i = 0; i < 3; i++) {
        out->position[i] = position[i];
        out->velocity[i] = velocity[i];
        out->spin[i] = spin[i];
    }
}

} // namespace

int main(int count, char **arguments) {
    bool quick = count == 2 && std::strcmp(arguments[1], "quick") == 0;
    if (!quick && (count != 2 || std::strcmp(arguments[1], "step") != 0)) {
        std::fprintf(stderr, "usage: chain_ode quick|step\n");
        return 2;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    engine ode = {dWorldCreate(), quick, {}};
    dWorldSetGravity(ode.world, 0, 0, -BENCH_CHAIN_GRAVITY);
    make_links(&ode);
    bench_chain_engine chain = {&ode, step, read};
    bench_chain result = bench_chain_run(&chain);
    bench_chain_print(&result);
    dWorldDestroy(ode.world);
    dCloseODE();
    return 0;
}
