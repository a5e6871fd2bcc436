// SPDX-License-Identifier: MIT
// FCL, by libccd and a distance search of its own, and by a solver of its own. On moving pairs its depth starts from
// the direction that it keeps for that; its distance cannot.
#include <fcl/fcl.h>

#include <cmath>
#include <memory>
#include <vector>

#include "support/narrow.h"

namespace {

Eigen::Vector3d vector(carom_vec3 v) {
    return Eigen::Vector3d(v.x, v.y, v.z);
}

fcl::Transform3d transform(const carom_pose &pose) {
    const carom_quat &q = pose.attitude;
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    result.translation() = vector(pose.position);
    return result;
}

std::shared_ptr<fcl::CollisionGeometryd> make_shape(const bench_solid &solid) {
    const carom_vec3 &half = solid.half;
    if (solid.kind == BENCH_ELLIPSOID) return std::make_shared<fcl::Ellipsoidd>(half.x, half.y, half.z);
    if (solid.kind == BENCH_BOX) return std::make_shared<fcl::Boxd>(2 * half.x, 2 * half.y, 2 * half.z);
    auto vertices = std::make_shared<std::vector<Eigen::Vector3d>>();
    for (int i = 0; i < solid.vertex_count; i++) vertices->push_back(vector(solid.vertices[i]));
    auto facets = std::make_shared<std::vector<int>>(solid.facets, solid.facets + solid.facet_numbers);
    return std::make_shared<fcl::Convexd>(vertices, solid.facet_count, facets);
}

struct library {
    const bench_pair_set *set;
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> shapes;
    std::vector<fcl::Transform3d> from, to; // poses of A and B
    std::vector<Eigen::Vector3d> guesses;   // of the tracks; zero: none yet

    Eigen::Vector3d *guess(int pair) {
        return guesses.empty() ? nullptr : &guesses[static_cast<size_t>(pair) % guesses.size()];
    }

    double distance(int i, fcl::GJKSolverType type) {
        const bench_pair &pair = set->pairs[i];
        fcl::DistanceRequestd request(true);
        request.gjk_solver_type = type;
        request.distance_tolerance = set->tolerance;
        fcl::DistanceResultd result;
        return fcl::distance(shapes[pair.a].get(), from[i], shapes[pair.b].get(), to[i], request, result);
    }

    double depth(int i, fcl::GJKSolverType type) {
        const bench_pair &pair = set->pairs[i];
        fcl::CollisionRequestd request(1, true);
        request.gjk_solver_type = type;
        request.gjk_tolerance = set->tolerance;
        Eigen::Vector3d *last = guess(i);
        request.enable_cached_gjk_guess = last != nullptr;
        if (last != nullptr && !last->isZero()) request.cached_gjk_guess = *last;
        fcl::CollisionResultd result;
        fcl::collide(shapes[pair.a].get(), from[i], shapes[pair.b].get(), to[i], request, result);
        if (last != nullptr) *last = result.cached_gjk_guess;
        return result.numContacts() > 0 ? -std::fabs(result.getContact(0).penetration_depth) : NAN;
    }

    double gap(int i, fcl::GJKSolverType type) {
        try {
            double apart = set->state == BENCH_OVERLAPPING ? -1.0 : distance(i, type);
            return apart < 0.0 ? depth(i, type) : apart; // its distance of pairs that overlap is -1
        } catch (...) {                                  // its own search sometimes gives up so
            return NAN;
        }
    }
};

template <fcl::GJKSolverType type> void measure(void *context, int first, int count, double *gaps) {
    library *fcl = static_cast<library *>(context);
    for (int i = 0; i < count; i++) gaps[i] = fcl->gap(first + i, type);
}

void forget(void *context) {
    for (Eigen::Vector3d &guess : static_cast<library *>(context)->guesses) guess.setZero();
}

void *make(const bench_pair_set *set) {
    library *fcl = new library;
    fcl->set = set;
    for (int i = 0; i < set->solid_count; i++) fcl->shapes.push_back(make_shape(set->solids[i]));
    for (int i = 0; i < set->pair_count; i++) {
        fcl->from.push_back(transform(set->pairs[i].pose_a));
        fcl->to.push_back(transform(set->pairs[i].pose_b));
    }
    fcl->guesses.resize(static_cast<size_t>(set->track_count), Eigen::Vector3d::Zero());
    return fcl;
}

const int all = BENCH_APART | BENCH_TOUCHING | BENCH_OVERLAPPING;
const bench_narrow_method methods[] = {
    {"by libccd", measure<fcl::GST_LIBCCD>, forget, all, false},
    {"own solver", measure<fcl::GST_INDEP>, forget, all, false},
};

} // namespace

int main(int argc, char **argv) {
    return bench_narrow_peer(argc, argv, methods, 2, make);
}
