// SPDX-License-Identifier: MIT
// Bullet's collision phase on a moving bed, as its worlds do it: dynamic trees and the default dispatcher, in double
// or, built a second time, in single precision. Boxes are Bullet's own, with its default margin, which its boxes have
// inside.
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "support/bed_run.h"

namespace {

btVector3 vector(carom_vec3 v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

btTransform transform(const carom_pose &pose) {
    const carom_quat &q = pose.attitude;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
}

// Bullet has no ellipsoid; this is its support function. What is left when a layer as thick as the margin is taken away
// is convex while the margin is below the smallest radius of curvature; with it Bullet needs no search for a depth.
struct ellipsoid_shape : btConvexInternalShape {
    btVector3 half;

    explicit ellipsoid_shape(btVector3 half_axes) : half(half_axes) {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        btScalar least = half[half.minAxis()], most = half[half.maxAxis()];
        setMargin(std::min(btScalar(CONVEX_DISTANCE_MARGIN), btScalar(0.5) * least * least / most));
    }
    static btVector3 unit(const btVector3 &direction) {
        btScalar length = direction.length();
        return length > SIMD_EPSILON ? direction / length : btVector3(1, 0, 0);
    }
    btVector3 farthest(const btVector3 &n) const {
        btVector3 arm = half * half * n;
        return arm / btSqrt(n.dot(arm));
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &direction) const override {
        btVector3 n = unit(direction);
        return farthest(n) - n * getMargin();
    }
    btVector3 localGetSupportingVertex(const btVector3 &direction) const override {
        return farthest(unit(direction));
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *directions, btVector3 *points,
                                                           int count) const override {
        for (int i = 0; i < count; i++) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
    }
    void calculateLocalInertia(btScalar, btVector3 &inertia) const override {
        inertia.setZero();
    }
    void getAabb(const btTransform &pose, btVector3 &low, btVector3 &high) const override {
        btVector3 reach;
        for (int i = 0; i < 3; i++) reach[i] = (pose.getBasis().getRow(i) * half).length();
        low = pose.getOrigin() - reach;
        high = pose.getOrigin() + reach;
    }
    const char *getName() const override {
        return "ellipsoid";
    }
};

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
            engine->add(std::make_unique<ellipsoid_shape>(half), i);
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
