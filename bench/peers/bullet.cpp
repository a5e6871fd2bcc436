// SPDX-License-Identifier: MIT
// Bullet in double precision on the tumbling body, with its defaults: gyroscopic torque implicit, no damping, and a
// body that never sleeps.
#include <btBulletDynamicsCommon.h>

#include "worlds/tumble.h"

namespace {

struct engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    btBoxShape shape{btVector3(0.5, 0.5, 0.5)};
    btRigidBody body{btRigidBody::btRigidBodyConstructionInfo(1.0, nullptr, &shape, btVector3(1.0, 2.0, 3.0))};

    engine() {
        world.setGravity(btVector3(0.0, 0.0, 0.0));
        body.setAngularVelocity(btVector3(0.01, 5.0, 0.01));
        body.setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(&body, 1, 0); // collides with nothing
    }
    ~engine() {
        world.removeRigidBody(&body);
    }
};

void step(void *context) {
    static_cast<engine *>(context)->world.stepSimulation(BENCH_TUMBLE_STEP, 0);
}

void read(void *context, double attitude[4], double spin[3]) {
    const btRigidBody &body = static_cast<engine *>(context)->body;
    btQuaternion q = body.getWorldTransform().getRotation();
    const btVector3 &w = body.getAngularVelocity();
    attitude[0] = q.w(), attitude[1] = q.x(), attitude[2] = q.y(), attitude[3] = q.z();
    for (int i = 0; i < 3; i++) spin[i] = w[i];
}

} // namespace

int main() {
    engine bullet;
    bench_tumbler tumbler = {&bullet, step, read};
    bench_tumble result = bench_tumble_run(&tumbler, BENCH_TUMBLE_STEP);
    bench_tumble_print(&result);
    return 0;
}
