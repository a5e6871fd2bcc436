// SPDX-License-Identifier: MIT
// ODE on bodies that settle, by its quick step with a number of iterations. It has no ellipsoids; its exact step takes
// the whole matrix, too much for these scenes.
//
//   pile_ode SCENE ITERATIONS STEPS LIMIT
#include <ode/ode.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "settle/settle.h"

namespace {

enum { CONTACTS_PER_PAIR = 8 };

struct engine {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    std::vector<dBodyID> bodies;
};

void make_bodies(const bench_settle_scene &scene, engine *ode) {
    for (int i = 0; i < scene.count; i++) {
        const bench_settle_body &body = scene.bodies[i];
        const carom_vec3 &x = body.start.position, &half = body.half;
        const carom_quat &q = body.start.attitude;
        dBodyID id = dBodyCreate(ode->world);
        dMass mass;
        dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia.x, body.inertia.y, body.inertia.z, 0, 0, 0);
        dBodySetMass(id, &mass);
        dQuaternion attitude = {q.w, q.x, q.y, q.z};
        dBodySetPosition(id, x.x, x.y, x.z);
        dBodySetQuaternion(id, attitude);
        dBodySetAutoDisableFlag(id, 0);
        dGeomSetBody(dCreateBox(ode->space, 2 * half.x, 2 * half.y, 2 * half.z), id);
        ode->bodies.push_back(id);
    }
}

void add_contacts(void *context, dGeomID a, dGeomID b) {
    engine *ode = static_cast<engine *>(context);
    dContact contacts[CONTACTS_PER_PAIR];
    int count = dCollide(a, b, CONTACTS_PER_PAIR, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contacts[i].surface.mode = dContactApprox1; // mu is a coefficient, not a force
        contacts[i].surface.mu = BENCH_SETTLE_FRICTION;
        dJointID joint = dJointCreateContact(ode->world, ode->contacts, &contacts[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
}

bool step(void *context) {
    engine *ode = static_cast<engine *>(context);
    dSpaceCollide(ode->space, ode, add_contacts);
    bool made = dWorldQuickStep(ode->world, BENCH_SETTLE_STEP) != 0;
    dJointGroupEmpty(ode->contacts);
    return made;
}

void read(void *context, int index, bench_settle_state *out) {
    dBodyID body = static_cast<engine *>(context)->bodies[static_cast<size_t>(index)];
    const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    out->pose = {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}};
    out->velocity = {v[0], v[1], v[2]};
    out->spin = {w[0], w[1], w[2]};
}

} // namespace

int main(int count, char **arguments) {
    static bench_settle_scene scene;
    if (count != 5 || !bench_settle_make(arguments[1], &scene) || !scene.bodies[0].is_box) {
        std::fprintf(stderr, "usage: pile_ode pile|wall ITERATIONS STEPS LIMIT\n");
        return 2;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dRandSetSeed(1); // of the order in which the quick step takes its rows
    engine ode = {dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), {}};
    dWorldSetGravity(ode.world, 0, 0, -BENCH_SETTLE_GRAVITY);
    dWorldSetQuickStepNumIterations(ode.world, std::atoi(arguments[2]));
    dCreatePlane(ode.space, 0, 0, 1, 0);
    make_bodies(scene, &ode);
    bench_settle_engine settling = {&ode, step, read};
    bench_settle_result result = bench_settle_run(&scene, &settling, std::atoi(arguments[3]), std::atof(arguments[4]));
    bench_settle_print(&result);
    dJointGroupDestroy(ode.contacts);
    dSpaceDestroy(ode.space);
    dWorldDestroy(ode.world);
    dCloseODE();
    return 0;
}
