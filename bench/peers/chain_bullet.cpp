// SPDX-License-Identifier: MIT
// Bullet in double precision on the falling chain: point-to-point constraints, by sequential impulses with the given
// number of iterations (its default is 10).
//
//   chain_bullet ITERATIONS
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "worlds/chain.h"

namespace {

struct engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    btBoxShape shape{btVector3(0.5 * BENCH_LINK_LENGTH, 0.01, 0.01)};
    std::vector<std::unique_ptr<btRigidBody>> links;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;

    explicit engine(int iterations) {
        world.setGravity(btVector3(0, 0, -BENCH_CHAIN_GRAVITY));
        world.getSolverInfo().m_numIterations = iterations;
        for (int i = 0; i < BENCH_CHAIN_LINKS; i++) add_link(i);
    }

    void add_link(int index) {
        const btVector3 inertia(bench_link_inertia[0], bench_link_inertia[1], bench_link_inertia[2]);
        const btVector3 left(-0.5 * BENCH_LINK_LENGTH, 0, 0), right = -left;
        btRigidBody::btRigidBodyConstructionInfo info(BENCH_LINK_MASS, nullptr, &shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(btVector3((index + 0.5) * BENCH_LINK_LENGTH, 0, 0));
        auto link = std::make_unique<btRigidBody>(info);
        link->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(link.get(), 1, 0); // collides with nothing
        joints.push_back(index > 0 ? std::make_unique<btPoint2PointConstraint>(*link, *links.back(), left, right)
                                   : std::make_unique<btPoint2PointConstraint>(*link, left));
        world.addConstraint(joints.back().get());
        links.push_back(std::move(link));
    }

    ~engine() {
        for (auto &joint : joints) world.removeConstraint(joint.get());
        for (auto &link : links) world.removeRigidBody(link.get());
    }
};

bool step(void *context) {
    static_cast<engine *>(context)->world.stepSimulation(BENCH_CHAIN_STEP, 0);
    return true;
}

void read(void *context, int index, bench_link *out) {
    const btRigidBody &link = *static_cast<engine *>(context)->links[static_cast<size_t>(index)];
    const btTransform &pose = link.getWorldTransform();
    btQuaternion q = pose.getRotation();
    out->attitude[0] = q.w(), out->attitude[1] = q.x(), out->attitude[2] = q.y(), out->attitude[3] = q.z();
    for (int i = 0; i < 3; i++) {
        out->position[i] = pose.getOrigin()[i];
        out->velocity[i] = link.getLinearVelocity()[i];
        out->spin[i] = link.getAngularVelocity()[i];
    }
}

} // namespace

int main(int count, char **arguments) {
    int iterations = count == 2 ? std::atoi(arguments[1]) : 0;
    if (iterations < 1) {
        std::fprintf(stderr, "usage: chain_bullet ITERATIONS\n");
        return 2;
    }
    engine bullet(iterations);
    bench_chain_engine chain = {&bullet, step, read};
    bench_chain result = bench_chain_run(&chain);
    bench_chain_print(&result);
    return 0;
}
