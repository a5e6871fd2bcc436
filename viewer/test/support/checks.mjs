// SPDX-License-Identifier: MIT
// Checks that go on after a failure, and tell at the end.

export class Checks {
  constructor() {
    this.count = 0;
    this.failures = [];
  }

  ok(condition, what) {
    this.count++;
    if (!condition) this.failures.push(what);
  }

  equal(got, wanted, what) {
    this.ok(got === wanted, `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
  }

  near(got, wanted, tolerance, what) {
    const worst = Math.max(...wanted.map((value, i) => Math.abs(value - got[i])));
    this.ok(worst <= tolerance, `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)} to ${tolerance}`);
  }

  /** q and -q are the same attitude. */
  nearAttitude(got, wanted, tolerance, what) {
    const sign = got.reduce((sum, c, i) => sum + c * wanted[i], 0) < 0 ? -1 : 1;
    this.near(got.map((c) => sign * c), wanted, tolerance, what);
  }

  none(list, what) {
    this.ok(list.length === 0, `${what}: ${list.join("; ")}`);
  }

  /** @returns {number} exit code */
  report() {
    for (const failure of this.failures) console.error(`FAILED ${failure}`);
    console.log(`${this.count - this.failures.length} of ${this.count} checks passed`);
    return this.failures.length ? 1 : 0;
  }
}
