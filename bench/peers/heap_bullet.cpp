// SPDX-License-Identifier: MIT
// Bullet on a heap, by sequential impulses in double precision, sleeping off. Makes as many steps as it is asked for by
// each line that it reads, and answers with one; at the end of its input it prints what the run came to.
//
// Bullet's thresholds and margins are lengths that suit bodies of a metre: with LENGTH 20 a metre counts as 20.
//
//   heap_bullet SOURCE ITERATIONS LENGTH STEPS LIMIT
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "heaps/heap_run.h"
#include "peers/bullet_ellipsoid.h"

namespace {

btVector3 vector(carom_vec3 v) {
    return btVector3(v.x, v.y, v.z);
}

carom_vec3 vector(const btVector3 &v) {
    return {v.x(), v.y(), v.z()};
}

btQuaternion rotation(carom_quat q) {
    return btQuaternion(q.x, q.y, q.z, q.w);
}

// ---- shapes

// Bullet adds its margin to hulls, and finds contacts well only within it: what is left of the solid when its facets
// are moved inwards by the margin, as Bullet's own boxes have it.
std::unique_ptr<btCollisionShape> hull_of(const carom_shape *shape, double length, const btTransform &place) {
    const double margin = std::min(double(CONVEX_DISTANCE_MARGIN), 0.1 * length * carom_shape_in_radius(shape));
    std::vector<carom_half_space> sides;
    for (int i = 0; i < carom_shape_facet_count(shape); i++) {
        carom_facet facet;
        carom_shape_get_facet(shape, i, &facet, nullptr);
        sides.push_back({facet.normal, facet.offset - margin / length});
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
    def.polytope.half_space_count = int(sides.size());
    def.polytope.half_spaces = sides.data();
    carom_shape *core = nullptr;
    if (carom_shape_create(&def, nullptr, &core, nullptr) != CAROM_OK) return nullptr;
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < carom_shape_vertex_count(core); i++)
        hull->addPoint(place * (length * vector(carom_shape_vertices(core)[i])), false);
    carom_shape_destroy(core);
    hull->recalcLocalAabb();
    hull->setMargin(margin);
    return hull;
}

struct shapes {
    double length; // of a metre
    double extent; // of the whole heap, m
    bool slabs;    // half-spaces are large boxes, which give more points a step to boxes on them
    std::vector<std::unique_ptr<btCollisionShape>> all;

    btCollisionShape *keep(std::unique_ptr<btCollisionShape> shape) {
        all.push_back(std::move(shape));
        return all.back().get();
    }
    std::unique_ptr<btCollisionShape> simple(const carom_shape *shape) const {
        carom_shape_def def;
        carom_shape_get_def(shape, &def);
        switch (def.kind) {
        case CAROM_SHAPE_SPHERE:
            return std::make_unique<btSphereShape>(length * def.sphere.radius);
        case CAROM_SHAPE_ELLIPSOID:
            return std::make_unique<bullet_ellipsoid>(length * vector(def.ellipsoid.half_axes));
        case CAROM_SHAPE_BOX:
            return std::make_unique<btBoxShape>(0.5 * length * vector(def.box.size));
        case CAROM_SHAPE_CAPSULE:
            return std::make_unique<btCapsuleShapeZ>(length * def.capsule.radius, length * def.capsule.length);
        default:
            return nullptr;
        }
    }
    static bool is_identity(const btTransform &place) {
        return place.getOrigin().isZero() && std::fabs(place.getRotation().w()) == 1.0;
    }
    // At a place in the frame of the body.
    btCollisionShape *convex(const carom_shape *shape, const btTransform &place) {
        if (carom_shape_get_kind(shape) == CAROM_SHAPE_POLYTOPE) return keep(hull_of(shape, length, place));
        btCollisionShape *made = keep(simple(shape));
        if (made == nullptr || is_identity(place)) return made;
        auto moved = std::make_unique<btCompoundShape>();
        moved->addChildShape(place, made);
        return keep(std::move(moved));
    }
    btCollisionShape *half_space(const carom_half_space &side, const btTransform &place, btTransform *slab) {
        btVector3 normal = vector(side.normal);
        if (!slabs) return keep(std::make_unique<btStaticPlaneShape>(normal, length * side.offset));
        const btScalar half = 20 * length * extent;
        *slab =
            place * btTransform(shortestArcQuat(btVector3(0, 0, 1), normal), normal * (length * side.offset - half));
        return keep(std::make_unique<btBoxShape>(btVector3(half, half, half)));
    }
    btCollisionShape *compound(const carom_shape *shape, const btTransform &place) {
        auto whole = std::make_unique<btCompoundShape>();
        for (int i = 0; i < carom_shape_part_count(shape); i++) {
            carom_pose pose;
            const carom_shape *part = carom_shape_part(shape, i, &pose);
            btCollisionShape *made = convex(part, btTransform::getIdentity());
            if (made == nullptr) return nullptr;
            whole->addChildShape(place * btTransform(rotation(pose.attitude), length * vector(pose.position)), made);
        }
        return keep(std::move(whole));
    }
};

// ---- the world

struct bullet {
    const bench_heap &heap;
    double length;
    shapes made;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> joints;
    std::vector<btJointFeedback> feedback;
    std::vector<bench_heap_state> states;
    std::vector<carom_wrench> forces;
    int steps = 0;
    bool whole = true; // everything has a counterpart

