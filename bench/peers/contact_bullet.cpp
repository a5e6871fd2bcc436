// SPDX-License-Identifier: MIT
// Bullet's collision phase on a moving bed, as its worlds do it: dynamic trees and the default dispatcher, in double
// or, built a second time, in single precision. Boxes are Bullet's own, with its default margin, which its boxes have
// inside.
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "peers/bullet_ellipsoid.h"
#include "worlds/bed_run.h"

namespace {

btVector3 vector(carom_vec3 v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

btTransform transform(const carom_pose &pose) {
    const carom_quat &q = pose.attitude;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
}

struct bullet {
    const bench_bed *bed;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    void add(std::unique_ptr<btCollisionShape> shape, int number) {
        auto object = std::make_unique<btCollisionObject>();
        if (number != BENCH_BED_FLOOR) object->setWorldTransform(transform(bench_bed_pose(bed, number, 0.0)));
        object->setCollisionShape(shape.get());
        object->setUserIndex(number);
        // As in a world of bodies: what is fixed does not meet what is fixed.
        bool is_floor = number == BENCH_BED_FLOOR;
        object->setCollisionFlags(is_floor ? btCollisionObject::CF_STATIC_OBJECT : 0);
        int all = btBroadphaseProxy::AllFilter, fixed = btBroadphaseProxy::StaticFilter;
        world.addCollisionObject(object.get(), is_floor ? fixed : int(btBroadphaseProxy::DefaultFilter),
                                 is_floor ? all ^ fixed : all);
        shapes.push_back(std::move(shape));
        objects.push_back(std::move(object));
    }
};

void place(void *context, double time) {
    bullet *engine = static_cast<bullet *>(context);
    for (int i = 0; i < engine->bed->count; i++)
        engine->objects[i]->setWorldTransform(transform(bench_bed_pose(engine->bed, i, time)));
}

void *make(const bench_bed *bed) {
    bullet *engine = new bullet;
    engine->bed = bed;
    for (int i = 0; i < bed->count; i++) {
        btVector3 half = vector(bed->bodies[i].half);
        if (bed->bodies[i].is_box)
            engine->add(std::make_unique<btBoxShape>(half), i);
        else
            engine->add(std::make_unique<bullet_ellipsoid>(half), i);
    }
    engine->add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)), BENCH_BED_FLOOR);
    return engine;
}

// The two together are btCollisionWorld::performDiscreteCollisionDetection.
void broad(void *context) {
    bullet *engine = static_cast<bullet *>(context);
    engine->world.updateAabbs();
    engine->world.computeOverlappingPairs();
}

void narrow(void *context) {
    bullet *engine = static_cast<bullet *>(context);
    engine->dispatcher.dispatchAllCollisionPairs(engine->broadphase.getOverlappingPairCache(),
                                                 engine->world.getDispatchInfo(), &engine->dispatcher);
}

int64_t pairs(void *context) {
    return static_cast<bullet *>(context)->broadphase.getOverlappingPairCache()->getNumOverlappingPairs();
}

void list(void *context, bench_bed_list *out) {
    btCollisionDispatcher &dispatcher = static_cast<bullet *>(context)->dispatcher;
    for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); k++)
            bench_bed_add(out, manifold->getBody0()->getUserIndex(), manifold->getBody1()->getUserIndex(),
                          double(manifold->getContactPoint(k).getDistance()));
    }
}

const bench_bed_engine engines[] = {{"trees", make, place, broad, narrow, pairs, list}};

} // namespace

int main(int argc, char **argv) {
    return bench_bed_peer(argc, argv, engines, 1);
}
