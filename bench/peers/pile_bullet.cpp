// SPDX-License-Identifier: MIT
// Bullet on bodies that settle, by sequential impulses, in double or, built a second time, in single precision.
//
//   pile_bullet SCENE ITERATIONS STEPS LIMIT
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "peers/bullet_ellipsoid.h"
#include "settle/settle.h"

namespace {

btVector3 vector(carom_vec3 v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

carom_vec3 vector(const btVector3 &v) {
    return {double(v.x()), double(v.y()), double(v.z())};
}

btTransform transform(const carom_pose &pose) {
    const carom_quat &q = pose.attitude;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
}

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    // A mass of 0: it never moves.
    void add(std::unique_ptr<btCollisionShape> shape, double mass, carom_vec3 inertia, const carom_pose &pose) {
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), vector(inertia));
        info.m_friction = btScalar(std::sqrt(BENCH_SETTLE_FRICTION)); // Bullet multiplies those of a pair
        info.m_startWorldTransform = transform(pose);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        if (mass > 0) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        shapes.push_back(std::move(shape));
    }

    bullet(const bench_settle_scene &scene, int iterations) {
        const carom_pose origin = {{0, 0, 0}, {1, 0, 0, 0}}, below = {{0, 0, -5}, {1, 0, 0, 0}};
        world.setGravity(btVector3(0, 0, btScalar(-BENCH_SETTLE_GRAVITY)));
        world.getSolverInfo().m_numIterations = iterations;
        for (int i = 0; i < scene.count; i++) {
            const bench_settle_body &body = scene.bodies[i];
            std::unique_ptr<btCollisionShape> shape;
            if (body.is_box)
                shape = std::make_unique<btBoxShape>(vector(body.half));
            else
                shape = std::make_unique<bullet_ellipsoid>(vector(body.half));
            add(std::move(shape), body.mass, body.inertia, body.start);
        }
        // Boxes stand better on a large box than on Bullet's plane, which finds fewer points a step.
        if (scene.bodies[0].is_box)
            add(std::make_unique<btBoxShape>(btVector3(100, 100, 5)), 0, {0, 0, 0}, below);
        else
            add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)), 0, {0, 0, 0}, origin);
        const btVector3 inward[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
        for (int i = 0; i < 4 && scene.walls > 0; i++)
            add(std::make_unique<btStaticPlaneShape>(inward[i], btScalar(-scene.walls)), 0, {0, 0, 0}, origin);
    }
    ~bullet() {
        for (auto &body : bodies) world.removeRigidBody(body.get());
    }
};

bool step(void *context) {
    static_cast<bullet *>(context)->world.stepSimulation(btScalar(BENCH_SETTLE_STEP), 0);
    return true;
}

void read(void *context, int index, bench_settle_state *out) {
    const btRigidBody &body = *static_cast<bullet *>(context)->bodies[static_cast<size_t>(index)];
    btQuaternion q = body.getWorldTransform().getRotation();
    out->pose.position = vector(body.getWorldTransform().getOrigin());
    out->pose.attitude = {double(q.w()), double(q.x()), double(q.y()), double(q.z())};
    out->velocity = vector(body.getLinearVelocity());
    out->spin = vector(body.getAngularVelocity());
}

} // namespace

int main(int count, char **arguments) {
    static bench_settle_scene scene;
    if (count != 5 || !bench_settle_make(arguments[1], &scene)) {
        std::fprintf(stderr, "usage: pile_bullet pile|wall|ellipsoids ITERATIONS STEPS LIMIT\n");
        return 2;
    }
    bullet engine(scene, std::atoi(arguments[2]));
    bench_settle_engine settling = {&engine, step, read};
    bench_settle_result result = bench_settle_run(&scene, &settling, std::atoi(arguments[3]), std::atof(arguments[4]));
    bench_settle_print(&result);
    return 0;
}
