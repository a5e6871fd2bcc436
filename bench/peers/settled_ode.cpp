// SPDX-License-Identifier: MIT
// Contact problems of bodies at rest: walls and a pile of unit cubes, settled by ODE's quick step, each written as the
// problem of the step that would come next.
//
//   settled_ode FOLDER
#include <ode/ode.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "carom/solve.h"

namespace {

const double gravity = 9.81, step_length = 1.0 / 240.0, friction = 0.5;
const double cube_mass = 1.0, cube_inertia = cube_mass / 6.0; // of unit cubes, the same about every axis
const int most_contacts_of_pair = 8;

// xorshift64* by Vigna, in [0, 1).
class random_source {
    std::uint64_t state = 0x9E3779B97F4A7C15u;

  public:
    double uniform() {
        state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
        return static_cast<double>((state * 2685821657736338717u) >> 11) / 9007199254740992.0;
    }
    double between(double low, double high) {
        return low + (high - low) * uniform();
    }
};

// Cubes on the ground z = 0 with the contacts of their last step.
struct scene {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID joints = dJointGroupCreate(0);
    std::vector<dBodyID> cubes;
    std::vector<dContactGeom> contacts;

    scene() {
        dRandSetSeed(1);
        dWorldSetGravity(world, 0.0, 0.0, -gravity);
        dWorldSetQuickStepNumIterations(world, 50);
        dCreatePlane(space, 0.0, 0.0, 1.0, 0.0);
    }
    scene(const scene &) = delete;
    ~scene() {
        dJointGroupDestroy(joints);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }

    void add_cube(double x, double y, double z, const dQuaternion attitude) {
        dBodyID body = dBodyCreate(world);
        dMass mass;
        dMassSetParameters(&mass, cube_mass, 0.0, 0.0, 0.0, cube_inertia, cube_inertia, cube_inertia, 0.0, 0.0, 0.0);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, x, y, z);
        dBodySetQuaternion(body, attitude);
        dGeomSetBody(dCreateBox(space, 1.0, 1.0, 1.0), body);
        cubes.push_back(body);
    }

    static void meet(void *context, dGeomID a, dGeomID b) {
        scene *self = static_cast<scene *>(context);
        dContact contacts[most_contacts_of_pair];
        int count = dCollide(a, b, most_contacts_of_pair, &contacts[0].geom, sizeof contacts[0]);
        for (int i = 0; i < count; i++) {
            contacts[i].surface.mode = dContactApprox1; // mu is a coefficient, not a force
            contacts[i].surface.mu = friction;
            dJointAttach(dJointCreateContact(self->world, self->joints, &contacts[i]), dGeomGetBody(a),
                         dGeomGetBody(b));
            self->contacts.push_back(contacts[i].geom);
        }
    }

    void find_contacts() {
        contacts.clear();
        dJointGroupEmpty(joints);
        dSpaceCollide(space, this, meet);
    }

    void settle(int steps) {
        for (int i = 0; i < steps; i++) {
            find_contacts();
            dWorldQuickStep(world, step_length);
        }
        find_contacts();
    }

    int index_of(dBodyID body) const {
        std::size_t i = 0;
        while (i < cubes.size() && cubes[i] != body) i++;
        return static_cast<int>(i);
    }
};

// ---- the problem

void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// The rows of a contact on a cube: velocity of its point along the normal and two tangents. `side` is +1 or -1.
carom_entry entry_of(int group, int node, dBodyID cube, const dContactGeom &contact, double side) {
    double axes[3][3] = {}, other[3] = {}, arm[3];
    for (int i = 0; i < 3; i++) axes[0][i] = contact.normal[i];
    other[std::fabs(axes[0][0]) < 0.6 ? 0 : 1] = 1.0;
    cross(axes[0], other, axes[1]);
    double length = std::sqrt(axes[1][0] * axes[1][0] + axes[1][1] * axes[1][1] + axes[1][2] * axes[1][2]);
    for (double &x : axes[1]) x /= length;
    cross(axes[0], axes[1], axes[2]);

    carom_entry entry = {};
    entry.group = group;
    entry.node = node;
    const dReal *centre = dBodyGetPosition(cube);
    for (int i = 0; i < 3; i++) arm[i] = contact.pos[i] - centre[i];
    for (int i = 0; i < 3; i++) {
        double moment[3];
        cross(arm, axes[i], moment);
        for (int j = 0; j < 3; j++) {
            entry.rows[6 * i + j] = side * axes[i][j];
            entry.rows[6 * i + 3 + j] = side * moment[j];
        }
    }
    return entry;
}