    bullet(const bench_heap &h, int iterations, double metre) : heap(h), length(metre) {
        states.resize(size_t(heap.body_count));
        forces.resize(size_t(heap.body_count));
        feedback.resize(size_t(heap.joint_count));
        measure();
        world.setGravity(length * vector(heap.gravity));
        world.getSolverInfo().m_numIterations = iterations;
        for (int i = 0; i < heap.body_count; i++) add_body(i);
        for (int j = 0; whole && j < heap.joint_count; j++) add_joint(j);
    }
    ~bullet() {
        for (auto &joint : joints) world.removeConstraint(joint.get());
        for (auto &body : bodies) {
            if (body) world.removeRigidBody(body.get());
        }
    }
    void measure() {
        int moving = 0, boxes = 0;
        made.length = length;
        made.extent = 0;
        for (int i = 0; i < heap.body_count; i++) {
            const bench_heap_body &body = heap.bodies[i];
            if (!body.moves || body.shape == nullptr) continue;
            moving++;
            boxes += carom_shape_get_kind(body.shape) == CAROM_SHAPE_BOX;
            made.extent = std::max(made.extent, vector(heap.start[i].pose.position).length() +
                                                    carom_shape_bounding_radius(body.shape));
        }
        made.slabs = 2 * boxes > moving;
    }
    // Body i's shape, and where a slab in place of a half-space stands.
    btCollisionShape *shape_of(int i, btTransform *pose) {
        const bench_heap_body &body = heap.bodies[i];
        btTransform frame(rotation(body.in_body.attitude), length * vector(body.in_body.position));
        carom_shape_def def;
        if (body.shape == nullptr) return made.keep(std::make_unique<btEmptyShape>());
        switch (carom_shape_get_kind(body.shape)) {
        case CAROM_SHAPE_HALF_SPACE:
            carom_shape_get_def(body.shape, &def);
            return made.half_space(def.half_space, *pose, pose);
        case CAROM_SHAPE_COMPOUND:
            return made.compound(body.shape, frame.inverse());
        default:
            return made.convex(body.shape, frame.inverse());
        }
    }
    void add_body(int i) {
        const bench_heap_body &body = heap.bodies[i];
        const bench_heap_state &start = heap.start[i];
        btTransform pose(rotation(start.pose.attitude), length * vector(start.pose.position));
        btCollisionShape *shape = shape_of(i, &pose);
        bodies.emplace_back();
        if (shape == nullptr) {
            whole = false;
            return;
        }
        btVector3 inertia = body.moves ? length * length * vector(body.inertia) : btVector3(0, 0, 0);
        btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shape, inertia);
        info.m_friction = std::sqrt(body.friction); // Bullet multiplies those of a pair
        info.m_restitution = std::sqrt(body.restitution);
        info.m_startWorldTransform = pose;
        bodies.back() = std::make_unique<btRigidBody>(info);
        btRigidBody &made_body = *bodies.back();
        made_body.setUserIndex(i);
        if (body.moves) {
            made_body.setLinearVelocity(length * vector(start.velocity));
            made_body.setAngularVelocity(vector(start.spin));
            made_body.setActivationState(DISABLE_DEACTIVATION);
        }
        world.addRigidBody(&made_body);
    }
    void add_joint(int j) {
        const bench_heap_joint &joint = heap.joints[j];
        btVector3 a = length * vector(joint.at_a), b = length * vector(joint.at_b);
        if (joint.a < 0 || joint.b < 0) {
            int only = std::max(joint.a, joint.b);
            joints.push_back(std::make_unique<btPoint2PointConstraint>(*bodies[size_t(only)], joint.a < 0 ? b : a));
            // The point of the world is where the body's is at the start; carom's joints are closed there.
        } else {
            joints.push_back(
                std::make_unique<btPoint2PointConstraint>(*bodies[size_t(joint.a)], *bodies[size_t(joint.b)], a, b));
        }
        joints.back()->setJointFeedback(&feedback[size_t(j)]);
        world.addConstraint(joints.back().get(), true);
    }

