// SPDX-License-Identifier: MIT
// An ellipsoid for Bullet. C++.
#ifndef BENCH_PEERS_BULLET_ELLIPSOID_H
#define BENCH_PEERS_BULLET_ELLIPSOID_H

#include <btBulletCollisionCommon.h>

#include <algorithm>

// Bullet has no ellipsoid; this is its support function. What is left when a layer as thick as the margin is taken away
// is convex while the margin is below the smallest radius of curvature; with it Bullet needs no search for a depth.
struct bullet_ellipsoid : btConvexInternalShape {
    btVector3 half;

    explicit bullet_ellipsoid(btVector3 half_axes) : half(half_axes) {
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
        btVector3 extent;
        for (int i = 0; i < 3; i++) extent[i] = (pose.getBasis().getRow(i) * half).length();
        low = pose.getOrigin() - extent;
        high = pose.getOrigin() + extent;
    }
    const char *getName() const override {
        return "ellipsoid";
    }
};

#endif
