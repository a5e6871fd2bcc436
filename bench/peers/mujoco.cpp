// SPDX-License-Identifier: MIT
// MuJoCo on the tumbling body, by one of its integrators.
//
//   mujoco Euler | RK4
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "worlds/tumble.h"

namespace {

struct engine {
    mjModel *model;
    mjData *data;
};

void step(void *context) {
    engine *mujoco = static_cast<engine *>(context);
    mj_step(mujoco->model, mujoco->data);
}

void read(void *context, double attitude[4], double spin[3]) {
    const mjData *data = static_cast<engine *>(context)->data;
    const mjtNum *q = data->qpos + 3;
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    mju_rotVecQuat(spin, data->qvel + 3, q); // its spins are in body axes
}

// The model as a file in memory.
mjModel *load(const std::string &text, char *problem, int size) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    if (mj_makeEmptyFileVFS(files.get(), "tumble.xml", static_cast<int>(text.size())) != 0) return nullptr;
    std::memcpy(files->filedata[0], text.data(), text.size());
    mjModel *model = mj_loadXML("tumble.xml", files.get(), problem, size);
    mj_deleteVFS(files.get());
    return model;
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: mujoco Euler|RK4\n");
        return 2;
    }
    std::string text = "<mujoco><option timestep='0.001' gravity='0 0 0' integrator='" + std::string(arguments[1]) +
                       "'><flag contact='disable'/></option><worldbody><body><freejoint/><inertial pos='0 0 0' "
                       "mass='1' diaginertia='1 2 3'/></body></worldbody></mujoco>";
    char problem[512] = "no memory";
    engine mujoco = {load(text, problem, sizeof problem), nullptr};
    if (mujoco.model == nullptr) {
        std::fprintf(stderr, "mujoco: %s\n", problem);
        return 1;
    }
    mujoco.data = mj_makeData(mujoco.model);
    const double spin[3] = {0.01, 5.0, 0.01};
    for (int i = 0; i < 3; i++) mujoco.data->qvel[3 + i] = spin[i];
    bench_tumbler tumbler = {&mujoco, step, read};
    bench_tumble result = bench_tumble_run(&tumbler, BENCH_TUMBLE_STEP);
    bench_tumble_print(&result);
    mj_deleteData(mujoco.data);
    mj_deleteModel(mujoco.model);
    return 0;
}