    bench_heap_state state(int i) const {
        const btRigidBody &body = *bodies[size_t(i)];
        if (!heap.bodies[i].moves) return heap.start[i];
        btQuaternion q = body.getWorldTransform().getRotation();
        return {{vector(body.getWorldTransform().getOrigin() / length), {q.w(), q.x(), q.y(), q.z()}},
                vector(body.getLinearVelocity() / length),
                vector(body.getAngularVelocity())};
    }
    void apply_forces() {
        for (int i = 0; i < heap.body_count; i++) states[size_t(i)] = state(i);
        bench_heap_forces(&heap, steps * heap.method.step, states.data(), forces.data());
        for (int i = 0; i < heap.body_count; i++) {
            if (!heap.bodies[i].moves) continue;
            bodies[size_t(i)]->applyCentralForce(length * vector(forces[size_t(i)].force));
            bodies[size_t(i)]->applyTorque(length * length * vector(forces[size_t(i)].torque));
        }
    }

    // ---- what it shows

    btVector3 velocity_before(const bench_heap_view &view, int body, const btVector3 &point) const {
        if (!heap.bodies[body].moves) return btVector3(0, 0, 0);
        const bench_heap_state &at = view.before[body];
        return vector(at.velocity) + vector(at.spin).cross(point - vector(at.pose.position));
    }
    // As btSequentialImpulseConstraintSolver asks for it, in m/s.
    double offset_of(const bench_heap_view &view, const btManifoldPoint &p, int a, int b) const {
        const btContactSolverInfo &info = const_cast<bullet *>(this)->world.getSolverInfo();
        double gap = p.getDistance() / length, h = heap.method.step, offset = gap / h;
        if (gap <= 0) offset = p.getDistance() > info.m_splitImpulsePenetrationThreshold ? info.m_erp2 * gap / h : 0.0;
        double approach = p.m_normalWorldOnB.dot(velocity_before(view, a, p.getPositionWorldOnA() / length) -
                                                 velocity_before(view, b, p.getPositionWorldOnB() / length));
        if (std::fabs(length * approach) >= info.m_restitutionVelocityThreshold && approach < 0)
            offset += p.m_combinedRestitution * approach;
        return offset;
    }
    // Bullet's normal points from its second body to the first.
    void show_point(const btManifoldPoint &p, int first, int second, bench_heap_view *view) const {
        btVector3 n = p.m_normalWorldOnB, t = p.m_lateralFrictionDir1;
        t -= n * n.dot(t);
        if (t.fuzzyZero()) {
            btVector3 other;
            btPlaneSpace1(n, t, other);
        }
        t.normalize();
        bench_heap_contact *c = bench_heap_add_contact(view);
        *c = {};
        c->a = second;
        c->b = first;
        c->point_a = vector(p.getPositionWorldOnB() / length);
        c->point_b = vector(p.getPositionWorldOnA() / length);
        c->direction[0] = vector(n);
        c->direction[1] = vector(t);
        c->direction[2] = vector(n.cross(t));
        c->gap = p.getDistance() / length;
        c->friction = p.m_combinedFriction;
        c->offset = offset_of(*view, p, first, second);
        c->impulse[0] = p.m_appliedImpulse / length;
        c->impulse[1] = p.m_appliedImpulseLateral1 / length;
    }
    void show(bench_heap_view *view) {
        for (int i = 0; i < heap.body_count; i++) {
            view->after[i] = state(i);
            view->velocity[i] = view->after[i].velocity;
            view->spin[i] = view->after[i].spin;
        }
        if (steps == 0) return;
        for (int m = 0; m < dispatcher.getNumManifolds(); m++) {
            const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(m);
            int first = manifold->getBody0()->getUserIndex(), second = manifold->getBody1()->getUserIndex();
            for (int k = 0; k < manifold->getNumContacts(); k++)
                show_point(manifold->getContactPoint(k), first, second, view);
        }
        for (int j = 0; j < heap.joint_count; j++) show_joint(j, view);
    }
    btVector3 place(const bench_heap_view &view, int body, carom_vec3 at) const {
        if (body < 0) return vector(at);
        const carom_pose &pose = view.before[body].pose;
        return vector(pose.position) + quatRotate(rotation(pose.attitude), vector(at));
    }
    void show_joint(int j, bench_heap_view *view) const {
        const bench_heap_joint &joint = heap.joints[j];
        const btContactSolverInfo &info = const_cast<bullet *>(this)->world.getSolverInfo();
        btVector3 a = place(*view, joint.a, joint.at_a), b = place(*view, joint.b, joint.at_b);
        const btJointFeedback &told = feedback[size_t(j)];
        bool reversed = joint.a < 0; // its only body is b
        btVector3 on_b = reversed ? told.m_appliedForceBodyA : btVector3(-told.m_appliedForceBodyA);
        double h = heap.method.step;
        view->joints[j] = {vector(a), vector(b), vector(on_b * (h / length)), vector((b - a) * (info.m_erp / h))};
    }
};

