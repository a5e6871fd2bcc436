// SPDX-License-Identifier: MIT
// Simbody on the tumbling body, by one of its integrators with a fixed step.
//
//   simbody euler | merson
#include <SimTKsimbody.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "worlds/tumble.h"

namespace {

struct engine {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::MobilizedBody::Free body{
        matter.Ground(), SimTK::Transform(),
        SimTK::Body::Rigid(SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(1.0, 2.0, 3.0))),
        SimTK::Transform()};
    std::unique_ptr<SimTK::Integrator> integrator;
    std::unique_ptr<SimTK::TimeStepper> stepper;
    long steps = 0;

    explicit engine(bool merson) {
        system.realizeTopology();
        SimTK::State state = system.getDefaultState();
        system.realizeModel(state);
        system.realize(state, SimTK::Stage::Position);
        body.setUToFitAngularVelocity(state, SimTK::Vec3(0.01, 5.0, 0.01));
        if (merson) {
            integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
            integrator->setFixedStepSize(BENCH_TUMBLE_STEP);
        } else {
            integrator = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system, BENCH_TUMBLE_STEP);
        }
        stepper = std::make_unique<SimTK::TimeStepper>(system, *integrator);
        stepper->initialize(state);
    }
};

void step(void *context) {
    engine *simbody = static_cast<engine *>(context);
    simbody->stepper->stepTo(static_cast<double>(++simbody->steps) * BENCH_TUMBLE_STEP);
}

void read(void *context, double attitude[4], double spin[3]) {
    engine *simbody = static_cast<engine *>(context);
    const SimTK::State &state = simbody->integrator->getState();
    simbody->system.realize(state, SimTK::Stage::Velocity);
    SimTK::Quaternion q = simbody->body.getBodyTransform(state).R().convertRotationToQuaternion();
    SimTK::Vec3 w = simbody->body.getBodyAngularVelocity(state);
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    for (int i = 0; i < 3; i++) spin[i] = w[i];
}

} // namespace

int main(int count, char **arguments) {
    bool merson = count == 2 && std::strcmp(arguments[1], "merson") == 0;
    if (!merson && (count != 2 || std::strcmp(arguments[1], "euler") != 0)) {
        std::fprintf(stderr, "usage: simbody euler|merson\n");
        return 2;
    }
    engine simbody(merson);
    bench_tumbler tumbler = {&simbody, step, read};
    bench_tumble result = bench_tumble_run(&tumbler, BENCH_TUMBLE_STEP);
    bench_tumble_print(&result);
    return 0;
}
