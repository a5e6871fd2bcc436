// SPDX-License-Identifier: MIT
// MuJoCo on the falling chain: nested bodies in ball joints, by one of its integrators.
//
//   chain_mujoco Euler | RK4
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "worlds/chain.h"

namespace {

struct engine {
    mjModel *model;
    mjData *data;
};

// Its own goes to a log in the current folder.
void keep_quiet(const char *) {}

bool step(void *context) {
    engine *mujoco = static_cast<engine *>(context);
    mj_step(mujoco->model, mujoco->data);
    // It starts again by itself when an acceleration grows too large.
    const mjWarningStat *warning = mujoco->data->warning;
    return warning[mjWARN_BADQACC].number + warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number == 0;
}

void read(void *context, int index, bench_link *out) {
    engine *mujoco = static_cast<engine *>(context);
    mjData *data = mujoco->data;
    if (index == 0) { // poses and velocities of bodies are those before the step until this
        mj_kinematics(mujoco->model, data);
        mj_comPos(mujoco->model, data);
        mj_comVel(mujoco->model, data);
    }
    int body = index + 1;
    mjtNum velocity[6]; // spin first
    mj_objectVelocity(mujoco->model, data, mjOBJ_BODY, body, velocity, 0);
    for (int i = 0; i < 4; i++) out->attitude[i] = data->xquat[4 * body + i];
    for (int i = 0; i < 3; i++) {
        out->position[i] = data->xpos[3 * body + i];
        out->velocity[i] = velocity[3 + i];
        out->spin[i] = velocity[i];
    }
}

// ---- the model, as files in memory: its reader of XML nests only so deep, and a chain goes on in the next file

enum { LINKS_PER_FILE = 25 };

std::string file_name(int first) {
    return "chain" + std::to_string(first) + ".xml";
}

std::string links_of_file(int first) {
    char link[512];
    std::string text, ends;
    for (int i = first; i < first + LINKS_PER_FILE && i < BENCH_CHAIN_LINKS; i++) {
        std::snprintf(link, sizeof link,
                      "<body pos='%.17g 0 0'><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>"
                      "<joint type='ball' pos='%.17g 0 0'/>",
                      (i > 0 ? 1.0 : 0.5) * BENCH_LINK_LENGTH, BENCH_LINK_MASS, bench_link_inertia[0],
                      bench_link_inertia[1], bench_link_inertia[2], -0.5 * BENCH_LINK_LENGTH);
        text += link;
        ends += "</body>";
    }
    int next = first + LINKS_PER_FILE;
    return text + (next < BENCH_CHAIN_LINKS ? "<include file='" + file_name(next) + "'/>" : "") + ends;
}

bool add_file(mjVFS *files, const std::string &name, const std::string &text) {
    if (mj_makeEmptyFileVFS(files, name.c_str(), static_cast<int>(text.size())) != 0) return false;
    std::memcpy(files->filedata[mj_findFileVFS(files, name.c_str())], text.data(), text.size());
    return true;
}

mjModel *load(const std::string &integrator, char *problem, int size) {
    char option[256];
    std::snprintf(option, sizeof option,
                  "<option timestep='%.17g' gravity='0 0 %.17g' integrator='%s'><flag contact='disable'/></option>",
                  BENCH_CHAIN_STEP, -BENCH_CHAIN_GRAVITY, integrator.c_str());
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    bool good = add_file(files.get(), file_name(0),
                         std::string("<mujoco>") + option + "<worldbody>" + links_of_file(0) + "</worldbody></mujoco>");
    for (int first = LINKS_PER_FILE; first < BENCH_CHAIN_LINKS && good; first += LINKS_PER_FILE)
        good = add_file(files.get(), file_name(first), "<mujocoinclude>" + links_of_file(first) + "</mujocoinclude>");
    mjModel *model = good ? mj_loadXML(file_name(0).c_str(), files.get(), problem, size) : nullptr;
    mj_deleteVFS(files.get());
    return model;
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: chain_mujoco Euler|RK4\n");
        return 2;
    }
    mju_user_warning = keep_quiet;
    char problem[512] = "no memory";
    engine mujoco = {load(arguments[1], problem, sizeof problem), nullptr};
    if (mujoco.model == nullptr) {
        std::fprintf(stderr, "chain_mujoco: %s\n", problem);
        return 1;
    }
    mujoco.data = mj_makeData(mujoco.model);
    bench_chain_engine chain = {&mujoco, step, read};
    bench_chain result = bench_chain_run(&chain);
    bench_chain_print(&result);
    mj_deleteData(mujoco.data);
    mj_deleteModel(mujoco.model);
    return 0;
}