bool step(void *context) {
    bullet *engine = static_cast<bullet *>(context);
    if (engine->heap.forced) engine->apply_forces();
    engine->world.stepSimulation(engine->heap.method.step, 0);
    engine->steps++;
    return true;
}

void read(void *context, int, bench_heap_view *view) {
    static_cast<bullet *>(context)->show(view);
}

} // namespace

int main(int count, char **arguments) {
    bench_heap heap;
    if (count != 6) {
        std::fprintf(stderr, "usage: heap_bullet SOURCE ITERATIONS LENGTH STEPS LIMIT\n");
        return 2;
    }
    if (!bench_heap_open(arguments[1], &heap)) return 2;
    if (!heap.common) return 3;
    {
        bullet engine(heap, std::atoi(arguments[2]), std::atof(arguments[3]));
        if (!engine.whole) return 3;
        bench_heap_run run =
            bench_heap_run_begin(&heap, {&engine, step, read}, std::atoi(arguments[4]), std::atof(arguments[5]));
        char line[64];
        while (std::fgets(line, sizeof line, stdin) != nullptr) {
            std::puts(bench_heap_run_on(&run, std::atoi(line)) ? "on" : "end");
            std::fflush(stdout);
        }
        bench_heap_result result = bench_heap_run_end(&run);
        bench_heap_print(&result);
    }
    bench_heap_close(&heap);
    return 0;
}
