// SPDX-License-Identifier: MIT
// ODE's collision phase on a moving bed of boxes, with each of its spaces. It has no ellipsoids.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "worlds/bed_run.h"

namespace {

const int most_contacts_of_pair = 8;

struct ode {
    const bench_bed *bed;
    dSpaceID space;
    std::vector<dGeomID> geoms; // the last one is the floor
    std::vector<std::pair<dGeomID, dGeomID>> pairs;
    std::vector<dContactGeom> contacts;
};

using make_space = dSpaceID (*)(const bench_bed &bed);

// Cells from the smallest body's size to the largest one's.
dSpaceID hash_space(const bench_bed &bed) {
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < bed.count; i++) {
        double size = 2.0 * bench_bed_radius(&bed.bodies[i]);
        least = std::min(least, size);
        most = std::max(most, size);
    }
    dSpaceID space = dHashSpaceCreate(nullptr);
    dHashSpaceSetLevels(space, static_cast<int>(std::floor(std::log2(least))),
                        static_cast<int>(std::ceil(std::log2(most))));
    return space;
}

dSpaceID sweep_and_prune(const bench_bed &) {
    return dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
}

// As deep as leaves of about ten bodies need.
dSpaceID quad_tree(const bench_bed &bed) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < bed.count; i++) {
        const carom_vec3 &p = bed.bodies[i].rest.position;
        const double at[2] = {p.x, p.y};
        for (int k = 0; k < 2; k++) {
            low[k] = std::min(low[k], at[k]);
            high[k] = std::max(high[k], at[k]);
        }
    }
    dVector3 centre = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.0, 0.0};
    dVector3 extents = {0.5 * (high[0] - low[0]) + 5.0, 0.5 * (high[1] - low[1]) + 5.0, 1000.0, 0.0};
    int depth = std::max(2, static_cast<int>(std::ceil(std::log(bed.count / 10.0) / std::log(4.0))));
    return dQuadTreeSpaceCreate(nullptr, centre, extents, depth);
}

template <make_space space> void *make(const bench_bed *bed) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    ode *engine = new ode;
    engine->bed = bed;
    engine->space = space(*bed);
    for (int i = 0; i < bed->count; i++) {
        const bench_bed_body &body = bed->bodies[i];
        if (!body.is_box) return nullptr;
        engine->geoms.push_back(dCreateBox(engine->space, 2.0 * body.half.x, 2.0 * body.half.y, 2.0 * body.half.z));
        dGeomSetData(engine->geoms.back(), reinterpret_cast<void *>(static_cast<intptr_t>(i)));
    }
    engine->geoms.push_back(dCreatePlane(engine->space, 0.0, 0.0, 1.0, 0.0));
    dGeomSetData(engine->geoms.back(), reinterpret_cast<void *>(static_cast<intptr_t>(BENCH_BED_FLOOR)));
    return engine;
}

void place(void *context, double time) {
    ode *engine = static_cast<ode *>(context);
    for (int i = 0; i < engine->bed->count; i++) {
        carom_pose pose = bench_bed_pose(engine->bed, i, time);
        const dQuaternion attitude = {pose.attitude.w, pose.attitude.x, pose.attitude.y, pose.attitude.z};
        dGeomSetPosition(engine->geoms[i], pose.position.x, pose.position.y, pose.position.z);
        dGeomSetQuaternion(engine->geoms[i], attitude);
    }
}

void remember(void *context, dGeomID a, dGeomID b) {
    static_cast<ode *>(context)->pairs.emplace_back(a, b);
}

void broad(void *context) {
    ode *engine = static_cast<ode *>(context);
    engine->pairs.clear();
    dSpaceCollide(engine->space, engine, remember);
}

void narrow(void *context) {
    ode *engine = static_cast<ode *>(context);
    engine->contacts.clear();
    dContactGeom found[most_contacts_of_pair];
    for (const auto &pair : engine->pairs) {
        int count = dCollide(pair.first, pair.second, most_contacts_of_pair, found, sizeof found[0]);
        engine->contacts.insert(engine->contacts.end(), found, found + count);
    }
}

int64_t pairs(void *context) {
    return static_cast<int64_t>(static_cast<ode *>(context)->pairs.size());
}

int number(dGeomID geom) {
    return static_cast<int>(reinterpret_cast<intptr_t>(dGeomGetData(geom)));
}

void list(void *context, bench_bed_list *out) {
    for (const dContactGeom &contact : static_cast<ode *>(context)->contacts)
        bench_bed_add(out, number(contact.g1), number(contact.g2), -contact.depth);
}

const bench_bed_engine engines[] = {
    {"hash", make<hash_space>, place, broad, narrow, pairs, list},
    {"sweep", make<sweep_and_prune>, place, broad, narrow, pairs, list},
    {"quadtree", make<quad_tree>, place, broad, narrow, pairs, list},
};

} // namespace

int main(int argc, char **argv) {
    return bench_bed_peer(argc, argv, engines, 3);
}
