// SPDX-License-Identifier: MIT
// MuJoCo's collision of two ellipsoids that overlap; it has no distance. Its broad phase is part of the call.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "support/narrow.h"

namespace {

struct engine {
    const bench_pair_set *set;
    mjModel *model;
    mjData *data;
};

// The model as a file in memory.
mjModel *load(const std::string &text, char *problem, int size) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    if (mj_makeEmptyFileVFS(files.get(), "pair.xml", static_cast<int>(text.size())) != 0) return nullptr;
    std::memcpy(files->filedata[0], text.data(), text.size());
    mjModel *model = mj_loadXML("pair.xml", files.get(), problem, size);
    mj_deleteVFS(files.get());
    return model;
}

void place(mjData *data, int geom, const carom_pose &pose) {
    const mjtNum q[4] = {pose.attitude.w, pose.attitude.x, pose.attitude.y, pose.attitude.z};
    const mjtNum p[3] = {pose.position.x, pose.position.y, pose.position.z};
    std::memcpy(data->geom_xpos + 3 * geom, p, sizeof p);
    mju_quat2Mat(data->geom_xmat + 9 * geom, q);
}

void measure(void *context, int first, int count, double *gaps) {
    engine *mujoco = static_cast<engine *>(context);
    for (int i = 0; i < count; i++) {
        const bench_pair &pair = mujoco->set->pairs[first + i];
        place(mujoco->data, 0, pair.pose_a);
        place(mujoco->data, 1, pair.pose_b);
        mj_collision(mujoco->model, mujoco->data);
        gaps[i] = mujoco->data->ncon > 0 ? mujoco->data->contact[0].dist : NAN;
    }
}

void *make(const bench_pair_set *set) {
    if (set->solids[0].kind != BENCH_ELLIPSOID) return nullptr;
    const carom_vec3 &half = set->solids[0].half;
    char geom[256], problem[512] = "no memory";
    std::snprintf(geom, sizeof geom, "<body><freejoint/><geom type='ellipsoid' size='%.17g %.17g %.17g'/></body>",
                  half.x, half.y, half.z);
    std::string text = std::string("<mujoco><size njmax='50' nconmax='10' nstack='20000'/><worldbody>") + geom + geom +
                       "</worldbody></mujoco>";
    engine *mujoco = new engine{set, load(text, problem, sizeof problem), nullptr};
    if (mujoco->model == nullptr) {
        std::fprintf(stderr, "mujoco: %s\n", problem);
        return nullptr;
    }
    mujoco->data = mj_makeData(mujoco->model);
    mj_forward(mujoco->model, mujoco->data);
    return mujoco;
}

const bench_narrow_method methods[] = {{"mj_collision", measure, nullptr, BENCH_OVERLAPPING, false}};

} // namespace

int main(int argc, char **argv) {
    return bench_narrow_peer(argc, argv, methods, 1, make);
}
