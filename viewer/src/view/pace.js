// SPDX-License-Identifier: MIT
// How finely to draw: a processor that draws does so coarsely while things move, and finely once they rest.

/** Longer than this between two frames, ms, is slow; so many of them in a row are too many. */
const SLOW = 45;
const TOO_MANY = 8;
/** Without a change for so long, ms, the view rests. */
const REST = 180;

export class Pace {
  /** @param {boolean} software @param {number} deviceRatio pixels of the screen a pixel of the page */
  constructor(software, deviceRatio) {
    this.still = software ? 2 : Math.min(2, deviceRatio);
    this.moving = software ? 1 : this.still;
    this.slow = 0;
    this.lastChange = -Infinity;
    this.lastFrame = -Infinity;
    this.coarse = false;
  }

  /** @param {number} now ms @param {boolean} playing @returns {number} pixels drawn a pixel of the page */
  ratio(now, playing) {
    const busy = playing || now - this.lastChange < REST;
    this.lastChange = now;
    this.coarse = busy && this.moving < this.still;
    return busy ? this.moving : this.still;
  }

  /** Whether what was drawn coarsely can now be drawn finely. */
  rested(now) {
    return this.coarse && now - this.lastChange > REST;
  }

  /** Takes the time of a frame while playing. @returns {boolean} whether it has long been too slow */
  frame(now) {
    const passed = now - this.lastFrame;
    this.lastFrame = now;
    this.slow = passed > SLOW && passed < 5000 ? this.slow + 1 : 0;
    if (this.slow < TOO_MANY) return false;
    this.slow = 0;
    return true;
  }

  /** Fewer pixels from now on while moving. */
  coarser() {
    this.moving = Math.max(0.5, 0.7 * this.moving);
  }
}
