// SPDX-License-Identifier: MIT
// Bullet's deformable bodies in double precision on the elastic cube: implicit, one iteration of Newton's method a step
// with conjugate gradients to about 1e-8, contacts of nodes as projections of them. Each line that it reads is a number
// of steps of BENCH_CUBE_STEP, each in SUBSTEPS of Bullet's.
//
//   soft_bullet MODEL VISCOSITY CELLS ATTITUDE SUBSTEPS     corotated | neo_hookean, flat | corner
//
// What it needs to work at all:
//  - links along the edges of all elements: its trees of nodes are built along them, without end where there are none;
//  - nodes that know their numbers before boundary faces are looked for;
//  - contacts of nodes (SDF_RDN): without any flag for nodes or faces it falls through the floor, with those of faces
//    (SDF_RDF) it diverges within some steps of the impact.
// Its `neo_hookean` has a stiffness that is not made definite and lasts for steps near the explicit limit alone; its
// corotated elements, called linear elasticity, go on at any stiffness.
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "worlds/soft_cube.h"

namespace {

// Surfaces are rounded by so much, m: the cube is set down, and falls, as much lower.
const double margin = 1e-3;

btVector3 vector(carom_vec3 v) {
    return btVector3(v.x, v.y, v.z);
}

carom_vec3 vector(const btVector3 &v) {
    return {v.x(), v.y(), v.z()};
}

struct bullet {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btDeformableBodySolver bodies;
    btDeformableMultiBodyConstraintSolver contacts;
    btDeformableMultiBodyDynamicsWorld world{&dispatcher, &broad_phase, &contacts, &configuration, &bodies};
    btBoxShape floor_shape{btVector3(2, 2, 0.5)};
    std::unique_ptr<btRigidBody> floor;
    std::unique_ptr<btSoftBody> cube;
    std::unique_ptr<btDeformableLagrangianForce> elastic;
    btDeformableGravityForce gravity{btVector3(0, 0, -BENCH_CUBE_GRAVITY)};
    int nodes = 0, substeps;

    bullet(const bench_cube &scene, int parts) : substeps(parts) {
        contacts.setDeformableSolver(&bodies);
        const btVector3 g(0, 0, -BENCH_CUBE_GRAVITY);
        world.setGravity(g);
        world.getWorldInfo().m_gravity = g;
        world.getWorldInfo().air_density = world.getWorldInfo().water_density = 0;
        world.getWorldInfo().m_sparsesdf.setDefaultVoxelsz(0.25);
        world.getWorldInfo().m_sparsesdf.Reset();
        world.setImplicit(true);
        world.setLineSearch(false);
        world.setUseProjection(true);
        add_floor();
        make_cube(scene);
        world.addSoftBody(cube.get());
        add_elements(scene.elastic);
        world.addForce(cube.get(), &gravity);
    }

    void add_floor() {
        floor_shape.setMargin(0);
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &floor_shape);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(btVector3(0, 0, -0.5 - margin));
        info.m_friction = 1; // it multiplies those of a pair
        floor = std::make_unique<btRigidBody>(info);
        world.addRigidBody(floor.get());
    }

    void make_cube(const bench_cube &scene) {
        nodes = carom_mesh_node_count(scene.mesh);
        std::vector<btVector3> rest;
        for (int n = 0; n < nodes; n++) rest.push_back(vector(scene.start[n]));
        cube = std::make_unique<btSoftBody>(&world.getWorldInfo(), nodes, rest.data(), scene.masses);
        const int32_t *element = carom_mesh_elements(scene.mesh);
        for (int e = 0; e < carom_mesh_element_count(scene.mesh); e++, element += 4) {
            cube->appendTetra(element[0], element[1], element[2], element[3]);
            for (int a = 0; a < 4; a++)
                for (int b = a + 1; b < 4; b++) cube->appendLink(element[a], element[b], nullptr, true);
        }
        for (int n = 0; n < nodes; n++) cube->m_nodes[n].index = n;
        btSoftBodyHelpers::generateBoundaryFaces(cube.get());
        cube->initializeDmInverse();
        cube->m_tetraScratches.resize(cube->m_tetras.size());
        cube->m_tetraScratchesTn.resize(cube->m_tetras.size());
        cube->getCollisionShape()->setMargin(margin);
        cube->m_cfg.kKHR = cube->m_cfg.kCHR = 1;
        cube->m_cfg.kDF = BENCH_CUBE_FRICTION;
        cube->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
        cube->m_sleepingThreshold = 0;
        cube->setSelfCollision(false);
        cube->setActivationState(DISABLE_DEACTIVATION);
    }

    // Its neo-Hookean energy is one whose constants are others for the same small strains, and its damping likewise.
    void add_elements(const carom_elastic_def &def) {
        if (def.model == CAROM_ELASTIC_COROTATED)
            elastic = std::make_unique<btDeformableLinearElasticityForce>(def.mu, def.lambda, 0, def.viscosity);
        else
            elastic = std::make_unique<btDeformableNeoHookeanForce>(4.0 / 3.0 * def.mu, def.lambda + 5.0 / 6.0 * def.mu,
                                                                    def.viscosity);
        world.addForce(cube.get(), elastic.get());
    }

    ~bullet() {
        world.removeSoftBody(cube.get());
        world.removeRigidBody(floor.get());
    }
};

void step(void *engine) {
    bullet *b = static_cast<bullet *>(engine);
    for (int i = 0; i < b->substeps; i++) b->world.stepSimulation(BENCH_CUBE_STEP / b->substeps, 0);
}

void read(void *engine, carom_vec3 *positions, carom_vec3 *velocities) {
    const bullet *b = static_cast<bullet *>(engine);
    for (int n = 0; n < b->nodes; n++) {
        positions[n] = vector(b->cube->m_nodes[n].m_x);
        velocities[n] = vector(b->cube->m_nodes[n].m_v);
    }
}

} // namespace

int main(int count, char **arguments) {
    bench_cube_kind kind = {};
    int substeps = count == 6 ? std::atoi(arguments[5]) : 0;
    if (substeps < 1) {
        std::fprintf(stderr, "usage: soft_bullet corotated|neo_hookean VISCOSITY CELLS flat|corner SUBSTEPS\n");
        return 2;
    }
    kind.model = arguments[1];
    kind.viscosity = std::atof(arguments[2]);
    kind.cells = std::atoi(arguments[3]);
    kind.on_corner = std::strcmp(arguments[4], "corner") == 0;
    bench_cube scene = bench_cube_make(kind);
    bullet bullet(scene, substeps);
    bench_cube_engine engine = {&bullet, step, read};
    bench_cube_result result = {};
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr) {
        bench_cube_advance(&scene, &engine, std::atoi(line), &result);
        bench_cube_print(&result);
        std::fflush(stdout);
    }
    bench_cube_free(&scene);
    return 0;
}
