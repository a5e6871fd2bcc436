// SPDX-License-Identifier: MIT
// Simbody on the falling chain: its Runge-Kutta-Merson integrator with error control, accuracy 1e-6. With fixed steps
// of 1/240 s none of its integrators reaches the end.
#include <SimTKsimbody.h>

#include <exception>
#include <vector>

#include "worlds/chain.h"

namespace {

struct engine {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::Force::UniformGravity gravity{forces, matter, SimTK::Vec3(0, 0, -BENCH_CHAIN_GRAVITY)};
    std::vector<SimTK::MobilizedBody> links;
    SimTK::RungeKuttaMersonIntegrator integrator{system};
    SimTK::TimeStepper stepper{system, integrator};
    long steps = 0;

    engine() {
        const double *inertia = bench_link_inertia;
        SimTK::Body::Rigid link(
            SimTK::MassProperties(BENCH_LINK_MASS, SimTK::Vec3(0), SimTK::Inertia(inertia[0], inertia[1], inertia[2])));
        const SimTK::Transform to_left(SimTK::Vec3(-0.5 * BENCH_LINK_LENGTH, 0, 0));
        const SimTK::Transform to_right(SimTK::Vec3(0.5 * BENCH_LINK_LENGTH, 0, 0));
        links.push_back(SimTK::MobilizedBody::Ball(matter.Ground(), SimTK::Transform(), link, to_left));
        while (links.size() < BENCH_CHAIN_LINKS)
            links.push_back(SimTK::MobilizedBody::Ball(links.back(), to_right, link, to_left));
        system.realizeTopology();
        integrator.setAccuracy(1e-6);
        stepper.initialize(system.getDefaultState());
    }
};

bool step(void *context) {
    engine *simbody = static_cast<engine *>(context);
    try {
        simbody->stepper.stepTo(static_cast<double>(++simbody->steps) * BENCH_CHAIN_STEP);
    } catch (const std::exception &) {
        return false;
    }
    return true;
}

void read(void *context, int index, bench_link *out) {
    engine *simbody = static_cast<engine *>(context);
    const SimTK::State &state = simbody->integrator.getState();
    simbody->system.realize(state, SimTK::Stage::Velocity);
    const SimTK::MobilizedBody &link = simbody->links[static_cast<size_t>(index)];
    SimTK::Quaternion attitude = link.getBodyTransform(state).R().convertRotationToQuaternion();
    SimTK::Vec3 position = link.getBodyOriginLocation(state), velocity = link.getBodyOriginVelocity(state);
    SimTK::Vec3 spin = link.getBodyAngularVelocity(state);
    for (int i = 0; i < 4; i++) out->attitude[i] = attitude[i];
    for (int i = 0; i < 3; i++) {
        out->position[i] = position[i];
        out->velocity[i] = velocity[i];
        out->spin[i] = spin[i];
    }
}

} // namespace

int main() {
    engine simbody;
    bench_chain_engine chain = {&simbody, step, read};
    bench_chain result = bench_chain_run(&chain);
    bench_chain_print(&result);
    return 0;
}