carom_problem_node node_of(dBodyID cube) {
    carom_problem_node node = {};
    node.size = 6;
    const dReal *velocity = dBodyGetLinearVel(cube), *spin = dBodyGetAngularVel(cube);
    for (int i = 0; i < 3; i++) {
        node.mass[7 * i] = cube_mass;
        node.mass[7 * (3 + i)] = cube_inertia;
        node.free[i] = velocity[i];
        node.free[3 + i] = spin[i];
    }
    node.free[2] -= gravity * step_length;
    return node;
}

bool write_problem(const scene &s, const std::string &folder, const std::string &name) {
    std::vector<carom_row_group> groups;
    std::vector<carom_problem_node> nodes;
    std::vector<carom_entry> entries;
    for (dBodyID cube : s.cubes) nodes.push_back(node_of(cube));
    for (const dContactGeom &contact : s.contacts) {
        int group = static_cast<int>(groups.size());
        dBodyID first = dGeomGetBody(contact.g1), second = dGeomGetBody(contact.g2); // the normal points at the first
        if (first != nullptr) entries.push_back(entry_of(group, s.index_of(first), first, contact, 1.0));
        if (second != nullptr) entries.push_back(entry_of(group, s.index_of(second), second, contact, -1.0));
        carom_row_group cone = {};
        cone.law = CAROM_LAW_CONE;
        cone.rows = 3;
        cone.friction = friction;
        groups.push_back(cone);
    }
    std::vector<double> offset(3 * groups.size());
    carom_problem problem = {};
    problem.form = CAROM_FORM_BODIES;
    problem.group_count = static_cast<int>(groups.size());
    problem.groups = groups.data();
    problem.offset = offset.data();
    problem.node_count = static_cast<int>(nodes.size());
    problem.nodes = nodes.data();
    problem.entry_count = static_cast<int>(entries.size());
    problem.entries = entries.data();

    // Under its own name only when it is complete: whoever finds the file may use it.
    std::string path = folder + "/" + name + ".json", unfinished = path + ".unfinished";
    carom_error error;
    if (carom_problem_write(&problem, name.c_str(), nullptr, unfinished.c_str(), &error) != CAROM_OK) {
        std::fprintf(stderr, "%s\n", error.text);
        return false;
    }
    return std::rename(unfinished.c_str(), path.c_str()) == 0;
}

// ---- the scenes

const dQuaternion upright = {1.0, 0.0, 0.0, 0.0};

// A triangle of `base` layers, each cube over the gap of two.
bool wall(const std::string &folder, int base) {
    scene s;
    for (int k = 0; k < base; k++)
        for (int i = 0; i < base - k; i++) s.add_cube(i - 0.5 * (base - k - 1), 0.0, k + 0.5, upright);
    s.settle(60);
    return write_problem(s, folder, "wall-" + std::to_string(base));
}

// 10 x 10 x 10 cubes with gaps between them, each tilted by up to 0.1 rad, fall into a pile.
bool pile(const std::string &folder) {
    scene s;
    random_source random;
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 10; k++)
        for (int j = 0; j < 10; j++)
            for (int i = 0; i < 10; i++) {
                double height = random.between(-1.0, 1.0), around = random.between(0.0, 2.0 * pi);
                double radius = std::sqrt(1.0 - height * height);
                double axis[3] = {radius * std::cos(around), radius * std::sin(around), height};
                double half = 0.5 * random.between(0.0, 0.1), sine = std::sin(half);
                dQuaternion attitude = {std::cos(half), sine * axis[0], sine * axis[1], sine * axis[2]};
                s.add_cube((i - 4.5) * 1.1, (j - 4.5) * 1.1, 0.6 + 1.1 * k, attitude);
            }
    s.settle(450);
    return write_problem(s, folder, "pile-1000");
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: settled_ode FOLDER\n");
        return 2;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    std::string folder = argv[1];
    bool good = wall(folder, 5) && wall(folder, 10) && wall(folder, 20) && pile(folder);
    dCloseODE();
    if (good) std::printf("{\"written\":4}\n");
    return good ? 0 : 3;
}
