// SPDX-License-Identifier: MIT
// Flexible bodies: what an element costs, steps with contact beside Bullet's deformable bodies, and static solutions
// beside CalculiX. Processor time of one thread.
//
//   carom bench flex [--json]
#include "flex/flex_tables.h"
#include "support/report.h"

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_flex_elements(json);
    bench_flex_cubes(json);
    bench_flex_cantilevers(json);
    return 0;
}
