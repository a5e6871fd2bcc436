// SPDX-License-Identifier: MIT
// Bullet's two ways of measuring convex shapes, in double or, built a second time, in single precision. Margins are
// zero. On moving pairs each starts from the separating direction that it found last.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <memory>
#include <vector>

#include "support/narrow.h"

namespace {

btVector3 vector(carom_vec3 v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

btTransform transform(const carom_pose &pose) {
    const carom_quat &q = pose.attitude;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
}

// Bullet has no ellipsoid; this is its support function.
struct ellipsoid_shape : btConvexInternalShape {
    btVector3 half;

    explicit ellipsoid_shape(btVector3 half_axes) : half(half_axes) {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &direction) const override {
        btScalar length = direction.length();
        btVector3 n = length > SIMD_EPSILON ? direction / length : btVector3(1, 0, 0), arm = half * half * n;
        return arm / btSqrt(n.dot(arm));
    }
    btVector3 localGetSupportingVertex(const btVector3 &direction) const override {
        return localGetSupportingVertexWithoutMargin(direction);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *directions, btVector3 *points,
                                                           int count) const override {
        for (int i = 0; i < count; i++) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
    }
    void calculateLocalInertia(btScalar, btVector3 &inertia) const override {
        inertia.setZero();
    }
    void getAabb(const btTransform &, btVector3 &, btVector3 &) const override {}
    const char *getName() const override {
        return "ellipsoid";
    }
};

std::unique_ptr<btConvexShape> make_shape(const bench_solid &solid) {
    std::unique_ptr<btConvexShape> shape;
    if (solid.kind == BENCH_ELLIPSOID) {
        shape = std::make_unique<ellipsoid_shape>(vector(solid.half));
    } else if (solid.kind == BENCH_BOX) {
        shape = std::make_unique<btBoxShape>(vector(solid.half));
    } else {
        auto hull = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < solid.vertex_count; i++) hull->addPoint(vector(solid.vertices[i]), false);
        hull->recalcLocalAabb();
        shape = std::move(hull);
    }
    shape->setMargin(0);
    return shape;
}

struct bullet {
    const bench_pair_set *set;
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    std::vector<btTransform> from, to; // poses of A and B
    std::vector<btVector3> axes;       // of the tracks; zero: none yet
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;

    btVector3 *axis(int pair) {
        return axes.empty() ? nullptr : &axes[static_cast<size_t>(pair) % axes.size()];
    }

    double pair_detector(int i) {
        const bench_pair &pair = set->pairs[i];
        btGjkPairDetector detector(shapes[pair.a].get(), shapes[pair.b].get(), &simplex, &depth);
        btVector3 *last = axis(i);
        if (last != nullptr && !last->fuzzyZero()) detector.setCachedSeparatingAxis(*last);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = from[i];
        input.m_transformB = to[i];
        btPointCollector output;
        detector.getClosestPoints(input, output, nullptr);
        if (last != nullptr) *last = detector.getCachedSeparatingAxis();
        return output.m_hasResult ? double(output.m_distance) : NAN;
    }

    double gjk_epa2(int i) {
        const bench_pair &pair = set->pairs[i];
        const btConvexShape *a = shapes[pair.a].get(), *b = shapes[pair.b].get();
        btVector3 guess = to[i].getOrigin() - from[i].getOrigin(), *last = axis(i);
        if (last != nullptr && !last->fuzzyZero()) guess = *last;
        btGjkEpaSolver2::sResults found;
        double gap = NAN;
        if (set->state != BENCH_OVERLAPPING && btGjkEpaSolver2::Distance(a, from[i], b, to[i], guess, found))
            gap = double(found.distance);
        else if (set->state != BENCH_APART && btGjkEpaSolver2::Penetration(a, from[i], b, to[i], guess, found))
            gap = -std::fabs(double(found.distance));
        if (last != nullptr && !std::isnan(gap)) *last = found.witnesses[1] - found.witnesses[0];
        return gap;
    }
};

template <double (bullet::*way)(int)> void measure(void *context, int first, int count, double *gaps) {
    bullet *engine = static_cast<bullet *>(context);
    for (int i = 0; i < count; i++) gaps[i] = (engine->*way)(first + i);
}

void forget(void *context) {
    for (btVector3 &axis : static_cast<bullet *>(context)->axes) axis.setZero();
}

void *make(const bench_pair_set *set) {
    bullet *engine = new bullet;
    engine->set = set;
    for (int i = 0; i < set->solid_count; i++) engine->shapes.push_back(make_shape(set->solids[i]));
    for (int i = 0; i < set->pair_count; i++) {
        engine->from.push_back(transform(set->pairs[i].pose_a));
        engine->to.push_back(transform(set->pairs[i].pose_b));
    }
    engine->axes.resize(static_cast<size_t>(set->track_count), btVector3(0, 0, 0));
    return engine;
}

const int all = BENCH_APART | BENCH_TOUCHING | BENCH_OVERLAPPING;
const bench_narrow_method methods[] = {
    {"pair detector", measure<&bullet::pair_detector>, forget, all, false},
    {"EPA2", measure<&bullet::gjk_epa2>, forget, all, false},
};

} // namespace

int main(int argc, char **argv) {
    return bench_narrow_peer(argc, argv, methods, 2, make);
}
