// SPDX-License-Identifier: MIT
// Which time is shown, and how it goes on while playing.

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time if the run then lasts between 2 s and a minute; else what comes nearest to 10 s. */
export function speedFor(duration) {
  if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
  const wanted = Math.log(duration / 10);
  return SPEEDS.reduce((best, speed) => (Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best));
}

export class Player {
  /** @param {import("../data/frames.js").Frames} frames */
  constructor(frames) {
    this.frames = frames;
    this.time = frames.start;
    this.speed = speedFor(frames.end - frames.start);
    this.playing = false;
    this.last = 0;
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  get place() {
    return this.frames.locate(this.time);
  }

  #changed() {
    for (const listener of this.listeners) listener();
  }

  /** @param {number} time s, brought into the run */
  seek(time) {
    this.time = Math.min(this.frames.end, Math.max(this.frames.start, Number.isFinite(time) ? time : this.frames.start));
    this.#changed();
  }

  seekFrame(index) {
    const frame = Math.min(this.frames.count - 1, Math.max(0, Math.round(index)));
    this.seek(this.frames.times[frame] ?? 0);
  }

  /** By whole frames: from between two frames to the next one that way. */
  step(frames) {
    this.pause();
    const { frame, share } = this.place;
    this.seekFrame(frame + frames + (share > 0 && frames < 0 ? 1 : 0));
  }

  play() {
    if (this.time >= this.frames.end) this.time = this.frames.start;
    this.playing = this.frames.count > 1;
    this.last = 0;
    this.#changed();
  }

  pause() {
    this.playing = false;
    this.#changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
    this.#changed();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#changed();
  }

  /** @param {number} now ms of the display's clock */
  tick(now) {
    if (!this.playing) return;
    const passed = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
    this.last = now;
    if (this.time + passed * this.speed >= this.frames.end) this.playing = false;
    this.seek(this.time + passed * this.speed);
  }
}
